/** Shapes: one declaration of a field for reading and for writing. */
import { describe, expect, it } from "vitest";
import { lineColumns } from "./line-columns.ts";
import { bigints, bigintsOrNull, from, nested, optional, plain, Shape } from "./shape.ts";

interface Price {
  readonly id: string;
  readonly amount: bigint;
  readonly before: bigint | null;
  readonly note?: string;
}

const shape = new Shape<Price>({
  id: plain("uuid"),
  amount: bigints,
  before: from("o.amount", bigintsOrNull),
  note: optional<string>("text"),
});

describe("a shape", () => {
  it("packs its fields in the order of the declaration, amounts as text", () => {
    expect(shape.packed("p")).toBe(
      "json_build_array(p.id, p.amount::text, o.amount::text, p.note)",
    );
  });

  it("reads packed fields and omits optional ones without a value", () => {
    expect(shape.parse(["a", "9007199254740993", null, null])).toEqual({
      id: "a",
      amount: 9_007_199_254_740_993n,
      before: null,
    });
    expect(shape.parse(["a", "1", "-2", "x"])).toEqual({
      id: "a",
      amount: 1n,
      before: -2n,
      note: "x",
    });
    expect(Object.keys(shape.parse(["a", "1", null, null]))).toEqual(["id", "amount", "before"]);
  });

  it("can be nested in another shape", () => {
    const outer = new Shape<{ of: string; price: Price }>({
      of: from("q.id", plain<string>("uuid")),
      price: nested(shape, "p"),
    });

    expect(outer.packed()).toBe(`json_build_array(q.id, ${shape.packed("p")})`);
    expect(outer.parse(["b", ["a", "1", null, "x"]]).price.note).toBe("x");
  });

  it("writes rows as one JSON text for its columns", () => {
    const { columns, table } = shape.recordset([{ id: "a", amount: 1n, before: null }]);

    expect(columns.text).toBe("id, amount, before, note");
    expect(table.text).toBe(
      "json_to_recordset($1::json) as l (id uuid, amount bigint, before bigint, note text)",
    );
    expect(table.values).toEqual(['[{"id":"a","amount":"1","before":null,"note":null}]']);
  });

  it("of a line has two columns for its share", () => {
    expect(lineColumns.columns).toEqual(expect.arrayContaining(["share_days", "share_of"]));
    expect(lineColumns.columns).not.toContain("share");
  });
});
