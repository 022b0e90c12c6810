/** Collects garbage as a long-running process does, while a test waits. */
import { garbageCollector } from "../../../src/platform/runtime/heap.ts";

const EVERY_MS = 20;

/** Does the work while all garbage is collected again and again; returns its result. */
export async function whileCollecting<Result>(work: () => Promise<Result>): Promise<Result> {
  const timer = setInterval(garbageCollector(), EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
