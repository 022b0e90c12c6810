// GET /invoices?limit=25 over 100,000 invoices against the bare server; and the page's time at 100,000 against 1,000.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import autocannon from "autocannon";
import pg from "pg";
import { call, readUntil, root, startService } from "./service.mjs";

const SECONDS = Number(process.env.BENCH_SECONDS ?? 5);
const ROUNDS = 3;

export async function benchReads(report) {
  const service = await startService();
  const url = await service.databaseUrl();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const customer = await call(service, "POST", "/customers", { name: "Bench" });
  const product = await call(service, "POST", "/products", { name: "Work", default_price: 1 });
  const seed = await readFile(join(root, "bench", "seed.sql"), "utf8");
  const fill = async (count) => {
    await client.query("delete from invoices where account_id = $1", [service.account_id]);
    await client.query(seed, [service.account_id, customer.id, product.id, count]);
    await client.query("analyze invoices");
  };
  const baseline = spawn(
    process.execPath,
    [join(root, "bench", "baseline-server.mjs"), url, service.account_id],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
    await fill(1_000);
    const small = await pageTimes(service);
    await fill(100_000);
    const large = await pageTimes(service);
    const bare = `http://127.0.0.1:${/port (\d+)/.exec(await readUntil(baseline, /port \d+\n/))[1]}/`;
    const page = `${service.origin}/api/v1/invoices?limit=25`;
    const headers = { authorization: `Bearer ${service.key}` };
    const rates = { bare: [], service: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.bare.push(await rate(bare, {}));
      rates.service.push(await rate(page, headers));
    }
    report("GET /invoices?limit=25, 16 connections", {
      "service req/s": median(rates.service),
      "bare node:http req/s": median(rates.bare),
      ratio: median(rates.service) / median(rates.bare),
    });
    report("page time, one connection, median ms", {
      "at 100,000": large.first,
      "at 1,000": small.first,
      ratio: large.first / small.first,
      "deep page at 100,000": large.deep,
      "by status and customer at 100,000": large.filtered,
      "updated_since, few rows, at 100,000": large.updated,
    });
  } finally {
    baseline.kill("SIGTERM");
    await client.end();
    await service.stop();
  }
}

async function rate(url, headers) {
  await autocannon({ url, headers, connections: 16, duration: 1 });
  const result = await autocannon({ url, headers, connections: 16, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} failed under load`);
  return result.requests.average;
}

async function pageTimes(service) {
  const first = await call(service, "GET", "/invoices?limit=25");
  const { customer_id } = first.data[0];
  let cursor = first.next_cursor;
  for (let page = 0; page < 30; page += 1) {
    cursor = (await call(service, "GET", `/invoices?limit=25&cursor=${cursor}`)).next_cursor;
  }
  const since = encodeURIComponent(new Date(Date.now() - 20_000).toISOString());
  return {
    first: await time(service, "/invoices?limit=25"),
    deep: await time(service, `/invoices?limit=25&cursor=${cursor}`),
    filtered: await time(service, `/invoices?limit=25&status=draft&customer=${customer_id}`),
    updated: await time(service, `/invoices?limit=25&updated_since=${since}`),
  };
}

async function time(service, path) {
  const times = [];
  for (let index = 0; index < 220; index += 1) {
    const began = performance.now();
    await call(service, "GET", path);
    if (index >= 20) times.push(performance.now() - began);
  }
  return median(times);
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
