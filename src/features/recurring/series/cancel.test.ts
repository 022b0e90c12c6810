/**
 * Cancelling: the new end, dropped and discarded periods, and the shape of the answer (spec 4.10; credits have their own file).
 */
import { readFile } from "node:fs/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID, useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const {
  world,
  at,
  draft,
  active,
  rest,
  show,
  cancel,
  issued,
  issue,
  skip,
  occurrence,
  statuses,
  run,
  runOf,
} = useSeries();

beforeEach(() => at("2026-03-10"));

const keysOf = ({ dropped_occurrences }: Json): string[] =>
  dropped_occurrences.map(({ period }: Json) => period);
const post = (id: string, sent: Json) => rest("POST", id, "/cancel", sent);

describe("POST /recurring-series/{ref}/cancel", () => {
  it("answers with the series, its end, and the fields that only this answer has", async () => {
    const before = await active({ start_date: "2026-02-15", end_date: "2026-05-14" });
    await issued(before.id, "2026-02");

    const { status, body: answer } = await post(before.id, { end_date: "2026-04-20" });

    const after = { ...before, end_date: "2026-04-20", cancelled_at: "2026-03-10T08:00:00.000Z" };
    expect([status, answer]).toEqual([
      200,
      { ...after, discarded: false, credit_notes: [], dropped_occurrences: [] },
    ]);
    expect(await show(before.id)).toEqual(after);
  });

  it("discards a draft, without credits or dropped periods", async () => {
    const { id } = await draft({ start_date: "2026-01-01" });

    const answer = await cancel(id);

    expect(answer).toMatchObject({
      status: "draft",
      end_date: "2026-03-10",
      cancelled_at: "2026-03-10T08:00:00.000Z",
      discarded: true,
      credit_notes: [],
      dropped_occurrences: [],
    });
    expect((await world.done("GET /recurring-series?status=draft")).data[0].id).toBe(id);
  });

  it("discards an active series before its start if nothing is issued", async () => {
    const { id } = await active({ start_date: "2026-04-01" });

    const answer = await cancel(id);

    expect(answer).toMatchObject({ status: "active", discarded: true, end_date: "2026-03-10" });
    expect(keysOf(answer)[0]).toBe("2026-04");
    expect(refusal(await issue(id, "2026-04"))).toBe("409 SERIES_CANCELLED");
    at("2026-05-01");
    expect(await runOf(id)).toEqual([]);
  });

  it("keeps the cut period of a series that has begun, and the scheduler issues it", async () => {
    const { id } = await active({
      start_date: "2026-03-01",
      issue_timing: { mode: "end-of-period" },
    });

    const answer = await cancel(id);

    expect(answer.discarded).toBe(false);
    expect(await occurrence(id, "2026-03")).toMatchObject({
      period_to: "2026-03-10",
      issue_date: "2026-03-10",
      is_final_partial: true,
      status: "scheduled",
    });
    expect(await runOf(id)).toEqual([]);
    at("2026-03-11");
    expect(await runOf(id)).toEqual(["issued 2026-03"]);
    const { invoice_id } = await occurrence(id, "2026-03");
    const invoice = await world.done(`GET /invoices/${invoice_id}`);
    expect(invoice).toMatchObject({ issue_date: "2026-03-10" });
    // 10 of 31 days of 3100.
    expect((await world.done(`GET /invoices/${invoice_id}/totals`)).net).toBe(1000);
  });

  it("drops scheduled and skipped periods after the end, and cuts no issued one", async () => {
    const { id } = await active({ start_date: "2026-03-01", end_date: "2026-08-31" });
    await issued(id, "2026-03");
    await issued(id, "2026-06");
    await skip(id, "2026-05");

    const answer = await cancel(id, { end_date: "2026-04-15", credit: "none" });

    expect(answer.dropped_occurrences).toEqual([
      {
        period: "2026-05",
        period_from: "2026-05-01",
        period_to: "2026-05-31",
        work_registrations: 0,
      },
      expect.objectContaining({ period: "2026-07" }),
      expect.objectContaining({ period: "2026-08" }),
    ]);
    expect(await statuses(id, "to=2026-12-31")).toEqual([
      "2026-03 issued",
      "2026-04 scheduled",
      "2026-05 dropped",
      "2026-06 issued",
      "2026-07 dropped",
      "2026-08 dropped",
    ]);
    expect(await occurrence(id, "2026-06")).toMatchObject({ period_to: "2026-06-30" });
    expect((await rest("GET", id, "/occurrences/2026-09")).status).toBe(404);
  });

  it.each<[string, Json, Json, string[]]>([
    ["twelve months from today, when it is open-ended", {}, {}, ["2026-04", "2027-03"]],
    ["its old end, when that is earlier", { end_date: "2026-06-30" }, {}, ["2026-04", "2026-06"]],
    [
      "twelve months, when its old end is later",
      { end_date: "2029-06-30" },
      {},
      ["2026-04", "2027-03"],
    ],
    ["nothing, when it ends far away", {}, { end_date: "2027-03-31" }, []],
    ["nothing, when it ended before", { end_date: "2026-03-31" }, { end_date: "2026-05-01" }, []],
  ])("lists dropped periods through %s", async (_what, fields, sent, [first, last]) => {
    const { id } = await active({ start_date: "2026-03-01", ...fields });

    const keys = keysOf(await cancel(id, sent));

    expect([keys[0], keys.at(-1)]).toEqual([first, last]);
  });

  it("keeps the old end when the given one is later, and accepts a past one", async () => {
    const ends = await active({ start_date: "2026-03-01", end_date: "2026-04-30" });
    expect(await cancel(ends.id, { end_date: "2027-01-01" })).toMatchObject({
      end_date: "2026-04-30",
      discarded: false,
    });
    const past = await active({ start_date: "2026-01-01" });
    const answer = await cancel(past.id, { end_date: "2025-12-31", reason: "never began" });
    expect(answer).toMatchObject({ end_date: "2025-12-31", discarded: true });
    expect(keysOf(answer)).toHaveLength(15);
    const { data } = await world.done(`GET /audit-events?resource_id=${past.id}`);
    expect(data[0]).toMatchObject({ action: "cancelled", reason: "never began" });
  });

  it("ends the series today in the account's time zone", async () => {
    at("2026-03-31T22:30:00Z");
    const { id } = await active({ start_date: "2026-03-01" });

    expect((await cancel(id)).end_date).toBe("2026-04-01");
  });
});

