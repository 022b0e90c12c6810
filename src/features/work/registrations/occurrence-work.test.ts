/** Work on occurrences: the period that takes it, and its invoicing (spec 4.5 and 6.2). */
import { describe, expect, it } from "vitest";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { occurrenceLineId, periodNumber } from "../../../domain/series/line-id.ts";

const {
  world,
  customer,
  line,
  hours,
  at,
  active,
  draft,
  issued,
  skip,
  edit,
  lineIds,
  linesOf,
  amounts,
  statuses,
  runOf,
  invoicesOf,
  cancel,
  bo,
  newUser,
  hourly,
  lineIn,
  registered,
  tried,
  showWork,
  list,
} = useWork();

const OUTSIDE = "409 WORK_DATE_OUTSIDE_PERIOD";
const monthlyEnd = { issue_timing: { mode: "end-of-period" } };

describe("work on an occurrence", () => {
  it("is shown with its series, period and price", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const line_id = await lineIn(id, "2027-02");
    const shown = await registered(line_id, { hours: 1.5 });

    expect(shown).toMatchObject({
      line_id,
      invoice_id: null,
      series_id: id,
      period: "2027-02",
      customer_id: customer.id,
      date: "2027-02-10",
      status: "open",
      hourly_rate: 1000,
      amount: 1500,
    });
    expect(await list(`series=${id}&period=2027-02`)).toEqual([shown]);
    expect(await list(`series=${id}&customer=${customer.id}`)).toEqual([shown]);
  });

  it("is registered under the id of an older version, which is a hash", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const [line_id = ""] = await lineIds(id);
    const number = periodNumber("2027-02");
    const hashed_periods = [number, number + 1];
    const hashed = occurrenceLineId({ line_id, hashed_periods }, "2027-02");
    await world.sql(
      `with line as (update series_lines set hashed_periods = $2 where line_id = $1 returning account_id)
       insert into hashed_line_ids (account_id, id, line_id, period) select account_id, $3, $1, '2027-02' from line`,
      [line_id, hashed_periods, hashed],
    );

    const shown = await registered(hashed, { hours: 1.5 });
    expect(shown).toMatchObject({
      line_id: hashed,
      series_id: id,
      period: "2027-02",
      amount: 1500,
    });
    expect(await showWork(shown.id)).toEqual(shown);
  });

  it("is priced on the occurrence's lines and in the preview", async () => {
    at("2027-02-10");
    const { id } = await hourly({ lines: [hours({ discount: 50 }), line({ position: 2 })] });
    await registered(await lineIn(id, "2027-02"), { hours: 3 });

    expect((await linesOf(id, "2027-02")).map(({ amount }) => amount)).toEqual([1500, 3100]);
    expect((await linesOf(id, "2027-03")).map(({ amount }) => amount)).toEqual([0, 3100]);
    expect(await amounts(id, "2027-03-01")).toEqual([3100, 4600, 3100]);
  });

  it("keeps its line, and uses the new rate after the line is edited", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const line_id = await lineIn(id, "2027-02");
    const work = await registered(line_id);
    const [series_line_id = ""] = await lineIds(id);
    await edit(id, series_line_id, "all", { hourly_rate: 1250 });

    expect(await showWork(work.id)).toMatchObject({ line_id, hourly_rate: 1250, amount: 2500 });
    expect((await linesOf(id, "2027-02"))[0].amount).toBe(2500);
  });

  it("is invoiced with its period, under the same line", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const line_id = await lineIn(id, "2027-02");
    const work = await registered(line_id);
    const invoice = await issued(id, "2027-02");

    expect(invoice.lines[0].id).toBe(line_id);
    expect((await world.done(`GET /invoices/${invoice.id}/totals`)).net).toBe(2000);
    expect(await showWork(work.id)).toMatchObject({
      line_id,
      status: "invoiced",
      invoice_id: invoice.id,
      series_id: id,
      period: "2027-02",
      amount: 2000,
    });
    expect((await linesOf(id, "2027-02"))[0].amount).toBe(2000);
    expect(await tried(line_id)).toBe("409 INVOICE_ALREADY_ISSUED");
  });

  it("is what the scheduler issues, and a period without work is skipped", async () => {
    at("2027-01-05");
    const { id } = await hourly();
    await registered(await lineIn(id, "2027-01"), { hours: 7.5 });
    at("2027-02-01");
    expect(await runOf(id)).toEqual(["issued 2027-01"]);
    at("2027-03-01");
    expect(await runOf(id)).toEqual(["skipped 2027-02 nothing_to_invoice"]);
    expect(await invoicesOf(id)).toEqual([["2027-01", "2027-01-31"]]);
    expect(await list(`series=${id}&status=invoiced`)).toHaveLength(1);
  });

  it("that is not billable leaves nothing to invoice", async () => {
    at("2027-01-05");
    const { id } = await hourly();
    await registered(await lineIn(id, "2027-01"), { billable: false });
    at("2027-02-01");
    expect(await runOf(id)).toEqual(["skipped 2027-01 nothing_to_invoice"]);
    expect((await list(`series=${id}`))[0].status).toBe("open");
  });

  it("is also possible on fixed lines", async () => {
    at("2027-01-05");
    const { id } = await active();
    const shown = await registered(await lineIn(id, "2027-02"), { date: "2026-12-30" });
    expect(shown).toMatchObject({ period: "2027-02", hourly_rate: null, amount: null });
  });
});

