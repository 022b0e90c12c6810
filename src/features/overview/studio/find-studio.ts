/** Reads the studio of a login, and whether an account is a studio. */
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
