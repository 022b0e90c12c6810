/** The names that a schema knows, at every depth, and the names that are unknown to it. */
import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  answeredOf,
  knownOf,
  nothingKnown,
  strangerError,
  unknownFieldsIn,
} from "./known-fields.ts";
import { listOf } from "./schemas.ts";

const Assignee = z.object({ user_id: z.string(), share: z.number().nullable().optional() });
const Sent = z
  .object({
    title: z.string(),
    due: z.preprocess((value) => value, z.union([z.string(), z.object({ in_days: z.int() })])),
    lines: z
      .array(z.object({ price: z.number(), assignees: z.array(Assignee).optional() }))
      .default([]),
    tags: z.record(z.string(), z.unknown()).optional(),
  })
  .superRefine(() => {});
const Shown = z.strictObject({
  object: z.literal("thing"),
  id: z.string(),
  lines: z.array(z.strictObject({ id: z.string(), total: z.strictObject({ net: z.number() }) })),
});

function unknownFieldsOf(value: unknown): string[] {
  return unknownFieldsIn(value, knownOf(Sent), knownOf(Shown)).map(
    (stranger) => strangerError("unknown_field", stranger).field,
  );
}

describe("a stranger to a request", () => {
  it.each<[string, unknown, string[]]>([
    ["nothing", {}, []],
    ["what can be set", { title: "x", lines: [{ price: 1, assignees: [{ user_id: "u" }] }] }, []],
    ["what is answered", { id: "1", lines: [{ id: "1", price: 1, total: { net: 1 } }] }, []],
    ["a field", { titel: 1 }, ["titel"]],
    ["one in a line", { lines: [{ price: 1 }, { prize: 1 }] }, ["lines[1].prize"]],
    [
      "one in an assignee",
      { lines: [{ assignees: [{ user_id: "u" }, { userId: "u" }] }] },
      ["lines[0].assignees[1].userId"],
    ],
    ["one in an alternative", { due: { in_days: 1, in_weeks: 1 } }, ["due.in_weeks"]],
    [
      "one within an answered object",
      { lines: [{ total: { gross: 1 } }] },
      ["lines[0].total.gross"],
    ],
    ["any name where any may stand", { tags: { whatever: { deep: 1 } } }, []],
    ["names of every object", { toString: 1, constructor: 1 }, ["toString", "constructor"]],
    ["an object where a text belongs", { title: { x: 1 }, id: { x: [{ y: 1 }] } }, []],
    ["an object where a list belongs", { lines: { x: 1 } }, []],
    ["a list where an object belongs", { due: [{ x: 1 }] }, []],
    ["what is no object", "text", []],
  ])("%s", (_what, value, expected) => {
    expect(unknownFieldsOf(value)).toEqual(expected);
  });

  it("is told the nearest name that can be set, never one that is only answered", () => {
    const tell = (value: unknown) =>
      unknownFieldsIn(value, knownOf(Sent), knownOf(Shown)).map(
        (stranger) => strangerError("unknown_field", stranger).message,
      );

    expect(tell({ Titel: 1 })).toEqual(["There is no such field. Did you mean title?"]);
    expect(tell({ lines: [{ prices: 1 }] })).toEqual([
      "There is no such field. Did you mean price?",
    ]);
    expect(tell({ ids: 1 })).toEqual(["There is no such field."]);
  });

  it("has its name cut when it is long", () => {
    expect(unknownFieldsOf({ ["x".repeat(1000)]: 1 })).toEqual(["x".repeat(64)]);
  });
});

describe("what is answered of a resource", () => {
  it("is what any reply shows of it, in lists too", () => {
    const Extended = z.strictObject({ ...Shown.shape, issued: z.boolean() });
    const Listed = listOf(z.strictObject({ ...Shown.shape, name: z.string().optional() }));

    const thing = answeredOf([Shown, Extended, Listed, z.object({ free: z.string() })]).get(
      "thing",
    );

    expect([...(thing?.fields?.keys() ?? [])]).toEqual(["object", "id", "lines", "issued", "name"]);
    expect(
      unknownFieldsIn({ issued: true, name: "x" }, nothingKnown, thing ?? nothingKnown),
    ).toEqual([]);
  });
});
