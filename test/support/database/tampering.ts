import type { Database } from "../../../src/platform/database/database.ts";
import { raw, sql } from "../../../src/platform/database/sql.ts";
import { type Transaction, transaction } from "../../../src/platform/database/transaction.ts";

/** Ends a transaction that is to leave nothing. */
class TakenBack extends Error {}

/**
 * What `check` answers after the statements were run with the table's triggers switched off. Nothing
 * of it stays.
 */
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
