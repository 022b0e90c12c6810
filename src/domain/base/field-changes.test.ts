/** The differences between two versions of a resource. */
import { expect, it } from "vitest";
import { fieldChanges } from "./field-changes.ts";

const resource = (fields: object) => ({
  object: "thing",
  id: "x",
  created_at: "t",
  updated_at: "t",
  ...fields,
});

it.each<[string, object | null, object | null, readonly unknown[]]>([
  ["no field of equal versions", { a: 1 }, { a: 1 }, []],
  ["a changed field", { a: 1 }, { a: 2 }, [["a", 1, 2]]],
  ["a field within a field", { a: { b: 1, c: 1 } }, { a: { b: 2, c: 1 } }, [["a.b", 1, 2]]],
  ["a field of an entry", { l: [{ a: 1 }] }, { l: [{ a: 2 }] }, [["l[0].a", 1, 2]]],
  ["an entry that was added", { l: [1] }, { l: [1, 2] }, [["l[1]", null, 2]]],
  ["a field that was absent", {}, { a: 1 }, [["a", null, 1]]],
  ["all fields with content of a new one", null, { a: 1, b: null, c: [] }, [["a", null, 1]]],
  ["all fields with content of a deleted one", { a: 1, b: null }, null, [["a", 1, null]]],
])("contain %s", (_case, before, after, expected) => {
  const changes = fieldChanges(before && resource(before), after && resource(after));
  expect(changes.map(({ field, before: was, after: is }) => [field, was, is])).toEqual(expected);
});
