/**
 * Long computations in slices: between two of them whatever else waits is answered, and a computation that nobody waits
 * for any more ends. A rule stays a pure function of one thing; who calls it for thousands of things asks after each
 * whether the slice is over.
 */
import { setImmediate } from "node:timers/promises";

const SLICE_MS = 10;

export class Slices {
  readonly #signal: AbortSignal | undefined;
  #end = performance.now() + SLICE_MS;

  /** `signal` is that of the context; without one the computation goes on to its end. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets others have their turn, and begins the next slice. Throws the reason of the signal when that has aborted. */
  async next(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#end = performance.now() + SLICE_MS;
  }
}

/** Lets what was sent leave, so that the database works while the next statements are made; others have their turn. */
export async function handOver(): Promise<void> {
  await setImmediate();
}

/** Computes something of each of many things, in their order; between slices others have their turn. */
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

/** Resolves when the newest piece has run and the pause after it is over. */
let last_piece: Promise<void> = Promise.resolve();

/**
 * Runs work that cannot be cut into slices. Such pieces run one at a time in this thread, and each is followed by a pause as long
 * as the piece took, which leaves the thread to all other requests. Throws what the work throws.
 */
export async function inOnePiece<Result>(work: () => Result): Promise<Result> {
  const before = last_piece;
  let end = (): void => {};
  last_piece = new Promise((resolve) => {
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

/**
 * Does the work with a signal that aborts as `outer` does, and when the time is over. Work that looks at the signal
 * throws its reason then.
 */
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
