/** The SQL queries of bank lines. */

import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { notFound } from "../../../domain/base/problem.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import {
  type Condition,
  has,
  listRows,
  type Page,
  type RowsOfPage,
} from "../../../platform/database/page.ts";
import { refersTo } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type BankLineQuery, BankLineResource } from "./schemas.ts";

export type BankLineRow = Omit<
  Selectable<Tables["bank_lines"]>,
  "account_id" | "identity" | "is_reversal" | "updated_at"
>;

const COLUMNS = `id, bank_account_id, bank_statement_id, date, value_date, amount, currency, instructed_amount,
  instructed_currency, text, reference, end_to_end_id, counterparty_name, counterparty_account, state, payment_id,
  ignored_reason`;

/** Presents a bank line as the API shows it. */
function presentBankLine(row: BankLineRow) {
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

/** Returns a page of bank lines, the last imported first. */
export async function listBankLines(cx: Reader, query: BankLineQuery): Promise<JsonText> {
  const { rows, next_cursor } = await pageOfBankLines(cx, query);
  const data = rows.map(presentBankLine);
  const page: Page<unknown> = { data, has_more: next_cursor !== null, next_cursor };
  return jsonText({ object: "list", ...page });
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

/** Returns a bank line as the API shows it. Throws NOT_FOUND. */
export async function readBankLine(cx: Reader, id: string): Promise<JsonText> {
  const row =
    await cx.row<BankLineRow>(sql`select id, bank_account_id, bank_statement_id, date, value_date, amount, currency,
      instructed_amount, instructed_currency, text, reference, end_to_end_id, counterparty_name, counterparty_account, state,
      payment_id, ignored_reason
    from bank_lines where account_id = ${cx.caller.account_id} and id = ${id}`);
  if (row === undefined) throw notFound("bank_line", id);
  return jsonText(presentBankLine(row));
}
