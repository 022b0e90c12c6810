/** Runs the background work in its own thread, with its own services. */
import { startBackground } from "./background.ts";
import { openServices } from "./open-services.ts";
import { openLog } from "./platform/runtime/log.ts";
import { workInBackground } from "./platform/threads/background-work.ts";
import type { ThreadData } from "./platform/threads/messages.ts";

const POOL_SIZES = { requests: 1, background: 4, gate: 1 };

/** Begins the work; the serving thread ends it by a message. */
export function runBackground({ config, database_url, on_terminal }: ThreadData): void {
  workInBackground((metrics) => {
    const log = openLog(config.log_level, on_terminal ? process.stdout : undefined);
    const { services, close } = openServices(config, database_url, log, { metrics }, POOL_SIZES);
    return { ...startBackground(services), services, close };
  });
}
