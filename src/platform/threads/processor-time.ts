/**
 * The processor time of one thread, as Linux counts it. Elsewhere it is not told by thread, and the caller has to do with the time
 * in which a thread did not wait, which on a busy machine counts what others took as well.
 */
import { readFileSync, readlinkSync } from "node:fs";

/** In which Linux counts for programs, on every machine. */
const TICK_MS = 10;

/** The number by which the system knows the thread that asks; null where it has none. */
export function systemThread(): number | null {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return null;
  }
}

/** Milliseconds that a thread of this process has computed so far; 0 when it is gone. */
export function processorTimeOf(system_thread: number): number {
  try {
    const stat = readFileSync(`/proc/self/task/${system_thread}/stat`, "latin1");
    // The name stands in brackets and may hold anything.
    const [user = 0, system = 0] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
      .map(Number);
    return (user + system) * TICK_MS;
  } catch {
    return 0;
  }
}
