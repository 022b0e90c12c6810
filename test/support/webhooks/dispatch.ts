/** Runs the dispatcher of webhooks on a world, and waits for what receivers get. */
import { setTimeout as delay } from "node:timers/promises";
import { webhookDispatcher } from "../../../src/features/integrations/webhook-deliveries/run-webhooks.ts";
import type { Services } from "../../../src/platform/runtime/services.ts";

type Options = Partial<Parameters<typeof webhookDispatcher>[1]>;

interface Dispatching {
  stop(): Promise<void>;
}

/** Starts a dispatcher as the background does, which looks again every tenth of a second. */
export function startDispatcher(services: Services, options: Options = {}): Dispatching {
  let is_stopped = false;
  const isStopped = () => is_stopped;
  const run = webhookDispatcher(services, { writeSentences: null, ...options });
  const ended = (async () => {
    while (!is_stopped) {
      await run(isStopped);
      await delay(100);
    }
  })();
  return {
    async stop() {
      is_stopped = true;
      await ended;
    },
  };
}

/** Waits until the check returns true, for ten seconds at most. */
export async function until(what: string, check: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await check()) return;
    await delay(25);
  }
  throw new Error(`it never happened: ${what}`);
}
