/**
 * A fair queue with costs, in memory: decides which account gets one of a number of slots, and which is next. Waiting accounts
 * get slots round robin, and none holds more than its share, so that an account whose work waits for itself leaves slots to the
 * others. Work costs a slot, and heavy work also one of its account's few slots for heavy work.
 */

/** The account that the work is for; null for work of no account, which has no share. */
export type Holder = string | null;

interface Wait {
  readonly is_heavy?: boolean;
  readonly most_ms: number;
  readonly signal?: AbortSignal;
  readonly refusal: () => Error;
}

/** The slots that an account holds, and its waiters in the order of arrival. */
interface Line {
  held: number;
  heavy: number;
  readonly waiters: { readonly is_heavy: boolean; readonly admit: () => void }[];
}

export class FairQueue {
  #free: number;
  readonly #share: number;
  readonly #heavy: number;
  /** The queues of the accounts that hold a slot or wait for one. */
  readonly #lines = new Map<Holder, Line>();
  /** The accounts that wait, in the order of their turns. */
  readonly #turns = new Map<Holder, Line>();

  /** `share` is the limit of one account's slots, `heavy` the limit of these for heavy work. Both are at least 1. */
  constructor(places: number, share: number, heavy = share) {
    this.#free = places;
    this.#share = share;
    this.#heavy = heavy;
  }

  /** Takes a slot; false when the account can get none now and has to wait. */
  take(holder: Holder, is_heavy = false): boolean {
    if (this.#free === 0) return false;
    const line = this.#lineOf(holder);
    if (!this.#hasRoom(holder, line, is_heavy)) return false;
    this.#give(line, is_heavy);
    return true;
  }

  /** Waits for a slot in order; light work passes blocked heavy work. Throws the refusal after the time or an abort. */
  wait(holder: Holder, { is_heavy = false, most_ms, signal, refusal }: Wait): Promise<void> {
    const line = this.#lineOf(holder);
    const { waiters } = line;
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", withdraw);
        resolve();
      };
      const withdraw = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", withdraw);
        waiters.splice(waiters.indexOf(waiter), 1);
        if (waiters.length === 0) this.#turns.delete(holder);
        this.#forgetIdle(holder, line);
        reject(refusal());
      };
      const waiter = { is_heavy, admit };
      const timer = setTimeout(withdraw, most_ms);
      waiters.push(waiter);
      this.#turns.set(holder, line);
      signal?.addEventListener("abort", withdraw);
      if (signal?.aborted) withdraw();
    });
  }

  /** Gives a slot back, to the waiter whose turn is next; returns whether the account now neither holds a slot nor waits. */
  leave(holder: Holder, is_heavy = false): boolean {
    const line = this.#lineOf(holder);
    line.held -= 1;
    if (is_heavy) line.heavy -= 1;
    this.#free += 1;
    // If another slot was free before, the waiters of other accounts have no room in their own share.
    if (this.#free > 1) this.#admitOne(holder, line);
    else for (const [next, its] of this.#turns) if (this.#admitOne(next, its)) break;
    return this.#forgetIdle(holder, line);
  }

  /** Returns the number of an account's waiters, and of its slots for heavy work. */
  loadOf(holder: Holder): { readonly waiting: number; readonly heavy: number } {
    const line = this.#lines.get(holder);
    return { waiting: line?.waiters.length ?? 0, heavy: line?.heavy ?? 0 };
  }

  /** Gives a slot to the account's first waiter that may have it; returns whether there was one. */
  #admitOne(holder: Holder, line: Line): boolean {
    const { waiters } = line;
    if (waiters.length === 0 || !this.#hasRoom(holder, line, false)) return false;
    const at = waiters.findIndex(({ is_heavy }) => this.#hasRoom(holder, line, is_heavy));
    const waiter = at === 0 ? waiters.shift() : waiters.splice(at, at < 0 ? 0 : 1)[0];
    if (waiter === undefined) return false;
    // The account's next turn comes after those of all other accounts.
    this.#turns.delete(holder);
    if (waiters.length > 0) this.#turns.set(holder, line);
    this.#give(line, waiter.is_heavy);
    waiter.admit();
    return true;
  }

  #lineOf(holder: Holder): Line {
    const line = this.#lines.get(holder) ?? { held: 0, heavy: 0, waiters: [] };
    if (line.held === 0) this.#lines.set(holder, line);
    return line;
  }

  #give(line: Line, is_heavy: boolean): void {
    this.#free -= 1;
    line.held += 1;
    if (is_heavy) line.heavy += 1;
  }

  #hasRoom(holder: Holder, { held, heavy }: Line, is_heavy: boolean): boolean {
    return (holder === null || held < this.#share) && (!is_heavy || heavy < this.#heavy);
  }

  /** Forgets an account that neither holds a slot nor waits; returns whether it did. */
  #forgetIdle(holder: Holder, { held, waiters }: Line): boolean {
    return held === 0 && waiters.length === 0 && this.#lines.delete(holder);
  }
}
