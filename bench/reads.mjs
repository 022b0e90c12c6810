// GET /invoices?limit=25 over 100,000 invoices compared with the bare server. pages.mjs measures other sizes.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { inTurns } from "./load.mjs";
import { call, readUntil, root, startService } from "./service.mjs";

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
    const served = { pid: service.pid, headers };
    const { cursor, id } = await deepPlace(service);
    const { of, ratio } = await inTurns(
      {
        bare: { url: bare, pid: baseline.pid },
        page: { url: page, ...served },
        deep: { url: `${page}&cursor=${cursor}`, ...served },
        one: { url: `${service.origin}/api/v1/invoices/${id}`, ...served },
      },
      16,
    );
    report("GET /invoices?limit=25, 16 connections", {
      "service req/s": of("page", "rate"),
      "bare node:http req/s": of("bare", "rate"),
      ratio: ratio("page", "bare", "rate"),
      "CPU of the bare server to the service's": ratio("bare", "page", "cpu_us"),
      "page at depth to the first, req/s": ratio("deep", "page", "rate"),
      "one invoice to the page, req/s": ratio("one", "page", "rate"),
    });
  } finally {
    baseline.kill("SIGTERM");
    await client.end();
    await service.stop();
  }
}

/** Returns a cursor forty pages after the first, and the id of an invoice on that page. */
async function deepPlace(service) {
  let page = { next_cursor: null };
  for (let count = 0; count < 40; count += 1) {
    const cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
    page = await call(service, "GET", `/invoices?limit=25${cursor}`);
  }
  return { cursor: page.next_cursor, id: page.data[0].id };
}
