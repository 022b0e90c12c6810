/**
 * Runs background tasks side by side, so that no task waits for another. One look says which tasks have work; these run until
 * they find none, and then wait for the next look. Every action is safe to repeat: many processes may run tasks on one database.
 */
import { isUnavailable } from "../database/unavailable.ts";
import type { Log } from "./log.ts";

export interface BackgroundTask {
  readonly name: string;
  /** Runs the task; returns whether it found work. A long task checks from time to time whether it is stopped, and ends. */
  run(isStopped: () => boolean): Promise<boolean | number>;
}

export interface Worker {
  /** Resolves when the running tasks have ended. */
  stop(): Promise<void>;
}

interface Rounds {
  /** The pause between two looks, in milliseconds. */
  readonly rest_ms: number;
  /** Called before each run of a task; while it returns false, no task begins. */
  readonly mayWork?: () => Promise<boolean>;
  /** Returns the tasks that may have work, in one look at all of them; without it every task looks for itself. */
  readonly look?: () => Promise<readonly BackgroundTask[]>;
}

/** Starts the tasks. */
export function startWorker(
  tasks: readonly BackgroundTask[],
  log: Log,
  { rest_ms, mayWork = async () => true, look = async () => tasks }: Rounds,
): Worker {
  let stopped = false;
  let wake: () => void = () => {};
  const isStopped = () => stopped;
  const running = new Map<BackgroundTask, Promise<void>>();
  const rest = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, rest_ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  // The watch logs that the database does not answer.
  const mayBegin = async (): Promise<boolean> => (await mayWork().catch(() => false)) && !stopped;
  const repeat = async (task: BackgroundTask): Promise<void> => {
    while (await runOnce(task, log, isStopped)) if (!(await mayBegin())) return;
  };
  const rounds = async (): Promise<void> => {
    while (!stopped) {
      const waiting = (await mayBegin()) ? await tasksWithWork(look, tasks, log) : [];
      for (const task of waiting) {
        if (stopped || running.has(task)) continue;
        running.set(
          task,
          repeat(task).finally(() => running.delete(task)),
        );
      }
      if (!stopped) await rest();
    }
    await Promise.all(running.values());
  };
  const ended = rounds();
  return {
    async stop() {
      stopped = true;
      wake();
      await ended;
    },
  };
}

/** Returns the tasks that a look finds; all of them when it fails, so that none stays behind because of another one's tables. */
async function tasksWithWork(
  look: () => Promise<readonly BackgroundTask[]>,
  tasks: readonly BackgroundTask[],
  log: Log,
): Promise<readonly BackgroundTask[]> {
  try {
    return await look();
  } catch (error) {
    if (isUnavailable(error)) return [];
    log.error({ err: error }, "the look for background work failed; each task looks for itself");
    return tasks;
  }
}

/** Runs a task once. A failure is logged, and the task rests. An unavailable database is logged once, by its watch. */
async function runOnce(task: BackgroundTask, log: Log, isStopped: () => boolean): Promise<boolean> {
  try {
    return Boolean(await task.run(isStopped));
  } catch (error) {
    if (!isUnavailable(error)) {
      log.error({ err: error, task: task.name }, "background work failed");
    }
    return false;
  }
}
