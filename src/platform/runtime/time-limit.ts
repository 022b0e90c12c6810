/** Limits the time of calls: a signal that aborts after a while, or with another signal. */
import { setMaxListeners } from "node:events";

interface TimeLimit {
  readonly signal: AbortSignal;
  /** Ends the limit early: the signal then never aborts. */
  clear(): void;
}

/**
 * Returns a signal that aborts after some milliseconds with a `TimeoutError`, or with another signal and its reason. It keeps no
 * process running. `AbortSignal.any` is not used: in Node 20 it forgets a timeout that was collected as garbage.
 */
export function timeLimit(milliseconds: number, other?: AbortSignal): TimeLimit {
  // Any number of limits may follow one signal at once; each leaves it when its time is over.
  if (other) setMaxListeners(0, other);
  const controller = new AbortController();
  const abort = (reason: unknown): void => {
    clear();
    controller.abort(reason);
  };
  const timer = setTimeout(() => {
    abort(new DOMException("The time limit is over.", "TimeoutError"));
  }, milliseconds).unref();
  const follow = (): void => abort(other?.reason);
  function clear(): void {
    clearTimeout(timer);
    other?.removeEventListener("abort", follow);
  }
  if (other?.aborted) follow();
  else other?.addEventListener("abort", follow, { once: true });
  return { signal: controller.signal, clear };
}
