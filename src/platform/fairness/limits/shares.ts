/**
 * Limits the requests that one account may have in flight in this process: a number of requests, a few of them heavy, and a short
 * queue behind them. A request that finds the queue full, or has waited in it for too long, is refused with a time after which a
 * repetition has a good chance. The limits of accounts are independent of each other here.
 */
import { Problem } from "../../../domain/base/problem.ts";
import type { InFlight } from "../../runtime/config.ts";
import { FairQueue } from "../fair-queue.ts";

/** Gives a slot back; safe to call twice. */
type Release = () => void;

const MOST_WAIT_MS = 10_000;
const LONGEST_RETRY_SECONDS = 60;

export class Shares {
  readonly #limit: InFlight;
  readonly #most_wait_ms: number;
  readonly #queue: FairQueue;
  /** The recent duration of heavy requests, in milliseconds (a moving average), of accounts that have requests in progress. */
  readonly #heavy_ms = new Map<string, number>();

  constructor(limit: InFlight, most_wait_ms = MOST_WAIT_MS) {
    const { requests: share, heavy } = limit ?? { requests: Infinity, heavy: Infinity };
    this.#limit = limit;
    this.#most_wait_ms = most_wait_ms;
    this.#queue = new FairQueue(Infinity, share, heavy);
  }

  /** Takes a slot without waiting; undefined when the request has to wait. */
  takeNow(account_id: string, is_heavy: boolean): Release | undefined {
    if (this.#limit === null) return () => {};
    return this.#queue.take(account_id, is_heavy) ? this.#begin(account_id, is_heavy) : undefined;
  }

  /** Waits for a slot. Throws RATE_LIMITED, with `Retry-After`; never admits a client that has disconnected meanwhile. */
  async take(account_id: string, is_heavy: boolean, left: AbortSignal): Promise<Release> {
    const now = this.takeNow(account_id, is_heavy);
    if (now !== undefined) return now;
    const refusal = () => this.#refusal(account_id);
    if (this.#queue.loadOf(account_id).waiting >= (this.#limit?.queue ?? 0)) throw refusal();
    const most_ms = this.#most_wait_ms;
    await this.#queue.wait(account_id, { is_heavy, most_ms, signal: left, refusal });
    return this.#begin(account_id, is_heavy);
  }

  #begin(account_id: string, is_heavy: boolean): Release {
    const began = is_heavy ? performance.now() : 0;
    let is_released = false;
    return () => {
      if (is_released) return;
      is_released = true;
      if (is_heavy) {
        const took = performance.now() - began;
        const before = this.#heavy_ms.get(account_id);
        this.#heavy_ms.set(account_id, before === undefined ? took : (3 * before + took) / 4);
      }
      const is_idle = this.#queue.leave(account_id, is_heavy);
      if (is_idle) this.#heavy_ms.delete(account_id);
    };
  }

  /** Returns a refusal with an estimate of when the earlier requests are done. */
  #refusal(account_id: string): Problem {
    const { waiting, heavy } = this.#queue.loadOf(account_id);
    const turns = (waiting + heavy) / Math.max(1, this.#limit?.heavy ?? 1);
    const seconds = Math.ceil(((this.#heavy_ms.get(account_id) ?? 0) * turns) / 1000);
    return new Problem("RATE_LIMITED", {
      message:
        "The account has reached its limit of requests in progress; wait as Retry-After says.",
      retry_after_seconds: Math.min(Math.max(1, seconds), LONGEST_RETRY_SECONDS),
    });
  }
}
