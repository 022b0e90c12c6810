/**
 * The bundled database dies, stops answering and comes back under a working service, with real processes and real signals.
 * Requests in between get an error within ten seconds, no acknowledged change is lost, and the log has a line for each change of
 * state.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type App, openApp } from "../../src/app.ts";
import { type OpenedAccount, openAccount } from "../../src/features/access/accounts/create.ts";
import { verifyAuditTrail } from "../../src/features/settings/audit/verify.ts";
import { query } from "../../src/platform/database/database.ts";
import { type EmbeddedDatabase, startEmbedded } from "../../src/platform/database/embedded.ts";
import { migrateForServing } from "../../src/platform/database/serving-role.ts";
import { readConfig } from "../../src/platform/runtime/config.ts";
import type { Json } from "../support/world/world.ts";

let folder: string;
let database: EmbeddedDatabase;
let app: App;
let account: OpenedAccount;
let origin: string;
const lines: Json[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-away-"));
  database = await startEmbedded({ data_dir: folder });
  await migrateForServing({ url: database.serving_url, owner_url: database.url });
  const config = readConfig({ MATCHBOOK_DATA_DIR: folder, MATCHBOOK_RATE_LIMIT: "off", PORT: "0" });
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) });
  app = openApp(config, database.serving_url, log);
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.server.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  account = await openAccount(app.services, {
    name: "Studio",
    admin_email: "admin@studio.example",
    admin_password: "correct horse battery staple",
    sandbox: false,
    currency: "DKK",
  });
  app.services.watch.start(database.revive);
  app.startWorker();
});
afterAll(async () => {
  await signal("SIGCONT");
  await app.close();
  await database.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
  readonly milliseconds: number;
}

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const began = performance.now();
  const response = await fetch(`${origin}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${account.keys.read_write}`, ...init.headers },
  });
  const text = await response.text();
  const is_json = response.headers.get("content-type")?.includes("json") ?? false;
  return {
    status: response.status,
    body: is_json ? JSON.parse(text) : text,
    headers: response.headers,
    milliseconds: performance.now() - began,
  };
}

const customers = () => ask("/api/v1/customers");
const addCustomer = (external_id: string) =>
  ask("/api/v1/customers", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ external_id, name: "Acme" }),
  });

function postmaster(): number {
  return Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}

/** The server's processes: the first, and its children. */
async function serverProcesses(): Promise<number[]> {
  const first = postmaster();
  const children: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(parent) === first) children.push(Number(name));
    } catch {
      // It has ended meanwhile.
    }
  }
  return [first, ...children];
}

async function signal(name: NodeJS.Signals, which: "all" | "first" | "others" = "all") {
  const [first = 0, ...others] = await serverProcesses();
  const pids = { all: [first, ...others], first: [first], others }[which];
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended meanwhile.
    }
  }
}

async function until(check: () => Promise<boolean> | boolean, most_ms = 90_000): Promise<void> {
  const deadline = performance.now() + most_ms;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error("it did not come to that in time");
    await delay(20);
  }
}

const isReady = async () => (await ask("/readyz")).status === 200;
const isAway = () => app.services.watch.away_ms() > 0;

/** The log messages other than those of requests. */
const reported = () => lines.filter((line) => line.msg !== "request").map((line) => line.msg);

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
/** With an unknown key, which only the database can show to be unknown. */
const TOKEN = `Bearer ${part({ alg: "ES256", kid: "k" })}.${part({})}.${"A".repeat(86)}`;

const AWAY = "the database does not answer; requests are refused until it does";
const NOT_YET = "the database could not be started again yet";
const BACK = "the database answers again";