describe("a skipped period before the end of a cancellation", () => {
  it("stays skipped although nothing was issued, and can be issued after the skip is undone", async () => {
    const { id } = await active({ start_date: "2026-02-10" });
    await skip(id, "2026-02");

    const answer = await cancel(id, { end_date: "2026-03-09" });

    expect(answer).toMatchObject({ discarded: false, end_date: "2026-03-09" });
    expect(keysOf(answer)[0]).toBe("2026-03");
    expect(await statuses(id, "to=2026-03-31")).toEqual(["2026-02 skipped", "2026-03 dropped"]);
    expect(await runOf(id)).toEqual([]);
    expect((await skip(id, "2026-02", "unskip")).body.status).toBe("scheduled");
    const invoice = await issued(id, "2026-02");
    expect((await world.done(`GET /invoices/${invoice.id}/totals`)).net).toBe(3100);
    expect(await occurrence(id, "2026-02")).toMatchObject({ status: "issued" });
  });

  it("is issued up to the end of the series within it", async () => {
    const { id } = await active({ start_date: "2026-03-01" });
    await skip(id, "2026-03");

    expect(await cancel(id)).toMatchObject({ discarded: false });

    expect(await occurrence(id, "2026-03")).toMatchObject({
      status: "skipped",
      period_to: "2026-03-10",
      is_final_partial: true,
    });
    const invoice = await issued(id, "2026-03");
    // 10 of 31 days of 3100.
    expect((await world.done(`GET /invoices/${invoice.id}/totals`)).net).toBe(1000);
  });

  it("falls due again after the skip is undone, unless an earlier end drops it", async () => {
    const { id } = await active({
      start_date: "2026-03-10",
      issue_timing: { mode: "end-of-period" },
    });
    await skip(id, "2026-03");
    await cancel(id, { end_date: "2026-05-20" });
    await skip(id, "2026-03", "unskip");
    at("2026-04-10");
    expect(await runOf(id)).toEqual(["issued 2026-03"]);

    const other = await active({ start_date: "2026-03-10" });
    await skip(other.id, "2026-03");
    await cancel(other.id, { end_date: "2026-04-20" });
    const sharper = await cancel(other.id, { end_date: "2026-03-09" });
    expect(sharper).toMatchObject({ discarded: true });
    expect(keysOf(sharper)).toEqual(["2026-03", "2026-04"]);
    expect(await statuses(other.id, "to=2026-04-30")).toEqual([
      "2026-03 dropped",
      "2026-04 dropped",
    ]);
  });

  it("is restored by the migration in a series that was wrongly marked as discarded", async () => {
    const { id } = await active({ start_date: "2026-02-10" });
    await skip(id, "2026-02");
    await cancel(id, { end_date: "2026-03-09" });
    const never = await active({ start_date: "2026-04-01" });
    await cancel(never.id);
    const old = [id, never.id];
    await world.sql("update recurring_series set is_discarded = true where id = any($1)", [old]);

    const file = new URL("../../../../migrations/0018_skipped_stays.sql", import.meta.url);
    await world.sql(await readFile(file, "utf8"));

    expect(await statuses(id, "to=2026-03-31")).toEqual(["2026-02 skipped", "2026-03 dropped"]);
    expect(await statuses(never.id, "to=2026-04-30")).toEqual(["2026-04 dropped"]);
  });
});

