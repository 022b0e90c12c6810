/** The lines of an occurrence: their ids are stable, and an issued period shows what was invoiced (spec 4.8). */
import { beforeAll, describe, expect, it } from "vitest";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { line, hours, at, draft, active, rest, issued, linesOf } = useSeries();

beforeAll(() => at("2026-03-10"));

describe("GET /recurring-series/{ref}/occurrences/{period}/lines", () => {
  it("lists the lines with amount, series line, and a separate id for the period", async () => {
    const { id } = await draft({
      issue_timing: { mode: "end-of-period" },
      lines: [line({ discount: 10, position: 3 }), hours({ position: 1 })],
    });
    const active = (await rest("GET", id, "/lines")).body.data;

    const { data, has_more } = (await rest("GET", id, "/occurrences/2027-01/lines")).body;

    expect(has_more).toBe(false);
    expect(data).toEqual(
      active.map(({ line_id, ...one }: Json) => ({
        ...one,
        object: "occurrence_line",
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-/),
        series_line_id: line_id,
        amount: one.recognition_method === "hours" ? 0 : 2790,
      })),
    );
    const february = await linesOf(id, "2027-02");
    expect(february.map((one) => one.id)).not.toEqual(data.map((one: Json) => one.id));
    expect(await linesOf(id, "2027-01-01")).toEqual(data);
  });

  it("has the same ids before and after the issue, also on the invoice", async () => {
    const { id } = await active({ lines: [line(), line({ agreed_value: 5 })] });
    const before = await linesOf(id, "2027-01");

    const invoice = await issued(id, "2027-01");

    expect(invoice.lines.map((one: Json) => one.id)).toEqual(before.map((one) => one.id));
    expect(await linesOf(id, "2027-01")).toEqual(before);
  });

  it("shows an issued period as it was invoiced, even after later edits", async () => {
    const { id } = await active();
    await issued(id, "2027-02");
    const before = await linesOf(id, "2027-02");
    const { line_id } = (await rest("GET", id, "/lines")).body.data[0];

    const all = { scope: "all", line: { agreed_value: 1 } };
    expect((await rest("PATCH", id, `/lines/${line_id}`, all)).status).toBe(200);
    const added = { scope: "this_and_following", line: line({ agreed_value: 7 }) };
    expect((await rest("POST", id, "/lines", added)).status).toBe(201);

    expect(await linesOf(id, "2027-02")).toEqual(before);
    expect((await linesOf(id, "2027-03")).map(({ amount }) => amount)).toEqual([1, 7]);
  });
});
