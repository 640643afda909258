-- Several machines that write the turns of different games at the same time.

-- Numbers of new rows, a block of a hundred for each transaction; the first of them is 99 below what nextval gives.
-- Who writes alone goes on behind the last row instead, and moves this out of the way.
CREATE SEQUENCE outbox_ids INCREMENT 100 MINVALUE 0 START 0;
SELECT setval('outbox_ids', coalesce(max(id), 0)) FROM outbox;

CREATE SEQUENCE audit_ids OWNED BY audit.id;
SELECT setval('audit_ids', max(id)) FROM audit;
ALTER TABLE audit ALTER COLUMN id SET DEFAULT nextval('audit_ids');

-- After a SIGNON to a game of others a mail was noted as about a seat of no game.
UPDATE inbox SET seat = 0 WHERE game IS NULL AND seat > 0;
-- Nobody has confirmed a seat that was given up before the game began.
UPDATE seats SET confirmed = 0 WHERE player IS NULL AND bot_level < 0 AND confirmed = 1
AND game IN (SELECT id FROM games WHERE status = 0);
