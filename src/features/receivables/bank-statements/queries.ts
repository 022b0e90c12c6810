/** The SQL queries of bank statements and of their import. */

import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import type { StatementDays } from "../../../domain/receivables/bank-statement.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import { type Condition, listRows, type Page } from "../../../platform/database/page.ts";
import { refersTo } from "../../../platform/database/resources.ts";
import { sql, tableOf } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { type BankStatementQuery, BankStatementResource } from "./schemas.ts";

type StatementRow = Selectable<Tables["bank_statements"]>;
type Shown = Omit<StatementRow, "account_id" | "import_id" | "updated_at">;

/** Presents a statement as the API shows it; balances in the currency of the bank account. */
export function presentStatement(row: Shown, currency: string) {
  const digits = currencyDigits(currency);
  const amount = (value: bigint | null) => (value === null ? null : scaledToNumber(value, digits));
  return BankStatementResource.parse({
    object: "bank_statement",
    id: row.id,
    bank_account_id: row.bank_account_id,
    format: row.format,
    from: row.first_day,
    to: row.last_day,
    opening_balance: amount(row.opening_balance),
    closing_balance: amount(row.closing_balance),
    lines: row.lines,
    new_lines: row.new_lines,
    known_lines: row.known_lines,
    warnings: row.warnings,
  });
}

/** Returns a page of statements, the newest first. */
export async function listStatements(cx: Reader, query: BankStatementQuery): Promise<JsonText> {
  const { bank_account } = query;
  const conditions: Condition[] =
    bank_account === undefined ? [] : [refersTo("bank_account_id", "bank_accounts", bank_account)];
  const { rows, next_cursor } = await listRows<Shown & { readonly currency: string }>(
    cx,
    `id, bank_account_id, format, first_day, last_day, opening_balance, closing_balance, lines, new_lines, known_lines, warnings,
     (select a.currency from bank_accounts a where a.account_id = $1 and a.id = bank_statements.bank_account_id) as currency`,
    "bank_statements",
    conditions,
    query,
  );
  const data = rows.map(({ currency, ...row }) => presentStatement(row, currency));
  const page: Page<unknown> = { data, has_more: next_cursor !== null, next_cursor };
  return jsonText({ object: "list", ...page });
}

/** Returns the statements of the files in which the named ones came, in their order. */
export async function statementsBroughtWith(cx: Reader, ids: readonly string[]) {
  const { account_id } = cx.caller;
  const rows = await cx.rows<Shown & { readonly currency: string }>(sql`
    select s.id, s.bank_account_id, s.format, s.first_day, s.last_day, s.opening_balance, s.closing_balance, s.lines, s.new_lines,
      s.known_lines, s.warnings, a.currency
    from bank_statements s join bank_accounts a on a.account_id = ${account_id} and a.id = s.bank_account_id
    where s.account_id = ${account_id} and s.import_id in (
      select t.import_id from bank_statements t where t.account_id = ${account_id} and t.id = any(${ids}::uuid[]))
    order by s.id limit 100`);
  return rows.map(({ currency, ...row }) => presentStatement(row, currency));
}

/** Returns the first answer to the bytes of a file; undefined for bytes that are new to the bank account. */
export async function findImport(
  cx: Reader,
  sha256: Buffer,
  bank_account_id: string | null,
): Promise<JsonText | undefined> {
  const row = await cx.row<{ answer: JsonText }>(sql`select answer from bank_imports
    where account_id = ${cx.caller.account_id} and sha256 = ${sha256}
      and (bank_account_id = ${bank_account_id}::uuid or ${bank_account_id}::uuid is null)
    order by id limit 1`);
  return row?.answer;
}

export type StoredStatement = StatementDays & Pick<StatementRow, "format">;

/** Returns the days, balances and forms of all statements of a bank account. */
export function statementsOf(cx: Reader, bank_account_id: string): Promise<StoredStatement[]> {
  return cx.rows<StoredStatement>(sql`select format, first_day, last_day, opening_balance, closing_balance
    from bank_statements
    where account_id = ${cx.caller.account_id} and bank_account_id = ${bank_account_id}`);
}

/** The identities that one statement asks for or stores. */
const PORTION = 5_000;

/** Returns which of the identities are stored of a bank account, as hexadecimal text. */
export async function knownIdentities(
  cx: Reader,
  bank_account_id: string,
  identities: readonly Buffer[],
): Promise<Set<string>> {
  const known = new Set<string>();
  for (let at = 0; at < identities.length; at += PORTION) {
    const rows = await cx.rows<{ identity: Buffer }>(sql`select identity from bank_lines
      where account_id = ${cx.caller.account_id} and bank_account_id = ${bank_account_id}
        and identity = any(${identities.slice(at, at + PORTION)}::bytea[])`);
    for (const { identity } of rows) known.add(identity.toString("hex"));
  }
  return known;
}

export type NewLine = Omit<
  Selectable<Tables["bank_lines"]>,
  "account_id" | "state" | "payment_id" | "ignored_reason" | "updated_at" | "request_hash"
>;

/** Stores lines, all of them open. */
export function insertLines(tx: Tx, lines: readonly NewLine[], updated_at: string): void {
  for (let at = 0; at < lines.length; at += PORTION) {
    const { columns, table } = tableOf(lines.slice(at, at + PORTION), {
      id: ["uuid", (line) => line.id],
      bank_account_id: ["uuid", (line) => line.bank_account_id],
      bank_statement_id: ["uuid", (line) => line.bank_statement_id],
      date: ["date", (line) => line.date],
      value_date: ["date", (line) => line.value_date],
      amount: ["bigint", (line) => line.amount],
      currency: ["text", (line) => line.currency],
      instructed_amount: ["bigint", (line) => line.instructed_amount],
      instructed_currency: ["text", (line) => line.instructed_currency],
      text: ["text", (line) => line.text],
      reference: ["text", (line) => line.reference],
      end_to_end_id: ["text", (line) => line.end_to_end_id],
      counterparty_name: ["text", (line) => line.counterparty_name],
      counterparty_account: ["text", (line) => line.counterparty_account],
      is_reversal: ["boolean", (line) => line.is_reversal],
      identity: ["bytea", (line) => line.identity],
    });
    tx.write(sql`insert into bank_lines (account_id, updated_at, ${columns})
      select ${tx.caller.account_id}, ${updated_at}, l.* from ${table} as l`);
  }
}
