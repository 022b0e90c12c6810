/** Changing what may not be changed, as somebody with the database's own credentials could; taken back afterwards. */
import { type Database, query } from "../../../src/platform/database/database.ts";
import { transaction } from "../../../src/platform/database/transaction.ts";

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
  check: (tx: Database) => Promise<Result>,
): Promise<Result> {
  const answers: Result[] = [];
  const tampering = transaction(db, async (tx) => {
    for (const table of tables) await query(tx, `alter table ${table} disable trigger user`);
    for (const statement of statements.split(";")) await query(tx, statement);
    answers.push(await check(tx));
    throw new TakenBack();
  });
  await tampering.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) throw error;
  });
  return answers[0] as Result;
}
