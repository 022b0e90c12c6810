// Bookings in a connected ledger with a rate limit: the share of the limit that a bulk run uses, and the wait of a user who
// issues one invoice meanwhile. The ledger is the simulation of Dinero with its limit switched on.
import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { call, openAccount, readUntil, root, startService } from "./service.mjs";

/** Limits in requests a minute: of a personal integration, and of a public one. */
const LIMITS = [60, 100];
const RUN_S = Number(process.env.BENCH_LEDGER_SECONDS ?? 300);
/** The number of drafts for the bulk run: more than it issues. */
const BULK = Number(process.env.BENCH_LEDGER_BULK ?? 5_000);
/** The number of invoices in one list. */
const LIST = 500;
/** Requests for one document: the draft, the read of the ledger's draft, the booking. */
const REQUESTS_OF_ONE = 3;
const EVERY_MS = 10_000;

export async function benchLedgerRate(report) {
  const folder = await mkdtemp(join(tmpdir(), "matchbook-ledger-rate-"));
  const service = await startService({ MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" });
  const simulators = [];
  try {
    for (const limit of LIMITS) simulators.push(await startSimulator(folder, limit));
    const runs = await Promise.all(simulators.map((simulator) => seeded(service, simulator)));
    const measured = await Promise.all(runs.map((run) => bulkRun(service, run)));
    for (const { limit, ...figures } of measured) {
      report(`${limit} requests a minute, ${RUN_S} s of a bulk run of ${BULK}`, figures);
    }
  } finally {
    for (const { child } of simulators) child.kill("SIGKILL");
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function startSimulator(folder, limit) {
  const program = join(root, "test/support/ledger/dinero/simulator.mjs");
  const child = spawn(process.execPath, [program, join(folder, `books-${limit}`)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [, origin] = /listens on (\S+)/.exec(await readUntil(child, /listens on \S+/));
  const id = 270_000 + limit;
  await control(origin, "organisation", { Id: id, key: `key-${limit}` });
  await control(origin, "switches", { limit });
  return { child, origin, limit, id };
}

async function control(origin, name, input) {
  const init = input === undefined ? {} : { method: "POST", body: JSON.stringify(input) };
  return (await fetch(`${origin}/_control/${name}`, init)).json();
}

/** Makes a connected account with a customer, a product and drafts to issue. */
async function seeded(service, { origin, limit, id }) {
  const { account_id, key } = openAccount(service, `Limit ${limit}`);
  const connected = spawnSync(
    process.execPath,
    [
      join(root, "bin", "matchbook"),
      ...["ledger", "connect", "--account", account_id, "--kind", "dinero"],
      ...["--organization-id", String(id), "--client-id", "sim-client"],
      ...["--requests-per-minute", String(limit)],
      ...["--api-url", origin, "--token-url", `${origin}/token`, "--secrets-from-stdin"],
    ],
    {
      encoding: "utf8",
      input: JSON.stringify({ client_secret: "sim-secret", api_key: `key-${limit}` }),
      env: {
        ...process.env,
        MATCHBOOK_DATA_DIR: service.folder,
        MATCHBOOK_LEDGER_HOSTS: "127.0.0.1",
      },
    },
  );
  if (connected.status !== 0) throw new Error(`${connected.stdout}${connected.stderr}`);
  const customer = await call(service, "POST", "/customers", { name: "Acme" }, key);
  const product = await call(service, "POST", "/products", { name: "Work" }, key);
  const draft = async () => {
    const line = { product_id: product.id, recognition_method: "value", agreed_value: 100 };
    const body = { customer_id: customer.id, auto_send: false, lines: [line] };
    return (await call(service, "POST", "/invoices", body, key)).id;
  };
  const drafts = [];
  const lane = async () => {
    while (drafts.length < BULK) drafts.push(await draft());
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return { key, draft, drafts, origin, limit, id };
}

async function bulkRun(service, { key, draft, drafts, origin, limit, id }) {
  // The requests of the connection must be older than the ledger's minute. One issue without other work is the baseline.
  await delay(60_000);
  const alone = await timed(async () =>
    call(service, "POST", `/invoices/${await draft()}/issue`, undefined, key),
  );
  await delay(10_000);
  await control(origin, "forget", {});
  const began = performance.now();
  const isOver = () => performance.now() - began > RUN_S * 1000;
  const before = await bookedIn(origin, id);
  const waits = [];
  const failures = [];
  const people = async () => {
    while (!isOver()) {
      await delay(EVERY_MS * (0.5 + Math.random()));
      const one = await draft();
      try {
        waits.push(
          await timed(() => call(service, "POST", `/invoices/${one}/issue`, undefined, key)),
        );
      } catch (error) {
        failures.push(error);
      }
    }
  };
  const lists = [];
  const bulk = async () => {
    for (let at = 0; !isOver(); ) {
      const references = drafts.slice(at, at + LIST);
      let run;
      const seconds = await timed(async () => {
        run = await call(service, "POST", "/invoices/issue", { references }, key);
      });
      lists.push(seconds);
      at += run.outcomes.filter(({ outcome }) => outcome === "issued").length;
    }
  };
  const meanwhile = people();
  await bulk();
  const minutes = (performance.now() - began) / 60_000;
  const booked = (await bookedIn(origin, id)) - before;
  const asked = (await control(origin, "calls")).filter((one) => !one.endsWith("/token"));
  await meanwhile;
  const sorted = waits.sort((a, b) => a - b);
  return {
    limit,
    "documents a minute": booked / minutes,
    "of what the limit allows": booked / minutes / (limit / REQUESTS_OF_ONE),
    "requests, of what the limit allows": asked.length / minutes / limit,
    "requests for a document": asked.length / booked,
    "an issue alone, s": alone,
    "an issue meanwhile, s in the middle": sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    "an issue meanwhile, s at most": sorted.at(-1) ?? Number.NaN,
    "issues meanwhile": waits.length,
    "issues meanwhile without an answer in time": failures.length,
    "a list is answered within, s": Math.max(...lists),
  };
}

async function bookedIn(origin, id) {
  const { invoices } = await control(origin, `books?org=${id}`);
  return invoices.filter(({ Status }) => Status === "Booked").length;
}

async function timed(work) {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}
