import { describe, expect, it } from "vitest";
import { editDistance, nearestName } from "./nearest-name.ts";

const names = [
  "customer_id",
  "currency",
  "issue_date",
  "title",
  "auto_send",
  "external_id",
  "lines",
];

describe("the nearest name", () => {
  it.each([
    ["curency", "currency"],
    ["currnecy", "currency"],
    ["customerId", "customer_id"],
    ["customer-id", "customer_id"],
    ["Title", "title"],
    ["line", "lines"],
    ["issued_date", "issue_date"],
    ["externalid", "external_id"],
    ["tilte", "title"],
    ["colour", undefined],
    ["x", undefined],
    ["", undefined],
    ["discount_percentage", undefined],
    ["__proto__", undefined],
  ])("of %s is %s", (written, expected) => {
    expect(nearestName(written, names)).toBe(expected);
  });

  it("is the first of several equally near names, and undefined without names", () => {
    expect(nearestName("abd", ["abc", "abe"])).toBe("abc");
    expect(nearestName("abd", [])).toBeUndefined();
  });

  it("is found quickly for a name of one megabyte", () => {
    expect(nearestName("x".repeat(1_000_000), names)).toBeUndefined();
  });
});

describe("the edit distance", () => {
  it.each([
    ["", "", 0],
    ["", "abc", 3],
    ["abc", "abc", 0],
    ["abc", "abd", 1],
    ["abc", "acb", 1],
    ["abc", "bc", 1],
    ["kitten", "sitting", 3],
  ])("of %j and %j is %i, both ways", (from, to, distance) => {
    expect([editDistance(from, to), editDistance(to, from)]).toEqual([distance, distance]);
  });

  it("stops at the given maximum", () => {
    expect([editDistance("abc", "xyz", 2), editDistance("a", "abcdef", 2)]).toEqual([2, 2]);
  });
});
