/** The time of last use of API keys and grants, written at most once a minute for each. */

import type { Reads } from "../database/database.ts";
import { raw, sql } from "../database/sql.ts";
import type { Log } from "../runtime/log.ts";

const MS_BETWEEN_WRITES = 60_000;
const MOST_KNOWN = 10_000;

/** Returns a function that writes the time of a credential's last use, at most once a minute and outside of the request. */
export function lastUseOf(
  table: "api_keys" | "oauth_grants",
  db: Reads,
  log: Log,
): (id: string) => void {
  const written = new Map<string, number>();
  return (id) => {
    const now = Date.now();
    if (now - (written.get(id) ?? 0) < MS_BETWEEN_WRITES) return;
    if (written.size > MOST_KNOWN) written.clear();
    written.set(id, now);
    db.rows(
      sql`update ${raw(table)} set last_used_at = (select clock_timestamp()) where id = ${id}`,
    ).catch((err: unknown) => log.warn({ err, table }, "last use not recorded"));
  };
}
