/** What a command or query may use, and who calls it. Small on purpose: seven members. */
import type { AccountId, Timestamp } from "../domain/brand.ts";
import { Problem } from "../domain/problem.ts";
import type { Connection } from "../ledger/ledger.ts";
import type { Clock } from "./clock.ts";
import type { Database } from "./database/database.ts";
import type { Log } from "./log.ts";
import type { Mailroom } from "./mail/mailroom.ts";

/** `issue` is more than `write` for assistants; for API keys both need `read_write`. */
export type Access = "read" | "write" | "issue";

export interface Actor {
  readonly kind: "api_key" | "user" | "scheduler" | "operator";
  readonly id: string;
}

export interface Caller {
  readonly account_id: AccountId;
  readonly account_name: string;
  readonly sandbox: boolean;
  /** Where the clock of a sandbox account stands; null while it runs. */
  readonly test_clock: Timestamp | null;
  readonly ledger_kind: string;
  readonly actor: Actor;
  readonly access: ReadonlySet<Access>;
}

export interface Context {
  readonly db: Database;
  /** True inside a committing transaction: what is read to decide is locked until the commit. */
  readonly locks: boolean;
  readonly caller: Caller;
  readonly clock: Clock;
  /** The connected accounting system; null when its connector is not available. */
  readonly ledger: Connection | null;
  readonly mail: Mailroom;
  readonly log: Log;
}

export const readAccess: ReadonlySet<Access> = new Set(["read"]);
export const fullAccess: ReadonlySet<Access> = new Set(["read", "write", "issue"]);

/** Throws INSUFFICIENT_SCOPE. */
export function requireAccess(caller: Caller, access: Access): void {
  if (!caller.access.has(access)) throw new Problem("INSUFFICIENT_SCOPE");
}
