/** What an address of the revenue page asks for, and the links from it. */
import { describe, expect, it } from "vitest";
import type { Month } from "../../domain/base/calendar.ts";
import { cellFrom, cellText, revenueAsked, revenueLink } from "./revenue-address.ts";

const CURRENT = "2026-11" as Month;
const ID = "01980000-0000-7000-8000-00000000000a";
const asked = (query: string, is_admin = true) =>
  revenueAsked(Object.fromEntries(new URLSearchParams(query)), CURRENT, is_admin);
const rangeOf = (query: string) => {
  const { from, to, is_bad } = asked(query);
  return [from, to, is_bad];
};

describe("the range", () => {
  it.each([
    ["", "2025-11", "2027-01", false],
    ["from=2026-01&to=2026-03", "2026-01", "2026-03", false],
    ["from=2026-03&to=2026-03", "2026-03", "2026-03", false],
    ["from=2024-01&to=2026-12", "2024-01", "2026-12", false],
    ["from=2024-01&to=2027-01", "2025-11", "2026-11", true],
    ["from=2026-03&to=2026-01", "2025-11", "2026-11", true],
    ["from=2026-13&to=2026-12", "2025-11", "2026-11", true],
    ["from=x&to=2026-12", "2025-11", "2026-11", true],
    ["from=2026-06", "2026-06", "2026-11", false],
    ["from=2027-06", "2025-11", "2026-11", true],
    ["to=2026-06", "2025-06", "2026-06", false],
    ["to=nothing", "2025-11", "2026-11", true],
  ])("of %j", (query, from, to, is_bad) => {
    expect(rangeOf(query)).toEqual([from, to, is_bad]);
  });
});

describe("the other parts", () => {
  it("have their usual values without an address, and for values that are unknown", () => {
    for (const query of ["", "by=month&basis=x&page=0&month=2020-01&open=x&explain=-.2026-01"]) {
      expect(asked(query)).toMatchObject({
        ...{ by: "customer", basis: "work_month", page: 1, month: null, open: null },
        ...{ explain: null, filters: {} },
      });
    }
  });

  it("leave out people for a standard user", () => {
    const query = `by=person&user=${ID}&customer=${ID}`;
    expect(asked(query)).toMatchObject({ by: "person", filters: { user: ID, customer: ID } });
    const own = asked(query, false);
    expect([own.by, own.filters]).toEqual(["customer", { customer: ID }]);
  });
});

describe("an amount", () => {
  it.each([
    [`${ID}.2026-11`, { id: ID, month: "2026-11" }],
    ["-.2026-11", { id: null, month: "2026-11" }],
    [`${ID}.2026-13`, null],
    [`${ID}`, null],
    [`${ID.toUpperCase()}.2026-11`, null],
    [`${ID}.2026-11.x`, null],
  ])("is read from %s", (text, expected) => {
    expect(cellFrom(text)).toEqual(expected);
    if (expected !== null) expect(cellText(expected as never)).toBe(text);
  });
});

describe("a link", () => {
  it.each([
    "by=customer",
    "by=line&from=2026-01&to=2026-03&basis=booking_month&month=2026-02&customer=a&page=3",
    `by=product&open=${ID}.2026-11&explain=${ID}.2026-11`,
  ])("to the same view is its address: %s", (query) => {
    expect(revenueLink(asked(query))).toBe(`?${query}`);
  });

  it("changes one part", () => {
    const link = revenueLink(asked("by=line&page=3"), { by: "product", page: 1 });
    expect(link).toBe("?by=product");
  });

  it("keeps no range that cannot be shown", () => {
    expect(revenueLink(asked("from=2026-03&to=2026-01"))).toBe("?by=customer");
  });
});
