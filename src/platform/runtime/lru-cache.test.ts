import { describe, expect, it } from "vitest";
import { LruCache } from "./lru-cache.ts";

describe("Kept", () => {
  it("keeps what fits, and drops first what was used longest ago", () => {
    const kept = new LruCache<string, number>(10);
    kept.set("a", 1, 4);
    kept.set("b", 2, 4);
    expect(kept.get("a")).toBe(1);

    kept.set("c", 3, 4);

    expect([kept.get("a"), kept.get("b"), kept.get("c")]).toEqual([1, undefined, 3]);
  });

  it("drops as many as a heavy one needs", () => {
    const kept = new LruCache<string, number>(10);
    for (const key of ["a", "b", "c", "d", "e"]) kept.set(key, 0, 2);

    kept.set("f", 1, 7);

    expect(["a", "b", "c", "d", "e", "f"].filter((key) => kept.get(key) !== undefined)).toEqual([
      "e",
      "f",
    ]);
  });

  it("does not keep what weighs more than all that it may keep, nor the older value in its place", () => {
    const kept = new LruCache<string, number>(10);
    kept.set("a", 1, 5);
    kept.set("b", 2, 5);

    kept.set("a", 3, 11);

    expect([kept.get("a"), kept.get("b")]).toEqual([undefined, 2]);
  });

  it("weighs a value that is set again once", () => {
    const kept = new LruCache<string, number>(10);
    kept.set("b", 2, 5);
    for (const value of [1, 2, 3]) kept.set("a", value, 5);

    expect([kept.get("a"), kept.get("b")]).toEqual([3, 2]);
  });

  it("makes a value once, for all who ask meanwhile and after", async () => {
    const kept = new LruCache<string, object>(10);
    let made = 0;
    let finish: () => void = () => {};
    const make = async () => {
      made += 1;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return {};
    };

    const asked = [kept.getOrMake("a", make, () => 1), kept.getOrMake("a", make, () => 1)];
    finish();
    const [first, second] = await Promise.all(asked);
    const third = await kept.getOrMake("a", make, () => 1);

    expect(made).toBe(1);
    expect([second, third].every((value) => value === first)).toBe(true);
  });

  it("makes a value again that failed or was too heavy", async () => {
    const kept = new LruCache<string, number>(10);
    const fail = () => Promise.reject(new Error("no"));

    await expect(kept.getOrMake("a", fail, () => 1)).rejects.toThrow("no");
    expect(
      await kept.getOrMake(
        "a",
        async () => 1,
        () => 11,
      ),
    ).toBe(1);

    expect(
      await kept.getOrMake(
        "a",
        async () => 2,
        () => 1,
      ),
    ).toBe(2);
    expect(kept.get("a")).toBe(2);
  });
});
