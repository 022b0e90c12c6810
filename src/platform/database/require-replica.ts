/**
 * Checks once, at the start, that MATCHBOOK_REPLICA_URL names a hot standby of the database. A replica that cannot be reached is
 * no fault, because the service must start without it: the primary then answers, and each read makes the same checks.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../runtime/log.ts";
import { isOnCluster } from "./cluster.ts";
import { closeDatabase, type Database, openDatabase } from "./database.ts";
import { requireReachable } from "./reach.ts";
import { lookAt, openReplica, positionOf } from "./replica.ts";
import { isUnavailable } from "./unavailable.ts";

/** The time to connect to the replica. */
const REACHED_MS = 5_000;

/** Throws an Error that names the setting when the server is no hot standby, or one of another cluster or database. */
export async function requireReplica(url: string, primary_url: string, log: Log): Promise<void> {
  const replica = openReplica(url, log);
  const primary = openDatabase(primary_url, 1, () => {});
  try {
    if (!(await isReached(replica, log))) return;
    const fault = await faultBetween(primary, replica);
    if (fault !== null) throw notValid(fault);
  } finally {
    await closeDatabase(primary);
    // A connection that is still being opened must not delay the start.
    closeDatabase(replica).catch(() => {});
  }
  await requireReachable(url, "MATCHBOOK_REPLICA_URL");
}

const notValid = (fault: string): Error =>
  new Error(`The settings are not valid. MATCHBOOK_REPLICA_URL: ${fault}`);

/** Whether the replica answers. Throws what it refuses: a password, or a database that it does not have. */
async function isReached(replica: Database, log: Log): Promise<boolean> {
  const asked = replica.pool.query("select 1").then(() => true);
  const late = delay(REACHED_MS, new Error("the replica does not answer"), { ref: false });
  try {
    const outcome = await Promise.race([asked, late]);
    if (outcome === true) return true;
    throw outcome;
  } catch (error) {
    asked.catch(() => {});
    if (error instanceof pg.DatabaseError) {
      if (/hot standby/i.test(error.detail ?? ""))
        throw notValid("names a standby that is not hot");
      if (!isUnavailable(error)) throw notValid(error.message);
    }
    log.warn({ err: error }, "the replica cannot be reached; the primary answers long reads");
    return false;
  }
}

/** Returns why the replica is none of the primary; null when it is one. */
async function faultBetween(primary: Database, replica: Database): Promise<string | null> {
  if (await isOnCluster(primary)) {
    return "DATABASE_URL leads to a Citus cluster, and a replica of its coordinator lacks the rows of the workers";
  }
  const wanted = await positionOf(primary);
  const { is_standby, identity } = await lookAt(replica, wanted);
  if (!is_standby) return "names a server that is no hot standby: it accepts changes itself";
  const [cluster, database] = wanted.identity.split("/");
  const [its_cluster, its_database] = identity.split("/");
  if (its_cluster !== cluster) {
    return `names a standby of another PostgreSQL cluster: its system identifier is ${its_cluster}, that of DATABASE_URL is ${cluster}`;
  }
  return its_database === database ? null : "names another database than DATABASE_URL";
}
