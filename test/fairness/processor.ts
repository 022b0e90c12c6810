/**
 * Processor time of the real program, in milliseconds, as Linux counts it by thread. It does not include the time of other
 * processes, but a busy neighbour makes the same work take longer: values that are compared with a bound are divided by the
 * slowness of the machine (`slowness`).
 */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { RunningProgram } from "../support/run/program.ts";
import { medianSlowness, slowness } from "../support/run/slowness.ts";
import type { Account } from "./two-accounts.ts";

/** The unit in which Linux counts, on every machine. */
const TICK_MS = 10;
const PAUSE_MS = 50;

/** Whether it can be measured here: the measurement needs /proc. */
export const is_counted = existsSync("/proc/thread-self");

/** The processor time of all threads of the program so far. */
const usedBy = ({ pid }: RunningProgram): number => timeIn(`/proc/${pid}/stat`);

/** The processor time so far of the thread that answers requests: the first of its process. */
export const usedByServing = ({ pid }: RunningProgram): number =>
  timeIn(`/proc/${pid}/task/${pid}/stat`);

function timeIn(file: string): number {
  const stat = readFileSync(file, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

interface Beside<Result> {
  readonly result: Result;
  /** The processor time of all threads until the work ended, including the small requests; divided by the slowness. */
  readonly used: number;
  /** The most processor time of the serving thread while one small request waited for its answer; divided by the slowness. */
  readonly longest_wait: number;
}

/**
 * A test with a bound on processor time is repeated: a garbage collection or a fast change of the neighbour's load can exceed the
 * bound once. A program that takes too much time exceeds it each time.
 */
export const TRIED_AGAIN = { retry: 2 };

/** Does the work while another account asks for one customer every 50 ms. */
export async function besideSmallRequests<Result>(
  program: RunningProgram,
  light: Account,
  work: () => Promise<Result>,
): Promise<Beside<Result>> {
  const begun = usedBy(program);
  let is_over = false;
  const working = work().finally(() => {
    is_over = true;
  });
  let longest_wait = 0;
  const measured: number[] = [];
  while (!is_over) {
    const before = usedByServing(program);
    expect((await light.ask("GET /customers?limit=1")).status).toBe(200);
    longest_wait = Math.max(longest_wait, usedByServing(program) - before);
    measured.push(slowness());
    await delay(PAUSE_MS);
  }
  const result = await working;
  const factor = medianSlowness(measured);
  return { result, used: (usedBy(program) - begun) / factor, longest_wait: longest_wait / factor };
}
