/** The SQL queries of bank lines. */

import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { notFound } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import { type Condition, has, listRows, type RowsOfPage } from "../../../platform/database/page.ts";
import { refersTo, stampedAnew } from "../../../platform/database/resources.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type BankLineQuery, BankLineResource } from "./schemas.ts";

export type BankLineRow = Omit<
  Selectable<Tables["bank_lines"]>,
  "account_id" | "identity" | "is_reversal" | "updated_at" | "request_hash"
>;

const COLUMNS = `id, bank_account_id, bank_statement_id, date, value_date, amount, currency, instructed_amount,
  instructed_currency, text, reference, end_to_end_id, counterparty_name, counterparty_account, state, payment_id,
  ignored_reason`;

/** Presents a bank line as the API shows it. */
export function presentBankLine(row: BankLineRow) {
  const { instructed_amount, instructed_currency, counterparty_name, counterparty_account } = row;
  const instructed =
    instructed_amount !== null && instructed_currency !== null
      ? scaledToNumber(instructed_amount, currencyDigits(instructed_currency))
      : null;
  return BankLineResource.parse({
    object: "bank_line",
    id: row.id,
    bank_statement_id: row.bank_statement_id,
    bank_account_id: row.bank_account_id,
    date: row.date,
    value_date: row.value_date,
    amount: scaledToNumber(row.amount, currencyDigits(row.currency)),
    currency: row.currency,
    instructed_amount: instructed,
    instructed_currency,
    text: row.text,
    reference: row.reference,
    end_to_end_id: row.end_to_end_id,
    counterparty: { name: counterparty_name, account: counterparty_account },
    state: row.state,
    payment_id: row.payment_id,
    ignored_reason: row.ignored_reason,
  });
}

/** Returns the rows of a page of bank lines. */
export function pageOfBankLines(
  cx: Reader,
  query: BankLineQuery,
): Promise<RowsOfPage<BankLineRow>> {
  return listRows<BankLineRow>(cx, COLUMNS, "bank_lines", conditionsOf(query), query);
}

function conditionsOf({ state, bank_account, from, to, search }: BankLineQuery): Condition[] {
  const conditions: Condition[] = [];
  if (state !== undefined) conditions.push(["state =", state]);
  if (bank_account !== undefined) {
    conditions.push(refersTo("bank_account_id", "bank_accounts", bank_account));
  }
  if (from !== undefined) conditions.push(["date >=", from]);
  if (to !== undefined) conditions.push(["date <=", to]);
  if (search !== undefined) conditions.push(has(search, SEARCHED));
  return conditions;
}

const SEARCHED = ["text", "reference", "counterparty_name", "counterparty_account"];

/** Returns bank lines by their ids, in the order of their ids; unknown ids are left out. */
export function linesNamed(cx: Reader, ids: readonly string[]): Promise<BankLineRow[]> {
  return cx.rows<BankLineRow>(sql`select id, bank_account_id, bank_statement_id, date, value_date, amount, currency,
      instructed_amount, instructed_currency, text, reference, end_to_end_id, counterparty_name, counterparty_account, state,
      payment_id, ignored_reason
    from bank_lines where account_id = ${cx.caller.account_id} and id = any(${ids}) order by id`);
}

/** The payment that a line was booked as. */
export interface LinePaymentRow {
  readonly id: string;
  readonly kind: "payment" | "refund";
  readonly number: bigint;
  readonly customer_id: string;
  readonly customer_name: string;
}

/** Returns the payments that lines were booked as, by their ids. */
export async function paymentsOfLines(
  cx: Reader,
  lines: readonly Pick<BankLineRow, "payment_id">[],
): Promise<ReadonlyMap<string, LinePaymentRow>> {
  const ids = lines.flatMap(({ payment_id }) => payment_id ?? []);
  if (ids.length === 0) return new Map();
  const { account_id } = cx.caller;
  const rows = await cx.rows<LinePaymentRow>(sql`
    select p.id, p.kind, p.number, p.customer_id, c.name as customer_name
    from payments p join customers c on c.account_id = ${account_id} and c.id = p.customer_id
    where p.account_id = ${account_id} and p.id = any(${ids})`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns a bank line. Throws NOT_FOUND. */
export async function getBankLine(cx: Reader, id: string): Promise<BankLineRow> {
  const [line] = await linesNamed(cx, [id]);
  if (line === undefined) throw notFound("bank_line", id);
  return line;
}

/** Returns a bank line as the API shows it. Throws NOT_FOUND. */
export async function readBankLine(cx: Reader, id: string): Promise<JsonText> {
  return jsonText(presentBankLine(await getBankLine(cx, id)));
}

/** Returns the lines of money in that are neither booked nor ignored. */
export function openLinesIn(cx: Reader): Promise<BankLineRow[]> {
  return cx.rows<BankLineRow>(sql`select l.id, l.bank_account_id, l.bank_statement_id, l.date, l.value_date, l.amount,
      l.currency, l.instructed_amount, l.instructed_currency, l.text, l.reference, l.end_to_end_id, l.counterparty_name,
      l.counterparty_account, l.state, l.payment_id, l.ignored_reason
    from bank_lines l where l.account_id = ${cx.caller.account_id} and l.state = 'open' and l.amount > 0`);
}

/** A line that is locked. */
export interface LockedLine extends BankLineRow {
  /** What a repetition is compared with; null for a line that is not booked. */
  readonly request_hash: Buffer | null;
}

/** Locks lines by their ids, in the order of the ids, and returns them by id; unknown ids have no entry. */
export async function lockLines(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LockedLine>> {
  const { account_id } = tx.caller;
  tx.lock(sql`select from bank_lines where account_id = ${account_id} and id = any(${ids})
    order by id for no key update`);
  const rows = await tx.rows<LockedLine>(sql`
    select l.id, l.bank_account_id, l.bank_statement_id, l.date, l.value_date, l.amount, l.currency, l.instructed_amount,
      l.instructed_currency, l.text, l.reference, l.end_to_end_id, l.counterparty_name, l.counterparty_account, l.state,
      l.payment_id, l.ignored_reason, l.request_hash
    from bank_lines l
    where l.account_id = ${account_id} and l.id = any(${ids})`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What becomes of a line. */
interface LineState {
  readonly id: string;
  readonly state: "open" | "booked" | "ignored";
  readonly payment_id: string | null;
  readonly ignored_reason: string | null;
  readonly request_hash: Buffer | null;
}

/** Stores the states of locked lines. */
export function markLines(tx: Tx, lines: readonly LineState[]): void {
  if (lines.length === 0) return;
  const { account_id } = tx.caller;
  const { table } = tableOf(lines, {
    id: ["uuid", (line) => line.id],
    state: ["text", (line) => line.state],
    payment_id: ["uuid", (line) => line.payment_id],
    ignored_reason: ["text", (line) => line.ignored_reason],
    request_hash: ["bytea", (line) => line.request_hash],
  });
  tx.write(sql`update bank_lines l set state = n.state, payment_id = n.payment_id, ignored_reason = n.ignored_reason,
      request_hash = n.request_hash,
      updated_at = ${stampedAnew(account_id)}
    from ${table} as n (id, state, payment_id, ignored_reason, request_hash) where l.account_id = ${account_id} and l.id = n.id`);
}
