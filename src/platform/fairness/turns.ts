/**
 * Who gets a connection of a pool, and who is next: accounts take turns, and none holds more than its share, so that one
 * account whose transactions wait for each other leaves connections to the others. Knows neither time nor connections.
 */

/** Whose work it is; null for what belongs to no account. */
export type Holder = string | null;

/** Of a hundred connections those that one account may hold at most. */
const SHARE_PERCENT = 60;
/** What is left to the others of a pool that is large enough for it. */
const LEFT_TO_OTHERS = 3;

/** How many of so many connections one account may hold: at least two, so that a close reads on while it writes. */
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
  /** In the order in which it is their turn. */
  readonly #waiting = new Map<Holder, Waiter[]>();

  constructor(connections: number, share = shareOf(connections)) {
    this.#free = connections;
    this.#share = share;
  }

  /** How many wait. */
  get waiting(): number {
    let count = 0;
    for (const waiters of this.#waiting.values()) count += waiters.length;
    return count;
  }

  /** Takes a connection; false when there is none for the holder now, who may then wait. */
  take(holder: Holder): boolean {
    if (this.#free === 0 || !this.#hasShareLeft(holder)) return false;
    this.#give(holder);
    return true;
  }

  /** Puts somebody who could not take one at the end of their account's line. */
  wait(holder: Holder, waiter: Waiter): void {
    const line = this.#waiting.get(holder);
    if (line === undefined) this.#waiting.set(holder, [waiter]);
    else line.push(waiter);
  }

  /** Takes somebody out of the line who waits no longer. */
  withdraw(holder: Holder, waiter: Waiter): void {
    const line = (this.#waiting.get(holder) ?? []).filter((other) => other !== waiter);
    if (line.length > 0) this.#waiting.set(holder, line);
    else this.#waiting.delete(holder);
  }

  /** Gives a connection back; answers who has it from now on, or undefined when nobody waits who may have it. */
  leave(holder: Holder): Waiter | undefined {
    const held = this.#held.get(holder) ?? 0;
    if (held > 1) this.#held.set(holder, held - 1);
    else this.#held.delete(holder);
    this.#free += 1;
    for (const [next, line] of this.#waiting) {
      if (!this.#hasShareLeft(next)) continue;
      const waiter = line.shift();
      // The account's next turn comes after everybody else's.
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
