/**
 * Finds the caller of an API key. The key is looked up at every request: a revoked or expired key is refused immediately. The
 * time of last use is written at most once a minute, outside of the request.
 */
import type { AccountId, Timestamp } from "../../../domain/base/brand.ts";
import { type Caller, fullAccess, readAccess } from "../../../platform/commands/context.ts";
import type { Reads } from "../../../platform/database/database.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { heldBy, type ReadRow } from "../../../platform/database/stored-read.ts";
import type { Keys, SeenKey } from "../../../platform/http/admission.ts";
import type { Log } from "../../../platform/runtime/log.ts";
import { lastUseOf } from "../../../platform/security/last-use.ts";
import { hashOfKey, isKey } from "./key.ts";

interface KeyRow {
  readonly key_id: string;
  readonly account_id: AccountId;
  readonly scope: "read" | "read_write";
  readonly account_name: string;
  readonly sandbox: boolean;
  readonly test_clock: Timestamp | null;
  readonly ledger_kind: string;
}

const LIVE_KEYS = `select k.id as key_id, k.account_id, k.scope, a.name as account_name, a.sandbox, a.test_clock, a.ledger_kind
  from api_keys k join accounts a on a.id = k.account_id
  where k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp())`;

const withLiveKey = heldBy(`${LIVE_KEYS} and k.hash = $1`);

/** Returns the checks that the server makes for each request; they return null for any text that is not a live key. */
export function keyAuthentication(db: Reads, log: Log): Keys {
  const noteUse = lastUseOf("api_keys", db, log);
  const seen = new Map<string, SeenKey>();
  return {
    async authenticate(token) {
      if (!isKey(token)) return null;
      const hash = hashOfKey(token);
      const row = await db.row<KeyRow>(sql`${raw(LIVE_KEYS)} and k.hash = ${hash}`);
      if (row === undefined) {
        seen.delete(nameOf(hash));
        return null;
      }
      noteUse(row.key_id);
      const caller = callerOf(row);
      if (seen.size >= MOST_SEEN) seen.clear();
      seen.set(nameOf(hash), { hash, caller });
      return caller;
    },
    seen: (token) => (isKey(token) ? seen.get(nameOf(hashOfKey(token))) : undefined),
    async reading(reads, { hash, caller }, read) {
      const [found] = await reads.rows(withLiveKey([hash], caller.account_id, read));
      if (found === undefined) return null;
      const row = found as KeyRow & ReadRow;
      noteUse(row.key_id);
      return { caller: callerOf(row), row };
    },
  };
}

/** Returns the name under which a key is cached: its digest, which gives no access. */
function nameOf(hash: Buffer): string {
  return hash.toString("latin1");
}

const MOST_SEEN = 10_000;

function callerOf(row: KeyRow): Caller {
  return {
    account_id: row.account_id,
    account_name: row.account_name,
    sandbox: row.sandbox,
    test_clock: row.test_clock,
    ledger_kind: row.ledger_kind,
    actor: { kind: "api_key", id: row.key_id },
    access: row.scope === "read_write" ? fullAccess : readAccess,
    person: null,
  };
}
