import { describe, expect, it } from "vitest";
import { decideResolution, eventOfOutcome } from "./einvoice-delivery.ts";

describe("the event of an outcome", () => {
  it.each([
    ["queued", null, "queued", "us"],
    ["written_to_outbox", null, "handed_over", "us"],
    ["accepted", null, "handed_over", "us"],
    ["unknown", "ledger_unconfirmed", "handed_over", "us"],
    ["delivered", null, "delivered", "engine"],
    ["rejected", null, "rejected", "receiver"],
    ["failed_temporary", "no_route", "failed", "engine"],
    ["failed_permanent", "no_address", "failed", "us"],
  ] as const)("of %s with the code %s is %s, from %s", (state, error_code, kind, source) => {
    const send_error = error_code === null ? null : "why";
    expect(eventOfOutcome({ state, error_code, send_error })).toEqual({
      kind,
      code: error_code,
      text: send_error,
      source,
    });
  });
});

describe("a delivery that a person resolves", () => {
  it.each(["unknown", "written_to_outbox", "failed_permanent"])(
    "is delivered, or has failed permanently, from %s",
    (state) => {
      expect(decideResolution(state, "delivered")).toEqual({
        state: "delivered",
        send_error: null,
      });
      expect(decideResolution(state, "not_delivered")).toEqual({
        state: "failed_permanent",
        send_error: "a person has found that it did not arrive",
      });
    },
  );

  it.each(["queued", "sending", "accepted", "delivered", "rejected", "failed_temporary"])(
    "is refused while it is %s",
    (state) => {
      expect(() => decideResolution(state, "delivered")).toThrow(
        expect.objectContaining({
          code: "DELIVERY_NOT_RESOLVABLE",
          extras: { details: { state } },
        }),
      );
    },
  );
});
