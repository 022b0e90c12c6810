/** Controls the background thread from the serving thread: restarts it when it fails, and ends it with the process. */
import { setTimeout as delay } from "node:timers/promises";
import { Worker as Thread } from "node:worker_threads";
import type { Log } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { Worker } from "../runtime/worker.ts";
import { type FromBackground, LOADED, type ThreadData, type ToBackground } from "./messages.ts";

interface BackgroundOptions {
  readonly filename: string;
  readonly data: ThreadData;
  readonly metrics: Metrics;
  readonly log: Log;
}

export interface BackgroundThread extends Worker {
  /** Resolves when the thread has loaded its code, has failed or has ended. */
  readonly loaded: Promise<void>;
  /** Reports the current address of the database to the thread. */
  moveDatabase(url: string): void;
}

/** The pause before a failed thread is restarted. */
const PAUSE_MS = 1_000;
/**
 * How long running work may take to end; then the thread is terminated. The next start repeats the uncommitted work. The only
 * exception is a message that was being sent: whether it arrived is then unknown.
 */
const TIMEOUT_MS = 9_000;

/** Begins the work in a thread. */
export function startBackgroundThread(options: BackgroundOptions): BackgroundThread {
  const { filename, metrics, log } = options;
  let { data } = options;
  let is_stopped = false;
  let thread: Thread;
  let ended: Promise<void>;
  let is_loaded = false;
  let reportLoaded: () => void = () => {};
  const loaded = new Promise<void>((resolve) => {
    reportLoaded = () => {
      is_loaded = true;
      resolve();
    };
  });
  const begin = (): void => {
    thread = new Thread(filename, { workerData: data, name: "background" });
    thread.on("message", (message: FromBackground | typeof LOADED) => {
      if (message === LOADED) reportLoaded();
      else count(metrics, message);
    });
    thread.on("error", (error) => log.error({ err: error }, "the background thread failed"));
    ended = new Promise((resolve) => {
      thread.once("exit", async () => {
        reportLoaded();
        resolve();
        if (is_stopped) return;
        await delay(PAUSE_MS);
        if (!is_stopped) begin();
      });
    });
  };
  begin();
  const post = (message: ToBackground): void => thread.postMessage(message);
  return {
    loaded,
    moveDatabase(url) {
      data = { ...data, database_url: url };
      post({ type: "database", url });
    },
    async stop() {
      is_stopped = true;
      // A thread that still loads has begun no work.
      if (!is_loaded) {
        await thread.terminate();
        return;
      }
      post({ type: "stop" });
      const late = delay(TIMEOUT_MS, "late", { ref: false });
      if ((await Promise.race([ended, late])) === "late") {
        log.warn("background work was interrupted; it continues at the next start");
        await thread.terminate();
      }
    },
  };
}

function count(metrics: Metrics, { measure, values }: FromBackground): void {
  (metrics[measure] as (...given: unknown[]) => void)(...values);
}
