/**
 * The client of every pooled connection. Statements are prepared under a name derived from their text, and statements that are
 * sent together leave in one packet, because round trips take most of the time of a short write. The client knows how long it has
 * been waiting for the server, so that a server that does not answer is detected.
 */
import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import pg from "pg";
import { DatabaseAway } from "./unavailable.ts";

/** The time limit for connecting, below the ten seconds for a response when the server accepts no connections. */
const CONNECTING_MS = 8_000;

/** The options that a pool passes to its clients in addition to the connection settings. */
export interface ClientOptions extends pg.ClientConfig {
  /** Whether the database is known to be away; then no connection is opened. */
  readonly isAway?: () => boolean;
  /** Called with each client before it connects. */
  readonly onConnecting?: (client: PreparingClient) => void;
}

/** Statements with this prefix are planned with their values at each call instead of being prepared. */
export const REPLANNED = "/* replanned */ ";

const MOST_NAMES = 2000;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  names.set(text, name);
  return name;
}

/** Names each statement by its text, so that PostgreSQL parses and plans it once per connection. */
export class PreparingClient extends pg.Client {
  readonly #isAway: () => boolean;
  readonly #onConnecting: (client: PreparingClient) => void;
  #corked = false;
  #unanswered = 0;
  #waiting_since = 0;

  constructor(options: ClientOptions = {}) {
    super({ connectionTimeoutMillis: CONNECTING_MS, ...options });
    this.#isAway = options.isAway ?? (() => false);
    this.#onConnecting = options.onConnecting ?? (() => {});
  }

  /** Milliseconds since the last message was sent or received while responses are due; otherwise 0. */
  get waiting_ms(): number {
    return this.#unanswered === 0 ? 0 : performance.now() - this.#waiting_since;
  }

  /** The process id of the server process behind the connection; null until there is one. */
  get server_pid(): number | null {
    return (this as unknown as { processID: number | null }).processID;
  }

  /** Closes the connection without a message: everything that waits for it fails. */
  cut(): void {
    (this as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg.Client.connect cannot be restated without it.
  override connect(...args: any[]): any {
    const [callback] = args;
    if (this.#isAway()) {
      if (typeof callback !== "function") return Promise.reject(new DatabaseAway());
      return void process.nextTick(callback, new DatabaseAway());
    }
    this.#onConnecting(this);
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    return this.#awaited(super.connect.bind(this) as (...passed: any[]) => any, args);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg.Client.query cannot be restated without it.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args;
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    const send = super.query.bind(this) as (...passed: any[]) => any;
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    const pass = (...passed: any[]): any => this.#awaited(send, passed);
    if (typeof text !== "string" || !Array.isArray(values)) return pass(...args);
    this.#gather();
    if (text === "begin") return this.#begin(pass);
    if (text.startsWith(REPLANNED)) return pass(text, values, ...rest);
    return pass({ name: nameOf(text), text, values }, ...rest);
  }

  /** Sends a request to the server and counts it as unanswered until the answer arrives. */
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  #awaited(ask: (...passed: any[]) => any, args: any[]): any {
    if (this.#unanswered === 0) this.#waiting_since = performance.now();
    this.#unanswered += 1;
    const answered = (): void => {
      this.#unanswered -= 1;
      this.#waiting_since = performance.now();
    };
    const callback = args.at(-1);
    if (typeof callback === "function") {
      return ask(...args.slice(0, -1), (...results: unknown[]) => {
        answered();
        callback(...results);
      });
    }
    const result = ask(...args);
    if (result instanceof Promise) result.then(answered, answered);
    else answered();
    return result;
  }

  /** Sends statements of one turn of the event loop in one packet. */
  #gather(): void {
    const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection;
    if (this.#corked) return;
    this.#corked = true;
    stream.cork();
    process.nextTick(() => {
      this.#corked = false;
      stream.uncork();
    });
  }

  /** Sends BEGIN with the first statement. If BEGIN fails, the connection closes: no later statement takes effect. */
  #begin(pass: (text: string) => Promise<unknown>): Promise<unknown> {
    pass("begin").catch(() => this.cut());
    return Promise.resolve({ command: "BEGIN", rowCount: 0, rows: [], fields: [], oid: 0 });
  }
}
