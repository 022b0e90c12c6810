/** What commands and queries may use, and who calls them. Small on purpose. */
import type { AccountId, Timestamp, UserId } from "../../domain/base/brand.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { Role } from "../../domain/base/user.ts";
import type { ConnectionSetup } from "../../ledger/connector.ts";
import type { Connection } from "../../ledger/ledger.ts";
import type { Database, Reads } from "../database/database.ts";
import type { Transaction } from "../database/transaction.ts";
import type { MailTransports } from "../mail/transports.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";

/** `issue` is more than `write` for assistants; for API keys both need `read_write`. */
export type Access = "read" | "write" | "issue";

export interface Actor {
  readonly kind: "api_key" | "user" | "scheduler" | "operator";
  readonly id: string;
}

/** What an assistant may be allowed, each including those before it (spec 8.2). */
export const mcpScopes = ["mcp:read", "mcp:write", "mcp:issue"] as const;
export type McpScope = (typeof mcpScopes)[number];

/** The person behind an assistant or a browser. Their role and rights are those of the moment. */
export interface Person {
  readonly user_id: UserId;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** The grant through which their assistant acts, with its scopes; null in a browser. */
  readonly grant: { readonly id: string; readonly scopes: ReadonlySet<McpScope> } | null;
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
  /** Null for machines: API keys, workers, the command line. */
  readonly person: Person | null;
}

/** What is known of a request that carries an idempotency key, for the one command that it runs. */
interface Once {
  /** What an earlier call with the key has committed without having stored an answer; null when nothing. */
  readonly committed: string | null;
  /** Keeps what is about to be committed, in its transaction; takes it back when another call has the key by now. */
  keep(tx: Transaction, committed: string): void;
  /** Says that the answer is not the last one: it is given and not kept, and a repetition goes on from this. */
  goOn(committed: string): void;
}

/** The connections that work is done on: those of requests, or those of the work that nobody waits for. */
type PoolName = "requests" | "background";

/** What a query may use: it reads, and changes nothing. */
export interface Reader extends Reads {
  readonly caller: Caller;
  readonly clock: Clock;
  /** The connected accounting system; null when its connector is not available. */
  readonly ledger: Connection | null;
  readonly mail: MailTransports;
  readonly log: Log;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Whether what turns out to be long is to leave this thread, which answers everybody (`threads/takes-long.ts`). */
  readonly leaves_if_long: boolean;
  readonly pool: PoolName;
}

/** What stands outside of any transaction: what it reads is as of the moment of each statement. */
export interface Context extends Reader {
  readonly db: Database;
  /** How an account comes to be connected to another ledger, by its kind. */
  readonly setups: ReadonlyMap<string, ConnectionSetup>;
  /** Null without an idempotency key, and inside of a command. */
  readonly once: Once | null;
  /** Of a list: its calls of a ledger go after those of who waits for one thing, and end by this moment of the machine's clock. */
  readonly in_list?: { readonly until_ms: number };
  /** Told of each command that was run, how it ended and how long it took. */
  readonly ran: (command: string, outcome: CommandOutcome, seconds: number) => void;
}

/** What a person may use, in a browser or through an assistant. */
export type Personal = { readonly caller: Caller & { readonly person: Person } };
export type PersonReader = Reader & Personal;
export type PersonContext = Context & Personal;

/** What was refused has changed nothing, and neither has what failed for another reason than a refusal. */
export type CommandOutcome = "done" | "refused" | "failed";

export const readAccess: ReadonlySet<Access> = new Set(["read"]);
export const fullAccess: ReadonlySet<Access> = new Set(["read", "write", "issue"]);

/** Whether it is the command line, or an admin who is not acting through an assistant. */
export function isAdminInPerson({ actor, person }: Caller): boolean {
  const is_admin = person !== null && person.role === "admin" && person.grant === null;
  return is_admin || actor.kind === "operator";
}

/** Throws INSUFFICIENT_SCOPE. */
export function requireAccess(caller: Caller, access: Access): void {
  if (!caller.access.has(access)) throw new Problem("INSUFFICIENT_SCOPE");
}
