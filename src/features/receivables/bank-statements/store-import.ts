/**
 * Imports a file of a bank, whole or not at all (spec 13.5). Each line is stored once; bank accounts are locked, so that two
 * imports of one account run one after the other.
 */

import * as z from "zod";
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import { type BankAccount, shownBankAccount } from "../../../domain/receivables/bank-account.ts";
import {
  hasGap,
  hasWrongBalance,
  identitiesOf,
} from "../../../domain/receivables/bank-statement.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import type { Saved } from "../../../platform/commands/creation.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { takeStamp } from "../../../platform/database/resources.ts";
import { insert, sql } from "../../../platform/database/sql.ts";
import type { SentFile } from "../../../platform/http/body.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { jsonText, sha256 } from "../../../platform/runtime/json.ts";
import { updateBankAccount } from "../bank-accounts/queries.ts";
import { lockAccountsOf, namedAccount } from "./find-accounts.ts";
import {
  findImport,
  insertLines,
  knownIdentities,
  type NewLine,
  presentStatement,
  type StoredStatement,
  statementsOf,
} from "./queries.ts";
import { readCamt } from "./read-camt.ts";
import { readCsv } from "./read-csv.ts";
import { BankImportResource, type StatementWarning } from "./schemas.ts";
import type { ReadStatement } from "./statement-file.ts";

/**
 * Imports a file. The same bytes get the first answer again. Throws NOT_FOUND, VALIDATION_FAILED, and PAYMENTS_IN_LEDGER where
 * another ledger is connected.
 */
export async function importBankFile(
  cx: Context,
  { content_type, bytes }: SentFile,
  bank_account: string | undefined,
): Promise<Saved> {
  const is_csv = content_type === "text/csv";
  const named = is_csv || bank_account !== undefined ? await namedAccount(cx, bank_account) : null;
  const digest = sha256(bytes);
  const earlier = await findImport(cx, digest, named?.id ?? null);
  if (earlier !== undefined) return { created: false, document: earlier };
  const statements =
    is_csv && named !== null
      ? [await readCsv(bytes, named, cx.signal)]
      : await readCamt(bytes, cx.signal);
  return run(importStatements, cx, { statements, named, bytes: Buffer.from(bytes), digest });
}

interface Import {
  readonly statements: readonly ReadStatement[];
  /** The bank account that the call named; null when the file names it. */
  readonly named: BankAccount | null;
  readonly bytes: Buffer;
  readonly digest: Buffer;
}

interface PlannedStatement {
  readonly id: string;
  readonly account: BankAccount;
  readonly read: ReadStatement;
  readonly lines: readonly NewLine[];
  readonly warnings: readonly StatementWarning[];
}

const importStatements = defineCommand({
  name: "import_bank_file",
  access: "write",
  input: z.custom<Import>(),

  async plan(tx, { statements, named, bytes, digest }) {
    for (const statement of statements) requireBalance(statement);
    const accounts = await lockAccountsOf(tx, statements, named);
    if (tx.ledger?.transactional === false) throw new Problem("PAYMENTS_IN_LEDGER");
    const earlier = await findImport(tx, digest, named?.id ?? null);
    if (earlier !== undefined) return { earlier };
    return { planned: await planStatements(tx, statements, accounts), bytes, digest };
  },

  async commit(tx, plan): Promise<Saved> {
    if (plan.earlier !== undefined) return { created: false, document: plan.earlier };
    return { created: true, document: await storeImport(tx, plan) };
  },
});

function requireBalance({ lines, ...statement }: ReadStatement): void {
  const amounts = lines.map(({ amount }) => amount);
  if (!hasWrongBalance(statement, amounts)) return;
  const message = "The opening balance and the entries do not add up to the closing balance.";
  throw invalidField("file", "invalid_value", message);
}

