// Measures what webhooks cost writers, and how fast events arrive: creates, issues, due series and bulk beside 3 endpoints on `*` that hang
// or answer, compared with an account without endpoints; and from the answer of a change to its receiver at 50 events/s, alone and beside an endpoint
// that hangs with many events waiting (BENCH_WAITING), in the feed and then as deliveries. BENCH_ONLY=latency leaves out the writes.
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { sendBatch } from "./batches.mjs";
import { fillFeed } from "./events.mjs";
import { median } from "./load.mjs";
import { dueSeries, issueDueSeries } from "./series.mjs";
import { call, openAccount, withService } from "./service.mjs";

const EACH = Number(process.env.BENCH_WRITES ?? 1_000);
const WAITING = Number(process.env.BENCH_WAITING ?? 100_000);
const CLIENTS = 8;
const ROUNDS = 7;
const ENDPOINTS = 3;
const SERIES = 500;
const BULK_ROWS = 2_000;
const BULK_CALLS = 2;
const PER_SECOND = 50;
const CUSTOMERS = 20;
const LATENCY_SECONDS = 12;

export const WITH_WEBHOOKS = { MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1" };

export function benchWebhooks(report) {
  return withService((service, client) => measure(service, client, report), WITH_WEBHOOKS);
}

async function measure(service, client, report) {
  const arrivals = new Map();
  const healthy = await listen((body, response) => {
    const event = JSON.parse(body);
    arrivals.set(`${event.resource_id} ${event.data?.resource?.city}`, performance.now());
    response.writeHead(204).end();
  });
  const hanging = await listen(() => {});
  try {
    if (process.env.BENCH_ONLY !== "latency") {
      await measureWrites(service, client, report, { hanging, healthy });
    }
    await measureLatency(service, client, report, { hanging, healthy, arrivals });
  } finally {
    for (const { close } of [healthy, hanging]) close();
  }
}

async function measureWrites(service, client, report, { hanging, healthy }) {
  const accounts = [
    await openWriter(service, "none"),
    await openWriter(service, "hanging", hanging),
    await openWriter(service, "healthy", healthy),
  ];
  for (let round = 0; round <= ROUNDS; round += 1) {
    // Each account is the first one of a round in turns: what runs later finds a warmer service and a larger database.
    for (let turn = 0; turn < accounts.length; turn += 1) {
      const account = accounts[(round + turn) % accounts.length];
      await resumeEndpoints(service, account);
      const rates = await writeRates(service, client, account, round);
      // The first round warms up.
      if (round > 0) account.rounds.push(rates);
      await pauseEndpoints(service, account);
    }
  }
  const [none, ...others] = accounts;
  for (const kind of Object.keys(none.rounds[0])) {
    const ratios = others.map(({ name, rounds }) => [
      `${name}, ratio`,
      // The two rates of a ratio are of one round.
      median(rounds.map((rates, n) => rates[kind] / none.rounds[n][kind])),
    ]);
    report(`${kind} beside ${ENDPOINTS} webhook endpoints on *`, {
      "without, per second": median(none.rounds.map((rates) => rates[kind])),
      ...Object.fromEntries(ratios),
    });
  }
}

/** Opens an account with a customer and a product, and with endpoints where there is a receiver. */
async function openWriter(service, name, receiver) {
  const { account_id, key } = openAccount(service, `Writes ${name}`);
  const { id: customer_id } = await call(service, "POST", "/customers", { name: "A" }, key);
  const product = { name: "Hours", default_price: 100 };
  const { id: product_id } = await call(service, "POST", "/products", product, key);
  const endpoints = [];
  for (let n = 0; receiver !== undefined && n < ENDPOINTS; n += 1) {
    endpoints.push((await openEndpoint(service, key, receiver)).id);
  }
  return { name, account_id, key, customer_id, product_id, endpoints, rounds: [] };
}

/** Lets the endpoints begin at the head, and the dispatcher wake up, which takes at most two seconds. */
async function resumeEndpoints(service, { key, customer_id, endpoints }) {
  const path = (id) => `/webhook-endpoints/${id}/enable`;
  for (const id of endpoints) await call(service, "POST", path(id), { skip: true }, key);
  await call(service, "PATCH", `/customers/${customer_id}`, { city: `${performance.now()}` }, key);
  await delay(3_000);
}

async function pauseEndpoints(service, { key, endpoints }) {
  for (const id of endpoints) {
    await call(service, "POST", `/webhook-endpoints/${id}/pause`, undefined, key);
  }
}

/** Creates drafts, issues them, issues due series and sends rows in bulk; returns how many of each a second. */
async function writeRates(service, client, account, round) {
  const { key, customer_id, product_id } = account;
  const lines = [{ product_id, recognition_method: "value", agreed_value: 100 }];
  const draft = { customer_id, auto_send: false, lines };
  const ids = [];
  const create = await rateOf(EACH, async () => {
    const { id } = await call(service, "POST", "/invoices", draft, key);
    ids.push(id);
  });
  const issue = await rateOf(EACH, (n) =>
    call(service, "POST", `/invoices/${ids[n]}/issue`, undefined, key),
  );
  await dueSeries(service, client, SERIES, key);
  const scheduler = await perSecond(SERIES, () => issueDueSeries(service, client, account));
  const bulk = await perSecond(BULK_CALLS * BULK_ROWS, async () => {
    for (let n = 0; n < BULK_CALLS; n += 1) {
      const rows = customersOf(`${round}-${n}`);
      await sendBatch(service, key, "/customers/batch", rows, "created");
    }
  });
  return { create, issue, scheduler, bulk };
}

async function measureLatency(service, client, report, { hanging, healthy, arrivals }) {
  const { account_id, key } = openAccount(service, "Latency");
  const ids = [];
  for (let n = 0; n < CUSTOMERS; n += 1) {
    ids.push((await call(service, "POST", "/customers", { name: `Customer ${n}` }, key)).id);
  }
  await openEndpoint(service, key, healthy);
  const alone = await latencies(service, key, ids, arrivals, "alone");
  await fillFeed(client, account_id, WAITING);
  const { id: hanging_id } = await openEndpoint(service, key, hanging, { after: 0 });
  await drained(service, key, healthy.url);
  const beside = await latencies(service, key, ids, arrivals, "beside");
  await client.query(
    "update webhook_endpoints e set read_through = h.seq from audit_heads h where e.id = $1 and h.account_id = e.account_id",
    [hanging_id],
  );
  const began = performance.now();
  const range = { only: "all", after: CUSTOMERS, through: CUSTOMERS + WAITING };
  const path = `/webhook-endpoints/${hanging_id}/replay`;
  const { queued } = await call(service, "POST", path, range, key);
  report(`replay of ${queued} events`, { seconds: (performance.now() - began) / 1_000 });
  const queue = await latencies(service, key, ids, arrivals, "queued");
  const figures = {};
  for (const [name, times] of Object.entries({
    alone,
    [`beside ${WAITING} waiting in the feed`]: beside,
    [`beside ${queued} deliveries waiting`]: queue,
  })) {
    figures[`${name}, p50 ms`] = quantile(times, 0.5);
    figures[`${name}, p99 ms`] = quantile(times, 0.99);
  }
  report(`from a change to its receiver at ${PER_SECOND} events/s`, figures);
}

/** Changes customers at an even rate; returns the milliseconds from each answer to the arrival of its event. */
async function latencies(service, key, ids, arrivals, name) {
  const answered = new Map();
  // The dispatcher wakes up within two seconds.
  await call(service, "PATCH", `/customers/${ids[0]}`, { city: `${name} wakes` }, key);
  await delay(3_000);
  const calls = [];
  const began = performance.now();
  for (let n = 0; n < PER_SECOND * LATENCY_SECONDS; n += 1) {
    await delay(Math.max(0, began + (n * 1_000) / PER_SECOND - performance.now()));
    const city = `${name} ${n}`;
    const id = ids[n % ids.length];
    const change = call(service, "PATCH", `/customers/${id}`, { city }, key);
    calls.push(change.then(() => answered.set(`${id} ${city}`, performance.now())));
  }
  await Promise.all(calls);
  for (let waits = 0; waits < 100; waits += 1) {
    if ([...answered.keys()].every((change) => arrivals.has(change))) break;
    await delay(100);
  }
  const counted = [...answered];
  const absent = counted.filter(([change]) => !arrivals.has(change));
  if (absent.length > 0) throw new Error(`${absent.length} events did not arrive`);
  return counted.map(([change, at]) => Math.max(0, arrivals.get(change) - at));
}

export function openEndpoint(service, key, { url }, more = {}) {
  const endpoint = { url, event_types: ["*"], max_per_second: 100, ...more };
  return call(service, "POST", "/webhook-endpoints", endpoint, key);
}

/** Waits until nothing waits for the endpoints of the key, or for those with the URL. */
export async function drained(service, key, url) {
  for (let waits = 0; waits < 600; waits += 1) {
    const { data } = await call(service, "GET", "/webhook-endpoints", undefined, key);
    const own = data.filter((one) => url === undefined || one.url === url);
    if (own.every(({ backlog }) => backlog === 0)) return;
    await delay(500);
  }
  throw new Error("webhooks were not sent");
}

/** How often a second several clients do the work, which gets the number of its call. */
function rateOf(count, work) {
  let next = 0;
  const each = async () => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  return perSecond(count, () => Promise.all(Array.from({ length: CLIENTS }, each)));
}

function customersOf(name) {
  return Array.from({ length: BULK_ROWS }, (_, n) => ({
    external_id: `bulk-${name}-${n}`,
    name: `Bulk ${n}`,
  }));
}

/** Does the work once, which is `count` in all; returns how many a second. */
async function perSecond(count, work) {
  const began = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - began);
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** Listens for webhooks on this machine; `answer` gets the body and the response. */
export async function listen(answer) {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => answer(body, response));
    request.on("error", () => {});
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
