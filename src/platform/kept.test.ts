import { describe, expect, it } from "vitest";
import { Kept } from "./kept.ts";

describe("Kept", () => {
  it("keeps what fits, and drops first what was used longest ago", () => {
    const kept = new Kept<string, number>(10);
    kept.set("a", 1, 4);
    kept.set("b", 2, 4);
    expect(kept.get("a")).toBe(1);

    kept.set("c", 3, 4);

    expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual([1, undefined, 3]);
  });

  it("drops as many as a heavy one needs", () => {
    const kept = new Kept<string, number>(10);
    for (const key of ["a", "b", "c", "d", "e"]) kept.set(key, 0, 2);

    kept.set("f", 1, 7);

    expect(["a", "b", "c", "d", "e", "f"].filter((key) => kept.get(key) !== undefined)).toEqual([
      "e",
      "f",
    ]);
  });

  it("does not keep what weighs more than all that it may keep, nor the older value in its place", () => {
    const kept = new Kept<string, number>(10);
    kept.set("a", 1, 5);
    kept.set("b", 2, 5);

    kept.set("a", 3, 11);

    expect([kept.get("a"), kept.get("b")]).toEqual([undefined, 2]);
  });

  it("weighs a value that is set again once", () => {
    const kept = new Kept<string, number>(10);
    kept.set("b", 2, 5);
    for (const value of [1, 2, 3]) kept.set("a", value, 5);

    expect([kept.get("a"), kept.get("b")]).toEqual([3, 2]);
  });
});
