/**
 * Snapshots on a hot standby, for long reads. A snapshot contains everything that was committed on the primary before it was
 * asked for: the position of the primary's log is read first, and the standby has replayed it before the snapshot opens.
 */
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Runner } from "../fairness/fair-pool.ts";
import type { Log } from "../runtime/log.ts";
import { cutWhenSilent } from "./cut-silent.ts";
import {
  type Database,
  databaseErrorCode,
  openDatabase,
  type PoolLimits,
  query,
  type Reads,
  readsOf,
} from "./database.ts";
import type { PreparingClient } from "./preparing-client.ts";
import { sql } from "./sql.ts";
import { isUnavailable, NoConnection } from "./unavailable.ts";

/**
 * Why a read was not answered by the replica. `behind`: the replica had not replayed the log in time. `away`: it did not answer.
 * `unfit`: it is no standby of this primary any more. `busy`: none of its connections was free. `cancelled`: it ended a
 * statement for its recovery. `writes`: the read also changes something. `failed`: another error, which the log has.
 */
export const replicaFaults = [
  "behind",
  "away",
  "unfit",
  "busy",
  "cancelled",
  "writes",
  "failed",
] as const;
export type ReplicaFault = (typeof replicaFaults)[number];

/** One snapshot on the replica. It holds a connection until its end. */
export interface ReplicaSnapshot {
  /** Reads in the snapshot. It opens no transaction: that is a fault. */
  readonly db: Database;
  /** Returns the first error of a statement, also when its caller has caught it; undefined without one. */
  fault(): unknown;
  end(): Promise<void>;
}

/** The longest wait for the replica, in milliseconds: to connect, and to replay what the primary has committed. */
const LONGEST_WAIT_MS = 200;
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 20;

/** A read that finds no free connection is answered by the primary. */
const LIMITS: PoolLimits = { wait_ms: 150, lock_ms: 8_000, statement_ms: 60_000 };
/** Each read holds one connection: in the thread of files, so many files are read from the replica at the same time. */
const CONNECTIONS = 8;

/** Opens the pool of the replica; a thread has one. The caller closes it with `closeDatabase`. */
export function openReplica(url: string, log: Log): Database {
  const onIdleError = (error: Error): void =>
    log.debug({ err: error }, "a connection to the replica was lost");
  return openDatabase(url, CONNECTIONS, onIdleError, LIMITS);
}

/** The primary's log at a moment. */
interface LogPosition {
  /** Identifies the cluster and the database, on the primary and on its standbys. */
  readonly identity: string;
  readonly position: string;
  /** The timeline, which changes when a standby becomes the primary: positions of two timelines are not comparable. */
  readonly timeline: string;
}

/**
 * Reads the position that the replica must have replayed. A commit that others see is flushed before, unless commits are
 * asynchronous: such a commit is only inserted. What is inserted and belongs to no commit may stay unflushed for long.
 */
export async function positionOf(primary: Reads): Promise<LogPosition> {
  const row = await primary.row<LogPosition>(sql`
    select concat_ws('/', s.system_identifier, d.oid) as identity,
      case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
        else pg_current_wal_flush_lsn() end::text as position,
      left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) as timeline
    from pg_control_system() as s, pg_database as d where d.datname = current_database()`);
  if (row === undefined) throw new Error("the primary does not know its database");
  return row;
}

/** What a server says of itself. */
interface Looked {
  readonly is_standby: boolean;
  readonly identity: string;
  readonly has_all: boolean;
}

/** Asks a server whether it is a standby, of which cluster, and whether it has replayed the position. */
export async function lookAt(replica: Reads, { position, timeline }: LogPosition): Promise<Looked> {
  const row = await replica.row<Looked>(sql`
    select pg_is_in_recovery() as is_standby, concat_ws('/', s.system_identifier, d.oid) as identity,
      coalesce(pg_last_wal_replay_lsn() >= ${position}::pg_lsn, false)
        and lpad(upper(to_hex(greatest(c.timeline_id, r.min_recovery_end_timeline))), 8, '0') = ${timeline} as has_all
    from pg_control_system() as s, pg_control_checkpoint() as c, pg_control_recovery() as r, pg_database as d
    where d.datname = current_database()`);
  if (row === undefined) throw new Error("the replica does not know its database");
  return row;
}

/**
 * Opens a snapshot that contains all that the primary has committed until now, or returns why there is none. Waits at most 200
 * milliseconds for the replica; without `waits` it does not wait for a replica that is behind. Throws the primary's errors.
 */
