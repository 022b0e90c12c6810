// tools/list and tools/call through the whole path with token check, compared with a hand-written route with the same
// queries, and with the REST call that reads the same page. CPU is that of the serving process.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { inTurns } from "./load.mjs";
import { call, readUntil, root, startService } from "./service.mjs";
import { load } from "./sources.mjs";

const CONNECTIONS = 8;

export async function benchMcp(report) {
  const service = await startService();
  const base_url = `http://localhost:${new URL(service.origin).port}`;
  const url = await service.databaseUrl();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const token = await tokenOf(url, base_url, service.account_id);
  const baseline = spawn(
    process.execPath,
    [join(root, "bench", "mcp-baseline.mjs"), url, base_url],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  try {
    const customer = await call(service, "POST", "/customers", { name: "Bench" });
    const product = await call(service, "POST", "/products", { name: "Work", default_price: 1 });
    const seed = await readFile(join(root, "bench", "seed.sql"), "utf8");
    await client.query(seed, [service.account_id, customer.id, product.id, 1_000]);
    // Restores the state after autovacuum: counts read an index.
    await client.query("vacuum analyze invoices");
    const port = /port (\d+)/.exec(await readUntil(baseline, /port \d+\n/))[1];
    const bare = { url: `http://127.0.0.1:${port}/`, pid: baseline.pid };
    const whole = { url: `${service.origin}/api/mcp`, pid: service.pid };
    const listing = message("tools/list", {});
    const page = message("tools/call", {
      name: "list_invoices",
      arguments: { scope: "all", limit: 25 },
    });
    const cases = {
      "tools/list": { ...whole, ...rpc(token, listing) },
      "tools/list, hand-written": { ...bare, ...rpc(token, listing) },
      "tools/call list_invoices": { ...whole, ...rpc(token, page) },
      "tools/call, hand-written": { ...bare, ...rpc(token, page) },
      "GET /invoices": {
        pid: service.pid,
        url: `${service.origin}/api/v1/invoices?limit=25`,
        headers: { authorization: `Bearer ${service.key}` },
      },
    };
    const { of, ratio } = await inTurns(cases, CONNECTIONS);
    for (const name of Object.keys(cases)) {
      report(`${name}, ${CONNECTIONS} connections`, {
        "per second": of(name, "rate"),
        "CPU per call, microseconds": of(name, "cpu_us"),
      });
    }
    report("ratios", {
      "list: rate to hand-written": ratio("tools/list", "tools/list, hand-written", "rate"),
      "call: rate to hand-written": ratio(
        "tools/call list_invoices",
        "tools/call, hand-written",
        "rate",
      ),
      "call: CPU to hand-written": ratio(
        "tools/call list_invoices",
        "tools/call, hand-written",
        "cpu_us",
      ),
      "call: CPU to REST": ratio("tools/call list_invoices", "GET /invoices", "cpu_us"),
      "REST: rate to call": ratio("GET /invoices", "tools/call list_invoices", "rate"),
    });
  } finally {
    baseline.kill("SIGTERM");
    await client.end();
    await service.stop();
  }
}

function message(method, params) {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

function rpc(token, body) {
  return {
    method: "POST",
    body,
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
  };
}

/** The token of an admin's assistant with all scopes. */
async function tokenOf(url, base_url, account_id) {
  const { openDatabase, closeDatabase, query } = await load("platform/database/database");
  const { insertGrant } = await load("features/access/oauth/grants");
  const { issueAccessToken } = await load("features/access/oauth/tokens");
  const { schedulerContext } = await load("platform/runtime/services");
  const { systemClock } = await load("platform/runtime/clock");
  const { transact } = await load("platform/commands/tx");
  const db = openDatabase(url, 2, () => {});
  const pools = { requests: db, background: db, gate: db };
  const services = {
    db,
    gate: db,
    pools,
    clock: systemClock,
    ledgers: new Map(),
    metrics: { observeCommand() {} },
    config: { base_url },
  };
  const scopes = ["mcp:read", "mcp:write", "mcp:issue"];
  try {
    const [{ id: user_id }] = await query(
      db,
      "select id from users where account_id = $1 and role = 'admin' limit 1",
      [account_id],
    );
    const cx = await schedulerContext(services, account_id);
    const fields = { user_id, client_id: "bench", client_name: "Bench", scopes };
    const grant = await transact(cx, (tx) => insertGrant(tx, fields));
    const subject = { grant_id: grant.id, user_id, client_id: "bench", scopes };
    return await issueAccessToken(services, subject);
  } finally {
    await closeDatabase(db);
  }
}
