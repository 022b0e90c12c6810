/**
 * The loop of background work. Each task answers whether it found something to do and is asked again
 * at once if so; otherwise the loop rests. Everything a task does is safe to do twice, because many
 * processes may run this loop over one database.
 */
import { isUnavailable } from "./database/unavailable.ts";
import type { Log } from "./log.ts";

interface Task {
  readonly name: string;
  run(): Promise<boolean | number>;
}

export interface Worker {
  /** Resolves when the task under way has ended. */
  stop(): Promise<void>;
}

/** `mayWork` is asked before each round; while it says no, the loop only rests. */
export function startWorker(
  tasks: readonly Task[],
  rest_ms: number,
  log: Log,
  mayWork: () => Promise<boolean> = async () => true,
): Worker {
  let stopped = false;
  let wake: () => void = () => {};
  const loop = async (): Promise<void> => {
    while (!stopped) {
      // A database that does not even tell is told of by its watch.
      const may_work = await mayWork().catch(() => false);
      const found = may_work && (await runAll(tasks, log, () => stopped));
      if (found || stopped) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, rest_ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const ended = loop();
  return {
    async stop() {
      stopped = true;
      wake();
      await ended;
    },
  };
}

/**
 * A task that fails is logged and asked again at the next round; it never stops the others. A database that is
 * away is told of once, by its watch.
 */
async function runAll(
  tasks: readonly Task[],
  log: Log,
  isStopped: () => boolean,
): Promise<boolean> {
  let found = false;
  for (const task of tasks) {
    if (isStopped()) break;
    try {
      found = Boolean(await task.run()) || found;
    } catch (error) {
      if (isUnavailable(error)) return false;
      log.error({ err: error, task: task.name }, "background work failed");
    }
  }
  return found;
}
