/** Lists bookings in an external ledger for REST, and selects those with an unknown outcome for the start page. */
import type { Timestamp } from "../../../domain/base/brand.ts";
import { notFound } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import { cursorFrom, envelope, positionFrom, UUID } from "../../../platform/database/page.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import type { OpenState } from "./intent-state.ts";
import { AT_WORK, OPEN } from "./intents.ts";
import { type IntentQuery, LedgerIntent, LedgerQueue } from "./schemas.ts";

type Shown = Pick<
  Selectable<Tables["intents"]>,
  | "id"
  | "kind"
  | "document_id"
  | "state"
  | "attempts"
  | "last_outcome"
  | "created_at"
  | "next_attempt_at"
  | "settled_at"
>;

const COLUMNS =
  "id, kind, document_id, state, attempts, last_outcome, created_at, next_attempt_at, settled_at";
const ENDLESS = "9999-12-31 00:00:00+00";

/** Lists bookings, the newest first. Throws VALIDATION_FAILED for a cursor that this service did not issue. */
export async function listIntents(cx: Reader, page: IntentQuery): Promise<JsonText> {
  const after = page.cursor === undefined ? null : positionFrom(page.cursor, UUID).id;
  const { account_id } = cx.caller;
  const rows = await cx.rows<Shown>(sql`select ${raw(COLUMNS)} from intents t
    where t.account_id = ${account_id}
      and (${page.state ?? null}::text is null or t.state = ${page.state ?? null})
      and (${page.kind ?? null}::text is null or t.kind = ${page.kind ?? null})
      and (${page.document ?? null}::uuid is null or t.document_id = ${page.document ?? null}::uuid)
      and (${after}::uuid is null or (t.created_at, t.id) < (
        coalesce((select a.created_at from intents a where a.account_id = ${account_id} and a.id = ${after}::uuid),
          ${ENDLESS}::timestamptz), ${after}::uuid))
    order by t.created_at desc, t.id desc limit ${page.limit + 1}`);
  const shown = rows.slice(0, page.limit);
  const last = rows.length > page.limit ? shown.at(-1) : undefined;
  const next = last ? cursorFrom({ id: last.id, horizon: null }) : null;
  return envelope(shown.map(present), next);
}

/** Returns the number of waiting bookings, and the recent speed of the ledger. */
export async function readQueue(cx: Reader): Promise<JsonText> {
  const { account_id } = cx.caller;
  const row = await cx.row<{
    waiting: number;
    per_minute: number | null;
    expected_end: Timestamp | null;
  }>(sql`with settled as (
      select count(*) - 1 as count, extract(epoch from max(settled_at) - min(settled_at)) / 60 as minutes
      from intents where account_id = ${account_id} and state = 'settled'
        and settled_at > clock_timestamp() - interval '10 minutes'),
    known as (
      select (select count(*)::int from intents where account_id = ${account_id} and state in ${AT_WORK}) as waiting,
        (select count / minutes from settled where count > 0 and minutes > 0) as rate,
        exists (select from ledger_connections
          where account_id = ${account_id} and is_current and down_since is not null) as is_down)
    select waiting, round(rate)::int as per_minute,
      case when waiting > 0 and not is_down
        then clock_timestamp() + (waiting / rate)::float8 * interval '1 minute' end as expected_end
    from known`);
  if (row === undefined) throw new Error("a count has no row");
  return jsonText(LedgerQueue.parse({ object: "ledger_queue", ...row }));
}

/** Returns one booking in an external ledger. Throws NOT_FOUND. */
export async function readIntent(cx: Reader, id: string): Promise<JsonText> {
  const row = await cx.row<Shown>(sql`select ${raw(COLUMNS)} from intents
    where account_id = ${cx.caller.account_id} and id = ${id}`);
  if (row === undefined) throw notFound("ledger_intent", id);
  return present(row);
}

function present(row: Shown): JsonText {
  const is_under_way =
    row.state === "booking" || row.state === "unknown" || row.state === "pending";
  const next_attempt_at = is_under_way ? row.next_attempt_at : null;
  return jsonText(LedgerIntent.parse({ object: "ledger_intent", ...row, next_attempt_at }));
}

/** Returns the open bookings of some documents, by the ids of the documents. */
export async function openBookings(
  cx: Reader,
  document_ids: readonly string[],
): Promise<Map<string, OpenState>> {
  const rows = await cx.rows<{ document_id: string; state: OpenState }>(sql`
    select document_id, state from intents
    where account_id = ${cx.caller.account_id} and document_id = any(${document_ids}) and state in ${OPEN}`);
  return new Map(rows.map(({ document_id, state }) => [document_id, state]));
}

/** Counts the documents of a customer that are being booked, by the state of the booking. */
export async function customerBookings(
  cx: Reader,
  customer_id: string,
): Promise<{ readonly under_way: number; readonly in_doubt: number }> {
  const { account_id } = cx.caller;
  const row = await cx.row<{ under_way: number; in_doubt: number }>(sql`select
      count(*) filter (where t.state <> 'parked')::int as under_way,
      count(*) filter (where t.state = 'parked')::int as in_doubt
    from intents t
    where t.account_id = ${account_id} and t.state in ${OPEN} and (
      exists (select from invoices i where i.account_id = ${account_id} and i.id = t.document_id
        and i.customer_id = ${customer_id})
      or exists (select from credit_notes n where n.account_id = ${account_id} and n.id = t.document_id
        and n.customer_id = ${customer_id})
      or exists (select from accrual_bookings b join accruals a on a.account_id = ${account_id} and a.id = b.accrual_id
        where b.account_id = ${account_id} and (b.voucher_guid = t.document_id or b.reversal_guid = t.document_id)
          and a.customer_id = ${customer_id}))`);
  return row ?? { under_way: 0, in_doubt: 0 };
}

/** Selects bookings in progress for longer than a call takes. The detail is `parked`, or else the minutes since the begin. */
export function attentionOfBookings({ caller: { account_id } }: Reader): Sql {
  return sql`(select 'booking_in_doubt' as kind, t.kind as subject, t.document_id::text as subject_id, null::text as title,
      c.name as party, c.id::text as party_id, null::bigint as amount, null::text as currency,
      t.created_at::date::text as since,
      case when t.state = 'parked' then 'parked'
        else floor(date_part('epoch', clock_timestamp() - t.created_at) / 60)::text end as detail
    from intents t
    left join invoices i on i.account_id = ${account_id} and i.id = t.document_id
    left join credit_notes n on n.account_id = ${account_id} and n.id = t.document_id
    left join accrual_bookings b on t.kind = 'voucher' and b.account_id = ${account_id}
      and (b.voucher_guid = t.document_id or b.reversal_guid = t.document_id)
    left join accruals a on a.account_id = ${account_id} and a.id = b.accrual_id
    left join customers c on c.account_id = ${account_id}
      and c.id = coalesce(i.customer_id, n.customer_id, a.customer_id)
    where t.account_id = ${account_id} and t.state in ${OPEN}
      and (t.state = 'parked' or t.created_at < clock_timestamp() - interval '2 minutes')
    order by t.created_at limit 8)`;
}
