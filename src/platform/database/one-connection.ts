/**
 * Who holds a connection asks its pool for no second one: with every connection held by somebody who waits for another,
 * all would wait for good. Under test such a question is a fault of the program.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { WatchedPool } from "./watched-pool.ts";

interface Held {
  readonly pool: WatchedPool;
  is_held: boolean;
}

const holding = process.env.NODE_ENV === "test" ? new AsyncLocalStorage<Held>() : undefined;

/** Does work that has a connection of the pool; under test what it asks for is looked at. */
export async function holdingOne<Result>(
  pool: WatchedPool,
  work: () => Promise<Result>,
): Promise<Result> {
  if (holding === undefined) return work();
  const held: Held = { pool, is_held: true };
  try {
    return await holding.run(held, work);
  } finally {
    held.is_held = false;
  }
}

/** Throws when a connection of the pool is asked for by work that has one. */
export function requireNoneHeld(pool: WatchedPool): void {
  const held = holding?.getStore();
  if (held?.is_held && held.pool === pool) {
    throw new Error("a second connection is asked for by whoever holds one");
  }
}
