/** Lets reports over many documents leave the thread that answers requests. */
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { TakesLong } from "../../../platform/threads/takes-long.ts";

/** The number of issued documents up to which a report over all of them is computed at once. */
const MOST_DOCUMENTS_AT_ONCE = 2_000;

/** Whether the account has issued so many documents that a report over them is computed after the page has loaded. */
export async function hasManyDocuments(cx: Reader): Promise<boolean> {
  const row = await cx.row<{ count: bigint }>(sql`select count(*) as count from (
    select from issued_documents where account_id = ${cx.caller.account_id} limit ${MOST_DOCUMENTS_AT_ONCE + 1}) d`);
  return row !== undefined && row.count > MOST_DOCUMENTS_AT_ONCE;
}

/** Throws TakesLong, in contexts that leave long work, for an account with many issued documents. */
export async function leaveIfMany(cx: Reader): Promise<void> {
  if (cx.leaves_if_long && (await hasManyDocuments(cx))) throw new TakesLong();
}
