/**
 * The process that runs the scheduler ends at each statement, one after the other, before the database receives the statement and
 * after it has run it, and so does the next process. Whatever state they leave, the third run issues each period once. Sending
 * has its own test (lost-connection). Only the wire is simulated; program and database are real.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type App, openApp } from "../../src/app.ts";
import { verifyJournal } from "../../src/features/ledger/reports/verify.ts";
import { runScheduler } from "../../src/features/recurring/occurrences/run-scheduler.ts";
import { verifyAuditTrail } from "../../src/features/settings/audit/verify.ts";
import { openLog } from "../../src/platform/runtime/log.ts";
import { schedulerContext } from "../../src/platform/runtime/services.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../support/database/proxy.ts";
import { copySeries } from "../support/world/series.ts";
import { type Json, useWorld } from "../support/world/world.ts";

let proxy: DatabaseProxy;
let mortal: App;
let customer_id: string;
let product_id: string;
const world = useWorld();
beforeAll(async () => {
  proxy = await openDatabaseProxy(world.serving_url);
  const { config, clock } = world.services;
  mortal = openApp(config, proxy.url, openLog("silent"), { clock });
  const customer = await world.done("POST /customers", { name: "Acme", email: "ap@acme.example" });
  customer_id = customer.id;
  product_id = (await world.done("POST /products", { name: "Retainer" })).id;
});
afterAll(async () => {
  await mortal.close();
  await proxy.close();
});

/** A series of three due periods: one to issue, one without anything to invoice, and another to issue. */
async function dueSeries(): Promise<string> {
  world.clock.set("2026-03-10T08:00:00Z");
  const { id } = await world.done("POST /recurring-series", {
    customer_id,
    frequency: "weekly",
    start_date: "2026-03-16",
    end_date: "2026-04-05",
    auto_send: false,
    lines: [{ product_id, recognition_method: "value", agreed_value: 80 }],
  });
  const { data } = await world.done(`GET /recurring-series/${id}/lines`);
  const changed = { scope: "this_only", period: "2026-W13", line: { agreed_value: 0 } };
  await world.done(`PATCH /recurring-series/${id}/lines/${data[0].line_id}`, changed);
  await world.done(`POST /recurring-series/${id}/activate`);
  world.clock.set("2026-04-01T08:00:00Z");
  return id;
}

/** Runs the scheduler in a process that ends at a statement; returns whether the run reached that statement. */
async function runUntil(statement: number, moment: "before" | "after"): Promise<boolean> {
  proxy.dieAt(statement, moment);
  // Only the state that the process leaves matters here, not its error.
  await schedulerContext(mortal.services, world.account.account_id)
    .then((cx) => runScheduler(cx, 20_000))
    .catch(() => {});
  const died = proxy.wasCut();
  proxy.revive();
  return died;
}

/** The counts of all rows of a series' periods. */
async function traces(id: string): Promise<Json> {
  const [row] = await world.sql(
    `select s.next_due_on, s.next_retry_at,
       (select json_agg(i.period order by i.period) from invoices i
        where i.series_id = s.id and i.status = 'issued') as issued,
       (select count(*)::int from invoices i where i.series_id = s.id and i.status = 'draft') as drafts,
       (select count(*)::int from ledger_entries e join invoices i on i.id = e.guid
        where i.series_id = s.id) as entries,
       (select count(*)::int from issued_documents d join invoices i on i.id = d.document_id
        where i.series_id = s.id) as documents,
       (select count(*)::int from audit_events a join invoices i on i.id::text = a.resource_id
        where i.series_id = s.id and a.action = 'issued') as events,
       (select json_agg(o.state) from occurrences o where o.series_id = s.id) as occurrences,
       (select count(*)::int from audit_events a where a.resource_id = s.id::text and a.action = 'ends_soon') as announced
     from recurring_series s where s.id = $1`,
    [id],
  );
  return row;
}

it.each(["before", "after"] as const)(
  "a scheduler that ends twice, %s any statement, has issued each period once after its third run",
  async (moment) => {
    let statement = 1;
    for (; ; statement += 1) {
      const id = await dueSeries();
      const died = await runUntil(statement, moment);
      await runUntil(statement, moment);
      await world.done("POST /scheduler-runs");

      expect({ statement, ...(await traces(id)) }).toEqual({
        statement,
        next_due_on: null,
        next_retry_at: null,
        issued: ["2026-W12", "2026-W14"],
        drafts: 0,
        entries: 2,
        documents: 2,
        events: 2,
        occurrences: ["skipped"],
        announced: 1,
      });
      if (!died) break;
    }

    expect(statement).toBeGreaterThan(30);

    expect(await verifyJournal(world.db, world.account.account_id)).toBeNull();
    expect(await verifyAuditTrail(world.db, world.account.account_id)).toBeNull();
  },
  60_000,
);

/** How many rows of each kind exist for periods of series: all counts equal the number of issued ones when each exists once. */
async function countsOf(ids: readonly string[]): Promise<Json> {
  const [row] = await world.sql(
    `select count(*)::int as invoices, count(distinct (i.series_id, i.period_index))::int as periods,
       (count(*) filter (where i.status = 'issued'))::int as issued,
       (select count(*)::int from ledger_entries e where e.guid = any(array_agg(i.id))) as entries,
       (select count(*)::int from issued_documents d where d.document_id = any(array_agg(i.id))) as documents,
       (select count(*)::int from deliveries d where d.document_id = any(array_agg(i.id))) as deliveries,
       (select count(*)::int from audit_events a where a.action = 'issued'
          and a.resource_id = any(array_agg(i.id::text))) as events
     from invoices i where i.series_id = any($1)`,
    [ids],
  );
  return row;
}

it.each(["before", "after"] as const)(
  "a scheduler that repeatedly ends %s a statement within batches issues each period once",
  async (moment) => {
    world.clock.set("2026-05-01T08:00:00Z");
    const { id } = await world.done("POST /recurring-series", {
      customer_id,
      frequency: "monthly",
      start_date: "2026-05-02",
      auto_send: true,
      lines: [{ product_id, recognition_method: "value", agreed_value: 80 }],
    });
    await world.done(`POST /recurring-series/${id}/activate`);
    const made = await copySeries(world, id, 449);
    const ids = [id, ...made.map((copy) => copy.id)];
    let issued = 0;
    let deaths = 0;
    // Three batches, two of them in parallel: each process ends some statements later than the previous one.
    for (const [month, first] of [
      ["2026-05", 2],
      ["2026-06", 20],
    ] as const) {
      world.clock.set(`${month}-02T08:00:00Z`);
      for (let statement = first; statement < first + 48; statement += 4) {
        if (await runUntil(statement, moment)) deaths += 1;
        const counts = await countsOf(ids);
        // A batch is stored completely or not at all.
        expect({ statement, ...counts }).toEqual({
          statement,
          ...Object.fromEntries(Object.keys(counts).map((name) => [name, counts.issued])),
        });
      }
      await world.done("POST /scheduler-runs");
      issued += ids.length;
      expect((await countsOf(ids)).issued).toBe(issued);
    }

    expect(deaths).toBeGreaterThan(10);
    expect(await verifyJournal(world.db, world.account.account_id)).toBeNull();
    expect(await verifyAuditTrail(world.db, world.account.account_id)).toBeNull();
    await world.sql("update recurring_series set next_due_on = null where id = any($1)", [ids]);
  },
  60_000,
);
