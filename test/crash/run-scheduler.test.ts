/** POST /scheduler-runs: due occurrences are issued in order and once, and those that are never due stay (spec 4.4 and 4.7). */
import { beforeEach, describe, expect, it } from "vitest";
import { openApp } from "../../src/app.ts";
import {
  runAllSchedulers,
  runScheduler,
} from "../../src/features/recurring/occurrences/run-scheduler.ts";
import { NoConnection } from "../../src/platform/database/unavailable.ts";
import { openLog } from "../../src/platform/runtime/log.ts";
import { schedulerContext } from "../../src/platform/runtime/services.ts";
import { refusal } from "../support/http/refusal.ts";
import { useSeries } from "../support/world/series.ts";
import type { Json } from "../support/world/world.ts";

const {
  world,
  line,
  hours,
  at,
  draft,
  active,
  show,
  change,
  cancel,
  issued,
  skip,
  occurrence,
  statuses,
  run,
  runOf,
  invoicesOf,
  copies,
} = useSeries();

beforeEach(async () => {
  // The remaining occurrences of earlier tests are not due again.
  at("2026-03-10");
  await world.sql("update recurring_series set next_due_on = null, next_retry_at = null");
});

const marks = async (id: string): Promise<Json> => {
  const [row] = await world.sql(
    "select next_due_on, next_retry_at from recurring_series where id = $1",
    [id],
  );
  return row;
};

