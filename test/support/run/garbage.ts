/** Collects garbage as a long-running process does, while a test waits. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const EVERY_MS = 20;

/** Does the work while all garbage is collected again and again; returns its result. */
export async function whileCollecting<Result>(work: () => Promise<Result>): Promise<Result> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const timer = setInterval(collect, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
