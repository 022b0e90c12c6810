/**
 * Runs a loop for each background task, so that no task waits for another. A task that found work runs again
 * immediately; otherwise its loop rests. Every action is safe to repeat: many processes may run loops on one
 * database.
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

/** Runs a task once. A failure is logged, and the task rests. An unavailable database is logged once, by its watch. */
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
