import { describe, expect, it } from "vitest";
import { LruCache } from "./lru-cache.ts";

describe("LruCache", () => {
  it("keeps values up to its limit and drops the least recently used ones", () => {
    const cache = new LruCache<string, number>(10);
    cache.set("a", 1, 4);
    cache.set("b", 2, 4);
    expect(cache.get("a")).toBe(1);

    cache.set("c", 3, 4);

    expect([cache.get("a"), cache.get("b"), cache.get("c")]).toEqual([1, undefined, 3]);
  });

  it("drops as many values as a heavy one needs", () => {
    const cache = new LruCache<string, number>(10);
    for (const key of ["a", "b", "c", "d", "e"]) cache.set(key, 0, 2);

    cache.set("f", 1, 7);

    expect(["a", "b", "c", "d", "e", "f"].filter((key) => cache.get(key) !== undefined)).toEqual([
      "e",
      "f",
    ]);
  });

  it("stores no value above its limit and removes the previous value of the key", () => {
    const cache = new LruCache<string, number>(10);
    cache.set("a", 1, 5);
    cache.set("b", 2, 5);

    cache.set("a", 3, 11);

    expect([cache.get("a"), cache.get("b")]).toEqual([undefined, 2]);
  });

  it("counts the weight of a replaced value once", () => {
    const cache = new LruCache<string, number>(10);
    cache.set("b", 2, 5);
    for (const value of [1, 2, 3]) cache.set("a", value, 5);

    expect([cache.get("a"), cache.get("b")]).toEqual([3, 2]);
  });

  it("creates a value once for simultaneous and later callers", async () => {
    const cache = new LruCache<string, object>(10);
    let made = 0;
    let finish: () => void = () => {};
    const make = async () => {
      made += 1;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return {};
    };

    const asked = [cache.getOrMake("a", make, () => 1), cache.getOrMake("a", make, () => 1)];
    finish();
    const [first, second] = await Promise.all(asked);
    const third = await cache.getOrMake("a", make, () => 1);

    expect(made).toBe(1);
    expect([second, third].every((value) => value === first)).toBe(true);
  });

  it("creates a value again after a failure or if it was too heavy", async () => {
    const cache = new LruCache<string, number>(10);
    const fail = () => Promise.reject(new Error("no"));

    await expect(cache.getOrMake("a", fail, () => 1)).rejects.toThrow("no");
    expect(
      await cache.getOrMake(
        "a",
        async () => 1,
        () => 11,
      ),
    ).toBe(1);

    expect(
      await cache.getOrMake(
        "a",
        async () => 2,
        () => 1,
      ),
    ).toBe(2);
    expect(cache.get("a")).toBe(2);
  });
});
