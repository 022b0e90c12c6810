/** Runs inside the background thread: begins the background work, and ends it when the process stops. */
import { parentPort } from "node:worker_threads";
import { movePools } from "../database/pools.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { Services } from "../runtime/services.ts";
import type { Worker } from "../runtime/worker.ts";
import type { FromBackground, ToBackground } from "./messages.ts";

interface Begun extends Worker {
  readonly services: Services;
  close(): Promise<void>;
}

/** Begins the work; the serving thread counts its measurements. */
export function workInBackground(begin: (metrics: Metrics) => Begun): void {
  const port = parentPort;
  if (port === null) throw new Error("the background work has no separate thread");
  const post = (message: FromBackground): void => port.postMessage(message);
  const worker = begin(forwarded(post));
  let url: string | undefined;
  worker.services.watch.start(async () => {
    if (url === undefined)
      throw new Error("the thread that serves has not started the database again yet");
    return url;
  });
  port.on("message", async (message: ToBackground) => {
    if (message.type === "database") {
      url = message.url;
      movePools(worker.services.pools, url);
      return;
    }
    await worker.stop();
    await worker.close();
    port.close();
  });
}

/** Returns metrics that forward counts and durations as they occur; the serving thread makes the metrics' text. */
function forwarded(post: (message: FromBackground) => void): Metrics {
  const pass =
    <Name extends FromBackground["measure"]>(measure: Name) =>
    (...values: Parameters<Metrics[Name]>): void =>
      post({ measure, values } as FromBackground);
  return {
    observe: pass("observe"),
    observeTool: pass("observeTool"),
    observeCommand: pass("observeCommand"),
    countSecurityEvent: pass("countSecurityEvent"),
    countLongRead: pass("countLongRead"),
    setAccountsWithFaults: pass("setAccountsWithFaults"),
    text: async () => "",
    content_type: "text/plain",
  };
}
