/**
 * The statement of `read-facts.ts`: rows of several kinds, each with its data packed in the shape of its kind; `booked` rows
 * also have their months as text. The kinds come in the order in which they are needed.
 */
import { BOOKED } from "./booked-facts.ts";
import {
  creditAt,
  customerShape,
  invoicedShape,
  OPENING_AS_LINE,
  OPENING_LINE,
  rateShape,
  returnedAt,
  workShape,
} from "./shapes.ts";

const STATEMENT = `
with wanted as materialized (
  select c.id, c.name from customers c where c.account_id = $1 and c.id = any($2)),
billed as materialized (
  select i.* from invoices i where i.account_id = $1 and i.customer_id = any($2) {billed}),
brought as materialized (
  select o.* from opening_contracts o where o.account_id = $1 and o.customer_id = any($2) {brought}),
effective as materialized (
  select i.customer_id, l.id, l.account_number, i.currency from billed i
  join invoice_lines l on l.account_id = $1 and l.invoice_id = i.id {line}
  union all
  select o.customer_id, o.line_id, o.account_number, o.currency from brought o),
running as materialized (
  select s.* from recurring_series s
  where s.account_id = $1 and s.customer_id = any($2) and s.status = 'active' and not s.is_discarded {series})
select kind, customer_id, data, months from (
  select 1 as place, 'customer' as kind, c.id as customer_id, null::text as at,
    ${customerShape.packed("c")} as data,
    null::text as months
  from wanted c

  union all
  select 2, 'credit', i.customer_id, greatest(n.credit_date, i.issue_date) || ' ' || n.id,
    ${creditAt("null")}, null
  from billed i
  join credit_notes n on n.account_id = $1 and n.invoice_id = i.id and n.status = 'issued'
  join credit_note_lines l on l.account_id = $1 and l.credit_note_id = n.id {credit}
  where i.rate_micro is null

  union all
  -- What was posted in functional currency is in the frozen document, which is read once for each note.
  select 2, 'credit', i.customer_id, greatest(n.credit_date, i.issue_date) || ' ' || n.id,
    ${creditAt("rtrim(x.line ->> 'net_functional', 'n')")}, null
  from billed i
  join credit_notes n on n.account_id = $1 and n.invoice_id = i.id and n.status = 'issued'
  join issued_documents d on d.account_id = $1 and d.document_id = n.id
  cross join lateral json_array_elements(d.snapshot::json -> 'lines') as x (line)
  join credit_note_lines l on l.account_id = $1 and l.credit_note_id = n.id
    and l.invoice_line_id = (x.line ->> 'line_id')::uuid {credit}
  where i.rate_micro is not null

  union all
  select 2, 'credit', o.customer_id, o.ended_on || ' ' || o.id, ${returnedAt}, null
  from brought o where o.ended_on is not null

  union all
  select 3, 'line', i.customer_id, i.id || ' ' || lpad(l.position::text, 20, '0'),
    ${invoicedShape.packed()}, null
  from billed i
  join invoice_lines l on l.account_id = $1 and l.invoice_id = i.id {line}

  union all
  select 3, 'line', o.customer_id, o.id::text, ${OPENING_LINE}, null
  from brought o cross join lateral (${OPENING_AS_LINE}) as l

  union all
  -- Open work is either on an invoice or in a series. One by one, each is found by its index among all work of the account.
  select 4, 'work', w.customer_id, w.id::text,
    ${workShape.packed("w")}, null
  from (
    select w.*, i.customer_id from billed i
    join work_registrations w on w.account_id = $1 and w.invoice_id = i.id
    where w.status = 'open' {work}
    union all
    select w.*, s.customer_id from running s
    join work_registrations w on w.account_id = $1 and w.series_id = s.id
    where w.status = 'open' {work}) w

  union all
  select 5, 'series', s.customer_id, s.id::text, json_build_object('id', s.id,
    'external_id', s.external_id, 'currency', s.currency, 'frequency', s.frequency,
    'alignment', s.alignment, 'start_date', s.start_date, 'end_date', s.end_date,
    'timing_mode', s.timing_mode, 'offset_days', s.offset_days, 'auto_send', s.auto_send,
    'status', s.status, 'activated_on', s.activated_on, 'cancelled_at', s.cancelled_at,
    'end_before_cancel', s.end_before_cancel, 'is_discarded', s.is_discarded,
    'printed', s.printed), null
  from running s

  union all
  select 6, 'version', s.customer_id, l.line_id::text, json_build_object('series_id', s.id,
    'line_id', l.line_id, 'hashed_periods', l.hashed_periods, 'kind', p.kind, 'at', p.at, 'content', p.content), null
  from running s
  join series_lines l on l.account_id = $1 and l.series_id = s.id {version}
  join lateral (
    select 'version' as kind, v.from_index as at, v.content from series_line_versions v
    where v.account_id = $1 and v.line_id = l.line_id
    union all
    select 'override', o.period_index, o.content from series_line_overrides o
    where o.account_id = $1 and o.line_id = l.line_id) p on true

  union all
  select 7, 'period_event', s.customer_id, null, json_build_object('series_id', s.id,
    'period_index', i.period_index, 'state', case i.status when 'issued' then 'issued' else 'pending' end,
    'invoice_id', i.id, 'period', i.period, 'period_from', i.period_from, 'period_to', i.period_to,
    'is_final_partial', i.is_final_partial, 'issue_date', i.issue_date, 'attempts', 0,
    'next_attempt_at', null), null
  from running s join invoices i on i.account_id = $1 and i.series_id = s.id

  union all
  select 7, 'period_event', s.customer_id, null, json_build_object('series_id', s.id,
    'period_index', o.period_index, 'state', o.state, 'invoice_id', null, 'attempts', o.attempts,
    'next_attempt_at', o.next_attempt_at), null
  from running s join occurrences o on o.account_id = $1 and o.series_id = s.id

  union all
${BOOKED}

  union all
  select 9, 'booked_rate', r.customer_id, null,
    ${rateShape.packed("r")}, null
  from accrual_rates r where r.account_id = $1 and r.customer_id = any($2)

  union all
  select 10, 'rate', null, r.month, ${rateShape.packed("r")}, null
  from (
    select distinct on (currency, to_char(date, 'YYYY-MM')) currency, to_char(date, 'YYYY-MM') as month,
      rate_micro
    from exchange_rates where account_id = $1 and exists (
      select from billed i join configurations k on k.account_id = $1
      where i.currency <> k.functional_currency
      union all
      select from running s join configurations k on k.account_id = $1
      where s.currency <> k.functional_currency)
    order by currency, to_char(date, 'YYYY-MM'), date desc) r
) facts
order by place, at`;

/** `$1` is the account, `$2` the ids of customers. */
export const FACTS = restricted({});

/** The same for some lines only: `$3` are their ids, `$4` the last digits of the ids of their series lines, null for any. */
export const FACTS_OF_LINES = restricted({
  billed: `and i.id in (select l.invoice_id from invoice_lines l where l.account_id = $1 and l.id = any($3))`,
  line: "and l.id = any($3)",
  credit: "and l.invoice_line_id = any($3)",
  work: "and w.line_id = any($3)",
  series: `and ($4::text[] is null or exists (select from series_lines l
    where l.account_id = $1 and l.series_id = s.id and right(l.line_id::text, 17) = any($4)))`,
  version: "and ($4::text[] is null or right(l.line_id::text, 17) = any($4))",
  booked: "and line_id = any($3)",
  brought: "and o.line_id = any($3)",
});

/** The statement with the given conditions at their places. */
function restricted(only: Readonly<Record<string, string>>): string {
  return STATEMENT.replace(/ \{(\w+)\}/g, (_place, name: string) =>
    only[name] === undefined ? "" : ` ${only[name]}`,
  );
}
