/** Configures how V8 allocates the program's objects. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Makes all threads allocate new objects in the young generation from now on. Otherwise V8 learns from a run over many rows that
 * rows live long, and allocates the rows of later requests in the old generation. Such a row keeps its texts alive through the
 * next collections, long after its last use, and these copy the texts twice. That was a quarter of the cost of reading a list.
 */
export function makeObjectsYoung(): void {
  setFlagsFromString("--no-allocation-site-pretenuring");
}

/** When the next collections follow. The first pause is longer than V8 looks back for the rate of allocation. */
const PAUSES_MS = [6_000, 20_000];

/**
 * Gives back the memory that loading has used in this thread: an idle thread would keep it, because V8 collects only when it
 * allocates. V8 shrinks the young generation at a collection that follows a time with few allocations, so two more follow.
 */
export function releaseAfterLoading(): void {
  // Otherwise the code that nothing has run since three collections is compiled again when the first request needs it.
  setFlagsFromString("--no-flush-bytecode");
  const collect = garbageCollector();
  collect();
  for (const pause of PAUSES_MS) setTimeout(collect, pause).unref();
}

/** Returns a function that collects all garbage of this thread. */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}
