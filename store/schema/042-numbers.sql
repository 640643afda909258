-- Several machines that write at the same time, where the store is one that they can share: nothing to do here.

-- After a SIGNON to a game of others a mail was noted as about a seat of no game.
UPDATE inbox SET seat = 0 WHERE game IS NULL AND seat > 0;
-- Nobody has confirmed a seat that was given up before the game began.
UPDATE seats SET confirmed = 0 WHERE player IS NULL AND bot_level < 0 AND confirmed = 1
AND game IN (SELECT id FROM games WHERE status = 0);