describe("POST /scheduler-runs", () => {
  it("answers 201 with its results, and repeats nothing", async () => {
    const { id } = await active({ start_date: "2026-03-10" });

    const { status, body } = await world.rest("POST /scheduler-runs");

    const { invoice_id } = await occurrence(id, "2026-03");
    expect([status, body]).toEqual([
      201,
      {
        object: "scheduler_run",
        started_at: "2026-03-10T08:00:00.000Z",
        issued: [{ series_id: id, period: "2026-03", invoice_id }],
        skipped: [],
        failed: [],
        credit_notes_issued: [],
        credit_notes_failed: [],
        reminded: 0,
        remaining: 0,
      },
    ]);
    expect(await world.done(`GET /invoices/${invoice_id}`)).toMatchObject({ status: "issued" });
    expect(await run()).toEqual({ ...body, issued: [] });
    const { read } = world.account.keys;
    const reply = await world.rest("POST /scheduler-runs", undefined, read);
    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });

  it("catches up after downtime in order, each invoice dated the day of the run", async () => {
    const { id } = await active({ start_date: "2026-03-31" });
    at("2026-07-05");

    expect(await runOf(id)).toEqual([
      "issued 2026-03",
      "issued 2026-04",
      "issued 2026-05",
      "issued 2026-06",
    ]);

    expect(await invoicesOf(id)).toEqual(
      ["2026-03", "2026-04", "2026-05", "2026-06"].map((period) => [period, "2026-07-05"]),
    );
    const { invoice_id } = await occurrence(id, "2026-04");
    const { lines } = await world.done(`GET /invoices/${invoice_id}`);
    expect(lines).toMatchObject([{ service_from: "2026-04-30", service_to: "2026-05-30" }]);
  });

  it("dates a period that is due today by its period, and an earlier one by today", async () => {
    const { id } = await active({ frequency: "weekly", start_date: "2026-03-11" });
    at("2026-03-18");

    await run();

    expect(await invoicesOf(id)).toEqual([
      ["2026-W11", "2026-03-18"],
      ["2026-W12", "2026-03-18"],
    ]);
    at("2026-03-25");
    await run();
    expect((await invoicesOf(id)).at(-1)).toEqual(["2026-W13", "2026-03-25"]);
  });

  it("issues an end-of-period invoice the day after the last day, dated the last day", async () => {
    const { id } = await active({
      start_date: "2026-03-01",
      issue_timing: { mode: "end-of-period" },
    });
    at("2026-03-31T21:59:59Z");
    expect(await runOf(id)).toEqual([]);
    // Midnight in Copenhagen.
    at("2026-03-31T22:00:00Z");

    expect(await runOf(id)).toEqual(["issued 2026-03"]);
    expect(await invoicesOf(id)).toEqual([["2026-03", "2026-03-31"]]);
  });

  it.each<[Json, string, string]>([
    [{ mode: "start-of-period", offset_days: -10 }, "2026-03-22", "2026-03-22"],
    [{ mode: "start-of-period", offset_days: 10 }, "2026-04-11", "2026-04-11"],
    [{ mode: "end-of-period", offset_days: 1 }, "2026-05-01", "2026-05-01"],
    [{ mode: "end-of-period", offset_days: 10 }, "2026-05-10", "2026-05-10"],
  ])("issues with the timing %j on %s, not before", async (issue_timing, day, dated) => {
    const { id } = await active({ start_date: "2026-04-01", issue_timing });
    at(new Date(Date.parse(`${day}T08:00:00Z`) - 86_400_000).toISOString());
    expect(await runOf(id)).toEqual([]);
    at(day);

    expect(await runOf(id)).toEqual(["issued 2026-04"]);
    expect(await invoicesOf(id)).toEqual([["2026-04", dated]]);
  });

  it("never issues manual, draft, discarded or ended series", async () => {
    const manual = await active({ start_date: "2026-01-01", issue_timing: { mode: "manual" } });
    const waiting = await draft({ start_date: "2026-03-10" });
    const discarded = await active({ start_date: "2026-04-01" });
    await cancel(discarded.id);
    const over = await active({ start_date: "2026-03-10", end_date: "2026-04-09" });
    at("2026-12-31");

    const { issued: done, skipped, failed, remaining } = await run();

    expect(done).toMatchObject([{ series_id: over.id, period: "2026-03" }]);
    expect([skipped, failed, remaining]).toEqual([[], [], 0]);
    for (const { id } of [manual, waiting, discarded]) expect(await invoicesOf(id)).toEqual([]);
    expect((await show(over.id)).status).toBe("active");
  });

  it("skips a period without anything to invoice, and records the reason", async () => {
    const { id } = await active({
      start_date: "2026-03-10",
      end_date: "2026-05-09",
      issue_timing: { mode: "end-of-period" },
      lines: [hours(), line({ discount: 100 })],
    });
    at("2026-05-20");

    expect(await runOf(id)).toEqual([
      "skipped 2026-03 nothing_to_invoice",
      "skipped 2026-04 nothing_to_invoice",
    ]);
    expect(await statuses(id)).toEqual(["2026-03 skipped", "2026-04 skipped"]);
    expect(await runOf(id)).toEqual([]);
    const resource = encodeURIComponent(`${id}/2026-03`);
    const { data } = await world.done(`GET /audit-events?resource_id=${resource}`);
    expect(data).toMatchObject([{ action: "skipped", reason: "nothing_to_invoice" }]);
  });

  it("ignores periods that a user issued or skipped, and issues unskipped ones", async () => {
    const { id } = await active({ start_date: "2026-04-01" });
    await issued(id, "2026-05");
    await skip(id, "2026-04");
    at("2026-06-01");

    expect(await runOf(id)).toEqual(["issued 2026-06"]);
    await skip(id, "2026-04", "unskip");
    expect(await runOf(id)).toEqual(["issued 2026-04"]);
  });

  it("issues at most 24 periods of a series in a run, and the rest in the next", async () => {
    const { id } = await active({ frequency: "weekly", start_date: "2026-03-16" });
    const other = await active({ start_date: "2026-03-16" });
    at("2026-09-27");

    const first = await run();

    const of = (series_id: string, { issued: done }: Json) =>
      done.filter((entry: Json) => entry.series_id === series_id).length;
    expect([of(id, first), of(other.id, first), first.remaining]).toEqual([24, 7, 1]);
    expect((await invoicesOf(id)).at(-1)?.[0]).toBe("2026-W35");
    const second = await run();
    expect([of(id, second), second.issued.length, second.remaining]).toEqual([4, 4, 0]);
  });

  it("reports how many series remain when its time is over", async () => {
    for (let count = 0; count < 3; count += 1) await active({ start_date: "2026-03-10" });
    const cx = await schedulerContext(world.services, world.account.account_id);

    const cut = await runScheduler(cx, -1);

    expect(cut).toMatchObject({ issued: [], remaining: 3 });
    const { issued: done, remaining } = await run();
    expect([done.length, remaining]).toEqual([3, 0]);
  });
});