async function planStatements(
  tx: Tx,
  statements: readonly ReadStatement[],
  accounts: readonly BankAccount[],
): Promise<PlannedStatement[]> {
  const planned: PlannedStatement[] = [];
  for (const account of new Map(accounts.map((one) => [one.id, one])).values()) {
    const own = statements.filter((_, at) => accounts[at]?.id === account.id);
    const others = await statementsOf(tx, account.id);
    for (const statement of own) requireOneForm(statement, others);
    // Equal lines are counted over the whole file, because the next statement may have more of a day.
    const lines = own.flatMap((statement) => statement.lines);
    const identities = identitiesOf(lines).map(sha256);
    const known = await knownIdentities(tx, account.id, identities);
    let at = 0;
    for (const read of own) {
      const id = newId();
      const fresh = read.lines.flatMap((line) => {
        const identity = identities[at++];
        if (identity === undefined || known.has(identity.toString("hex"))) return [];
        const { bank_reference: _, ...fields } = line;
        const { currency } = account;
        const ids = { id: newId(), bank_account_id: account.id, bank_statement_id: id };
        return [{ ...fields, ...ids, currency, identity }];
      });
      const neighbours = [...others, ...own.filter((one) => one !== read)];
      const warnings = hasGap(read, neighbours) ? [GAP] : [];
      planned.push({ id, account, read, lines: fresh, warnings });
    }
  }
  return planned;
}

const GAP: StatementWarning = {
  code: "STATEMENT_GAP",
  message: "The balances do not follow those of the statement before or after: one may be missing.",
};

/** Days that came as CSV are not taken from camt, nor the reverse: lines would not be known again. */
function requireOneForm(read: ReadStatement, others: readonly StoredStatement[]): void {
  const is_csv = read.format === "csv";
  const foreign = others.filter(({ format }) => (format === "csv") !== is_csv);
  const day = read.lines
    .map(({ date }) => date)
    .find((date) => foreign.some((one) => one.first_day <= date && date <= one.last_day));
  if (day === undefined) return;
  const message = `${day} came in a file of another form: import the days after it.`;
  throw invalidField("file", "duplicate", message);
}

interface StoredImport {
  readonly planned: readonly PlannedStatement[];
  readonly bytes: Buffer;
  readonly digest: Buffer;
}

async function storeImport(tx: Tx, { planned, bytes, digest }: StoredImport) {
  const { account_id } = tx.caller;
  const updated_at = await takeStamp(tx);
  const import_id = newId();
  const rows = planned.map(({ id, account, read, lines, warnings }) => ({
    currency: account.currency,
    row: {
      id,
      bank_account_id: account.id,
      format: read.format,
      first_day: read.first_day,
      last_day: read.last_day,
      opening_balance: read.opening_balance,
      closing_balance: read.closing_balance,
      lines: read.lines.length,
      new_lines: lines.length,
      known_lines: read.lines.length - lines.length,
      warnings,
    },
  }));
  const statements = rows.map(({ row, currency }) => presentStatement(row, currency));
  const answer = jsonText(
    BankImportResource.parse({ object: "bank_import", sha256: digest.toString("hex"), statements }),
  );
  const bank_account_id = planned[0]?.account.id ?? "";
  const stored = { account_id, id: import_id, bank_account_id, sha256: digest };
  tx.write(
    insert("bank_imports", {
      ...stored,
      content: bytes,
      answer,
      created_at: sql`${updated_at}::timestamptz`,
    }),
  );
  for (const { row } of rows) {
    const warnings = JSON.stringify(row.warnings);
    tx.write(insert("bank_statements", { ...row, account_id, import_id, warnings, updated_at }));
  }
  insertLines(
    tx,
    planned.flatMap(({ lines }) => lines),
    updated_at,
  );
  moveDays(tx, planned);
  tx.audit("bank_import", import_id, "created", { before: null, after: answer });
  return answer;
}

/** Moves the last day of the newest statement of each bank account. */
function moveDays(tx: Tx, planned: readonly PlannedStatement[]): void {
  for (const account of new Map(planned.map((one) => [one.account.id, one.account])).values()) {
    const days = planned
      .filter((one) => one.account.id === account.id)
      .map(({ read }) => read.last_day)
      .sort();
    const last = days.at(-1) ?? null;
    const before = account.statements_through;
    if (last === null || (before !== null && before >= last)) continue;
    const after = { ...account, statements_through: last };
    updateBankAccount(tx, after);
    tx.audit("bank_account", account.id, "updated", {
      before: jsonText(shownBankAccount(account)),
      after: jsonText(shownBankAccount(after)),
    });
  }
}
