-- The account's own subjects and texts of mails of documents, by language and kind. Null, like each text in it, means the usual text.
alter table configurations add column mail_texts json;
