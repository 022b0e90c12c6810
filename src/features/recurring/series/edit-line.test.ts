/** Adding, changing and removing lines in one period, from a period on, or in all that are open (spec 4.8). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID, useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const {
  world,
  line,
  at,
  draft,
  active,
  rest,
  cancel,
  issued,
  skip,
  linesOf,
  amounts,
  lineIds,
  retainer,
  add,
  edit,
  remove,
} = useSeries();
const INVALID = "422 VALIDATION_FAILED";
const THROUGH_AUGUST = "2027-08-31";

beforeAll(() => at("2026-03-10"));

describe("the example of spec 4.8", () => {
  it("bills 8000, 9500, 8000, 8000, 8500, 7000, 8500", async () => {
    const { id, line_id } = await retainer();

    const added = await add(id, "this_only", 1500, { period: "2027-03" });
    const changed = await edit(
      id,
      line_id,
      "this_and_following",
      { agreed_value: 8500 },
      "2027-06",
    );
    const once = await edit(id, line_id, "this_only", { agreed_value: 7000 }, "2027-07");

    expect(added).toMatchObject({
      status: 201,
      body: {
        object: "series_line_edit",
        line_id: expect.any(String),
        line_kind: "series",
        scope: "this_only",
        period: "2027-03",
      },
    });
    expect(changed).toMatchObject({ status: 200, body: { line_id, period: "2027-06" } });
    expect(Object.keys(once.body).sort()).toEqual(Object.keys(added.body).sort());
    expect(await amounts(id, THROUGH_AUGUST)).toEqual([8000, 9500, 8000, 8000, 8500, 7000, 8500]);
  });
});

describe("the three scopes", () => {
  it.each<[string, string, number[]]>([
    ["this_only", "2027-05", [8000, 9500, 8000, 8001, 8500, 7000, 8500]],
    ["this_and_following", "2027-05", [8000, 9500, 8000, 8001, 8001, 7000, 8001]],
    ["this_and_following", "2027-07", [8000, 9500, 8000, 8000, 8500, 7000, 8001]],
    ["all", "2027-05", [8001, 9501, 8001, 8001, 8001, 8001, 8001]],
  ])("change: %s at %s", async (scope, period, expected) => {
    const { id, line_id } = await retainer();
    await add(id, "this_only", 1500, { period: "2027-03" });
    await edit(id, line_id, "this_and_following", { agreed_value: 8500 }, "2027-06");
    await edit(id, line_id, "this_only", { agreed_value: 7000 }, "2027-07");

    const { body } = await edit(id, line_id, scope, { agreed_value: 8001 }, period);

    expect(body.period).toBe(scope === "all" ? "2027-02" : period);
    expect(await amounts(id, THROUGH_AUGUST)).toEqual(expected);
  });

  it.each<[string, number[]]>([
    ["this_only", [8000, 8000, 8000, 8100, 8000, 8000, 8000]],
    ["this_and_following", [8000, 8000, 8000, 8100, 8100, 8100, 8100]],
    ["all", [8100, 8100, 8100, 8100, 8100, 8100, 8100]],
  ])("add: %s", async (scope, expected) => {
    const { id } = await retainer();

    const { status } = await add(id, scope, 100, { period: "2027-05" });

    expect(status).toBe(201);
    expect(await amounts(id, THROUGH_AUGUST)).toEqual(expected);
  });

  it.each<[string, number[]]>([
    ["this_only", [8000, 8000, 8000, 0, 8000, 7000, 8000]],
    ["this_and_following", [8000, 8000, 8000, 0, 0, 7000, 0]],
    ["all", [0, 0, 0, 0, 0, 0, 0]],
  ])("remove: %s", async (scope, expected) => {
    const { id, line_id } = await retainer();
    await edit(id, line_id, "this_only", { agreed_value: 7000 }, "2027-07");

    const { status, body } = await remove(id, line_id, scope, "2027-05");

    const period = scope === "all" ? "2027-02" : "2027-05";
    expect([status, body]).toEqual([
      200,
      { object: "series_line_edit", line_id, line_kind: "series", scope, period },
    ]);
    expect(await amounts(id, THROUGH_AUGUST)).toEqual(expected);
  });

  it("begin with the first open period when none is named", async () => {
    const { id, line_id } = await retainer();
    await issued(id, "2027-02");
    await skip(id, "2027-03");

    const { body } = await edit(id, line_id, "this_only", { agreed_value: 1 });
    expect(body.period).toBe("2027-04");
    expect((await add(id, "this_and_following", 10)).body.period).toBe("2027-04");
    expect((await edit(id, line_id, "all", { discount: 50 })).body.period).toBe("2027-04");
    expect(await amounts(id, "2027-06-30")).toEqual([10.5, 4010, 4010]);
  });

  it("leave issued periods unchanged, and merge only the sent fields", async () => {
    const { id, line_id } = await retainer({
      lines: [line({ agreed_value: 8000, discount: 25, description_override: "Care" })],
    });
    await issued(id, "2027-04");

    await edit(id, line_id, "all", { agreed_value: 4000 });

    const shown = async (period: string) => {
      const [{ agreed_value, discount, description_override, amount }] = (await linesOf(
        id,
        period,
      )) as [Json];
      return [agreed_value, discount, description_override, amount];
    };
    expect(await shown("2027-03")).toEqual([4000, 25, "Care", 3000]);
    expect(await shown("2027-04")).toEqual([8000, 25, "Care", 6000]);
  });
});

describe("POST /recurring-series/{ref}/lines", () => {
  it("places a line without position after the others", async () => {
    const { id } = await retainer({ lines: [line({ position: 4 })] });
    await add(id, "this_only", 1, { period: "2027-05" });
    await add(id, "all", 2);

    expect((await linesOf(id, "2027-05")).map(({ position }) => position)).toEqual([4, 5, 6]);
  });

  it("gives a draft without lines its first line", async () => {
    const { id } = await draft({ lines: [] });

    expect((await add(id, "all", 5)).status).toBe(201);

    expect(await amounts(id, "2027-02-28")).toEqual([5, 5]);
  });

  it("refuses a position that is taken in some period of the range", async () => {
    const { id } = await retainer();
    await add(id, "this_only", 1, { period: "2027-05", line: line({ position: 9 }) });
    const at9 = { line: line({ position: 9 }) };

    const taken = `${INVALID} line.position duplicate`;
    expect(refusal(await add(id, "all", 1, at9))).toBe(taken);
    expect(refusal(await add(id, "this_only", 1, { ...at9, period: "2027-05" }))).toBe(taken);
    expect((await add(id, "this_and_following", 1, { ...at9, period: "2027-06" })).status).toBe(
      201,
    );
  });

  it("refuses line 501 of a period", async () => {
    const { id } = await retainer({ lines: Array.from({ length: 500 }, () => line()) });

    expect(refusal(await add(id, "this_only", 1))).toBe(`${INVALID} line too_large`);
  });

  it.each<[string, () => Json, string]>([
    ["no scope", () => ({ scope: undefined }), "scope required"],
    ["another scope", () => ({ scope: "future" }), "scope invalid_value"],
    ["no content", () => ({ line: undefined }), "line required"],
    [
      "an empty line",
      () => ({ line: {} }),
      "line.product_id required, line.recognition_method required",
    ],
    [
      "a milestone",
      () => ({ line: line({ recognition_method: "milestone" }) }),
      "line.recognition_method not_allowed",
    ],
    [
      "a service period",
      () => ({ line: line({ service_from: "2027-01-01", service_to: "2027-01-31" }) }),
      "line.service_from not_allowed, line.service_to not_allowed",
    ],
    [
      "an unknown product",
      () => ({ line: line({ product_id: UNKNOWN_ID }) }),
      "line.product_id unknown_reference",
    ],
    [
      "too many decimals",
      () => ({ line: line({ agreed_value: 0.001 }) }),
      "line.agreed_value too_many_decimals",
    ],
  ])("refuses %s with 422, whatever the state of the series", async (_what, fields, fault) => {
    const { id } = await retainer();
    const post = async () =>
      refusal(await rest("POST", id, "/lines", { scope: "all", line: line(), ...fields() }));

    expect(await post()).toBe(`${INVALID} ${fault}`);
    await cancel(id);
    expect(await post()).toBe(`${INVALID} ${fault}`);
  });
});

describe("edits in parallel with an issue", () => {
  it("take effect completely before it or are refused", async () => {
    const { id } = await active({ start_date: "2027-02-01" });
    const [line_id = ""] = await lineIds(id);

    const [invoice, ...replies] = await Promise.all([
      rest("POST", id, "/occurrences/2027-02/issue"),
      ...[1, 2, 3, 4, 5, 6].map((agreed_value) =>
        edit(id, line_id, "this_only", { agreed_value }, "2027-02"),
      ),
    ]);

    const refused = replies.map(refusal).filter((code) => code !== "200");
    expect(new Set(refused).size).toBeLessThanOrEqual(1);
    for (const code of refused) expect(code).toBe("409 OCCURRENCE_ALREADY_ISSUED");
    const { net } = await world.done(`GET /invoices/${invoice.body.id}/totals`);
    expect((await linesOf(id, "2027-02"))[0]?.amount).toBe(net);
  });
});
