/**
 * Processor time of the real program, in milliseconds, as Linux counts it by thread. It is a measure that a busy machine does not
 * change: what others take is not in it.
 */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import type { RunningProgram } from "../support/run/program.ts";
import type { Account } from "./two-accounts.ts";

/** The unit in which Linux counts, on every machine. */
const TICK_MS = 10;
const PAUSE_MS = 50;

/** Whether it can be read here: what measures it needs /proc. */
export const is_counted = existsSync("/proc/thread-self");

/** What all threads of the program have used so far. */
const usedBy = ({ pid }: RunningProgram): number => timeIn(`/proc/${pid}/stat`);

/** What the thread that answers requests has used so far: the first of its process. */
export const usedByServing = ({ pid }: RunningProgram): number =>
  timeIn(`/proc/${pid}/task/${pid}/stat`);

function timeIn(file: string): number {
  const stat = readFileSync(file, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

interface Beside<Result> {
  readonly result: Result;
  /** What the program used until the work ended, in all threads, the small requests included. */
  readonly used: number;
  /** The most that the serving thread computed while one small request waited for its answer. */
  readonly longest_wait: number;
}

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
  while (!is_over) {
    const before = usedByServing(program);
    expect((await light.ask("GET /customers?limit=1")).status).toBe(200);
    longest_wait = Math.max(longest_wait, usedByServing(program) - before);
    await delay(PAUSE_MS);
  }
  return { result: await working, used: usedBy(program) - begun, longest_wait };
}
