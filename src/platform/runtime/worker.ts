/**
 * Runs the loops of background work, one for each task, so that no task waits for another. A task returns whether it found work,
 * and then runs again immediately; otherwise its loop rests. Every action of a task is safe to repeat, because many processes may
 * run these loops on one database.
 */
import { isUnavailable } from "../database/unavailable.ts";
import type { Log } from "./log.ts";

interface Task {
  readonly name: string;
  /** Runs the task. A long task checks from time to time whether it is stopped, and ends. */
  run(isStopped: () => boolean): Promise<boolean | number>;
}

export interface Worker {
  /** Resolves when the running tasks have ended. */
  stop(): Promise<void>;
}

/** Starts the loops. `mayWork` is called before each round; while it returns false, the loops only rest. */
export function startWorker(
  tasks: readonly Task[],
  rest_ms: number,
  log: Log,
  mayWork: () => Promise<boolean> = async () => true,
): Worker {
  let stopped = false;
  const isStopped = () => stopped;
  const resting = new Set<() => void>();
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        resting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, rest_ms);
      resting.add(wake);
    });
  const loop = async (task: Task): Promise<void> => {
    while (!stopped) {
      // The watch logs that the database does not answer.
      const may_work = await mayWork().catch(() => false);
      const found = may_work && !stopped && (await runOnce(task, log, isStopped));
      if (!found && !stopped) await rest();
    }
  };
  const ended = Promise.all(tasks.map(loop));
  return {
    async stop() {
      stopped = true;
      for (const wake of resting) wake();
      await ended;
    },
  };
}

/**
 * Runs a task once. A task that fails is logged and runs again after a rest; it never stops the other tasks. A database that is
 * away is logged once, by its watch.
 */
async function runOnce(task: Task, log: Log, isStopped: () => boolean): Promise<boolean> {
  try {
    return Boolean(await task.run(isStopped));
  } catch (error) {
    if (!isUnavailable(error)) {
      log.error({ err: error, task: task.name }, "background work failed");
    }
    return false;
  }
}
