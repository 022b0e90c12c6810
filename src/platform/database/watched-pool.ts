/**
 * The pool of connections. While its database is known to be away nobody waits for a connection, and
 * connections that a silent server has left waiting can be cut, so that no request hangs.
 */
import pg from "pg";
import type { ClientOptions, PreparingClient } from "./preparing-client.ts";
import { DatabaseAway } from "./unavailable.ts";

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

export class WatchedPool extends pg.Pool {
  readonly #clients = new Set<PreparingClient>();
  is_away = false;

  constructor(options: pg.PoolConfig) {
    const watched: pg.PoolConfig & ClientOptions = {
      ...options,
      isAway: () => this.is_away,
      onConnecting: (client) => {
        this.#clients.add(client);
        client.once("end", () => this.#clients.delete(client));
      },
    };
    super(watched);
  }

  get url(): string {
    return (this.options as pg.PoolConfig).connectionString ?? "";
  }

  /** From now on connections go there: a server that was started again may listen elsewhere. */
  set url(url: string) {
    (this.options as pg.PoolConfig).connectionString = url;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    if (!this.is_away) {
      if (callback === undefined) return super.connect();
      super.connect(callback);
    } else if (callback === undefined) {
      return Promise.reject(new DatabaseAway());
    } else {
      process.nextTick(callback, new DatabaseAway(), undefined, () => {});
    }
    return undefined;
  }

  /** The connections that have waited for an answer for that long, to a statement or to connecting. */
  waiting(least_ms: number): PreparingClient[] {
    return [...this.#clients].filter((client) => client.waiting_ms >= least_ms);
  }
}
