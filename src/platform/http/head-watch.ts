/**
 * Requests that wait for the next event of their account. One poll of the heads serves all of them, and runs only while one waits. A
 * request that waits has no database connection and no place among the requests of its account.
 */
import { setTimeout as delay } from "node:timers/promises";

/** Reads the sequences of the last events of accounts. */
type ReadHeads = (account_ids: readonly string[]) => Promise<ReadonlyMap<string, bigint>>;

/** How a wait ended. `stopped`: the service ends, or its time is over. */
type WaitOutcome = "changed" | "stopped";

/** A place among the requests that wait. */
interface Seat {
  /** Resolves when the account has an event after the sequence, after `most_ms`, and at a stop. Throws when `left` is aborted. */
  changed(after: bigint, most_ms: number, left: AbortSignal): Promise<WaitOutcome>;
  leave(): void;
}

interface Waiter {
  readonly account_id: string;
  readonly after: bigint;
  readonly end: (outcome: WaitOutcome) => void;
}

/** How many requests of an account, and of the process, wait at most. */
const MOST_OF_ACCOUNT = 4;
const MOST = 200;
/** Between two polls, in milliseconds. */
const POLL_MS = 150;

export class HeadWatch {
  readonly #read: ReadHeads;
  readonly #waiters = new Set<Waiter>();
  readonly #seats = new Map<string, number>();
  #taken = 0;
  #is_polling = false;
  #is_stopped = false;

  constructor(read: ReadHeads) {
    this.#read = read;
  }

  /** Takes a seat for a request of an account; undefined where too many wait, or the service stops. */
  seat(account_id: string): Seat | undefined {
    const of_account = this.#seats.get(account_id) ?? 0;
    if (this.#is_stopped || of_account >= MOST_OF_ACCOUNT || this.#taken >= MOST) return undefined;
    this.#seats.set(account_id, of_account + 1);
    this.#taken += 1;
    return {
      changed: (after, most_ms, left) => this.#wait({ account_id, after }, most_ms, left),
      leave: () => {
        this.#taken -= 1;
        const others = (this.#seats.get(account_id) ?? 1) - 1;
        if (others === 0) this.#seats.delete(account_id);
        else this.#seats.set(account_id, others);
      },
    };
  }

  /** Ends all waits. */
  stop(): void {
    this.#is_stopped = true;
    for (const waiter of this.#waiters) waiter.end("stopped");
  }

  #wait(
    what: Pick<Waiter, "account_id" | "after">,
    most_ms: number,
    left: AbortSignal,
  ): Promise<WaitOutcome> {
    left.throwIfAborted();
    if (this.#is_stopped || most_ms <= 0) return Promise.resolve("stopped");
    return new Promise((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        left.removeEventListener("abort", leave);
        this.#waiters.delete(waiter);
      };
      const waiter: Waiter = {
        ...what,
        end: (outcome) => {
          done();
          resolve(outcome);
        },
      };
      const leave = () => {
        done();
        reject(left.reason);
      };
      const timer = setTimeout(() => waiter.end("stopped"), most_ms);
      left.addEventListener("abort", leave);
      this.#waiters.add(waiter);
      if (!this.#is_polling) void this.#poll();
    });
  }

  async #poll(): Promise<void> {
    this.#is_polling = true;
    while (this.#waiters.size > 0) {
      const waiting = [...this.#waiters];
      const ids = [...new Set(waiting.map(({ account_id }) => account_id))];
      // While the database is away, nothing changes.
      const heads = await this.#read(ids).catch(() => new Map<string, bigint>());
      for (const { account_id, after, end } of waiting) {
        if ((heads.get(account_id) ?? 0n) > after) end("changed");
      }
      await delay(POLL_MS, undefined, { ref: false });
    }
    this.#is_polling = false;
  }
}
