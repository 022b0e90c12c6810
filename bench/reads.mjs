// GET /invoices?limit=25 over 100,000 invoices against the bare server. The page's time at other sizes: pages.mjs.
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
  await client.query(seed, [service.account_id, customer.id, product.id, 100_000]);
  await client.query("analyze invoices");
  const baseline = spawn(
    process.execPath,
    [join(root, "bench", "baseline-server.mjs"), url, service.account_id],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  try {
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

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
