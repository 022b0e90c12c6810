/** The SQL queries of reminders, and a reminder as the API shows it: its frozen letter, and whether it is cancelled. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { notFound } from "../../../domain/base/problem.ts";
import type { ReminderSnapshot } from "../../../domain/receivables/reminder-snapshot.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import type { Condition } from "../../../platform/database/page.ts";
import { columnOfRef, refersTo } from "../../../platform/database/resources.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText, thaw } from "../../../platform/runtime/json.ts";
import { type ReminderQuery, ReminderResource } from "./schemas.ts";

/** The fields of a reminder that its letter does not have. */
type ReminderRow = Pick<
  Selectable<Tables["reminders"]>,
  "id" | "number" | "entry_no" | "cancelled_on" | "cancel_reason" | "created_at"
>;

export interface Reminder {
  readonly row: ReminderRow;
  readonly snapshot: ReminderSnapshot;
}

/** Presents a reminder as the API shows it. */
export function presentReminder({ row, snapshot }: Reminder): JsonText {
  const { number, entry_no, cancelled_on } = row;
  return jsonText(
    ReminderResource.parse({
      object: "reminder",
      id: row.id,
      number: number === null ? null : Number(number),
      status: cancelled_on === null ? "issued" : "cancelled",
      date: snapshot.issue_date,
      due_date: snapshot.due_date,
      entry_no: entry_no === null ? null : Number(entry_no),
      ...presentLetter({ ...snapshot, customer_id: snapshot.customer.id }),
      payment_codes: snapshot.payment_codes,
      cancelled_on,
      cancel_reason: row.cancel_reason,
      created_at: row.created_at,
    }),
  );
}

/** The content of a letter. */
type ShownLetter = Pick<
  ReminderSnapshot,
  "currency" | "level" | "fee" | "interest" | "compensation" | "total" | "items"
> & { readonly customer_id: string };

/** Presents what a letter says, in units of its currency. */
export function presentLetter({ customer_id, currency, level, items, ...sums }: ShownLetter) {
  const shown = (amount: Money): number => scaledToNumber(amount, currencyDigits(currency));
  return {
    customer_id,
    currency,
    level,
    fee: shown(sums.fee),
    interest: shown(sums.interest),
    compensation: shown(sums.compensation),
    total: shown(sums.total),
    items: items.map((item) => ({
      invoice_id: item.kind === "invoice" ? item.id : null,
      opening_id: item.kind === "opening" ? item.id : null,
      number: item.number,
      due_date: item.due_date,
      open: shown(item.open),
      days_overdue: item.days_overdue,
      interest: shown(item.interest),
      compensation: shown(item.compensation),
      counts: item.counts,
    })),
  };
}

/** Returns the read of a page of reminders, the newest first. */
export function readReminders(page: ReminderQuery): StoredRead {
  return readPage("reminders", reminderConditions(page), page);
}

function reminderConditions(filters: ReminderQuery): Condition[] {
  const { customer, invoice, status, from, to } = filters;
  const conditions: Condition[] = [];
  if (customer !== undefined) conditions.push(refersTo("customer_id", "customers", customer));
  if (invoice !== undefined) conditions.push(ofInvoice(invoice));
  if (status !== undefined) {
    conditions.push([`cancelled_on is ${status === "issued" ? "" : "not "}null`]);
  }
  if (from !== undefined) conditions.push(["date >=", from]);
  if (to !== undefined) conditions.push(["date <=", to]);
  return conditions;
}

function ofInvoice(ref: string): Condition {
  const [column, value] = columnOfRef(ref);
  return [
    `id in (select t.reminder_id from reminder_items t join invoices i on i.account_id = $1 and i.id = t.item_id
      where t.account_id = $1 and i.${column} = $value)`,
    value,
  ];
}

/** Returns the reminder with an id. Throws NOT_FOUND. */
export async function getReminder(cx: Reader, id: string): Promise<Reminder> {
  const found = await cx.row<ReminderRow & { readonly snapshot: string }>(sql`
    select r.id, r.number, r.entry_no, r.cancelled_on, r.cancel_reason, r.created_at, d.snapshot
    from reminders r join issued_documents d on d.account_id = r.account_id and d.document_id = r.id
    where r.account_id = ${cx.caller.account_id} and r.id = ${id}`);
  if (found === undefined) throw notFound("reminder", id);
  const { snapshot, ...row } = found;
  return { row, snapshot: thaw<ReminderSnapshot>(snapshot) };
}

/** A reminder to store: its letter is frozen already. */
export interface NewReminder extends Reminder {
  /** The digest of the content that was agreed to. */
  readonly agreed: Buffer;
  /** The last day whose interest is charged, by item; absent where none is. */
  readonly charged_through: ReadonlyMap<string, string>;
}

/** Stores new reminders with their items. Follows all locks of the transaction. */
export function insertReminders(tx: Tx, reminders: readonly NewReminder[]): void {
  if (reminders.length === 0) return;
  const { account_id } = tx.caller;
  const row = tableOf(reminders, {
    id: ["uuid", (one) => one.row.id],
    number: ["bigint", (one) => one.row.number],
    customer_id: ["uuid", ({ snapshot }) => snapshot.customer.id],
    date: ["date", ({ snapshot }) => snapshot.issue_date],
    due_date: ["date", ({ snapshot }) => snapshot.due_date],
    currency: ["text", ({ snapshot }) => snapshot.currency],
    level: ["int", ({ snapshot }) => snapshot.level],
    fee: ["bigint", ({ snapshot }) => snapshot.fee],
    interest: ["bigint", ({ snapshot }) => snapshot.interest],
    compensation: ["bigint", ({ snapshot }) => snapshot.compensation],
    total: ["bigint", ({ snapshot }) => snapshot.total],
    entry_no: ["bigint", (one) => one.row.entry_no],
    agreed: ["bytea", (one) => one.agreed],
    created_at: ["timestamptz", (one) => one.row.created_at],
    document: ["lines", (one) => presentReminder(one)],
  });
  tx.write(sql`insert into reminders (account_id, updated_at, ${row.columns})
    select ${account_id}, stamp(${account_id}), r.* from ${row.table} as r`);
  const items = reminders.flatMap(({ row: { id }, snapshot, charged_through }) =>
    snapshot.items.map((item) => ({
      ...item,
      reminder_id: id,
      charged_through: charged_through.get(item.id) ?? null,
    })),
  );
  const item = tableOf(items, {
    reminder_id: ["uuid", (one) => one.reminder_id],
    item_id: ["uuid", (one) => one.id],
    counts: ["boolean", (one) => one.counts],
    interest: ["bigint", (one) => one.interest],
    compensation: ["bigint", (one) => one.compensation],
    charged_through: ["date", (one) => one.charged_through],
  });
  tx.write(sql`insert into reminder_items (account_id, ${item.columns})
    select ${account_id}, i.* from ${item.table} as i`);
}
