/**
 * The entry point of the other threads: a thread that answers heavy requests (`answer-task.ts`), or the background work thread
 * (`background-thread.ts`). It first lowers the priority of its thread, so that loading the rest takes no time from requests.
 */
import { setPriority } from "node:os";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { releaseAfterLoading } from "./platform/runtime/heap.ts";
import { type HeavyTask, LOADED, PREPARE, type ThreadData } from "./platform/threads/messages.ts";

/** How far requests come before each kind of thread. */
const NICE = { heavy: 2, background: 10 } as const;

/** The function of a heavy thread; it exists when the rest is loaded, and the pool gives the thread no work before. */
export const answerTask = load();

/** Loads what the thread runs, and reports that to the serving thread. */
async function load(): Promise<(task: HeavyTask) => Promise<void>> {
  if (isMainThread) throw new Error("this file runs in other threads");
  const data = workerData as ThreadData;
  // On Linux only: elsewhere the call would change the priority of the process.
  if (process.platform === "linux") setPriority(NICE[data.role]);
  if (data.role === "background") {
    const { runBackground } = await import("./background-thread.ts");
    runBackground(data);
    releaseAfterLoading();
    parentPort?.postMessage(LOADED);
    return async () => {};
  }
  const { answerHanded, prepare } = await import("./answer-task.ts");
  releaseAfterLoading();
  parentPort?.postMessage(LOADED);
  return async (task) => {
    if (task === PREPARE) await prepare();
    else if (task !== null) await answerHanded(task, data);
  };
}
