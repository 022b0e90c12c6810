/** The pools of a process. Pools never wait for each other and are small: each connection is a server process. */
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

/** The pools by purpose. */
export interface Pools {
  /** The pool for requests of people and machines. */
  readonly requests: Database;
  /** The pool for work that no client waits for. */
  readonly background: Database;
  /** The pool for the look-ups before all work, possible at any load: keys, tokens, sessions, sign-in, readiness. */
  readonly gate: Database;
}

/** The maximum number of connections by purpose. An unused pool opens none. */
export type PoolSizes = Readonly<Record<keyof Pools, number>>;

const GATE_CONNECTIONS = 3;
const BACKGROUND_CONNECTIONS = 4;

/** Returns the sizes for the process that listens. */
export function poolSizesOf(config: Config): PoolSizes {
  return {
    requests: config.database_connections,
    background: BACKGROUND_CONNECTIONS,
    gate: GATE_CONNECTIONS,
  };
}

/** Opens the pools; the caller closes each of them. */
export function openPools(url: string, sizes: PoolSizes, log: Log): Pools {
  const open = (connections: number, limits: PoolLimits): Database =>
    openDatabase(
      url,
      connections,
      // The watch reports when all connections are lost.
      (error) => log.debug({ err: error }, "a database connection was lost"),
      limits,
    );
  return {
    requests: open(sizes.requests, REQUEST_LIMITS),
    background: open(sizes.background, BACKGROUND_LIMITS),
    gate: open(sizes.gate, GATE_LIMITS),
  };
}

/** Sets the address that new connections use from now on: a restarted server may listen elsewhere. */
export function movePools(pools: Pools, url: string): void {
  for (const { pool } of Object.values(pools)) pool.url = url;
}
