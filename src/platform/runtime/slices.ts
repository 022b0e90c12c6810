/**
 * Runs long computations in slices. Other work runs in between, and a computation ends when no client waits for it
 * any more. A rule remains a pure function of one item; its caller checks after each item if the slice is over.
 */
import { setImmediate } from "node:timers/promises";

const SLICE_MS = 10;

export class Slices {
  readonly #signal: AbortSignal | undefined;
  #end = performance.now() + SLICE_MS;

  /** `signal` is the context's signal; without one the computation runs to its end. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets other work run, then begins the next slice. Throws the signal's reason when the signal has aborted. */
  async next(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + SLICE_MS;
  }
}

/** Yields the thread to send the written statements, so that the database works meanwhile. Other work runs too. */
export async function handOver(): Promise<void> {
  await setImmediate();
}

/** Computes a result for each item, in order; other work runs between slices. */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  compute: (item: Item, at: number) => Result,
): Promise<Result[]> {
  const slices = new Slices();
  const results: Result[] = [];
  for (const [at, item] of items.entries()) {
    results.push(compute(item, at));
    if (slices.isOver && at + 1 < items.length) await slices.next();
  }
  return results;
}

/** Resolves when the newest work has run and the pause after it is over. */
let last_slice: Promise<void> = Promise.resolve();

/**
 * Runs work that cannot be cut into slices. Such work runs one at a time in this thread, and each run is followed by an equally
 * long pause, which leaves the thread to all other requests. Throws what the work throws.
 */
export async function withoutInterruption<Result>(work: () => Result): Promise<Result> {
  const before = last_slice;
  let end = (): void => {};
  last_slice = new Promise((resolve) => {
    end = resolve;
  });
  await before;
  const began = performance.now();
  try {
    return work();
  } finally {
    setTimeout(end, performance.now() - began).unref();
  }
}

/** Does the work with a signal that aborts with `outer` or after `most_ms`. A check of the signal throws its reason. */
export async function withinTime<Result>(
  outer: AbortSignal,
  most_ms: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const inner = new AbortController();
  const leave = (): void => inner.abort(outer.reason);
  const timer = setTimeout(() => inner.abort(), most_ms);
  outer.addEventListener("abort", leave);
  if (outer.aborted) leave();
  try {
    return await work(inner.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", leave);
  }
}
