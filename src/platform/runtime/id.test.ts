/** Derived ids: the same input results in the same id. */
import * as fc from "fast-check";
import { v5, validate, version } from "uuid";
import { describe, expect, it } from "vitest";
import { derivedId, madeAt, newId } from "./id.ts";

const DNS = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

describe("a derived id", () => {
  it("is the UUIDv5 of RFC 9562", () => {
    expect(derivedId(DNS, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
  });

  it("equals the UUIDv5 of a reference implementation for any id and name", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.string({ unit: "binary" }), (from, name) => {
        expect(derivedId(from, name)).toBe(v5(name, from));
      }),
    );
  });
});

describe("an id", () => {
  it("contains the time of its creation", () => {
    const before = Date.now();
    const at = madeAt(newId());
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  it("is a UUIDv7 that follows all ids before it", () => {
    const ids = Array.from({ length: 20_000 }, () => newId<string>());
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("shares no random bytes with another id", () => {
    const tails = Array.from({ length: 2_000 }, () => newId<string>().slice(-12));
    expect(new Set(tails).size).toBe(tails.length);
  });
});
