/**
 * The budgets of docs/internals/round-trips.md: how often each command waits for the database, and how many statements it sends.
 * A wire between the service and PostgreSQL counts them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type App, openApp } from "../../src/app.ts";
import { openLog } from "../../src/platform/runtime/log.ts";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import {
  type CountingProxy,
  openCountingProxy,
  type Trip,
} from "../support/database/counting-proxy.ts";
import { closeServers, startServer } from "../support/mail/smtp-servers.ts";
import { useSales } from "../support/world/sales.ts";
import type { Json } from "../support/world/world.ts";

const sales = useSales();
const { world, line } = sales;
let proxy: CountingProxy;
/** Programs behind the wire: with the outbox, and with a mail server. */
let outbox: App;
let smtp: App;

beforeAll(async () => {
  await world.done("PUT /exchange-rates/EUR/2026-03-01", { rate: 7.46 });
  proxy = await openCountingProxy(world.serving_url);
  const { port } = await startServer();
  outbox = await opened({});
  smtp = await opened({ smtp_url: `smtp://127.0.0.1:${port}` });
});
afterAll(async () => {
  await outbox.close();
  await smtp.close();
  await proxy.close();
  await closeServers();
});

async function opened(changes: object): Promise<App> {
  const { config, clock, background } = world.services;
  const mail_limits = { people: 1000, document: 1000, all: 1000 };
  // The statements of each second bypass the wire, so that only statements of the call are counted.
  const overrides = { clock, background };
  const app = openApp(
    { ...config, mail_limits, ...changes },
    proxy.url,
    openLog("silent"),
    overrides,
  );
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  return app;
}

/** Makes a call through a program behind the wire and returns the answer. */
async function called(
  app: App,
  call: string,
  body?: Json,
  headers: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const [method = "", path = ""] = call.split(" ");
  const address = app.server.server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${world.account.keys.read_write}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.status >= 300) throw new Error(`${call}: ${JSON.stringify(answer)}`);
  return answer;
}

interface Counts {
  readonly trips: number;
  readonly statements: number;
}

const TIMES = 4;

/** Returns the least trips of several calls: the first ones open connections, and a slow machine splits a packet. */
async function fewest(call: () => Promise<readonly Trip[]>): Promise<Counts> {
  const counted: Counts[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const trips = await call();
    counted.push({ trips: trips.length, statements: trips.flat().length });
  }
  const least = (of: keyof Counts) => Math.min(...counted.map((one) => one[of]));
  return { trips: least("trips"), statements: least("statements") };
}

/** The row of a command in the page: its trips and statements today. */
function budgetOf(command: string): Counts {
  const page = readFileSync(join(packageRoot, "docs/internals/round-trips.md"), "utf8");
  const row = page.split("\n").find((one) => one.startsWith(`| ${command} |`));
  const [, , trips, statements] = row?.split("|").map((cell) => cell.trim()) ?? [];
  return { trips: Number(trips), statements: Number(statements) };
}

let count = 0;
const unique = (): string => {
  count += 1;
  return `trip-${count}`;
};

const body = (lines: number, fields: Json = {}): Json => ({
  customer_id: sales.customer.id,
  auto_send: false,
  lines: Array.from({ length: lines }, (_, at) => line(100 + at)),
  ...fields,
});
const draft = (fields: Json = {}): Promise<Json> => world.done("POST /invoices", body(5, fields));

const creating = (lines: number) => () =>
  proxy.tripsOf(() => called(outbox, "POST /invoices", body(lines)));

const assigned = { recognition_method: "hours", agreed_value: undefined, hourly_rate: 1000 };
/** An invoice that needs everything that one by value in the currency of the books does not. */
const rich = (): Json =>
  body(0, {
    currency: "EUR",
    hours_specification: true,
    lines: [
      line(0, assigned),
      line(100, { recognition_method: "progress", budget_hours: 10 }),
      line(100),
    ],
  });

/** A draft as `rich`, with work on its first two lines. */
async function worked(fields: Json = {}): Promise<Json> {
  const made = await world.done("POST /invoices", { ...rich(), ...fields });
  const { id: user_id } = await personOf();
  for (const { id: line_id } of made.lines.slice(0, 2)) {
    const work = { line_id, user_id, date: "2026-03-09", hours: 0.25 };
    await world.done("POST /work-registrations", work);
  }
  return made;
}

/** The trips of an issue up to its commit, and of the mail after it. */
async function issuing(
  app: App,
  auto_send: boolean,
  made = draft,
): Promise<Record<"issue" | "mail", Trip[]>> {
  const { id } = await made({ auto_send });
  const trips = await proxy.tripsOf(() => called(app, `POST /invoices/${id}/issue`));
  const end = trips.findIndex((trip) => trip.includes("commit")) + 1;
  return { issue: trips.slice(0, end), mail: trips.slice(end) };
}