describe("a run that loses its database connection", () => {
  it("answers with the invoices that it has issued", async () => {
    const { id } = await active({ start_date: "2026-04-01" });
    const { id: ahead } = await active({ start_date: "2027-04-01" });
    const healed = [ahead, ...(await copies(ahead, 1_998)).map((copy) => copy.id)];
    const later = await active({ start_date: "2026-04-02" });
    await world.sql("update recurring_series set next_due_on = '2020-01-01' where id = any($1)", [
      healed,
    ]);
    at("2026-04-02");
    const cx = await schedulerContext(world.services, world.account.account_id);
    let listed = 0;
    // The series are listed two thousand at a time; the second list is read ahead.
    const rows: typeof cx.rows = (statement) => {
      if (statement.text.includes("limit") && ++listed > 1) throw new NoConnection();
      return cx.rows(statement);
    };

    const done = await runScheduler({ ...cx, rows }, 60_000);

    expect(done.issued).toMatchObject([{ series_id: id, period: "2026-04" }]);
    expect(done.remaining).toBe(1);
    expect(await runOf(later.id)).toEqual(["issued 2026-04"]);
  });
});

describe("a queued credit note", () => {
  it("remains if the time of the run is over first", async () => {
    const { id } = await active({ start_date: "2026-03-10" });
    await run();
    await cancel(id, { end_date: "2026-03-20" });
    const cx = await schedulerContext(world.services, world.account.account_id);

    expect(await runScheduler(cx, -1)).toMatchObject({ credit_notes_issued: [], remaining: 1 });

    const { credit_notes_issued, remaining } = await run();
    expect([credit_notes_issued.length, remaining]).toEqual([1, 0]);
  });
});

describe("several parallel runs", () => {
  it("issue each period once, in one process", async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => active({ start_date: "2026-03-15" })),
    );
    at("2026-05-20");

    const runs = await Promise.all(Array.from({ length: 6 }, () => run()));

    const done = runs.flatMap(({ issued: entries }) => entries);
    expect(done).toHaveLength(24);
    expect(runs.flatMap(({ failed }) => failed)).toEqual([]);
    for (const { id } of made) expect(await invoicesOf(id)).toHaveLength(3);
  });

  it("issue each period once, in several processes on one database", async () => {
    const made = await Promise.all(
      Array.from({ length: 12 }, () => active({ frequency: "weekly", start_date: "2026-03-11" })),
    );
    at("2026-03-31");
    const { config, clock } = world.services;
    const apps = Array.from({ length: 3 }, () =>
      openApp(config, world.serving_url, openLog("silent"), { clock }),
    );
    try {
      await Promise.all(apps.map(({ services }) => runAllSchedulers(services, 20_000)));
    } finally {
      for (const app of apps) await app.close();
    }

    for (const { id } of made) {
      expect((await invoicesOf(id)).map(([period]) => period)).toEqual([
        "2026-W11",
        "2026-W12",
        "2026-W13",
      ]);
    }
    expect((await run()).issued).toEqual([]);
  });
});

describe("the next due day of a series", () => {
  it.each<[string, (id: string) => Promise<unknown>, string | null]>([
    ["is its start", async () => {}, "2026-04-01"],
    ["is the next period after an issue", (id) => issued(id, "2026-04"), "2026-05-01"],
    ["stays the same after an issue ahead", (id) => issued(id, "2026-06"), "2026-04-01"],
    ["is the next period after a skip", (id) => skip(id, "2026-04"), "2026-05-01"],
    [
      "follows a new timing",
      (id) => change(id, { issue_timing: { mode: "end-of-period" } }),
      "2026-05-01",
    ],
    [
      "is absent with manual timing",
      (id) => change(id, { issue_timing: { mode: "manual" } }),
      null,
    ],
    ["is absent after the end", (id) => cancel(id, { end_date: "2026-03-31" }), null],
  ])("%s", async (_what, after, expected) => {
    const { id } = await active({ start_date: "2026-04-01" });

    await after(id);

    expect(await marks(id)).toEqual({ next_due_on: expected, next_retry_at: null });
  });

  it.each(["2020-01-01", "2026-03-10"])("is corrected if the stored day is %s", async (stale) => {
    const { id } = await active({ start_date: "2026-04-01" });
    await world.sql("update recurring_series set next_due_on = $2 where id = $1", [id, stale]);

    expect(await run()).toMatchObject({ issued: [], failed: [], remaining: 0 });

    expect((await marks(id)).next_due_on).toBe("2026-04-01");
  });
});
