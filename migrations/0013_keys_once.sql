-- The form in the developer settings with which a key was made: sent again, it makes no second key.

-- SHA-256 of the form's one-time value; null for keys of the command line.
alter table api_keys add column form_hash bytea;
create unique index api_keys_form on api_keys (account_id, form_hash) where form_hash is not null;
