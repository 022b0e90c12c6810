/**
 * The lock by which other processes know that this one lives. It belongs to the session that the watch keeps, so it ends with the
 * process, with its machine and with the database. It covers the process, not single requests.
 */
import { randomUUID } from "node:crypto";
import type pg from "pg";
import { type Sql, sql } from "./sql.ts";

interface Session {
  readonly client: pg.Client;
  has_lock: boolean;
  has_ended: boolean;
  is_asked: boolean;
}

export class ProcessLock {
  readonly #id = randomUUID();
  #session: Session | undefined;

  /** The id of this process while it holds its lock, for rows that name the process that works on them; otherwise null. */
  get process(): string | null {
    const { has_lock, has_ended } = this.#session ?? { has_lock: false, has_ended: true };
    return has_lock && !has_ended ? this.#id : null;
  }

  /**
   * Takes the lock for the session of the client, unless that session has it. While an earlier session of this process still
   * holds it, nothing changes, and the next call tries again. Never throws.
   */
  async take(client: pg.Client): Promise<void> {
    const session = this.#session?.client === client ? this.#session : this.#begin(client);
    if (session.has_lock || session.has_ended || session.is_asked) return;
    session.is_asked = true;
    try {
      const { rows } = await client.query<{ is_taken: boolean }>(
        "select pg_try_advisory_lock(hashtextextended('process ' || $1, 2)) as is_taken",
        [this.#id],
      );
      session.has_lock = rows[0]?.is_taken === true;
    } catch {
      // The session has ended, or will be found to be silent.
    } finally {
      session.is_asked = false;
    }
  }

  #begin(client: pg.Client): Session {
    const session = { client, has_lock: false, has_ended: false, is_asked: false };
    client.once("end", () => {
      session.has_ended = true;
    });
    this.#session = session;
    return session;
  }
}

/** Returns a condition that the process that a row names has ended, for a statement outside of a transaction. */
export function hasEnded(process: Sql): Sql {
  // Simultaneous callers share the lock, so that none of them mistakes another caller for the process.
  return sql`pg_try_advisory_xact_lock_shared(hashtextextended('process ' || ${process}::text, 2))`;
}
