-- The words in which a plan was shown to the assistant: its first changes, its effects and its warnings, as JSON. Pages show
-- them to the person who decides. Null for plans from before this column.
alter table plans add column words text;
