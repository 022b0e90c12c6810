import { describe, expect, it } from "vitest";
import { afterLook } from "./delivery.ts";

describe("a look at what a ledger has sent", () => {
  it.each([
    ["accepted", 1, "sent", "accepted", 9],
    ["accepted", 2, "queued", "accepted", 50],
    ["accepted", 5, "sent", "accepted", 2880],
    ["accepted", 6, "sent", "accepted", null],
    ["accepted", 1, "seen", "accepted", null],
    ["accepted", 3, "failed", "failed_permanent", null],
    ["accepted", 1, null, "accepted", 9],
    ["unknown", 1, null, "unknown", 1],
    ["unknown", 2, null, "failed_temporary", null],
    ["unknown", 1, "sent", "accepted", 9],
    ["unknown", 2, "failed", "failed_permanent", null],
  ] as const)(
    "leads from %s at look %i with the sending %s to %s, and the next look in %s min",
    (state, looks, sending, to, next) => {
      expect(afterLook(state, looks, sending)).toEqual({ state: to, minutes_until_look: next });
    },
  );
});
