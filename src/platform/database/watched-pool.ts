/**
 * The pool of connections. While its database is known to be away, requests do not wait for a connection, and connections that
 * wait for a server that does not answer can be cut, so that no request hangs. The pool itself cuts a connection that has been
 * silent for longer than any statement may take, even without a watch.
 */
import pg from "pg";
import type { ClientOptions, PreparingClient } from "./preparing-client.ts";
import { DatabaseAway } from "./unavailable.ts";

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** Time beyond a statement's limit before its connection counts as silent. */
const SPARE_MS = 5_000;
const LOOK_MS = 1_000;

export class WatchedPool extends pg.Pool {
  readonly #clients = new Set<PreparingClient>();
  readonly #looking: NodeJS.Timeout;
  is_away = false;
  /** Whether the database has not responded for a while, and may soon be known as away. */
  is_doubted = false;

  /** `statement_ms` is the server's limit for a statement, after which it answers in any case. */
  constructor(options: pg.PoolConfig, statement_ms: number) {
    const watched: pg.PoolConfig & ClientOptions = {
      ...options,
      isAway: () => this.is_away,
      onConnecting: (client) => {
        this.#clients.add(client);
        client.once("end", () => this.#clients.delete(client));
      },
    };
    super(watched);
    this.#looking = setInterval(() => {
      for (const client of this.waiting(statement_ms + SPARE_MS)) client.cut();
    }, LOOK_MS).unref();
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | undefined {
    clearInterval(this.#looking);
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  get url(): string {
    return (this.options as pg.PoolConfig).connectionString ?? "";
  }

  /** New connections go to this address from now on: a restarted server may listen elsewhere. */
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

  /** Returns the connections that have waited at least this long for a response to a statement or to connecting. */
  waiting(least_ms: number): PreparingClient[] {
    return [...this.#clients].filter((client) => client.waiting_ms >= least_ms);
  }
}
