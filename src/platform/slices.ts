/**
 * Long computations in slices: between two of them whatever else waits is answered. A rule stays a pure
 * function of one thing; who calls it for thousands of things asks after each whether the slice is over.
 */
import { setImmediate } from "node:timers/promises";

const SLICE_MS = 10;

export class Slices {
  #end = performance.now() + SLICE_MS;

  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets others have their turn, and begins the next slice. */
  async next(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + SLICE_MS;
  }
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