/** The trips of a credit up to its commit. */
async function crediting(auto_send: boolean): Promise<readonly Trip[]> {
  const credit = sales.fullCredit(await sales.issued([100, 200], { auto_send }));
  const trips = await proxy.tripsOf(() => called(outbox, "POST /credit-notes", credit));
  return trips.slice(0, trips.findIndex((trip) => trip.includes("commit")) + 1);
}

it.each<readonly [string, () => Promise<readonly Trip[]>]>([
  ["create an invoice of 1 line", creating(1)],
  ["create an invoice of 500 lines", creating(500)],
  [
    "create an invoice with an `external_id`",
    () => proxy.tripsOf(() => called(outbox, "POST /invoices", body(5, { external_id: unique() }))),
  ],
  [
    "create an invoice with an `Idempotency-Key`",
    () =>
      proxy.tripsOf(() =>
        called(outbox, "POST /invoices", body(5), { "idempotency-key": unique() }),
      ),
  ],
  [
    "create one by hours and progress in another currency",
    () => proxy.tripsOf(() => called(outbox, "POST /invoices", rich())),
  ],
  ["issue an invoice", async () => (await issuing(outbox, false)).issue],
  [
    "issue one by hours and progress in another currency, with its hours",
    async () => (await issuing(outbox, false, worked)).issue,
  ],
  ["issue an invoice and queue its mail", async () => (await issuing(outbox, true)).issue],
  ["its mail, to the outbox", async () => (await issuing(outbox, true)).mail],
  ["its mail, by SMTP", async () => (await issuing(smtp, true)).mail],
  [
    "create a customer",
    () => proxy.tripsOf(() => called(outbox, "POST /customers", { name: "Acme" })),
  ],
  [
    "register hours",
    async () => {
      const { lines } = await draft({ lines: [line(0, assigned)] });
      const { id } = await personOf();
      const work = { line_id: lines[0].id, user_id: id, date: "2026-03-09", hours: 0.25 };
      return proxy.tripsOf(() => called(outbox, "POST /work-registrations", work));
    },
  ],
  ["credit an invoice", () => crediting(false)],
  ["credit an invoice and queue its mail", () => crediting(true)],
  [
    "read an invoice",
    async () => {
      const { id } = await draft();
      return proxy.tripsOf(() => called(outbox, `GET /invoices/${id}`));
    },
  ],
  ["list invoices", () => proxy.tripsOf(() => called(outbox, "GET /invoices"))],
])("%s", async (command, call) => {
  expect(await fewest(call)).toEqual(budgetOf(command));
});

async function personOf(): Promise<Json> {
  const { data } = await world.done("GET /users");
  return data[0];
}

it("a batch of the scheduler", async () => {
  // A run issues at most 24 periods of a series, and all those of the last series of a batch.
  for (let at = 0; at < 9; at += 1) {
    const { id } = await world.done("POST /recurring-series", {
      customer_id: sales.customer.id,
      frequency: "monthly",
      start_date: "2026-04-01",
      auto_send: false,
      lines: [line(3100)],
    });
    await world.done(`POST /recurring-series/${id}/activate`);
  }
  world.clock.set("2028-03-20T08:00:00Z");
  let issued = 0;
  const trips = await proxy.tripsOf(async () => {
    issued = (await called(outbox, "POST /scheduler-runs")).issued.length;
  });
  world.clock.set("2026-03-10T09:00:00Z");
  expect(issued).toBe(216);
  const { statements } = budgetOf("issue 200 periods in a batch");
  expect(trips.flat().length).toBeLessThanOrEqual(statements);
});

it.each([
  ["register hours on a line of a series", "lines", "line_id"],
  ["register hours on a line of a period", "occurrences/2026-03/lines", "id"],
])("%s", async (command, list, field) => {
  const { id } = await world.done("POST /recurring-series", {
    customer_id: sales.customer.id,
    frequency: "monthly",
    start_date: "2026-03-01",
    issue_timing: { mode: "end-of-period" },
    lines: [line(0, assigned)],
  });
  await world.done(`POST /recurring-series/${id}/activate`);
  const { data } = await world.done(`GET /recurring-series/${id}/${list}`);
  const { id: user_id } = await personOf();
  const work = { line_id: data[0][field], user_id, date: "2026-03-09", hours: 0.25 };
  const register = () => proxy.tripsOf(() => called(outbox, "POST /work-registrations", work));
  expect(await fewest(register)).toEqual(budgetOf(command));
});
