/**
 * Which account gets a connection of a pool, and which is next. Accounts take turns, and none holds more than its share, so that
 * an account whose transactions wait for each other leaves connections to the others. This class knows neither time nor
 * connections.
 */

/** The account that the work is for; null for work of no account. */
export type Holder = string | null;

/** The percentage of connections that one account may hold at most. */
const SHARE_PERCENT = 60;
/** Connections that stay for other accounts, in a pool that is large enough. */
const LEFT_TO_OTHERS = 3;

/** How many connections of a pool one account may hold: at least two, so that a period close can read while it writes. */
export function shareOf(connections: number): number {
  const share = Math.min(
    connections - LEFT_TO_OTHERS,
    Math.floor((connections * SHARE_PERCENT) / 100),
  );
  return Math.min(connections, Math.max(2, share));
}

export class Turns<Waiter> {
  readonly #share: number;
  #free: number;
  readonly #held = new Map<Holder, number>();
  /** In the order of their turns. */
  readonly #waiting = new Map<Holder, Waiter[]>();

  constructor(connections: number, share = shareOf(connections)) {
    this.#free = connections;
    this.#share = share;
  }

  /** The number of waiters. */
  get waiting(): number {
    let count = 0;
    for (const waiters of this.#waiting.values()) count += waiters.length;
    return count;
  }

  /** Takes a connection; false when the holder can get none now and has to wait. */
  take(holder: Holder): boolean {
    if (this.#free === 0 || !this.#hasShareLeft(holder)) return false;
    this.#give(holder);
    return true;
  }

  /** Adds a waiter that could not take a connection to the end of its account's queue. */
  wait(holder: Holder, waiter: Waiter): void {
    const line = this.#waiting.get(holder);
    if (line === undefined) this.#waiting.set(holder, [waiter]);
    else line.push(waiter);
  }

  /** Removes a waiter that no longer waits from the queue. */
  withdraw(holder: Holder, waiter: Waiter): void {
    const line = (this.#waiting.get(holder) ?? []).filter((other) => other !== waiter);
    if (line.length > 0) this.#waiting.set(holder, line);
    else this.#waiting.delete(holder);
  }

  /** Gives a connection back; returns the waiter that has it from now on, or undefined when no waiter may have it. */
  leave(holder: Holder): Waiter | undefined {
    const held = this.#held.get(holder) ?? 0;
    if (held > 1) this.#held.set(holder, held - 1);
    else this.#held.delete(holder);
    this.#free += 1;
    for (const [next, line] of this.#waiting) {
      if (!this.#hasShareLeft(next)) continue;
      const waiter = line.shift();
      // The account's next turn comes after those of all other accounts.
      this.#waiting.delete(next);
      if (line.length > 0) this.#waiting.set(next, line);
      this.#give(next);
      return waiter;
    }
    return undefined;
  }

  #give(holder: Holder): void {
    this.#free -= 1;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
  }

  #hasShareLeft(holder: Holder): boolean {
    return holder === null || (this.#held.get(holder) ?? 0) < this.#share;
  }
}
