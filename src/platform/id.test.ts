/** Ids that follow from others: computed again they are the same, and they are found among names. */
import { describe, expect, it } from "vitest";
import { derivedId, namesOf, newId } from "./id.ts";

const DNS = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

describe("a derived id", () => {
  it("is the UUIDv5 of RFC 9562", () => {
    expect(derivedId(DNS, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
  });

  it("is found among the names that it may follow from", () => {
    const from = newId<string>();
    const names = ["2027-01", "2027-W07", "2027", "æble"];
    for (const [index, name] of names.entries()) {
      const find = namesOf(derivedId(from, name));
      expect(find(from, names)).toBe(index);
      expect(find(from, names.toSpliced(index, 1))).toBe(-1);
      expect(find(newId(), names)).toBe(-1);
    }
  });
});
