/**
 * What an edit of a line validates again, and what it keeps unchecked (spec 4.8, 4.9 and 7.1):
 * past content of a series may be such that new content like it would be refused.
 */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, draft, line: lineOf, lineIds, linesOf } = useSeries();

/** A monthly series from January 2027, invoiced at the end of periods, with one line. */
async function seriesWith(given: Json, fields: object = {}): Promise<Json> {
  const { id } = await draft({
    issue_timing: { mode: "end-of-period" },
    lines: [given],
    ...fields,
  });
  const path = `/recurring-series/${id}`;
  return { id, path, line: `${path}/lines/${(await lineIds(id))[0]}` };
}

describe("PATCH /recurring-series/{ref}/lines/{line_id}", () => {
  it("validates only the contents within the range", async () => {
    const { id, line } = await seriesWith(lineOf());
    await world.done(`PATCH ${line}`, {
      scope: "this_and_following",
      period: "2027-03",
      line: { recognition_method: "progress", budget_hours: 40 },
    });

    // A line by value, as this line is in January, has no budget.
    const reply = await world.rest(`PATCH ${line}`, {
      scope: "this_and_following",
      period: "2027-05",
      line: { budget_hours: 80 },
    });

    expect(refusal(reply)).toBe("200");
    const budgets = ["2027-01", "2027-03", "2027-05"].map(
      async (period) => (await linesOf(id, period))[0].budget_hours,
    );
    expect(await Promise.all(budgets)).toEqual([undefined, 40, 80]);
    const all = await world.rest(`PATCH ${line}`, { scope: "all", line: { budget_hours: 90 } });
    expect(refusal(all)).toBe("422 VALIDATION_FAILED line.budget_hours not_allowed");
  });

  it("keeps an assigned user who was deactivated since, and assigns no inactive user", async () => {
    const user = await world.done("POST /users", {
      name: "Anna",
      email: "anna@example.com",
      role: "standard",
    });
    const assignees = [{ user_id: user.id }];
    const assigned = await seriesWith(lineOf({ assignees }));
    const other = await seriesWith(lineOf());
    await world.done(`PATCH /users/${user.id}`, { active: false });

    await world.done(`PATCH ${assigned.line}`, {
      scope: "this_and_following",
      period: "2027-02",
      line: { agreed_value: 9000, position: 4 },
    });

    expect(await linesOf(assigned.id, "2027-02")).toMatchObject([
      { agreed_value: 9000, position: 4, assignees },
    ]);
    const reply = await world.rest(`PATCH ${other.line}`, { scope: "all", line: { assignees } });
    expect(refusal(reply)).toBe(
      "422 VALIDATION_FAILED line.assignees[0].user_id unknown_reference",
    );
  });
});

describe("PATCH /recurring-series/{ref}", () => {
  it("checks the timing against the periods that are still to be issued", async () => {
    const { path, line } = await seriesWith(
      lineOf({ recognition_method: "progress", budget_hours: 40 }),
    );
    const start = { issue_timing: { mode: "start-of-period" } };
    await world.done(`POST ${path}/occurrences/2027-01/issue`);
    expect(refusal(await world.rest(`PATCH ${path}`, start))).toBe("409 SERIES_TIMING_CONFLICT");

    await world.done(`PATCH ${line}`, {
      scope: "all",
      line: { recognition_method: "value", budget_hours: null },
    });

    expect(await world.done(`PATCH ${path}`, start)).toMatchObject(start);
  });
});

describe("GET /recurring-series/{ref}/occurrences/{period}/lines", () => {
  it("shows an issued period with the length that it had at the issue", async () => {
    const { id, path } = await seriesWith(lineOf({ agreed_value: 31000 }));
    await world.done(`POST ${path}/activate`, {});
    await world.done(`POST ${path}/cancel`, { end_date: "2027-01-20" });

    const invoice = await world.done(`POST ${path}/occurrences/2027-01/issue`);

    const { net } = await world.done(`GET /invoices/${invoice.id}/totals`);
    const lines = await linesOf(id, "2027-01");
    expect([net, lines.map((line) => line.amount)]).toEqual([20000, [20000]]);
  });
});