describe.runIf(existsSync("/proc/self"))("the bundled database (needs /proc)", () => {
  it("is restarted after a kill, and requests in between receive an error", async () => {
    expect((await addCustomer("before")).status).toBe(201);
    lines.length = 0;

    // An invalid server setting keeps the server down until all requests were sent.
    const settings = join(folder, "postgres", "postgresql.auto.conf");
    const before = readFileSync(settings, "utf8");
    writeFileSync(settings, "no_such_setting = on\n");
    const pid = postmaster();
    process.kill(pid, "SIGKILL");
    await until(isAway);
    const json = { "content-type": "application/json" };
    const [list, made, page, tool, token] = await Promise.all([
      customers(),
      addCustomer("in between"),
      ask("/settings/audit", { headers: { cookie: `matchbook=${"x".repeat(43)}` } }),
      ask("/api/mcp", {
        method: "POST",
        headers: { ...json, accept: "application/json, text/event-stream", authorization: TOKEN },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      }),
      ask("/api/oauth/jwks"),
    ]);
    for (const { status, body, headers, milliseconds } of [list, made]) {
      expect([status, body.error.code]).toEqual([500, "SERVICE_UNAVAILABLE"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      expect(milliseconds).toBeLessThan(10_000);
    }
    expect([page.status, page.headers.get("content-type")]).toEqual([
      500,
      "text/html; charset=utf-8",
    ]);
    expect(page.body).toContain("cannot reach its database");
    expect([tool.status, tool.body.error.data]).toEqual([500, { code: "SERVICE_UNAVAILABLE" }]);
    expect([token.status, token.body.error]).toEqual([500, "temporarily_unavailable"]);
    expect((await ask("/readyz")).status).toBe(503);
    expect((await ask("/healthz")).status).toBe(200);
    await until(() => reported().includes(NOT_YET));
    writeFileSync(settings, before);

    await until(isReady);
    expect(postmaster()).not.toBe(pid);
    const names = (await customers()).body.data.map((customer: Json) => customer.external_id);
    expect(names).toContain("before");
    expect((await addCustomer("after")).status).toBe(201);
    expect(await verifyAuditTrail(app.services.db, account.account_id)).toBeNull();
    const words = reported();
    expect(words.filter((word) => word === AWAY)).toHaveLength(1);
    expect(words.filter((word) => word === BACK)).toHaveLength(1);
    const faults = lines.filter((line) => line.level >= 40).map((line) => line.msg);
    expect(faults).toEqual([AWAY, NOT_YET]);
  });

  it("recovers after the crash of one of its processes, and the service waits for it", async () => {
    lines.length = 0;
    // When any server process is lost in this way, the server restarts and drops all of its memory.
    const [, child] = await serverProcesses();
    process.kill(child ?? Number.NaN, "SIGKILL");
    await until(() => reported().includes(AWAY));
    await until(isReady);
    await until(async () => (await customers()).status === 200);
    expect(reported().filter((word) => word === AWAY || word === BACK)).toEqual([AWAY, BACK]);
  });

  it.each(["all", "first", "others"] as const)(
    "is reported as away in time when it stops responding (%s of its processes), and work resumes with it",
    async (which) => {
      await until(isReady);
      await until(async () => (await customers()).status === 200);
      lines.length = 0;
      await signal("SIGSTOP", which);
      try {
        const ready = await ask("/readyz");
        expect(ready.status).toBe(503);
        expect(ready.body).toEqual({
          status: "not_ready",
          faults: ["the database does not answer"],
        });
        expect(ready.milliseconds).toBeLessThan(2_000);
        const answers = await Promise.all(Array.from({ length: 30 }, customers));
        for (const { status, body, milliseconds } of answers) {
          expect(milliseconds).toBeLessThan(10_000);
          if (status !== 200) expect(body.error.code).toBe("SERVICE_UNAVAILABLE");
        }
        if (which === "all") expect(answers.every(({ status }) => status === 500)).toBe(true);
        if (which === "all") expect(isAway()).toBe(true);
      } finally {
        await signal("SIGCONT", which);
      }
      await until(isReady);
      await until(async () => (await customers()).status === 200);
      expect(reported().filter((word) => word === AWAY).length).toBeLessThanOrEqual(1);
      expect(reported().filter((word) => word === BACK).length).toBeLessThanOrEqual(1);
      expect(await verifyAuditTrail(app.services.db, account.account_id)).toBeNull();
    },
  );

  it("is not reported as away because of a long statement", async () => {
    const slow = query<{ done: boolean }>(
      app.services.db,
      "select pg_sleep(6) is not null as done",
    );
    expect(await slow).toEqual([{ done: true }]);
    expect(isAway()).toBe(false);
  });
});
