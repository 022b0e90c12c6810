/** The line that an edit names, and the refused edits (spec 4.8). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID, useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, hours, at, rest, cancel, issued, linesOf, amounts, retainer, add, edit, remove } =
  useSeries();
const INVALID = "422 VALIDATION_FAILED";

beforeAll(() => at("2026-03-10"));

describe("the id of an occurrence's line stands for this_only in its period", () => {
  it("when a line is changed or removed", async () => {
    const { id, line_id } = await retainer();
    const idIn = async (period: string): Promise<string> => (await linesOf(id, period))[0]?.id;

    const changed = await edit(id, await idIn("2027-03"), "this_only", { agreed_value: 1 });
    const removed = await remove(id, await idIn("2027-04"), "this_only", "2027-04-01");

    const answer = { object: "series_line_edit", line_id, scope: "this_only" };
    expect(changed.body).toEqual({ ...answer, line_kind: "occurrence", period: "2027-03" });
    expect(removed.body).toEqual({ ...answer, line_kind: "occurrence", period: "2027-04" });
    expect(await amounts(id, "2027-05-31")).toEqual([8000, 1, 0, 8000]);
  });

  it("in any distant period", async () => {
    const { id, line_id } = await retainer();
    const [line] = await linesOf(id, "2093-03");

    const changed = await edit(id, line?.id, "this_only", { agreed_value: 1 });

    expect(changed.body).toMatchObject({ line_id, period: "2093-03" });
    const [after] = await linesOf(id, "2093-03");
    expect([after?.id, after?.agreed_value]).toEqual([line?.id, 1]);
  });

  it("and with no other scope or period: 422", async () => {
    const { id } = await retainer();
    const occurrence_line = (await linesOf(id, "2027-03"))[0]?.id;
    const patch = async (scope: string, period?: string) =>
      refusal(await edit(id, occurrence_line, scope, { agreed_value: 1 }, period));

    expect(await patch("this_and_following")).toBe(`${INVALID} scope not_allowed`);
    expect(await patch("all")).toBe(`${INVALID} scope not_allowed`);
    expect(await patch("this_only", "2027-04")).toBe(`${INVALID} period not_allowed`);
    const removal = await remove(id, occurrence_line, "all");
    expect(refusal(removal)).toBe(`${INVALID} scope not_allowed`);
  });
});

describe("an edit of a line refuses", () => {
  const edits: [string, (id: string, line_id: string, period?: string) => Promise<Json>][] = [
    ["add", (id, _line, period) => add(id, "this_only", 1, { period })],
    [
      "change",
      (id, line_id, period) => edit(id, line_id, "this_only", { agreed_value: 1 }, period),
    ],
    ["remove", (id, line_id, period) => remove(id, line_id, "this_only", period)],
  ];

  it.each(edits)(
    "%s of a period that is issued, dropped, absent or invalid",
    async (_what, call) => {
      const { id, line_id } = await retainer({ end_date: "2027-12-31" });
      await issued(id, "2027-02");
      const code = async (period?: string) => refusal(await call(id, line_id, period));

      expect(await code("2027-02")).toBe("409 OCCURRENCE_ALREADY_ISSUED");
      expect(await code("2028-01")).toBe("404 NOT_FOUND");
      expect(await code("spring")).toBe("400 MALFORMED_REQUEST");
      await cancel(id, { end_date: "2027-06-30" });
      expect(await code("2027-05")).toBe("409 SERIES_CANCELLED");
      expect(await code()).toBe("409 SERIES_CANCELLED");
    },
  );

  it.each(edits)("%s in a series with nothing left to invoice", async (_what, call) => {
    const { id, line_id } = await retainer({ end_date: "2027-03-31" });
    await issued(id, "2027-02");
    await issued(id, "2027-03");

    expect(refusal(await call(id, line_id))).toBe("409 SERIES_HAS_NO_OPEN_OCCURRENCE");
  });

  it("an unknown line, a removed one, and one that is not in the period", async () => {
    const { id, line_id } = await retainer();
    const other = (await retainer()).line_id;
    const once = (await add(id, "this_only", 1, { period: "2027-05" })).body.line_id;
    const patch = async (line_ref: string, scope: string, period?: string) =>
      refusal(await edit(id, line_ref, scope, { agreed_value: 1 }, period));

    for (const line_ref of [UNKNOWN_ID, UNKNOWN_ID.replace("-7", "-5"), other]) {
      expect(await patch(line_ref, "all")).toBe("404 NOT_FOUND");
    }
    expect(await patch("17", "all")).toBe("400 MALFORMED_REQUEST");
    expect(await patch(once, "this_only", "2027-06")).toBe("404 NOT_FOUND");
    await remove(id, line_id, "all");
    expect(await patch(line_id, "all")).toBe("404 NOT_FOUND");
    expect(refusal(await remove(id, line_id, "all"))).toBe("404 NOT_FOUND");
  });

  it("work that is measured under start-of-period, when a line is added or changes its method", async () => {
    const { id, line_id } = await retainer();
    const method = { recognition_method: "hours", hourly_rate: 100 };
    const conflict = "409 SERIES_TIMING_CONFLICT";

    expect(refusal(await add(id, "this_only", 1, { line: hours() }))).toBe(conflict);
    expect(refusal(await edit(id, line_id, "this_only", method, "2027-09"))).toBe(conflict);
    await rest("PATCH", id, "", { issue_timing: { mode: "end-of-period" } });
    expect((await edit(id, line_id, "this_only", method, "2027-09")).status).toBe(200);
  });

  it("a key that only reads, and a removal without a scope", async () => {
    const { id, line_id } = await retainer();
    const call = `DELETE /recurring-series/${id}/lines/${line_id}`;
    const { read } = world.account.keys;

    expect(refusal(await world.rest(call))).toBe(`${INVALID} scope required`);
    const reply = await world.rest(`${call}?scope=all`, undefined, read);
    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });
});
