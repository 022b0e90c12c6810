/** Reads the studio of a login, and whether an account is a studio. */
import type { Reader } from "../../../platform/commands/context.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";

interface Studio {
  readonly account_id: string;
  readonly is_ready: boolean;
  readonly is_put_away: boolean;
}

/** Returns the studio of a login; undefined where it has none. */
export function findStudioOf(db: Reads, login_id: string): Promise<Studio | undefined> {
  return db.row<Studio>(sql`select account_id, finished_at is not null as is_ready, put_away_at is not null as is_put_away
     from studios where login_id = ${login_id}`);
}

/** Whether the account's year is played; also true for an account that is no example. */
export async function isReady(cx: Reader): Promise<boolean> {
  const waiting = await cx.row(
    sql`select from studios where account_id = ${cx.caller.account_id} and finished_at is null`,
  );
  return waiting === undefined;
}
