/** Finds the language in which an account writes to people: that of its documents. */
import type { Reads } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";

interface Writer {
  readonly language: "da" | "en";
  /** The name of the account; null without an account. */
  readonly account_name: string | null;
}

/** Returns the language of an account with its name: Danish for tags that begin with `da`, otherwise English. */
export async function findWriter(db: Reads, account_id: string | null): Promise<Writer> {
  const row = await db.row<{ language: string; account_name: string }>(sql`
    select c.invoice_language_key as language, a.name as account_name
     from accounts a join configurations c on c.account_id = a.id where a.id = ${account_id}`);
  const language = /^da\b/i.test((row?.language ?? "").replace("_", "-")) ? "da" : "en";
  return { language, account_name: row?.account_name ?? null };
}
