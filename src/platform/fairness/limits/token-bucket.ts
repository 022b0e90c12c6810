/** Limits requests by a token bucket per account, grant or person (spec 11.8), separately in each process. */
import type { RateLimit } from "../../runtime/config.ts";

interface Allowance {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until the next token; 0 when allowed. */
  readonly retry_after_seconds: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** The limit as the headers describe it: quota and window in seconds; null when the limit is off. */
  get policy(): string | null {
    const limit = this.#limit;
    if (limit === null) return null;
    const window = Math.max(1, Math.ceil(limit.burst / limit.per_second));
    return `"default";q=${limit.burst};w=${window}`;
  }

  /** Takes one token for the key at a moment in milliseconds. */
  take(key: string, now: number): Allowance {
    const limit = this.#limit;
    if (limit === null) return { allowed: true, remaining: 0, retry_after_seconds: 0 };
    const bucket = this.#buckets.get(key) ?? { tokens: limit.burst, at: now };
    const grown = bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * limit.per_second;
    const tokens = Math.min(limit.burst, grown);
    const allowed = tokens >= 1;
    const left = allowed ? tokens - 1 : tokens;
    this.#buckets.set(key, { tokens: left, at: now });
    if (this.#buckets.size > MOST_BUCKETS) this.#forgetFullOnes(now, limit);
    return {
      allowed,
      remaining: Math.floor(left),
      retry_after_seconds: allowed ? 0 : Math.max(1, Math.ceil((1 - left) / limit.per_second)),
    };
  }

  #forgetFullOnes(now: number, limit: NonNullable<RateLimit>): void {
    const seconds_to_fill = limit.burst / limit.per_second;
    for (const [key, bucket] of this.#buckets) {
      if (now - bucket.at > seconds_to_fill * 1000) this.#buckets.delete(key);
    }
  }
}

const MOST_BUCKETS = 10_000;