describe("the line of a series", () => {
  it("stands for its occurrence on the date", async () => {
    at("2027-03-15");
    const { id } = await hourly();
    const [line_id = ""] = await lineIds(id);

    for (const [date, period] of [
      ["2027-01-31", "2027-01"],
      ["2027-02-01", "2027-02"],
      [undefined, "2027-03"],
    ] as const) {
      const shown = await registered(line_id, { date });
      expect([shown.period, shown.line_id]).toEqual([period, await lineIn(id, period)]);
    }
    await issued(id, "2027-02");
    expect(await tried(line_id, { date: "2027-02-28" })).toBe("409 INVOICE_ALREADY_ISSUED");
  });

  it("has none before the start and after the end", async () => {
    at("2027-03-15");
    const { id } = await hourly({ end_date: "2027-02-10" });
    const [line_id = ""] = await lineIds(id);
    expect(await tried(line_id, { date: "2026-12-31" })).toBe(OUTSIDE);
    expect(await tried(line_id, { date: "2027-02-10" })).toBe("201");
    expect(await tried(line_id, { date: "2027-02-11" })).toBe(OUTSIDE);
  });

  it("has none in periods without it", async () => {
    at("2027-03-15");
    const { id } = await hourly();
    const { line_id } = await world.done(`POST /recurring-series/${id}/lines`, {
      scope: "this_only",
      period: "2027-02",
      line: hours({ position: 9 }),
    });
    expect(await tried(line_id, { date: "2027-02-10" })).toBe("201");
    expect(await tried(line_id)).toBe("404 NOT_FOUND");
  });
});

describe("the date of work on an occurrence", () => {
  it.each<[string, (id: string) => Promise<unknown>, string]>([
    ["issued", async (id) => issued(id, "2027-01"), "201"],
    ["skipped", async (id) => skip(id, "2027-01"), "201"],
    ["open", async () => {}, OUTSIDE],
  ])("may be before the period when its own period is %s: %3$s", async (_, settle, code) => {
    at("2027-02-10");
    const { id } = await hourly({ lines: [hours(), line({ position: 2 })] });
    await settle(id);
    expect(await tried(await lineIn(id, "2027-02"), { date: "2027-01-31" })).toBe(code);
  });

  it("may be before the start of the series, for any period", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    for (const period of ["2027-01", "2027-02", "2027-03"]) {
      expect(await tried(await lineIn(id, period), { date: "2026-12-31" })).toBe("201");
    }
  });

  it("may be years before the period, whose line is found", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const line_id = await lineIn(id, "2041-07");
    expect(await tried(line_id, { date: "2026-12-31" })).toBe("201");
    expect(await tried(line_id)).toBe(OUTSIDE);
  });

  it("is not after the period, even if the next one follows", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const line_id = await lineIn(id, "2027-01");
    expect(await tried(line_id, { date: "2027-01-31" })).toBe("201");
    const reply = await world.rest("POST /work-registrations", {
      line_id,
      user_id: bo(),
      hours: 1,
    });
    expect(reply.body.error).toMatchObject({
      code: "WORK_DATE_OUTSIDE_PERIOD",
      details: { date: "2027-02-10", period: "2027-02" },
    });
  });

  it("may be in a quarter, a half-year, a week or a year", async () => {
    at("2027-05-10");
    for (const [frequency, period] of [
      ["weekly", "2027-W19"],
      ["quarterly", "2027-Q2"],
      ["half_yearly", "2027-H1"],
      ["yearly", "2027"],
    ]) {
      const { id } = await hourly({ frequency, alignment: "calendar" });
      expect(await tried(await lineIn(id, period ?? ""))).toBe("201");
    }
  });
});

describe("work is refused", () => {
  it("on a draft series", async () => {
    at("2027-02-10");
    const { id } = await draft({ lines: [hours()], ...monthlyEnd });
    expect(await tried(await lineIn(id, "2027-02"))).toBe("409 SERIES_NOT_ACTIVE");
    const [line_id = ""] = await lineIds(id);
    expect(await tried(line_id)).toBe("409 SERIES_NOT_ACTIVE");
    expect(await tried(line_id, { date: "2026-01-01" })).toBe("409 SERIES_NOT_ACTIVE");
  });

  it("in a skipped occurrence, until the skip is undone", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const line_id = await lineIn(id, "2027-02");
    await skip(id, "2027-02");
    expect(await tried(line_id)).toBe("409 OCCURRENCE_SKIPPED");
    await skip(id, "2027-02", "unskip");
    expect(await tried(line_id)).toBe("201");
  });

  it("in a dropped occurrence, before any other reason", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const line_id = await lineIn(id, "2027-02");
    await cancel(id, { end_date: "2027-01-31" });
    const user_id = await newUser({ active: false });
    expect(await tried(line_id, { user_id, date: "2027-02-11" })).toBe("409 OCCURRENCE_DROPPED");
    expect(await statuses(id, "from=2027-02-01&to=2027-02-28")).toEqual(["2027-02 dropped"]);
  });

  it("on a malformed line id, even if it contains a series line and a period", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const [february, march] = [await lineIn(id, "2027-02"), await lineIn(id, "2027-03")];
    expect(february.slice(19)).toBe(march.slice(19));
    for (const number of [march.slice(0, 5), "4ffff", "fffff"]) {
      expect(await tried(number + february.slice(5))).toBe("404 NOT_FOUND");
    }
  });

  it("on the line of an occurrence of another account", async () => {
    at("2027-02-10");
    const { id } = await hourly();
    const line_id = await lineIn(id, "2027-02");
    const other = await world.openAnother();
    const user_id = other.admin.user_id;
    const body: Json = { line_id, user_id, hours: 1 };
    const reply = await world.rest("POST /work-registrations", body, other.keys.read_write);
    expect(reply.status).toBe(404);
  });
});
