/**
 * Processor time of the real program, in milliseconds, as Linux counts it by thread. The time that other processes take is not in
 * it, but a busy neighbour stretches it: what is compared with a bound is divided by how slow the machine is (`slowness`).
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
  /** What the program used until the work ended, in all threads, the small requests included; divided by the slowness. */
  readonly used: number;
  /** The most that the serving thread computed while one small request waited for its answer; divided by the slowness. */
  readonly longest_wait: number;
}

/**
 * How often a test with a bound on processor time is tried: a collection of garbage or a fast change of the neighbour's load can
 * exceed the bound once. A program that takes too much exceeds it each time.
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
