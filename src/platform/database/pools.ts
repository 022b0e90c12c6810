/**
 * The pools of a process. What they are for never waits for each other's connections; each is small, because every
 * connection is a process of the server.
 */
import type { Config } from "../runtime/config.ts";
import type { Log } from "../runtime/log.ts";
import {
  BACKGROUND_LIMITS,
  type Database,
  GATE_LIMITS,
  openDatabase,
  type PoolLimits,
  REQUEST_LIMITS,
} from "./database.ts";

/** By what connections are for. */
export interface Pools {
  /** What people and machines ask for. */
  readonly requests: Database;
  /** Work that nobody waits for. */
  readonly background: Database;
  /** What comes before any work, and must be possible whatever the others do: keys, tokens, sessions, sign-in, readiness. */
  readonly gate: Database;
}

/** Connections at most, by what they are for. A pool that nobody asks has none. */
export type PoolSizes = Readonly<Record<keyof Pools, number>>;

const GATE_CONNECTIONS = 3;
const BACKGROUND_CONNECTIONS = 4;

/** Those of the process that listens. */
export function poolSizesOf(config: Config): PoolSizes {
  return {
    requests: config.database_connections,
    background: BACKGROUND_CONNECTIONS,
    gate: GATE_CONNECTIONS,
  };
}

/** Opens the pools; each of them is to be closed. */
export function openPools(url: string, sizes: PoolSizes, log: Log): Pools {
  const open = (connections: number, limits: PoolLimits): Database =>
    openDatabase(
      url,
      connections,
      // The watch tells when all are.
      (error) => log.debug({ err: error }, "a database connection was lost"),
      limits,
    );
  return {
    requests: open(sizes.requests, REQUEST_LIMITS),
    background: open(sizes.background, BACKGROUND_LIMITS),
    gate: open(sizes.gate, GATE_LIMITS),
  };
}

/** From now on connections go there: a server that was started again may listen elsewhere. */
export function movePools(pools: Pools, url: string): void {
  for (const { pool } of Object.values(pools)) pool.url = url;
}
