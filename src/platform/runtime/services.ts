/** The services of the running program, created once for all requests; each request gets its small context from them. */

import type { AccountId, Timestamp } from "../../domain/base/brand.ts";
import type { ProblemCode } from "../../domain/base/problem.ts";
import type { EinvoiceSetup } from "../../einvoice/connector.ts";
import type { ReceiverRegister } from "../../einvoice/receiver-register.ts";
import type { ConnectionSetup } from "../../ledger/connector.ts";
import type { Connection } from "../../ledger/ledger.ts";
import {
  type Access,
  type Caller,
  type Context,
  fullAccess,
  type PersonContext,
} from "../commands/context.ts";
import type { Database } from "../database/database.ts";
import type { Pools } from "../database/pools.ts";
import { raw, sql } from "../database/sql.ts";
import type { DatabaseWatch } from "../database/watch.ts";
import type { Shares } from "../fairness/limits/shares.ts";
import type { MailTransports } from "../mail/transports.ts";
import type { Sealing } from "../security/sealing.ts";
import type { HeavyThreads } from "../threads/heavy.ts";
import type { Background } from "./background.ts";
import { type Clock, stoppedClock } from "./clock.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** A route with its refusals. */
export interface RefusingRoute {
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  readonly refuses: readonly ProblemCode[];
  /** Whether the route is conditional. */
  readonly shown?: unknown;
}

/** What a plan that was carried out has made or changed. */
interface PlanOutcome {
  readonly resource_type: string;
  readonly id: string | null;
}

/** Carries out a plan of an assistant for the person of the context. Another thread does it where it takes long. */
export interface PlanCommit {
  readonly name: `pages.${string}`;
  readonly is_read: boolean;
  work(cx: PersonContext, input: { readonly plan_id: string }): Promise<PlanOutcome>;
}

export interface Services {
  readonly config: Config;
  readonly pools: Pools;
  /** The database for the work: the request pool, or in background work the background pool (`inBackground`). */
  readonly db: Database;
  readonly gate: Database;
  /** Whether the database answers. */
  readonly watch: DatabaseWatch;
  readonly clock: Clock;
  readonly log: Log;
  readonly mail: MailTransports;
  /** Whether background work is paused. */
  readonly background: Background;
  readonly metrics: Metrics;
  /** The maximum number of concurrent requests per account. */
  readonly shares: Shares;
  /** Threads for work that takes long; null when the serving thread does everything itself, as in the command line. */
  readonly heavy: HeavyThreads | null;
  /** The connectors by the kind that an account names. */
  readonly ledgers: ReadonlyMap<string, Connection>;
  /** How to connect accounts to ledgers outside of our database, by the kind of ledger. */
  readonly setups: ReadonlyMap<string, ConnectionSetup>;
  /** The register of receivers of e-invoices; null while look-ups are off. */
  readonly receivers: ReceiverRegister | null;
  /** How to connect accounts to what takes e-invoices, by the kind of connection. */
  readonly einvoice_setups: ReadonlyMap<string, EinvoiceSetup>;
  /** Seals and opens secrets at rest. */
  readonly sealing: Sealing;
  /** How pages carry out plans, which the surface of assistants provides; null where there are no pages. */
  readonly plan_commit: PlanCommit | null;
  /** Compares stored replies with their schemas; on under test. */
  readonly checks_replies: boolean;
  /** Called with each refusal, so that tests find codes that a route does not declare. */
  readonly onRefusal?: (route: RefusingRoute, code: ProblemCode) => void;
}

/** A signal that never aborts. */
const NEVER = new AbortController().signal;

/** Returns the same services for background work, which no client waits for. */
export function inBackground(services: Services): Services {
  return { ...services, db: services.pools.background };
}

/** Returns a context that reads outside of any transaction. `signal` aborts when no client waits for the response any more. */
export function contextFor(
  services: Services,
  caller: Caller,
  log: Log,
  signal: AbortSignal = NEVER,
): Context {
  const { ledgers, setups, receivers, einvoice_setups, sealing, mail, metrics, pools } = services;
  const pool = caller.actor.kind === "scheduler" ? "background" : "requests";
  const db = (pool === "background" ? pools.background : services.db).for(caller.account_id);
  return {
    db,
    rows: db.rows,
    row: db.row,
    signal,
    leaves_if_long: false,
    pool,
    caller,
    clock: clockOf(services, caller),
    ledger: ledgers.get(caller.ledger_kind) ?? null,
    ledgers,
    setups,
    receivers,
    einvoice_setups,
    sealing,
    mail,
    limits: services.config,
    log,
    once: null,
    precondition: null,
    ran: metrics.observeCommand,
  };
}

/** Returns the clock of the caller's account: that of a sandbox may be set. */
export function clockOf({ clock }: Pick<Services, "clock">, caller: Caller): Clock {
  return caller.test_clock === null ? clock : stoppedClock(caller.test_clock);
}

/** An account as background work reads it. */
export interface StoredAccount {
  readonly name: string;
  readonly sandbox: boolean;
  readonly test_clock: Timestamp | null;
  readonly ledger_kind: string;
}

/** The columns of an account that background work needs. */
export const ACCOUNT_COLUMNS = "name, sandbox, test_clock, ledger_kind";

/** Returns the context of background work in an account. */
export async function schedulerContext(services: Services, account_id: string): Promise<Context> {
  const account = await services.pools.background.row<StoredAccount>(
    sql`select ${raw(ACCOUNT_COLUMNS)} from accounts where id = ${account_id}`,
  );
  if (account === undefined) throw new Error(`there is no account ${account_id}`);
  return schedulerContextOf(services, account_id, account);
}

/** Returns the context of background work in an account that was read with the work. */
export function schedulerContextOf(
  services: Services,
  account_id: string,
  { name, sandbox, test_clock, ledger_kind }: StoredAccount,
): Context {
  const caller: Caller = {
    account_id: account_id as AccountId,
    account_name: name,
    sandbox,
    test_clock,
    ledger_kind,
    actor: { kind: "scheduler", id: "worker" },
    access: fullAccess,
    person: null,
  };
  return contextFor(services, caller, services.log);
}
