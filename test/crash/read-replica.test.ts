/**
 * Two processes of the real program on one primary with a hot standby. Long reads come from the standby, and never lack what was
 * committed before: also while it is behind, stopped, gone or silent, and when it cancels a statement for its recovery.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { AccountId } from "../../src/domain/base/brand.ts";
import { openAccount } from "../../src/features/access/accounts/create.ts";
import { openServices } from "../../src/open-services.ts";
import type { Context } from "../../src/platform/commands/context.ts";
import { dryRun, reading } from "../../src/platform/commands/tx.ts";
import { closeDatabase, type Database } from "../../src/platform/database/database.ts";
import { openReplica } from "../../src/platform/database/replica.ts";
import { requireReplica } from "../../src/platform/database/require-replica.ts";
import { sql } from "../../src/platform/database/sql.ts";
import type { Reply } from "../../src/platform/http/asked.ts";
import { fileOf } from "../../src/platform/http/csv-page.ts";
import { readConfig } from "../../src/platform/runtime/config.ts";
import { openLog } from "../../src/platform/runtime/log.ts";
import { contextFor } from "../../src/platform/runtime/services.ts";
import { answerFromReplica } from "../../src/platform/threads/replica-first.ts";
import { routes } from "../../src/routes.ts";
import { openReplicaPair, type ReplicaPair } from "../support/database/replica-pair.ts";
import {
  type BuiltProgram,
  buildProgram,
  type RunningProgram,
  startProgram,
} from "../support/run/program.ts";
import type { Json } from "../support/world/world.ts";

const ROUNDS = 1_000;
const CLIENTS = 8;
const PAUSED_MS = 10_000;
const MONTH = new Date().toISOString().slice(0, 7);

let pair: ReplicaPair;
let program: BuiltProgram;
let processes: readonly [RunningProgram, RunningProgram];
let opened: ReturnType<typeof openServices>;
let key: string;
let cx: Context;
let customer_id: string;
let product_id: string;
beforeAll(async () => {
  [pair, program] = await Promise.all([openReplicaPair(), buildProgram()]);
  const environment = {
    DATABASE_URL: pair.primary.serving_url,
    MATCHBOOK_MIGRATION_DATABASE_URL: pair.primary.url,
    MATCHBOOK_REPLICA_URL: pair.replica_url,
    MATCHBOOK_DATA_DIR: pair.data_dir,
    MATCHBOOK_RATE_LIMIT: "off",
    MATCHBOOK_IN_FLIGHT: "off",
    LOG_LEVEL: "error",
  };
  const start = () => startProgram(program, environment, ["--no-demo", "--no-background"]);
  const log = openLog("silent");
  opened = openServices(readConfig(environment), pair.primary.serving_url, log);
  processes = [await start(), await start()];
  const { services } = opened;
  const account = await openAccount(services, {
    name: "Studio",
    admin_email: "admin@studio.example",
    admin_password: "correct horse battery staple",
    sandbox: false,
    currency: "DKK",
  });
  key = account.keys.read_write;
  cx = contextFor(
    services,
    {
      account_id: account.account_id as AccountId,
      account_name: "Studio",
      sandbox: false,
      test_clock: null,
      ledger_kind: "builtin",
      actor: { kind: "operator", id: "test" },
      access: new Set(["read"]),
      person: null,
    },
    log,
  );
  customer_id = (await done(0, "POST /customers", { name: "Acme" })).id;
  product_id = (await done(0, "POST /products", { name: "Work" })).id;
});
afterAll(async () => {
  await opened?.close();
  await program?.end();
  await pair?.close();
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Makes a call at the first process or the second one. */
async function ask(at: 0 | 1, call: string, body?: object, accept?: string): Promise<Answer> {
  const [method = "", path = ""] = call.split(" ");
  const response = await fetch(`${processes[at].origin}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(accept === undefined ? {} : { accept }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function done(at: 0 | 1, call: string, body?: object): Promise<Json> {
  const { status, text } = await ask(at, call, body);
  if (status >= 300) throw new Error(`${call} answered ${status}: ${text}`);
  return JSON.parse(text);
}

/** How often both processes have counted each kind of answer, by its reason. */
async function counts(): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (const { origin } of processes) {
    const text = await (await fetch(`${origin}/metrics`)).text();
    const rows = text.matchAll(/^matchbook_long_reads_total\{.*reason="(\w+)"\} (\d+)$/gm);
    for (const [, reason = "", count] of rows) found[reason] = (found[reason] ?? 0) + Number(count);
  }
  return found;
}

/** Does the work and returns what was counted meanwhile, without zeros. */
async function counted(work: () => Promise<void>): Promise<Readonly<Record<string, number>>> {
  const before = await counts();
  await work();
  const grown = Object.entries(await counts()).map(
    ([reason, count]) => [reason, count - (before[reason] ?? 0)] as const,
  );
  return Object.fromEntries(grown.filter(([, count]) => count > 0));
}

let written = 0;

/** Writes an invoice at one process, and requires its amount in the report of the other one. */
async function writeAndReport(at: 0 | 1, customer = customer_id): Promise<void> {
  written += 1;
  const amount = written;
  const line = { product_id, recognition_method: "value", agreed_value: amount };
  const body = { customer_id: customer, auto_send: false, lines: [line] };
  const { id } = await done(at, "POST /invoices", body);
  const report = await ask(at === 0 ? 1 : 0, `GET /invoices/${id}/recognition`);
  expect(`${report.status} ${report.text}`).toMatch(/^200 /);
  expect(JSON.parse(report.text).lines[0].amount).toBe(amount);
}

/** Resolves when both processes read from the replica. */
async function usesReplica(): Promise<void> {
  await pair.caughtUp();
  for (const at of [0, 1] as const) {
    await until("both use the replica", async () => {
      return "caught_up" in (await counted(() => writeAndReport(at)));
    });
  }
}

/** Repeats the look until it is true. Throws after half a minute. */
async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  for (const began = Date.now(); !(await look()); await delay(50)) {
    if (Date.now() - began > 30_000) throw new Error(`not in half a minute: ${what}`);
  }
}

async function setReplica(name: string, value: string): Promise<void> {
  await pair.onReplica(`alter system set ${name} = '${value}'`);
  await pair.onReplica("select pg_reload_conf()");
  // The process that replays reads the setting at its next record.
  await delay(100);
}

/** Ends the connections of both processes, and waits until both write over new ones. */
async function connectAnew(): Promise<void> {
  await pair.onPrimary(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'matchbook_serve'",
  );
  await until("both processes have connected again", async () => {
    const writes = ([0, 1] as const).map((at) => ask(at, "POST /customers", { name: "Again" }));
    return (await Promise.all(writes)).every(({ status }) => status === 201);
  });
}

describe("reports of one process on what the other has written", () => {
  it(`have the write, ${ROUNDS} times, on a standby that replays late`, async () => {
    await setReplica("recovery_min_apply_delay", "10ms");
    const clientOf = async (client: number): Promise<void> => {
      let customer = customer_id;
      for (let round = 0; round < ROUNDS / CLIENTS; round += 1) {
        const name = `Client ${client}, round ${round}`;
        // A report reads all lines of its customer, of whom a few are enough.
        if (round % 10 === 0) customer = (await done(0, "POST /customers", { name })).id;
        await writeAndReport((round + client) % 2 === 0 ? 0 : 1, customer);
      }
    };
    const found = await counted(async () => {
      await Promise.all(Array.from({ length: CLIENTS }, (_, client) => clientOf(client)));
    });
    await setReplica("recovery_min_apply_delay", "0");
    expect(Object.values(found).reduce((sum, count) => sum + count, 0)).toBe(ROUNDS);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(["caught_up"]));
    expect(found.caught_up).toBeGreaterThan(ROUNDS / 10);
  });

  it("have the write when commits are asynchronous", async () => {
    await pair.onPrimary("alter role matchbook_serve set synchronous_commit = off");
    await connectAnew();
    for (let round = 0; round < 20; round += 1) await writeAndReport(round % 2 === 0 ? 0 : 1);
    await pair.onPrimary("alter role matchbook_serve reset synchronous_commit");
    await connectAnew();
  });
});

describe("the replica answers", () => {
  it("every long read and every file, of which none needs the primary", async () => {
    const from = MONTH;
    const series = await done(0, "POST /recurring-series", {
      customer_id,
      frequency: "monthly",
      start_date: `${MONTH}-01`,
      issue_timing: { mode: "manual" },
      lines: [{ product_id, recognition_method: "value", agreed_value: 1 }],
    });
    await done(0, `POST /recurring-series/${series.id}/activate`, {});
    const line = { product_id, recognition_method: "value", agreed_value: 5 };
    const invoice = await done(0, "POST /invoices", {
      customer_id,
      auto_send: false,
      lines: [line],
    });
    const beginning = { date: "2026-01-01", counter_account: 6950, open: "all" };
    await done(0, "POST /receivables/begin", beginning);
    await usesReplica();
    const accrual = await done(0, `GET /accruals?customer=${customer_id}&month=${MONTH}`);
    const queries: Readonly<Record<string, string>> = {
      "/invoices/:ref/recognition": `/invoices/${invoice.id}/recognition`,
      "/recurring-series/:ref/preview": `/recurring-series/${series.id}/preview?until=${MONTH}-28`,
      "/accruals": `/accruals?month=${MONTH}`,
      "/accruals/:id": `/accruals/${accrual.id}`,
      "/accruals/reconciliation": `/accruals/reconciliation?month=${MONTH}`,
      "/customers/:ref/accruals": `/customers/${customer_id}/accruals`,
      "/period-closes/:month/preview": `/period-closes/${MONTH}/preview`,
      "/recognition": `/recognition?from=${from}&to=${from}`,
      "/recognition.csv": `/recognition.csv?from=${from}&to=${from}`,
      "/recognition/explain": `/recognition/explain?line_id=${invoice.lines[0].id}&month=${MONTH}`,
      "/recognition/rollforward": `/recognition/rollforward?from=${from}&to=${from}`,
      "/ledger/entries.csv": "/ledger/entries.csv",
      "/ledger/trial-balance.csv": "/ledger/trial-balance.csv",
      "/invoices.csv": "/invoices.csv?origin=all",
      "/credit-notes.csv": "/credit-notes.csv",
      "/work-registrations.csv": "/work-registrations.csv",
      "/customers.csv": "/customers.csv",
      "/products.csv": "/products.csv",
      "/invoices": "/invoices?include=totals",
      "/credit-notes": "/credit-notes?include=totals",
      "/bank-lines": "/bank-lines",
      "/bank-lines.csv": "/bank-lines.csv",
      "/customers/:ref/statement": `/customers/${customer_id}/statement`,
      "/open-items.csv": "/open-items.csv?state=all",
      "/payments.csv": "/payments.csv",
      "/receivables": "/receivables",
      "/receivables.csv": "/receivables.csv",
    };
    const long = routes.filter(
      (route) =>
        route.method === "GET" &&
        (fileOf(route) !== undefined || (route.heavy && !route.heavy.needs_primary)),
    );
    const paths = long.map(({ path }) => path).sort();
    expect(paths).toEqual(Object.keys(queries).sort());
    const failed: string[] = [];
    const found = await counted(async () => {
      for (const path of Object.values(queries)) {
        const { status, text } = await ask(1, `GET ${path}`);
        if (status !== 200) failed.push(`${path} ${status} ${text}`);
      }
    });
    expect(failed).toEqual([]);
    expect(found).toEqual({ caught_up: paths.length });
  });

  it("lists as CSV, but no poll with updated_since", async () => {
    await usesReplica();
    const since = "2020-01-01T00:00:00Z";
    const found = await counted(async () => {
      const whole = await ask(0, "GET /customers", undefined, "text/csv");
      const polled = await ask(0, `GET /customers?updated_since=${since}`, undefined, "text/csv");
      expect(whole.text).toContain("Acme");
      expect(polled.text).toContain("Acme");
    });
    expect(found).toEqual({ caught_up: 1, primary_only: 1 });
  });

  it("no short list, and no key that was revoked", async () => {
    const found = await counted(async () => {
      expect((await ask(0, "GET /customers")).status).toBe(200);
      await pair.onPrimary("update api_keys set revoked_at = now() where scope = 'read_write'");
      const { status } = await ask(1, `GET /recognition?from=${MONTH}&to=${MONTH}`);
      await pair.onPrimary("update api_keys set revoked_at = null where scope = 'read_write'");
      expect(status).toBe(401);
    });
    expect(found).toEqual({});
  });
});

/** Answers from the replica in this process. `sources` has who answered. */
async function answered(answer: (cx: Context) => Promise<Reply>) {
  const sources: string[] = [];
  const replica: Database = openReplica(pair.replica_url, openLog("silent"));
  try {
    const first = { replica, waits: true, note: (source: string) => sources.push(source) };
    const { body } = await answerFromReplica(cx, first, answer);
    if (body === null || typeof body === "string" || body instanceof Uint8Array) {
      return { text: String(body), sources };
    }
    let text = "";
    for await (const part of body) text += part;
    return { text, sources };
  } finally {
    await closeDatabase(replica);
  }
}

const replyOf = (body: Reply["body"]): Reply => ({ status: 200, headers: {}, body });
const customersIn = async (reads: Pick<Context, "rows">) =>
  (
    await reads.rows<{
      name: string;
    }>(sql`select name from customers where account_id = ${cx.caller.account_id}
     order by name`)
  ).map(({ name }) => name);

/** Removes rows that the snapshots on the replica may still see, which ends them at once. */
async function removeRows(): Promise<void> {
  await setReplica("max_standby_streaming_delay", "0");
  await pair.onPrimary("create table removed (id int)");
  await pair.onPrimary("insert into removed select generate_series(1, 100)");
  await pair.onPrimary("delete from removed");
  await pair.onPrimary("vacuum removed");
  await pair.onPrimary("drop table removed");
  await pair.caughtUp();
  await setReplica("max_standby_streaming_delay", "30s");
}

describe("a read in one snapshot", () => {
  it("does not see what is committed after it has begun", async () => {
    const { text, sources } = await answered(async (inside) => {
      const before = await customersIn(inside);
      await pair.onPrimary("update customers set name = name || ' A/S'");
      await pair.caughtUp();
      const after = await reading(inside, customersIn);
      await pair.onPrimary("update customers set name = replace(name, ' A/S', '')");
      return replyOf(JSON.stringify({ is_same: String(before) === String(after) }));
    });
    expect({ text, sources }).toEqual({ text: '{"is_same":true}', sources: ["replica"] });
  });

  it.each([
    ["between its statements", 0],
    ["and hides the error", 1],
  ])("starts again on the primary when recovery cancels it %s", async (_, hides) => {
    let runs = 0;
    const { text, sources } = await answered(async (inside) => {
      runs += 1;
      await customersIn(inside);
      if (runs === 1) await removeRows();
      const names = customersIn(inside);
      return replyOf(`${runs}: ${(hides ? await names.catch(() => []) : await names).length > 0}`);
    });
    expect({ text, sources }).toEqual({ text: "2: true", sources: ["cancelled"] });
  });

  it("starts a file again that is cancelled before its first part has left", async () => {
    let runs = 0;
    const { text, sources } = await answered(async (inside) => {
      runs += 1;
      const run = runs;
      return replyOf(
        (async function* () {
          yield `${run}\n`;
          await customersIn(inside);
          if (run === 1) await removeRows();
          yield `${(await customersIn(inside)).length > 0}\n`;
        })(),
      );
    });
    expect({ text, sources }).toEqual({ text: "2\ntrue\n", sources: ["cancelled"] });
  });

  it("starts again on the primary when the replica stops answering in its middle", async () => {
    let runs = 0;
    const { text, sources } = await answered(async (inside) => {
      runs += 1;
      await customersIn(inside);
      if (runs === 1) pair.signalReplica("SIGSTOP");
      return replyOf(`${runs}: ${(await customersIn(inside)).length > 0}`);
    }).finally(() => pair.signalReplica("SIGCONT"));
    expect({ text, sources }).toEqual({ text: "2: true", sources: ["away"] });
  });

  it("runs on the primary when it opens a transaction", async () => {
    const { text, sources } = await answered(async (inside) =>
      replyOf(String(await dryRun(inside, async (tx) => (await customersIn(tx)).length > 0))),
    );
    expect({ text, sources }).toEqual({ text: "true", sources: ["writes"] });
  });
});

describe("a report whose recovery cancels", () => {
  it("is answered by the primary", async () => {
    await usesReplica();
    await setReplica("max_standby_streaming_delay", "0");
    const lockWaits =
      "select from pg_stat_activity where wait_event_type = 'Lock' and usename = $1";
    const isWaiting = async () => (await pair.onReplica(lockWaits, ["matchbook_serve"])).length > 0;
    // The report has read the configuration and waits for the lines of invoices, on the standby.
    const holder = new pg.Client({ connectionString: pair.primary.url });
    await holder.connect();
    await holder.query("begin; lock table invoice_lines in access exclusive mode");
    try {
      await pair.onPrimary("update configurations set time_zone = time_zone");
      await pair.caughtUp();
      const found = await counted(async () => {
        const report = ask(0, `GET /recognition?from=${MONTH}&to=${MONTH}`);
        await until("the report waits", isWaiting);
        await pair.onPrimary("begin; lock table configurations in access exclusive mode; commit");
        await until("the report is cancelled", async () => !(await isWaiting()));
        await holder.query("commit");
        expect((await report).status).toBe(200);
      });
      expect(found).toEqual({ cancelled: 1 });
    } finally {
      await holder.end();
      await setReplica("max_standby_streaming_delay", "30s");
    }
  });
});

describe("a replica that cannot answer", () => {
  it("misses nothing while its replay is paused for ten seconds, and answers again after", async () => {
    await usesReplica();
    await pair.onReplica("select pg_wal_replay_pause()");
    const found = await counted(async () => {
      for (const began = Date.now(); Date.now() - began < PAUSED_MS; await delay(250)) {
        await Promise.all([writeAndReport(0), writeAndReport(1)]);
      }
    }).finally(() => pair.onReplica("select pg_wal_replay_resume()"));
    expect(found.caught_up).toBeUndefined();
    expect(found.behind).toBeGreaterThan(10);
    await usesReplica();
  });

  it.each([
    ["stopped", () => pair.endReplica("SIGINT"), () => pair.startReplica()],
    ["gone", () => pair.endReplica("SIGKILL"), () => pair.startReplica()],
    [
      "silent",
      async () => pair.signalReplica("SIGSTOP"),
      async () => pair.signalReplica("SIGCONT"),
    ],
  ])("is %s, and answers again after", async (_, end, start) => {
    await usesReplica();
    await end();
    const found = await counted(async () => {
      for (let round = 0; round < 5; round += 1) {
        await Promise.all([writeAndReport(0), writeAndReport(1)]);
      }
    }).finally(start);
    expect(found).toEqual({ away: 10 });
    await usesReplica();
  });
});

describe("the start", () => {
  const required = (url: string, primary = pair.primary.serving_url) =>
    requireReplica(url, primary, openLog("silent"));

  it("accepts the standby, and one that cannot be reached", async () => {
    await required(pair.replica_url);
    await required("postgresql://matchbook_serve@127.0.0.1:1/matchbook");
  });

  it("refuses every other server with a sentence", async () => {
    const wrong = {
      primary: required(pair.primary.serving_url),
      cluster: required(pair.replica_url, inject("template_serving_url")),
      database: required(pair.replica_url.replace("/matchbook?", "/postgres?")),
      role: required(pair.replica_url.replace("//matchbook_serve", "//stranger")),
    };
    const names = Object.entries(wrong).map(
      async ([name, outcome]) =>
        `${name}: ${await outcome.then(
          () => "accepted",
          (error: Error) => error.message.replace(/\d{10,}/g, "N"),
        )}`,
    );
    const refused = "The settings are not valid. MATCHBOOK_REPLICA_URL:";
    expect(await Promise.all(names)).toEqual([
      `primary: ${refused} names a server that is no hot standby: it accepts changes itself`,
      `cluster: ${refused} names a standby of another PostgreSQL cluster: its system identifier is N, that of DATABASE_URL is N`,
      `database: ${refused} names another database than DATABASE_URL`,
      `role: ${refused} password authentication failed for user "stranger"`,
    ]);
  });

  it("ends the program with the sentence", async () => {
    const environment = {
      DATABASE_URL: pair.primary.serving_url,
      MATCHBOOK_MIGRATION_DATABASE_URL: pair.primary.url,
      MATCHBOOK_REPLICA_URL: pair.primary.serving_url,
      MATCHBOOK_DATA_DIR: pair.data_dir,
      LOG_LEVEL: "silent",
    };
    await expect(startProgram(program, environment)).rejects.toThrow(/is no hot standby/);
  });
});

describe("a replica that was promoted", () => {
  it("is not read any more, although its position is ahead", async () => {
    await usesReplica();
    await pair.onReplica("select pg_promote()");
    const found = await counted(async () => {
      for (let round = 0; round < 3; round += 1) {
        await Promise.all([writeAndReport(0), writeAndReport(1)]);
      }
    });
    expect(found).toEqual({ unfit: 6 });
  });
});
