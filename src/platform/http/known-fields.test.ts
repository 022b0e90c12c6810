/** The names that a schema defines, at every depth, and the names unknown to it. */
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

describe("an unknown field of a request", () => {
  it.each<[string, unknown, string[]]>([
    ["none in an empty object", {}, []],
    [
      "none among fields that can be set",
      { title: "x", lines: [{ price: 1, assignees: [{ user_id: "u" }] }] },
      [],
    ],
    [
      "none among fields of the answer",
      { id: "1", lines: [{ id: "1", price: 1, total: { net: 1 } }] },
      [],
    ],
    ["at the top", { titel: 1 }, ["titel"]],
    ["in a line", { lines: [{ price: 1 }, { prize: 1 }] }, ["lines[1].prize"]],
    [
      "in an assignee",
      { lines: [{ assignees: [{ user_id: "u" }, { userId: "u" }] }] },
      ["lines[0].assignees[1].userId"],
    ],
    ["in an alternative", { due: { in_days: 1, in_weeks: 1 } }, ["due.in_weeks"]],
    ["in an object of the answer", { lines: [{ total: { gross: 1 } }] }, ["lines[0].total.gross"]],
    ["none in an object with arbitrary names", { tags: { whatever: { deep: 1 } } }, []],
    [
      "with a name that every object has",
      { toString: 1, constructor: 1 },
      ["toString", "constructor"],
    ],
    ["none in an object in place of a text", { title: { x: 1 }, id: { x: [{ y: 1 }] } }, []],
    ["none in an object in place of a list", { lines: { x: 1 } }, []],
    ["none in a list in place of an object", { due: [{ x: 1 }] }, []],
    ["none in a text", "text", []],
  ])("%s", (_what, value, expected) => {
    expect(unknownFieldsOf(value)).toEqual(expected);
  });

  it("is reported with the nearest name that can be set, never with one of the answer alone", () => {
    const messagesOf = (value: unknown) =>
      unknownFieldsIn(value, knownOf(Sent), knownOf(Shown)).map(
        (stranger) => strangerError("unknown_field", stranger).message,
      );

    expect(messagesOf({ Titel: 1 })).toEqual(["There is no such field. Did you mean title?"]);
    expect(messagesOf({ lines: [{ prices: 1 }] })).toEqual([
      "There is no such field. Did you mean price?",
    ]);
    expect(messagesOf({ ids: 1 })).toEqual(["There is no such field."]);
  });

  it("is reported with at most 64 characters of its name", () => {
    expect(unknownFieldsOf({ ["x".repeat(1000)]: 1 })).toEqual(["x".repeat(64)]);
  });
});

describe("the answered fields of a resource", () => {
  it("are the fields of all replies, including lists", () => {
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
