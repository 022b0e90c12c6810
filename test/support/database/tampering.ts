import type { Database } from "../../../src/platform/database/database.ts";
import { raw, sql } from "../../../src/platform/database/sql.ts";
import { type Transaction, transaction } from "../../../src/platform/database/transaction.ts";

/** Ends a transaction that must leave no changes. */
class TakenBack extends Error {}

/** The result of `check` after the statements ran with the tables' triggers disabled. All changes are rolled back. */
export async function afterTampering<Result>(
  db: Database,
  tables: readonly string[],
  statements: string,
  check: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const answers: Result[] = [];
  const tampering = transaction(db, async (tx) => {
    for (const table of tables) await tx.rows(sql`alter table ${raw(table)} disable trigger user`);
    for (const statement of statements.split(";")) await tx.rows(raw(statement));
    answers.push(await check(tx));
    throw new TakenBack();
  });
  await tampering.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error;
  });
  return answers[0] as Result;
}
