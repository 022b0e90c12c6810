-- Who made the key on the developer page; null for keys of the command line, and for those of before.
alter table api_keys add column created_by uuid;
alter table api_keys add foreign key (account_id, created_by) references users (account_id, id);
create index api_keys_created_by on api_keys (account_id, created_by, id) where created_by is not null;
