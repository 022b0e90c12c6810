/** Sends requests, and repeats those that a repetition can not harm. */
import { connectionError, errorFrom, type MatchbookError } from "./errors.ts";

export interface TransportOptions {
  readonly fetch: typeof fetch;
  /** The time for one attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

export interface Sent {
  readonly response: Response;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Refusals that pass by themselves. Nothing has changed, or the idempotency key knows what has. */
const PASSING = new Set([
  "RATE_LIMITED",
  "RESOURCE_BUSY",
  "REQUEST_IN_PROGRESS",
  "SERVICE_UNAVAILABLE",
  "LEDGER_UNAVAILABLE",
]);
/** Statuses of proxies whose service does not answer. */
const PROXY = new Set([502, 503, 504]);

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8_000;
/** A longer `Retry-After` is the caller's matter: the refusal is thrown. */
const LONGEST_RETRY_AFTER_MS = 120_000;

/**
 * Returns the answer with its body. Throws a MatchbookError for a refusal and for a connection that is lost, both after the
 * retries; what the signal of the caller gives as its reason is thrown as it is.
 */
export async function send(
  url: string,
  init: RequestInit,
  options: TransportOptions,
): Promise<Sent> {
  const { signal } = init;
  for (let retries = 0; ; retries += 1) {
    const outcome = await attempt(url, init, options);
    if ("bytes" in outcome) return outcome;
    signal?.throwIfAborted();
    const { error, retry_after } = outcome;
    const pause = retry_after ?? pauseOf(retries);
    const may_retry = retries < options.maxRetries && pause <= LONGEST_RETRY_AFTER_MS;
    if (!may_retry || !passes(error, init)) throw error;
    await waitFor(pause, signal ?? undefined);
  }
}

interface Failed {
  readonly error: MatchbookError;
  /** In milliseconds. */
  readonly retry_after: number | null;
}

async function attempt(
  url: string,
  init: RequestInit,
  options: TransportOptions,
): Promise<Sent | Failed> {
  // A composed signal is not used: Node 20 forgets a timeout in it that was collected as garbage.
  const limit = new AbortController();
  const stop = () => limit.abort(init.signal?.reason);
  const timer = setTimeout(stop, options.timeoutMs);
  try {
    init.signal?.addEventListener("abort", stop, { once: true });
    if (init.signal?.aborted) stop();
    const response = await options.fetch(url, { ...init, signal: limit.signal });
    // A body that breaks off is an answer that was lost.
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.ok || response.status === 304) return { response, bytes };
    const error = errorFrom(response.status, new TextDecoder().decode(bytes));
    return { error, retry_after: retryAfterOf(response) };
  } catch (cause) {
    return { error: connectionError(cause), retry_after: null };
  } finally {
    clearTimeout(timer);
    init.signal?.removeEventListener("abort", stop);
  }
}

/** Whether a repetition may succeed and can not do something twice. */
function passes({ status, code }: MatchbookError, { headers }: RequestInit): boolean {
  // After a lost answer the change may have been made, and its ETag would no longer fit.
  if (status === 0) return !new Headers(headers).has("if-match");
  return PASSING.has(code) || status === 429 || (PROXY.has(status) && code === `HTTP_${status}`);
}

/** Doubles from a quarter of a second, and varies by half, so that many clients do not come back at once. */
function pauseOf(retries: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries);
  return longest * (0.5 + Math.random() / 2);
}

function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get("retry-after");
  if (text === null) return null;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** Waits; rejects with the reason of the signal when it is aborted. */
export function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
