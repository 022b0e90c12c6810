-- Through which assistant a change was made, for people who read the trail.

-- The grant of the assistant; null where none was between. Beside the event and not in its payload, which is what the
-- hash covers and what the API shows. Without a foreign key: the event outlives the grant.
alter table audit_events add column grant_id uuid;
