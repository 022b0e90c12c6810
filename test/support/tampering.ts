/** Changing what may not be changed, as somebody with the database's own credentials could; taken back afterwards. */
import { sql } from "kysely";
import type { Database } from "../../src/platform/database/database.ts";

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
  const tx = await db.startTransaction().execute();
  try {
    for (const table of tables) {
      await sql.raw(`alter table ${table} disable trigger user`).execute(tx);
    }
    for (const statement of statements.split(";")) await sql.raw(statement).execute(tx);
    return await check(tx);
  } finally {
    await tx.rollback().execute();
  }
}