export async function openReplicaSnapshot(
  replica: Database,
  primary: Reads,
  waits: boolean,
): Promise<ReplicaSnapshot | ReplicaFault> {
  const wanted = await positionOf(primary);
  const until = performance.now() + LONGEST_WAIT_MS;
  const client = await connected(replica, until);
  if (typeof client === "string") return client;
  const asked = readsOf((statement) => query({ runner: client }, statement));
  const progress = { has_answered: false };
  const looking = caughtUp(asked, wanted, waits ? until : 0, progress);
  const found = await before(until, looking).catch(replicaFaultOf);
  if (found === "caught_up") return begun(client, replica);
  // A connection that still owes an answer is not used again.
  if (found === undefined) (client as unknown as PreparingClient).cut();
  client.release(found === undefined);
  return found ?? (progress.has_answered ? "behind" : "away");
}

async function begun(
  client: pg.PoolClient,
  replica: Database,
): Promise<ReplicaSnapshot | ReplicaFault> {
  const opened = openOn(client, replica);
  try {
    await client.query("begin isolation level repeatable read read only", []);
    return opened;
  } catch (error) {
    await opened.end();
    return replicaFaultOf(error);
  }
}

/** Returns a connection, or why there is none. A connection that comes too late is kept for the next read. */
async function connected(
  { runner }: Database,
  until: number,
): Promise<pg.PoolClient | ReplicaFault> {
  const connecting = runner.connect();
  const outcome = connecting.catch((error: unknown): ReplicaFault => {
    return error instanceof NoConnection ? "busy" : "away";
  });
  const client = await before(until, outcome);
  if (client === undefined) connecting.then((late) => late.release()).catch(() => {});
  return client ?? "away";
}

async function caughtUp(
  replica: Reads,
  wanted: LogPosition,
  until: number,
  progress: { has_answered: boolean },
): Promise<"caught_up" | "behind" | "unfit"> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const { is_standby, identity, has_all } = await lookAt(replica, wanted);
    progress.has_answered = true;
    if (!is_standby || identity !== wanted.identity) return "unfit";
    if (has_all) return "caught_up";
    if (performance.now() + pause >= until) return "behind";
    await delay(pause);
  }
}

/** Returns the result, or undefined when it is not there at the moment `until`. */
async function before<Result>(until: number, result: Promise<Result>): Promise<Result | undefined> {
  const stopped = new AbortController();
  const late = delay(Math.max(0, until - performance.now()), undefined, { signal: stopped.signal });
  try {
    return await Promise.race([result, late.catch(() => undefined)]);
  } finally {
    stopped.abort();
  }
}

/** Thrown where a read on the replica opens a transaction: a dry run, or a change. */
class OpensTransaction extends Error {
  constructor() {
    super("a read on the replica opens a transaction");
  }
}

function openOn(client: pg.PoolClient, replica: Database): ReplicaSnapshot {
  let fault: unknown;
  let is_over = false;
  const keep = (error: unknown): void => {
    fault ??= error;
  };
  // A replica also ends connections that are idle in a snapshot; the reason comes with this event.
  client.on("error", keep);
  const leave = cutWhenSilent(client as unknown as PreparingClient, replica.pool.url);
  const failed = (error: unknown): never => {
    keep(error);
    throw error;
  };
  const runner: Runner = {
    query: (text, values) => client.query(text, values).catch(failed),
    connect: async () => failed(new OpensTransaction()),
  };
  const db: Database = {
    ...readsOf((statement) => query({ runner }, statement)),
    runner,
    pool: replica.pool,
    limits: replica.limits,
    for: () => db,
    is_snapshot: true,
  };
  return {
    db,
    fault: () => fault,
    async end() {
      if (is_over) return;
      is_over = true;
      leave();
      const broken = await client.query("rollback", []).then(
        () => undefined,
        (error: Error) => error,
      );
      client.off("error", keep);
      client.release(broken);
    },
  };
}

/** The SQLSTATEs of a statement that a standby ends for its recovery, and of one that changes something. */
const CANCELLED: ReadonlySet<string> = new Set(["40001", "40P01"]);
const READ_ONLY = "25006";

/** Returns the kind of an error of a statement on the replica. */
export function replicaFaultOf(error: unknown): ReplicaFault {
  const code = databaseErrorCode(error) ?? "";
  if (error instanceof OpensTransaction || code === READ_ONLY) return "writes";
  if (CANCELLED.has(code)) return "cancelled";
  return isUnavailable(error) ? "away" : "failed";
}
