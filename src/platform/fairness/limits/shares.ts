/**
 * How many requests one account may have in flight in this process: a number of requests, a few of them heavy, and a short queue
 * behind them. A request that finds the queue full, or has waited in it for too long, is refused with a time after which a
 * repetition has a good chance. The limits of accounts are independent of each other here.
 */
import { Problem } from "../../../domain/base/problem.ts";
import type { InFlight } from "../../runtime/config.ts";

/** Gives a place back; safe to call twice. */
type Release = () => void;

interface Entry {
  readonly is_heavy: boolean;
  readonly admit: (release: Release) => void;
}

interface Account {
  running: number;
  heavy: number;
  /** The recent duration of a heavy request, in milliseconds (a moving average). */
  heavy_ms: number;
  readonly queue: Entry[];
}

const MOST_WAIT_MS = 10_000;
const LONGEST_RETRY_SECONDS = 60;

export class Shares {
  readonly #limit: InFlight;
  readonly #most_wait_ms: number;
  readonly #accounts = new Map<string, Account>();

  constructor(limit: InFlight, most_wait_ms = MOST_WAIT_MS) {
    this.#limit = limit;
    this.#most_wait_ms = most_wait_ms;
  }

  /** A place without waiting; undefined when the request has to wait. */
  takeNow(account_id: string, is_heavy: boolean): Release | undefined {
    const limit = this.#limit;
    if (limit === null) return () => {};
    const account = this.#accounts.get(account_id) ?? {
      running: 0,
      heavy: 0,
      heavy_ms: 0,
      queue: [],
    };
    // An earlier request that waits for the same kind of place goes first.
    if (account.queue.some((entry) => !entry.is_heavy || is_heavy)) return undefined;
    if (!hasRoom(account, is_heavy, limit)) return undefined;
    this.#accounts.set(account_id, account);
    return this.#begin(account_id, account, is_heavy);
  }

  /** Waits for a place. Throws RATE_LIMITED, with `Retry-After`; never admits a client that has disconnected meanwhile. */
  async take(account_id: string, is_heavy: boolean, left: AbortSignal): Promise<Release> {
    const now = this.takeNow(account_id, is_heavy);
    if (now !== undefined) return now;
    const account = this.#accounts.get(account_id);
    if (account === undefined || account.queue.length >= (this.#limit?.queue ?? 0)) {
      throw this.#refusal(account);
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        left.removeEventListener("abort", leave);
        const place = account.queue.indexOf(entry);
        if (place >= 0) account.queue.splice(place, 1);
        reject(this.#refusal(account));
      };
      const timer = setTimeout(leave, this.#most_wait_ms);
      const entry: Entry = {
        is_heavy,
        admit: (release) => {
          clearTimeout(timer);
          left.removeEventListener("abort", leave);
          resolve(release);
        },
      };
      account.queue.push(entry);
      left.addEventListener("abort", leave);
      if (left.aborted) leave();
    });
  }

  #begin(account_id: string, account: Account, is_heavy: boolean): Release {
    account.running += 1;
    if (is_heavy) account.heavy += 1;
    const began = performance.now();
    let is_released = false;
    return () => {
      if (is_released) return;
      is_released = true;
      account.running -= 1;
      if (is_heavy) {
        account.heavy -= 1;
        const took = performance.now() - began;
        account.heavy_ms = account.heavy_ms === 0 ? took : (3 * account.heavy_ms + took) / 4;
      }
      this.#admitNext(account_id, account);
    };
  }

  #admitNext(account_id: string, account: Account): void {
    const limit = this.#limit;
    if (limit === null) return;
    for (let place = 0; place < account.queue.length; ) {
      const entry = account.queue[place];
      if (entry === undefined || account.running >= limit.requests) break;
      if (!hasRoom(account, entry.is_heavy, limit)) {
        place += 1;
        continue;
      }
      account.queue.splice(place, 1);
      entry.admit(this.#begin(account_id, account, entry.is_heavy));
    }
    if (account.running === 0 && account.queue.length === 0) this.#accounts.delete(account_id);
  }

  /** A refusal with an estimate of when the earlier requests are done. */
  #refusal(account: Account | undefined): Problem {
    const before = (account?.queue.length ?? 0) + (account?.heavy ?? 0);
    const turns = before / Math.max(1, this.#limit?.heavy ?? 1);
    const seconds = Math.ceil(((account?.heavy_ms ?? 0) * turns) / 1000);
    return new Problem("RATE_LIMITED", {
      message:
        "The account has reached its limit of requests in progress; wait as Retry-After says.",
      retry_after_seconds: Math.min(Math.max(1, seconds), LONGEST_RETRY_SECONDS),
    });
  }
}

function hasRoom(account: Account, is_heavy: boolean, limit: NonNullable<InFlight>): boolean {
  return account.running < limit.requests && (!is_heavy || account.heavy < limit.heavy);
}
