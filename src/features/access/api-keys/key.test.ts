/** The form of a key, and texts that are not keys. */
import { describe, expect, it } from "vitest";
import { isKey, makeKey, prefixOfKey } from "./key.ts";

describe("an API key", () => {
  it("has a prefix, thirty random characters and a checksum", () => {
    const key = makeKey();
    expect(key).toMatch(/^mbk_[0-9A-Za-z]{36}$/);
    expect(isKey(key)).toBe(true);
    expect(prefixOfKey(key)).toBe(key.slice(0, 10));
  });

  it("is never the same twice", () => {
    expect(new Set(Array.from({ length: 500 }, makeKey)).size).toBe(500);
  });

  it("with one character changed fails its checksum", () => {
    const key = makeKey();
    for (let index = 4; index < key.length; index += 1) {
      const other = key[index] === "x" ? "y" : "x";
      expect(isKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
  });

  it.each(["", "mbk_", "sk_live_abc", `mbk_${"0".repeat(36)}x`])("is not found in %j", (text) => {
    expect(isKey(text)).toBe(false);
  });
});
