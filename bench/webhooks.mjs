// Measures what webhooks cost writers, and how fast events arrive: creates, issues and bulk beside 3 endpoints on `*` that hang or answer,
// compared with an account without endpoints; and from the answer of a change to its receiver at 50 events/s, alone and beside an endpoint
// that hangs with many events waiting (BENCH_WAITING), in the feed and then as deliveries. BENCH_ONLY=latency leaves out the writes.
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { fillFeed } from "./events.mjs";
import { median } from "./load.mjs";
import { call, openAccount, startService } from "./service.mjs";

const EACH = Number(process.env.BENCH_WRITES ?? 300);
const WAITING = Number(process.env.BENCH_WAITING ?? 100_000);
const CLIENTS = 8;
const ROUNDS = 3;
const ENDPOINTS = 3;
const BULK_ROWS = 1_000;
const PER_SECOND = 50;
const CUSTOMERS = 20;
const LATENCY_SECONDS = 12;

export async function benchWebhooks(report) {
  const service = await startService({ MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1" });
  const client = new pg.Client({ connectionString: await service.databaseUrl() });
  client.on("error", () => {});
  await client.connect();
  const arrivals = new Map();
  const healthy = await listen((body, response) => {
    const event = JSON.parse(body);
    arrivals.set(`${event.resource_id} ${event.data?.resource?.city}`, performance.now());
    response.writeHead(204).end();
  });
  const hanging = await listen(() => {});
  try {
    if (process.env.BENCH_ONLY !== "latency") {
      await measureWrites(service, report, { hanging, healthy });
    }
    await measureLatency(service, client, report, { hanging, healthy, arrivals });
  } finally {
    await client.end().catch(() => {});
    await service.stop();
    for (const { close } of [healthy, hanging]) close();
  }
}

async function measureWrites(service, report, { hanging, healthy }) {
  const accounts = { none: null, hanging, healthy };
  const keys = {};
  const facts = {};
  for (const [name, receiver] of Object.entries(accounts)) {
    const { key } = openAccount(service, `Writes ${name}`);
    keys[name] = key;
    const { id: customer_id } = await call(service, "POST", "/customers", { name: "A" }, key);
    const product = { name: "Hours", default_price: 100 };
    const { id: product_id } = await call(service, "POST", "/products", product, key);
    facts[name] = { customer_id, product_id };
    if (receiver === null) continue;
    for (let n = 0; n < ENDPOINTS; n += 1) await openEndpoint(service, key, receiver);
  }
  const rates = Object.fromEntries(
    Object.keys(accounts).map((name) => [name, { create: [], issue: [], bulk: [] }]),
  );
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of Object.keys(accounts)) {
      const { customer_id, product_id } = facts[name];
      const lines = [{ product_id, recognition_method: "value", agreed_value: 100 }];
      const draft = { customer_id, auto_send: false, lines };
      const ids = [];
      const create = await rateOf(EACH, async () => {
        const { id } = await call(service, "POST", "/invoices", draft, keys[name]);
        ids.push(id);
      });
      const issue = await rateOf(EACH, (n) =>
        call(service, "POST", `/invoices/${ids[n]}/issue`, undefined, keys[name]),
      );
      const bulk = await bulkRate(service, keys[name], round);
      // The first round warms up.
      if (round > 0) {
        rates[name].create.push(create);
        rates[name].issue.push(issue);
        rates[name].bulk.push(bulk);
      }
      if (name === "healthy") await drained(service, keys[name]);
    }
  }
  for (const kind of ["create", "issue", "bulk"]) {
    const base = median(rates.none[kind]);
    report(`${kind} beside ${ENDPOINTS} webhook endpoints on *`, {
      "without, per second": base,
      "hanging, ratio": median(rates.hanging[kind]) / base,
      "healthy, ratio": median(rates.healthy[kind]) / base,
    });
  }
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

function openEndpoint(service, key, { url }, more = {}) {
  const endpoint = { url, event_types: ["*"], max_per_second: 100, ...more };
  return call(service, "POST", "/webhook-endpoints", endpoint, key);
}

/** Waits until nothing waits for the endpoints of the key, or for those with the URL. */
async function drained(service, key, url) {
  for (let waits = 0; waits < 600; waits += 1) {
    const { data } = await call(service, "GET", "/webhook-endpoints", undefined, key);
    const own = data.filter((one) => url === undefined || one.url === url);
    if (own.every(({ backlog }) => backlog === 0)) return;
    await delay(500);
  }
  throw new Error("webhooks were not sent");
}

async function rateOf(count, work) {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < count) {
        next += 1;
        await work(next - 1);
      }
    }),
  );
  return (count * 1_000) / (performance.now() - began);
}

async function bulkRate(service, key, round) {
  const rows = Array.from({ length: BULK_ROWS }, (_, n) =>
    JSON.stringify({ external_id: `bulk-${round}-${n}`, name: `Bulk ${n}` }),
  );
  const began = performance.now();
  const answer = await fetch(`${service.origin}/api/v1/customers/batch`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
    body: `${rows.join("\n")}\n`,
  });
  const text = await answer.text();
  if (answer.status !== 200 || text.includes('"refused"')) throw new Error(text.slice(0, 500));
  return (BULK_ROWS * 1_000) / (performance.now() - began);
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** Listens for webhooks on this machine. */
async function listen(answer) {
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
