/** Reads what is known of the login that the first start of the installation made. */
import type { Reads } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";

/** Returns the address of the first start's login until its first sign-in; undefined afterwards, and without a first start. */
export async function findUnusedFirstLogin(db: Reads): Promise<string | undefined> {
  const row = await db.row<{ email: string }>(sql`select l.email from first_start f
     join logins l on l.id = f.login_id where f.signed_in_at is null limit 1`);
  return row?.email;
}
