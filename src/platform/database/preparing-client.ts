/**
 * The client of every pooled connection: statements are prepared under the name of their text, and
 * those that are given together leave in one packet. Round trips are most of a short write.
 */
import { createHash } from "node:crypto";
import type { Duplex } from "node:stream";
import pg from "pg";

/** Statements that begin so are planned with their values at each call instead of being prepared. */
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
  #corked = false;

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg.Client.query cannot be restated without it.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args;
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    const pass = super.query.bind(this) as (...passed: any[]) => any;
    if (typeof text !== "string" || !Array.isArray(values)) return pass(...args);
    this.#gather();
    if (text === "begin") return this.#begin(pass);
    if (text.startsWith(REPLANNED)) return pass(text, values, ...rest);
    return pass({ name: nameOf(text), text, values }, ...rest);
  }

  /** Whatever is asked before the event loop turns leaves in one packet. */
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

  /**
   * The first statement of a transaction travels with its BEGIN. Should BEGIN itself fail, the
   * connection ends, so that nothing after it can take effect outside of a transaction.
   */
  #begin(pass: (text: string) => Promise<unknown>): Promise<unknown> {
    pass("begin").catch(() => {
      (this as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();
    });
    return Promise.resolve({ command: "BEGIN", rowCount: 0, rows: [], fields: [], oid: 0 });
  }
}
