/** Occurrences over REST: lists, spellings of a period, dates (spec 4.2 to 4.4). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { cursorFrom } from "../../../platform/database/page.ts";

const {
  line,
  at,
  draft,
  active,
  rest,
  cancel,
  issued,
  skip,
  occurrence,
  occurrences,
  linesOf,
  amounts,
  refused,
} = useSeries();
const INVALID = "422 VALIDATION_FAILED";

beforeAll(() => at("2026-03-10"));

describe("GET /recurring-series/{ref}/occurrences", () => {
  const keys = async (id: string, query: string): Promise<string[]> =>
    (await occurrences(id, query)).map(({ period }) => period);

  it("lists the periods from the start through twelve months from today, ascending", async () => {
    const { id } = await draft({ start_date: "2026-01-31" });

    const listed = await occurrences(id);

    expect(listed[0]).toEqual({
      object: "occurrence",
      series_id: id,
      period: "2026-01",
      period_from: "2026-01-31",
      period_to: "2026-02-27",
      issue_date: "2026-01-31",
      is_final_partial: false,
      status: "scheduled",
      invoice_id: null,
    });
    // 2027-02-28 is the last one that starts on or before 2027-03-10.
    expect(listed.map(({ period }) => period)).toEqual(
      Array.from({ length: 14 }, (_, n) => new Date(Date.UTC(2026, n)).toISOString().slice(0, 7)),
    );
  });

  it("ends with the series, when that is earlier", async () => {
    const { id } = await draft({ start_date: "2026-01-01", end_date: "2026-03-31" });

    expect(await keys(id, "")).toEqual(["2026-01", "2026-02", "2026-03"]);
    expect(await keys(id, "to=2030-12-31")).toEqual(["2026-01", "2026-02", "2026-03"]);
  });

  it.each([
    ["from=2026-02-15&to=2026-04-15", ["2026-02", "2026-03", "2026-04"]],
    ["from=2026-02-16&to=2026-04-14", ["2026-03"]],
    ["from=2026-05-01&to=2026-04-01", []],
    ["to=2026-01-14", []],
    ["from=2199-11-01&to=2199-12-31", ["2199-11", "2199-12"]],
  ])("selects by the first day: ?%s", async (query, expected) => {
    const { id } = await draft({ start_date: "2026-01-15" });

    expect(await keys(id, query)).toEqual(expected);
  });

  it("filters by status", async () => {
    const { id } = await active({ start_date: "2026-01-01", end_date: "2026-06-30" });
    await issued(id, "2026-02");
    await skip(id, "2026-03");
    const of = (status: string) => keys(id, `status=${status}`);

    expect(await of("issued")).toEqual(["2026-02"]);
    expect(await of("skipped")).toEqual(["2026-03"]);
    expect(await of("scheduled")).toEqual(["2026-01", "2026-04", "2026-05", "2026-06"]);
    expect([await of("failed"), await of("dropped")]).toEqual([[], []]);
    await cancel(id, { end_date: "2026-04-30" });
    expect(await keys(id, "to=2026-12-31&status=dropped")).toEqual(["2026-05", "2026-06"]);
  });

  it("continues after the cursor, also with another filter", async () => {
    const { id } = await draft({ frequency: "weekly", start_date: "2026-12-24" });
    await skip(id, "2027-W01");
    const all = await keys(id, "to=2027-02-28");
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const path = `/occurrences?to=2027-02-28&limit=3${cursor}`;
      const page = (await rest("GET", id, path)).body;
      seen.push(...page.data.map(({ period }: Json) => period));
      expect(page.has_more).toBe(page.next_cursor !== null);
      if (!page.has_more) break;
      cursor = `&cursor=${page.next_cursor}`;
    }

    expect(seen).toEqual(all);
    expect(all.slice(0, 3)).toEqual(["2026-W52", "2026-W53", "2027-W01"]);
    const { next_cursor } = (await rest("GET", id, "/occurrences?limit=1")).body;
    expect(await keys(id, `cursor=${next_cursor}&status=skipped`)).toEqual(["2027-W01"]);
  });

  it("lists nothing after a made-up cursor, and does not search for it", async () => {
    const { id } = await draft({ frequency: "yearly" });
    const cursor = cursorFrom({ id: "999999", horizon: null });
    expect(await keys(id, `cursor=${cursor}&to=2199-12-31`)).toEqual([]);
  });

  it.each([
    ["limit=0", "limit too_small"],
    ["from=2026-02-30", "from invalid_format"],
    ["to=soon", "to invalid_format"],
    ["status=paid", "status invalid_value"],
    ["cursor=abc", "cursor invalid_value"],
    ["cursor=", "cursor too_short"],
  ])("refuses ?%s", async (query, fault) => {
    const { id } = await draft();

    expect(await refused(rest("GET", id, `/occurrences?${query}`))).toBe(`${INVALID} ${fault}`);
  });
});

describe("a period is named by", () => {
  it.each([
    ["monthly", "anniversary", "2026-04-15", ["2026-04", "2026-04-15"]],
    ["quarterly", "anniversary", "2026-04-15", ["2026-Q2", "2026-04", "2026-04-15"]],
    ["half_yearly", "anniversary", "2026-08-31", ["2026-H2", "2026-08", "2026-08-31"]],
    ["yearly", "anniversary", "2026-12-31", ["2026", "2026-12", "2026-12-31"]],
    ["weekly", "anniversary", "2025-12-31", ["2026-W01", "2025-12-31"]],
    ["quarterly", "calendar", "2026-02-15", ["2026-Q1", "2026-02", "2026-02-15"]],
  ])(
    "%s, %s from %s: its key, its first day, its month",
    async (frequency, alignment, start_date, names) => {
      const { id } = await draft({ frequency, alignment, start_date });

      for (const name of names) {
        expect((await occurrence(id, name)).period).toBe(names[0]);
      }
    },
  );

  it.each([
    [
      "monthly",
      ["2026", "2026-Q2", "2026-W05", "2026-13", "2026-4", "april", "2026-04-31", "2026-04-1"],
    ],
    ["quarterly", ["2026", "2026-H1", "2026-Q5", "2026-Q0"]],
    ["weekly", ["2026-04", "2026-W54", "2026-W00", "2026W05"]],
    ["yearly", ["2026-Q1", "26", "1899", "2200"]],
  ])("no other text: 400 for a %s series", async (frequency, names) => {
    const { id } = await draft({ frequency, start_date: "2026-04-01" });

    for (const name of names) {
      for (const call of ["GET ", "GET /lines", "POST /issue", "POST /skip", "POST /unskip"]) {
        const [method = "", path = ""] = call.split(" ");
        const reply = await rest(method, id, `/occurrences/${name}${path}`);
        expect(refusal(reply), `${call} ${name}`).toBe("400 MALFORMED_REQUEST");
      }
    }
  });

  it("no period before the start or after the end: 404", async () => {
    const quarterly = await draft({
      frequency: "quarterly",
      start_date: "2026-04-01",
      end_date: "2026-12-31",
    });
    for (const name of ["2026-05", "2026-Q1", "2027-Q1", "2026-04-02", "2025-01"]) {
      for (const path of ["", "/lines"]) {
        const reply = rest("GET", quarterly.id, `/occurrences/${name}${path}`);
        expect(await refused(reply), name).toBe("404 NOT_FOUND");
      }
      expect(await refused(skip(quarterly.id, name))).toBe("404 NOT_FOUND");
    }
    const week = await draft({ frequency: "weekly", start_date: "2026-01-01" });
    expect(await refused(rest("GET", week.id, "/occurrences/2027-W53"))).toBe("404 NOT_FOUND");
  });
});

describe("GET /recurring-series/{ref}/occurrences/{period}", () => {
  it("calendar alignment: a partial first period is not a final one", async () => {
    const { id } = await draft({
      frequency: "quarterly",
      alignment: "calendar",
      start_date: "2027-02-15",
      end_date: "2027-11-20",
      lines: [line({ agreed_value: 30000 })],
    });

    const shown = (await occurrences(id, "to=2027-12-31")).map((one) => [
      one.period_from,
      one.period_to,
      one.is_final_partial,
    ]);
    expect(shown).toEqual([
      ["2027-02-15", "2027-03-31", false],
      ["2027-04-01", "2027-06-30", false],
      ["2027-07-01", "2027-09-30", false],
      ["2027-10-01", "2027-11-20", true],
    ]);
    expect(await amounts(id, "2027-12-31")).toEqual([15000, 30000, 30000, 16630.43]);
  });

  it("a series of one day: final, partial, a 31st of the month", async () => {
    const { id } = await draft({ end_date: "2027-01-01", lines: [line(), line({ discount: 50 })] });

    expect(await occurrence(id, "2027-01")).toMatchObject({
      period_to: "2027-01-01",
      is_final_partial: true,
    });
    expect((await linesOf(id, "2027-01")).map(({ amount }) => amount)).toEqual([100, 50]);
  });

  it.each([
    [{ mode: "start-of-period", offset_days: -5 }, "2026-12-27"],
    [{ mode: "start-of-period", offset_days: 5 }, "2027-01-06"],
    [{ mode: "end-of-period" }, "2027-01-31"],
    [{ mode: "end-of-period", offset_days: 10 }, "2027-02-10"],
    [{ mode: "manual" }, "2027-01-31"],
  ])("is dated by the timing %j: %s", async (issue_timing, issue_date) => {
    const { id } = await draft({ issue_timing });

    expect((await occurrence(id, "2027-01")).issue_date).toBe(issue_date);
  });

  it("shows an issued period as it was invoiced, with the invoice and its date", async () => {
    const { id } = await active();

    const invoice = await issued(id, "2027-02");

    expect(await occurrence(id, "2027-02")).toMatchObject({
      status: "issued",
      invoice_id: invoice.id,
      issue_date: "2026-03-10",
      period_from: "2027-02-01",
    });
  });
});
