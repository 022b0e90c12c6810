// Both kinds of load for minutes: light requests of several accounts, heavy ones of two, with the scheduler, closes and webhooks.
// Prints the growth of the memory: medians of the first and last fifth after the warm-up, and the slope.
// BENCH_MINUTES sets the duration.
import { setTimeout as delay } from "node:timers/promises";
import {
  monthFromNow,
  openClient,
  seedBasics,
  seedDraft,
  seedIssued,
  seedOldSeries,
} from "./heavy.mjs";
import { median } from "./load.mjs";
import { figuresOf, openAccount, withService } from "./service.mjs";
import { openWebhooks } from "./soak-webhooks.mjs";
import { WITH_WEBHOOKS } from "./webhooks.mjs";

const MINUTES = Number(process.env.BENCH_MINUTES ?? 10);
/** The share of the time in which caches fill and the heap reaches its size. */
const WARM_UP_SHARE = 0.2;
const LIGHT_ACCOUNTS = 4;
const LIGHT_EVERY_MS = 100;
const SAMPLE_MS = 1_000;
/** The number of invoices, and the number of their lines. */
const [INVOICES, LINES] = [40, 100];

export async function benchSoak(report) {
  await withService(async (service, client) => {
    const heavy = [];
    for (const key of [service.key, openAccount(service, "Heavy").key]) {
      heavy.push(await seedHeavy(service, client, key));
    }
    const light = [];
    for (let n = 0; n < LIGHT_ACCOUNTS; n += 1) {
      const seller = await seedBasics(service, openAccount(service, `Light ${n}`).key);
      light.push({ ...seller, draft: await seedDraft(service, seller, 5) });
    }
    const webhooks = await openWebhooks(service, openAccount(service, "Webhooks").key);
    const until = performance.now() + MINUTES * 60_000;
    const isOver = () => performance.now() >= until;
    const clients = [...heavy, ...light].map((account) => openClient(service, account.key));
    const [samples] = await Promise.all([
      sample(service, isOver),
      ...heavy.map((account, n) => runHeavy(clients[n], account, isOver)),
      ...light.map((account, n) => runLight(clients[heavy.length + n], account, isOver)),
      webhooks.change(isOver),
    ]);
    report(`${MINUTES} minutes of light and heavy requests`, {
      ...tallied("heavy", clients.slice(0, heavy.length)),
      ...tallied("light", clients.slice(heavy.length)),
      ...slopeOf(samples),
      "CPU of the service, seconds": figuresOf(service.pid).cpu_seconds,
      ...(await webhooks.end()),
    });
  }, WITH_WEBHOOKS);
}

async function seedHeavy(service, client, key) {
  const seller = await seedBasics(service, key);
  await seedIssued(service, client, seller, INVOICES, { lines: LINES, age: "30 s" });
  return {
    ...seller,
    draft: await seedDraft(service, seller, LINES),
    series: await seedOldSeries(service, client, seller, 3),
  };
}

/** Sends heavy requests in three parallel sequences, each kind in rotation. */
async function runHeavy(client, { customer_id, product_id, draft, series }, isOver) {
  const months = `from=${monthFromNow(-12)}&to=${monthFromNow(11)}`;
  const today = new Date().toISOString().slice(0, 10);
  const month = monthFromNow(-1);
  const kinds = [
    () => client.ask("GET", `/recognition?${months}`),
    () => client.ask("GET", `/recognition?${months}&group_by=customer`),
    () => client.ask("GET", `/invoices/${draft}/pdf`),
    () => client.ask("GET", "/invoices.csv"),
    () => client.ask("GET", `/accruals?customer=${customer_id}&month=${month}`),
    () => client.ask("GET", `/recurring-series/${series}/preview?until=2008-12-31`),
    () => client.ask("PATCH", `/invoices/${draft}`, { title: `Title ${performance.now()}` }),
    () => client.ask("GET", `/period-closes/1990-01/preview`),
    () => client.ask("POST", "/period-closes", { month: "1990-01", lock: false }),
    () => issueMany(client, { customer_id, product_id }, today),
  ];
  let next = 0;
  const lane = async () => {
    while (!isOver()) await kinds[next++ % kinds.length]();
  };
  await Promise.all([lane(), lane(), lane()]);
}

/** Creates a due series and runs the scheduler. */
async function issueMany(client, { customer_id, product_id }, start_date) {
  const external_id = `soak ${performance.now()}`;
  const lines = [{ product_id, recognition_method: "value", agreed_value: 1000 }];
  const body = { external_id, customer_id, frequency: "yearly", start_date, lines };
  await client.ask("POST", "/recurring-series", body);
  await client.ask("POST", `/recurring-series/ext:${encodeURIComponent(external_id)}/activate`, {});
  await client.ask("POST", "/scheduler-runs");
}

async function runLight(client, { customer_id, product_id, draft }, isOver) {
  const lines = [{ product_id, recognition_method: "value", agreed_value: 1000 }];
  const kinds = [
    () => client.ask("GET", "/invoices?limit=25"),
    () => client.ask("GET", `/customers/${customer_id}`),
    () => client.ask("GET", `/invoices/${draft}`),
    () => client.ask("GET", `/invoices/${draft}/totals`),
    () => client.ask("PATCH", `/customers/${customer_id}`, { name: `Acme ${performance.now()}` }),
    () => client.ask("POST", "/invoices", { customer_id, auto_send: false, lines }),
  ];
  for (let n = 0; !isOver(); n += 1) {
    const due = performance.now() + LIGHT_EVERY_MS;
    await kinds[n % kinds.length]();
    await delay(Math.max(0, due - performance.now()));
  }
}

async function sample(service, isOver) {
  const began = performance.now();
  const samples = [];
  while (!isOver()) {
    samples.push({
      minutes: (performance.now() - began) / 60_000,
      rss_mb: figuresOf(service.pid).rss_mb,
    });
    await delay(SAMPLE_MS);
  }
  return samples;
}

function tallied(kind, clients) {
  const figures = {};
  for (const { tally } of clients) {
    for (const [status, count] of Object.entries(tally.statuses)) {
      const label = `${kind}: ${status}`;
      figures[label] = (figures[label] ?? 0) + count;
    }
  }
  const waits = clients.flatMap(({ tally }) => tally.times_ms).sort((a, b) => a - b);
  figures[`${kind}: p99, ms`] = waits[Math.floor(waits.length * 0.99)];
  figures[`${kind}: longest, ms`] = waits.at(-1);
  return figures;
}

/** Returns the slope of a least-squares line through the samples after the warm-up, with medians of the memory use. */
function slopeOf(samples) {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const minutes = mean(warm.map((each) => each.minutes));
  const rss = mean(warm.map((each) => each.rss_mb));
  const above = warm.reduce((sum, at) => sum + (at.minutes - minutes) * (at.rss_mb - rss), 0);
  const below = warm.reduce((sum, at) => sum + (at.minutes - minutes) ** 2, 0);
  const fifth = Math.ceil(warm.length / 5);
  const medianOf = (part) => median(part.map((each) => each.rss_mb));
  return {
    "memory at the start, MB": samples[0].rss_mb,
    "memory, first fifth after the warm-up, MB": medianOf(warm.slice(0, fifth)),
    "memory, last fifth, MB": medianOf(warm.slice(-fifth)),
    "memory at most, MB": Math.max(...samples.map((each) => each.rss_mb)),
    "slope, MB a minute": above / below,
  };
}
