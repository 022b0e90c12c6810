/** Ids that follow from others: computed again they are the same. */
import { expect, it } from "vitest";
import { derivedId } from "./id.ts";

const DNS = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

it("derives an id as the UUIDv5 of RFC 9562", () => {
  expect(derivedId(DNS, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
});
