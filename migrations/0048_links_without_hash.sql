-- What the ledger was last told is known by the version alone.
alter table ledger_links drop column known_hash;
