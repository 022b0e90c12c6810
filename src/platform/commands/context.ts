/** Defines what commands and queries may use, and the caller that they act for. The context is small on purpose. */
import type { AccountId, Timestamp, UserId } from "../../domain/base/brand.ts";
import { Problem } from "../../domain/base/problem.ts";
import type { Role } from "../../domain/base/user.ts";
import type { EinvoiceSetup } from "../../einvoice/connector.ts";
import type { ReceiverRegister } from "../../einvoice/receiver-register.ts";
import type { ConnectionSetup } from "../../ledger/connector.ts";
import type { Connection } from "../../ledger/ledger.ts";
import type { Database, Reads } from "../database/database.ts";
import type { Transaction } from "../database/transaction.ts";
import type { MailTransports } from "../mail/transports.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Config } from "../runtime/config.ts";
import type { Log } from "../runtime/log.ts";
import type { Sealing } from "../security/sealing.ts";

/** What a caller may do. For assistants, `issue` allows more than `write`; for API keys, both need `read_write`. */
export type Access = "read" | "write" | "issue";

export interface Actor {
  readonly kind: "api_key" | "user" | "scheduler" | "operator";
  readonly id: string;
}

/** The scopes that an assistant may have; each includes those before it (spec 8.2). */
export const mcpScopes = ["mcp:read", "mcp:write", "mcp:issue"] as const;
export type McpScope = (typeof mcpScopes)[number];

/** The person behind an assistant or a browser, with their role and rights at the time of the request. */
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
  /** The time that the clock of a sandbox account is set to; null while the clock runs. */
  readonly test_clock: Timestamp | null;
  readonly ledger_kind: string;
  readonly actor: Actor;
  readonly access: ReadonlySet<Access>;
  /** Null for machines: API keys, workers, the command line. */
  readonly person: Person | null;
}

/** The state of a request that carries an idempotency key, for the one command that the request runs. */
interface Once {
  /** The result that an earlier call with the key committed without storing a response; null when there was none. */
  readonly committed: string | null;
  /** Stores the committed result in the command's transaction. Rolls back if another call has taken over the key. */
  keep(tx: Transaction, committed: string): void;
  /** Marks the response as not final: the response is sent but not stored, and a repeated call resumes from this value. */
  goOn(committed: string): void;
}

/** The connection pool for the work: that of requests, or that of background work, which no request waits for. */
type PoolName = "requests" | "background";

/** What a query may use. A query only reads. */
export interface Reader extends Reads {
  readonly caller: Caller;
  readonly clock: Clock;
  /** The connected accounting system; null when its connector is not available. */
  readonly ledger: Connection | null;
  /** Every accounting system by its kind: a document stays with the one that booked it. */
  readonly ledgers: ReadonlyMap<string, Connection>;
  /** How to open what takes the account's e-invoices, by the kind of connection. */
  readonly einvoice_setups: ReadonlyMap<string, EinvoiceSetup>;
  /** Seals and opens secrets at rest. */
  readonly sealing: Sealing;
  readonly mail: MailTransports;
  /** How much an account may ask of this installation. */
  readonly limits: Pick<Config, "rate_limit" | "in_flight" | "webhook_hosts">;
  readonly log: Log;
  /** Aborted when no client waits for the response any more. */
  readonly signal: AbortSignal;
  /** Whether work that turns out to be long must leave this thread, which answers all requests (`threads/takes-long.ts`). */
  readonly leaves_if_long: boolean;
  readonly pool: PoolName;
  /** Set for reads on a replica: where a read stores what later reads need, outside of its snapshot. */
  readonly primary?: Reads | undefined;
}

/** The context outside of any transaction: each SQL statement reads the data as of the moment it runs. */
export interface Context extends Reader {
  readonly db: Database;
  /** How to connect an account to another ledger, by the ledger's kind. */
  readonly setups: ReadonlyMap<string, ConnectionSetup>;
  /** The register of receivers of e-invoices; null while look-ups are off. */
  readonly receivers: ReceiverRegister | null;
  /** Null without an idempotency key, and in the context of `after` and of commands within commands. */
  readonly once: Once | null;
  /** Throws PRECONDITION_FAILED unless the resource is as the client has seen it. A command calls it when it has its locks. */
  readonly precondition: ((tx: Reader) => Promise<void>) | null;
  /** Set for a list: its ledger calls have a lower priority, and end by this moment of the machine's clock. */
  readonly in_list?: { readonly until_ms: number };
  /** Called after each command with its name, its outcome and its duration. */
  readonly ran: (command: string, outcome: CommandOutcome, seconds: number) => void;
}

/** A caller that is a person, in a browser or through an assistant. */
export type Personal = { readonly caller: Caller & { readonly person: Person } };
export type PersonReader = Reader & Personal;
export type PersonContext = Context & Personal;

/** How a command ended. A command that is refused or fails for another reason changes nothing. */
export type CommandOutcome = "done" | "refused" | "failed";

export const readAccess: ReadonlySet<Access> = new Set(["read"]);
export const fullAccess: ReadonlySet<Access> = new Set(["read", "write", "issue"]);

/** Whether the caller is the command line, or an admin who does not act through an assistant. */
export function isAdminInPerson({ actor, person }: Caller): boolean {
  const is_admin = person !== null && person.role === "admin" && person.grant === null;
  return is_admin || actor.kind === "operator";
}

/** Checks the caller's scope. Throws INSUFFICIENT_SCOPE. */
export function requireAccess(caller: Caller, access: Access): void {
  if (!caller.access.has(access)) throw new Problem("INSUFFICIENT_SCOPE");
}
