-- What the orders stored for a turn come to (orders_sum of store/orders.h): a row of them that is lost, or put back as
-- it was before, is noticed before the turn is played. NULL: they are not counted, in turns of before.

ALTER TABLE turns ADD COLUMN orders_sum bigint;
