-- Whose work a claimed key is: the process that answers the request, in whichever of its threads. It has a session lock of
-- `process` and this id while it lives, and where no session has that lock, the key is free before its lease has run out. Null
-- where the process had no such lock when it claimed: then the lease alone decides.

alter table idempotency_keys add column process uuid;
