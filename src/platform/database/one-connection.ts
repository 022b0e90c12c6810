/**
 * Checks that work which holds a connection never asks its pool for a second one: if all connections were held by work that waits
 * for another one, all would wait forever. Under test, such a request is an error of the program.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { WatchedPool } from "./watched-pool.ts";

interface Held {
  readonly pool: WatchedPool;
  is_held: boolean;
}

const holding = process.env.NODE_ENV === "test" ? new AsyncLocalStorage<Held>() : undefined;

/** Does work that holds a connection of the pool; under test, further requests for connections are checked. */
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

/** Throws when work that holds a connection of the pool asks for another one. */
export function requireNoneHeld(pool: WatchedPool): void {
  const held = holding?.getStore();
  if (held?.is_held && held.pool === pool) {
    throw new Error("the holder of a connection requests a second one");
  }
}
