/** What the scheduler announces: series that end soon or have ended, and months that wait for their close; each once. */
import { beforeEach, describe, expect, it } from "vitest";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { openApp } from "../../../app.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { sql } from "../../../platform/database/sql.ts";
import { openLog } from "../../../platform/runtime/log.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { attentionOfEnds } from "../series/attention.ts";
import { runAllSchedulers } from "./run-scheduler.ts";

const { world, customer, at, active, draft, line, cancel, change, show, run } = useSeries();

beforeEach(() => at("2027-03-01"));

const TYPES = "recurring_series.ends_soon,recurring_series.ended,period_close.ready";

/** The announcements of a series or a month, in their order. */
async function announced(resource_id: string): Promise<Json[]> {
  const { data } = await world.done(`GET /events?types=${TYPES}&resource_id=${resource_id}`);
  return data;
}

/** Runs the scheduler on each day; returns the days on which something was announced, with what. */
async function runOn(resource_id: string, days: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const day of days) {
    const before = (await announced(resource_id)).length;
    at(day);
    await run();
    for (const { type } of (await announced(resource_id)).slice(before)) {
      found.push(`${day} ${type.split(".")[1]}`);
    }
  }
  return found;
}

/** Whether the start page says on a day that a series ends. */
async function isOnToday(id: string, today: string): Promise<boolean> {
  const cx = await schedulerContext(world.services, world.account.account_id);
  const shown = attentionOfEnds(cx, today as CalendarDate);
  const rows = await cx.rows<{ subject_id: string | null }>(
    sql`select subject_id from (${shown}) as one (kind, subject, subject_id)`,
  );
  return rows.some(({ subject_id }) => subject_id === id);
}

describe("a series", () => {
  it("is announced 30 days before its end and on the day after it, once each", async () => {
    const { id } = await active({ start_date: "2027-04-01", end_date: "2027-06-30" });
    const days = ["2027-05-30", "2027-05-31", "2027-06-01", "2027-06-30", "2027-07-01"];
    const on_today = await Promise.all(days.map((day) => isOnToday(id, day)));
    expect(on_today).toEqual([false, true, true, true, false]);
    const found = await runOn(id, [...days, "2027-07-02", "2028-01-01"]);
    expect(found).toEqual(["2027-05-31 ends_soon", "2027-07-01 ended"]);
    const resource = await show(id);
    const [soon] = await announced(id);
    expect(soon).toMatchObject({
      actor: { kind: "scheduler", id: "worker" },
      customer_id: customer.id,
      related: { series_id: id },
      data: { resource: { id, end_date: "2027-06-30" } },
    });
    expect(soon?.data.previous).toEqual(soon?.data.resource);
    expect(soon?.data.resource).toEqual({ ...resource, next: undefined });
  });

  it("is announced again for another end date, and not for one that comes back", async () => {
    const { id } = await active({
      start_date: "2027-04-01",
      end_date: "2027-06-30",
      issue_timing: { mode: "manual" },
    });
    const endOn = async (end_date: string) =>
      expect((await change(id, { end_date })).status).toBe(200);
    expect(await runOn(id, ["2027-06-15"])).toEqual(["2027-06-15 ends_soon"]);
    await endOn("2027-07-10");
    expect(await runOn(id, ["2027-06-16"])).toEqual(["2027-06-16 ends_soon"]);
    await endOn("2027-09-30");
    expect(await runOn(id, ["2027-07-01", "2027-07-20"])).toEqual([]);
    await endOn("2027-06-30");
    expect(await runOn(id, ["2027-07-21", "2027-07-22"])).toEqual(["2027-07-21 ended"]);
    await endOn("2027-08-10");
    expect(await runOn(id, ["2027-07-23", "2027-08-11"])).toEqual([
      "2027-07-23 ends_soon",
      "2027-08-11 ended",
    ]);
    await endOn("2027-06-30");
    expect(await runOn(id, ["2027-08-12"]), "announced before").toEqual([]);
  });

  it("whose last days no run has seen has only ended", async () => {
    const { id } = await active({ start_date: "2027-04-01", end_date: "2027-06-30" });
    expect(await runOn(id, ["2027-08-01", "2027-08-02"])).toEqual(["2027-08-01 ended"]);
  });

  it("that was cancelled ends without a warning, and drafts and discarded ones neither", async () => {
    const { id } = await active({ start_date: "2027-04-01" });
    await cancel(id, { end_date: "2027-06-30" });
    expect(await runOn(id, ["2027-06-15", "2027-07-01"])).toEqual(["2027-07-01 ended"]);
    at("2027-03-01");
    const drafted = await draft({ start_date: "2027-04-01", end_date: "2027-06-30" });
    const discarded = await active({ start_date: "2027-04-01" });
    await cancel(discarded.id, { end_date: "2027-03-15" });
    at("2027-06-15");
    await run();
    at("2027-08-01");
    await run();
    expect([await announced(drafted.id), await announced(discarded.id)]).toEqual([[], []]);
  });
});

describe("rounds of the scheduler", () => {
  it("announce in accounts with nothing else due, once when two processes run at once", async () => {
    const made: Json[] = [];
    for (let index = 0; index < 8; index += 1) {
      made.push(await active({ start_date: "2027-04-01", end_date: "2027-07-31" }));
    }
    await run();
    // Nothing is due but the announcements.
    await world.sql("update recurring_series set next_due_on = null, next_retry_at = null");
    at("2027-07-15");
    const { config, clock } = world.services;
    const apps = [1, 2].map(() => openApp(config, world.serving_url, openLog("silent"), { clock }));
    const round = () => Promise.all(apps.map(({ services }) => runAllSchedulers(services, 20_000)));
    try {
      await round();
      // What one process had locked is left for its next round.
      await round();
      for (const { id } of made) {
        expect((await announced(id)).map(({ type }) => type)).toEqual([
          "recurring_series.ends_soon",
        ]);
      }
    } finally {
      for (const app of apps) await app.close();
    }
  });
});

describe("a month", () => {
  it("is announced when it has ended and waits for its close, once", async () => {
    at("2031-01-10");
    await world.done("PATCH /configuration", { period_lock_date: "2030-12-31" });
    const body = { customer_id: customer.id, auto_send: false, lines: [line()] };
    const { id } = await world.done("POST /invoices", body);
    await world.done(`POST /invoices/${id}/issue`);
    expect(await runOn("2031-01", ["2031-01-31", "2031-02-01", "2031-02-02"])).toEqual([
      "2031-02-01 ready",
    ]);
    at("2031-03-02");
    await run();
    expect(await announced("2031-02"), "while an earlier month is open").toEqual([]);
    await world.done("POST /period-closes", { month: "2031-01", lock: true });
    await run();
    const [ready] = await announced("2031-02");
    expect(ready).toMatchObject({
      type: "period_close.ready",
      resource_type: "period_close",
      actor: { kind: "scheduler", id: "worker" },
      customer_id: null,
      data: { resource: null, previous: null },
    });
    await world.done("POST /period-closes/2031-01/reopen", { reason: "A late invoice" });
    await run();
    await world.done("POST /period-closes", { month: "2031-01", lock: true });
    await run();
    expect(await announced("2031-01"), "reopened").toHaveLength(1);
    expect(await announced("2031-02"), "closed again before it").toHaveLength(1);
  });

  it("is announced once by two processes at once", async () => {
    at("2031-04-01");
    await world.done("POST /period-closes", { month: "2031-02", lock: true });
    await Promise.all([1, 2, 3, 4].map(() => runAllSchedulers(world.services, 20_000)));
    expect(await announced("2031-03")).toHaveLength(1);
  });
});
