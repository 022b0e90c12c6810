-- Links to documents in mails, and mail as HTML.

-- A mail contains the link itself; here is the digest of its token. A repeated attempt replaces it.
alter table deliveries add column link_hash bytea;
alter table deliveries add column link_ends_at timestamptz;
-- Set for all deliveries of a document, also for those that are not sent yet: their links never open.
alter table deliveries add column link_revoked_at timestamptz;
create index deliveries_links on deliveries (link_hash) where link_hash is not null;

alter table configurations add column document_links boolean not null default true;

alter table held_notes add column language text not null default 'en' check (language in ('da', 'en'));
alter table held_notes add column button text;
