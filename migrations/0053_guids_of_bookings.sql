-- Under which guid a document is booked in the ledger; null where that is the document's own id. A ledger may keep the guid
-- of a deleted draft for good: another one is taken then, and those before it stay known.
alter table intents
  add column guid uuid,
  add column former_guids uuid[] not null default '{}',
  -- How often the ledger has accepted it and given it back unbooked.
  add column returned integer not null default 0;
