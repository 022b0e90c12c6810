/** Skips, failures and edits of single periods stay with them when the header moves the periods (spec 4.8 and 4.9). */
import { beforeAll, describe, expect, it } from "vitest";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, at, draft, rest, change, skip, statuses, amounts, linesOf } = useSeries();

beforeAll(() => at("2026-03-10"));

describe("PATCH that moves the periods", () => {
  /** A draft from February with March skipped, April at 1, and 2 from June on. */
  async function edited(): Promise<string> {
    const { id } = await draft({ start_date: "2027-02-01" });
    const { line_id } = (await world.done(`GET /recurring-series/${id}/lines`)).data[0];
    const edit = (scope: string, period: string, agreed_value: number) =>
      rest("PATCH", id, `/lines/${line_id}`, { scope, period, line: { agreed_value } });
    await edit("this_only", "2027-04", 1);
    await edit("this_and_following", "2027-06", 2);
    await skip(id, "2027-03");
    return id;
  }
  const priced = (id: string) => amounts(id, "2027-07-31");

  it.each<[string, Json, string, number[]]>([
    ["earlier start", { start_date: "2027-01-15" }, "2027-03", [3100, 3100, 1, 3100, 2, 2]],
    ["a start in the same month", { start_date: "2027-02-20" }, "2027-03", [3100, 1, 3100, 2, 2]],
    ["a later start", { start_date: "2027-03-01" }, "2027-03", [1, 3100, 2, 2]],
    ["calendar alignment", { alignment: "calendar" }, "2027-03", [3100, 1, 3100, 2, 2]],
  ])("keeps skips and edits at their periods: %s", async (_what, changes, skipped, expected) => {
    const id = await edited();

    await change(id, changes);

    expect(await statuses(id, "to=2027-07-31&status=skipped")).toEqual([`${skipped} skipped`]);
    expect(await priced(id)).toEqual(expected);
  });

  it("keeps the ids of a period's lines as long as it has its key, and never reuses them", async () => {
    const { id } = await draft({ start_date: "2027-02-10" });
    const { line_id } = (await world.done(`GET /recurring-series/${id}/lines`)).data[0];
    const idIn = async (period: string): Promise<string> => (await linesOf(id, period))[0]?.id;
    const once = (line: string) =>
      rest("PATCH", id, `/lines/${line}`, { scope: "this_only", line: { agreed_value: 1 } });
    const april = await idIn("2027-04");

    for (const changes of [{ start_date: "2026-11-30" }, { alignment: "calendar" }]) {
      await change(id, changes);
      expect(await idIn("2027-04")).toBe(april);
    }
    await change(id, { frequency: "quarterly", start_date: "2027-01-01" });
    // The first day of a quarter, and its month, also name it.
    expect((await once(april)).status).toBe(404);
    const quarter = await idIn("2027-04");
    expect([await idIn("2027-Q2"), quarter === april]).toEqual([quarter, false]);
    expect((await once(quarter)).body).toMatchObject({ line_id, period: "2027-Q2" });
    await change(id, { frequency: "monthly" });
    expect(await idIn("2027-04")).toBe(april);
  });

  it("drops skips, failures and edits of periods that no longer exist", async () => {
    const id = await edited();

    await change(id, { start_date: "2027-05-01" });

    expect(await statuses(id, "to=2027-07-31&status=skipped")).toEqual([]);
    expect(await priced(id)).toEqual([3100, 2, 2]);
  });

  it("keeps only effective lines with another frequency, each from its day on", async () => {
    const id = await edited();

    await change(id, { frequency: "quarterly" });

    expect(await statuses(id, "to=2027-12-31")).toEqual([
      "2027-Q1 scheduled",
      "2027-Q2 scheduled",
      "2027-Q3 scheduled",
      "2027-Q4 scheduled",
    ]);
    // Quarters begin on 1 February, May, August and November.
    expect(await amounts(id, "2027-12-31")).toEqual([3100, 3100, 2, 2]);
  });
});
