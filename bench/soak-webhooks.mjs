// An account that changes beside other load, with an endpoint that answers and one that is silent: every event arrives at the one, and
// what waits for the other ends.
import { setTimeout as delay } from "node:timers/promises";
import { call } from "./service.mjs";
import { drained, listen, openEndpoint } from "./webhooks.mjs";

const CHANGED_EVERY_MS = 200;
/** As many as an endpoint has attempts in progress, one for each customer. */
const CUSTOMERS = 5;
/** After five attempts of 15 seconds, the endpoint is failing. */
const FAILING_AFTER_MS = 40_000;

/** Opens the endpoints. `change` changes customers until it is over; `end` returns the figures, and throws if an event is lost. */
export async function openWebhooks(service, key) {
  const arrived = new Set();
  const healthy = await listen((body, response) => {
    arrived.add(JSON.parse(body).id);
    response.writeHead(204).end();
  });
  const silent = await listen(() => {});
  const ids = [];
  for (let n = 0; n < CUSTOMERS; n += 1) {
    ids.push((await call(service, "POST", "/customers", { name: `Changed ${n}` }, key)).id);
  }
  await openEndpoint(service, key, healthy, { event_types: ["customer.*"] });
  const { id: silent_id } = await openEndpoint(service, key, silent);
  const began = performance.now();
  let changes = 0;
  return {
    async change(isOver) {
      while (!isOver()) {
        changes += 1;
        const id = ids[changes % CUSTOMERS];
        await call(service, "PATCH", `/customers/${id}`, { city: `City ${changes}` }, key);
        await delay(CHANGED_EVERY_MS);
      }
    },
    async end() {
      await drained(service, key, healthy.url);
      await delay(Math.max(0, began + FAILING_AFTER_MS - performance.now()));
      const { status } = await call(
        service,
        "GET",
        `/webhook-endpoints/${silent_id}`,
        undefined,
        key,
      );
      for (const { close } of [healthy, silent]) close();
      if (arrived.size !== changes) throw new Error(`${changes - arrived.size} events are lost`);
      if (status !== "failing") throw new Error(`the silent endpoint is ${status}`);
      return { "events that arrived": arrived.size };
    },
  };
}
