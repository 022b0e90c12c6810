import { describe, expect, it } from "vitest";
import { newId, notingNewIds } from "../../platform/runtime/id.ts";
import { fingerprintOf, withoutNewIds } from "./fingerprint.ts";

const NONE: ReadonlySet<string> = new Set();
const same = (a: unknown, b: unknown): boolean =>
  fingerprintOf(a, NONE).equals(fingerprintOf(b, NONE));

describe("a fingerprint", () => {
  it.each<[string, unknown, unknown]>([
    ["the order of keys", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["an absent and a null field", { a: undefined }, { a: null }],
    [
      "the order in which a map was filled",
      new Map([
        [1, "a"],
        [2, "b"],
      ]),
      new Map([
        [2, "b"],
        [1, "a"],
      ]),
    ],
    [
      "a line before an upgrade and after it",
      { line_id: "a", hashed_periods: [1, 2] },
      { line_id: "a" },
    ],
    [
      "a field without a value that was added by an upgrade",
      { name: "a" },
      { name: "a", default_months: null, default_recognition_method: null },
    ],
    [
      "a sentence before an upgrade and after it",
      "Revenue stays as it is in every month.",
      "Revenue does not change in any month.",
    ],
    [
      "a renamed field before an upgrade and after it",
      { happened: new Map([[1, "a"]]) },
      { period_events: new Map([[1, "a"]]) },
    ],
    ["the order of a set", new Set(["a", "b"]), new Set(["b", "a"])],
  ])("ignores %s", (_what, a, b) => {
    expect(same(a, b)).toBe(true);
  });

  it.each<[string, unknown, unknown]>([
    ["amounts", { net: 1n }, { net: 2n }],
    ["an amount and a text", 1n, "1"],
    ["an added field with a value", { default_months: null }, { default_months: 12 }],
    ["entries of a map", new Map([[1, { state: "issued" }]]), new Map([[1, { state: "skipped" }]])],
    ["keys of a map", new Map([[1, "a"]]), new Map([[2, "a"]])],
    ["sets", new Set([1]), new Set([2])],
    ["bytes", Buffer.from("a"), Buffer.from("b")],
    ["the order of a list", [1, 2], [2, 1]],
    [
      "nested values",
      { a: [{ b: new Map([[1, { c: 1n }]]) }] },
      { a: [{ b: new Map([[1, { c: 2n }]]) }] },
    ],
  ])("distinguishes %s", (_what, a, b) => {
    expect(same(a, b)).toBe(false);
  });

  it.each([
    [
      "an issue",
      ['Issues the invoice for "A": net 1,000.00 DKK, gross 1,250.00 DKK, dated 2026-03-10.'],
      ['Issues the invoice for "A": net 1,000.00 DKK, dated 2026-03-10.'],
    ],
    ["its effects", ["Books it.", "Revenue by month: 2026-03 1,000.00 DKK."], ["Books it."]],
    [
      "an edit of a series",
      [
        "Changes it, from period 2026-04 on: from 1 April 2026; invoice of 2026-04-30: 9.00 DKK becomes 10.00 DKK.",
      ],
      ["Changes it, from period 2026-04 on."],
    ],
  ])("of %s is that of plans from before amounts were said", (_what, now, before) => {
    expect(same(now, before)).toBe(true);
    expect(same(now, [...before, "Another effect."])).toBe(false);
  });

  it("ignores the values of new ids, also within texts, but not of existing ids", async () => {
    const made = async () => notingNewIds(async () => newId<string>());
    const [one, other] = [await made(), await made()];
    const plan = (id: string) => ({ id, document: JSON.stringify({ id, name: "Acme" }) });
    const first = fingerprintOf(plan(one.result), one.ids);
    expect(first.equals(fingerprintOf(plan(other.result), other.ids))).toBe(true);
    expect(first.equals(fingerprintOf(plan(other.result), NONE))).toBe(false);
    expect(withoutNewIds(plan(one.result), one.ids).id).toBeNull();
  });
});

describe("new ids", () => {
  it("are recorded only for the work that created them", async () => {
    const [a, b] = await Promise.all(
      [1, 2].map(() =>
        notingNewIds(async () => {
          const first = newId<string>();
          await new Promise((resolve) => setImmediate(resolve));
          return [first, newId<string>()];
        }),
      ),
    );
    expect([...(a?.ids ?? [])]).toEqual(a?.result);
    expect([...(b?.ids ?? [])]).toEqual(b?.result);
  });
});
