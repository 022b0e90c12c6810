/**
 * Reads the processor time of one thread, as Linux counts it. Other systems do not report it by thread; the caller then uses the
 * time in which a thread did not wait, which on a busy machine includes the time of other threads.
 */
import { readFileSync, readlinkSync } from "node:fs";

/** The unit in which Linux reports times to programs, on every machine. */
const TICK_MS = 10;

/** Returns the system's number of the current thread; null where the system has none. */
export function systemThread(): number | null {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return null;
  }
}

/** Returns the milliseconds of processor time that a thread of this process has used; 0 when the thread has ended. */
export function processorTimeOf(system_thread: number): number {
  try {
    const stat = readFileSync(`/proc/self/task/${system_thread}/stat`, "latin1");
    // The name is in parentheses and may contain any characters.
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