describe("a second cancellation", () => {
  it("may set an earlier end: it keeps the first moment and drops the periods in between", async () => {
    const { id } = await active({ start_date: "2026-03-01" });
    await issued(id, "2026-03");
    await cancel(id, { end_date: "2026-06-30" });
    at("2026-03-20");

    const answer = await cancel(id, { end_date: "2026-04-15" });

    expect(answer).toMatchObject({
      end_date: "2026-04-15",
      cancelled_at: "2026-03-10T08:00:00.000Z",
      discarded: false,
    });
    expect(keysOf(answer)).toEqual(["2026-05", "2026-06"]);
    expect(await statuses(id, "to=2026-07-31")).toEqual([
      "2026-03 issued",
      "2026-04 scheduled",
      "2026-05 dropped",
      "2026-06 dropped",
      "2026-07 dropped",
    ]);
  });

  it.each(["2026-06-30", "2026-07-01", "2030-01-01"])("is refused at %s", async (end_date) => {
    const { id } = await active({ start_date: "2026-03-01" });
    await cancel(id, { end_date: "2026-06-30" });

    expect(refusal(await post(id, { end_date }))).toBe("409 SERIES_ALREADY_CANCELLED");
    expect((await show(id)).end_date).toBe("2026-06-30");
  });

  it("is refused in all but one of ten parallel calls", async () => {
    const { id } = await active({ start_date: "2026-03-01" });
    await issued(id, "2026-03");

    const replies = await Promise.all(Array.from({ length: 10 }, () => post(id, {})));

    expect(replies.map(refusal).sort()).toEqual([
      "200",
      ...Array(9).fill("409 SERIES_ALREADY_CANCELLED"),
    ]);
    const { data } = await world.done(
      `GET /invoices/${(await occurrence(id, "2026-03")).invoice_id}/credit-notes`,
    );
    expect(data).toHaveLength(1);
    await run();
  });
});

describe("POST /recurring-series/{ref}/cancel refuses", () => {
  it.each<[string, Json, string]>([
    ["an invalid day", { end_date: "2026-02-30" }, "422 VALIDATION_FAILED end_date invalid_format"],
    ["null as the end", { end_date: null }, "422 VALIDATION_FAILED end_date invalid_type"],
    ["an unknown credit", { credit: "full" }, "422 VALIDATION_FAILED credit invalid_value"],
    ["a long reason", { reason: "x".repeat(501) }, "422 VALIDATION_FAILED reason too_long"],
    ["a body that is not an object", [], "400 MALFORMED_REQUEST"],
    ["no body", undefined, "400 MALFORMED_REQUEST"],
  ])("%s", async (_what, sent, expected) => {
    const { id } = await active();

    expect(refusal(await post(id, sent))).toBe(expected);
    expect((await show(id)).cancelled_at).toBeNull();
  });

  it("an unknown series, and a key that only reads", async () => {
    expect(refusal(await post(UNKNOWN_ID, {}))).toBe("404 NOT_FOUND");
    const { id } = await active();
    const call = `POST /recurring-series/${id}/cancel`;
    const reply = await world.rest(call, {}, world.account.keys.read);
    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });
});
