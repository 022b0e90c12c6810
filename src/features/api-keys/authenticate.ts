/**
 * From a key to its caller. Looked up at every request: a revoked or expired key is refused by the
 * very next one. The time of last use is written at most once a minute, outside of the request.
 */
import type { AccountId, Timestamp } from "../../domain/base/brand.ts";
import { type Caller, fullAccess, readAccess } from "../../platform/context.ts";
import type { Reads } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import type { Authenticate } from "../../platform/http/server.ts";
import type { Log } from "../../platform/log.ts";
import { hashOfKey, isKey } from "./key.ts";

interface KeyRow {
  readonly id: string;
  readonly account_id: AccountId;
  readonly scope: "read" | "read_write";
  readonly account_name: string;
  readonly sandbox: boolean;
  readonly test_clock: Timestamp | null;
  readonly ledger_kind: string;
}

/** The check that the server asks for each request; answers null for anything but a live key. */
export function keyAuthentication(db: Reads, log: Log): Authenticate {
  const noted = new Map<string, number>();
  return async (token) => {
    if (!isKey(token)) return null;
    const found =
      await db.row<KeyRow>(sql`select k.id, k.account_id, k.scope, a.name as account_name, a.sandbox, a.test_clock,
         a.ledger_kind
       from api_keys k join accounts a on a.id = k.account_id
       where k.hash = ${hashOfKey(token)} and k.revoked_at is null
         and (k.expires_at is null or k.expires_at > clock_timestamp())`);
    const row = found;
    if (row === undefined) return null;
    noteUse(db, log, noted, row.id);
    return callerOf(row);
  };
}

function callerOf(row: KeyRow): Caller {
  return {
    account_id: row.account_id,
    account_name: row.account_name,
    sandbox: row.sandbox,
    test_clock: row.test_clock,
    ledger_kind: row.ledger_kind,
    actor: { kind: "api_key", id: row.id },
    access: row.scope === "read_write" ? fullAccess : readAccess,
    person: null,
  };
}

const NOTED_EVERY_MS = 60_000;

function noteUse(db: Reads, log: Log, noted: Map<string, number>, id: string): void {
  const now = Date.now();
  if (now - (noted.get(id) ?? 0) < NOTED_EVERY_MS) return;
  noted.set(id, now);
  db.rows(sql`update api_keys set last_used_at = clock_timestamp() where id = ${id}`).catch(
    (error: unknown) => log.warn({ err: error }, "the use of a key could not be noted"),
  );
}
