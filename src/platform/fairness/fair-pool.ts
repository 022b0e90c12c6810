/**
 * A pool of connections that accounts share. Each account requests its connections separately and waits for its turn, at most as
 * long as the pool's timeout. Requests wait here and not in the underlying pool.
 */
import type pg from "pg";
import { requireNoneHeld } from "../database/one-connection.ts";
import { DatabaseAway, NoConnection } from "../database/unavailable.ts";
import type { WatchedPool } from "../database/watched-pool.ts";
import { FairQueue, type Holder } from "./fair-queue.ts";

/** Sends statements on connections of a pool, for one account or for none. */
export interface Runner {
  /** Returns a connection to release. Throws NoConnection if none is free in time, DatabaseAway without a response. */
  connect(): Promise<pg.PoolClient>;
  /** Runs one statement on a separate connection. Throws what `connect` and the statement throw. */
  query(text: string, values: unknown[]): Promise<pg.QueryResult>;
}

/** The percentage of connections that one account may hold at most. */
const SHARE_PERCENT = 60;
/** The number of connections that stay for other accounts, in a pool that is large enough. */
const LEFT_TO_OTHERS = 3;

/** Returns how many connections of a pool one account may hold: at least two, so that a period close can read while it writes. */
export function shareOf(connections: number): number {
  const share = Math.min(
    connections - LEFT_TO_OTHERS,
    Math.floor((connections * SHARE_PERCENT) / 100),
  );
  return Math.min(connections, Math.max(2, share));
}

export class FairPool {
  readonly pool: WatchedPool;
  readonly #wait_ms: number;
  readonly #queue: FairQueue;

  constructor(pool: WatchedPool, connections: number, wait_ms: number) {
    this.pool = pool;
    this.#wait_ms = wait_ms;
    this.#queue = new FairQueue(connections, shareOf(connections));
  }

  runnerOf(holder: Holder): Runner {
    return {
      connect: () => this.#connect(holder),
      query: (text, values) => this.#query(holder, text, values),
    };
  }

  async #connect(holder: Holder): Promise<pg.PoolClient> {
    requireNoneHeld(this.pool);
    if (!this.#queue.take(holder)) await this.#turn(holder);
    try {
      const client = await this.pool.connect();
      const release = client.release;
      // The pool gives the client another `release` each time it hands it out.
      client.release = (error) => {
        release(error);
        this.#queue.leave(holder);
      };
      return client;
    } catch (error) {
      this.#queue.leave(holder);
      throw error;
    }
  }

  async #query(holder: Holder, text: string, values: unknown[]): Promise<pg.QueryResult> {
    requireNoneHeld(this.pool);
    if (!this.#queue.take(holder)) await this.#turn(holder);
    try {
      return await this.#asked(text, values);
    } catch (error) {
      // The stack trace shows the caller of the statement instead of the code that read the server's answer.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    } finally {
      this.#queue.leave(holder);
    }
  }

  /** Runs a statement with callbacks, which are faster than promises: most requests are one such statement. */
  #asked(text: string, values: unknown[]): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.pool.connect((failed, client, release) => {
        if (client === undefined) return reject(failed);
        client.query(text, values, (error: Error | undefined, result) => {
          release(error);
          if (error) reject(error);
          else resolve(result);
        });
      });
    });
  }

  #turn(holder: Holder): Promise<void> {
    const refusal = () => (this.pool.is_doubted ? new DatabaseAway() : new NoConnection());
    return this.#queue.wait(holder, { most_ms: this.#wait_ms, refusal });
  }
}
