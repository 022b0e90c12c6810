import { describe, expect, it } from "vitest";
import {
  decideLook,
  decideResolution,
  eventOfOutcome,
  type LookedAtDelivery,
  type LookFound,
  secondsUntilLook,
} from "./einvoice-delivery.ts";

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

describe("the looks at an e-invoice", () => {
  it("come after 10 s, 1, 5, 30 min, 2, 6 h, then daily for 14 days", () => {
    const pauses = Array.from({ length: 21 }, (_, looks) => secondsUntilLook(looks));
    expect(pauses.slice(0, 6)).toEqual([10, 60, 300, 1800, 7200, 21_600]);
    expect(new Set(pauses.slice(6, 20))).toEqual(new Set([86_400]));
    expect(pauses[20]).toBeNull();
  });

  const in_doubt: LookedAtDelivery = {
    state: "unknown",
    send_error: "in doubt",
    looks: 1,
    seconds_since_call: 1000,
    seconds_since_absent: null,
    is_copied: false,
    finds: true,
    reports: true,
  };
  const taken: LookedAtDelivery = { ...in_doubt, state: "accepted", send_error: null };
  const absent: LookFound = { state: "absent" };
  const receipt: LookFound = { state: "delivered", at: "2026-03-01T10:00:00Z", is_final: true };
  const early: LookFound = { ...receipt, is_final: false };

  it.each<[string, Partial<LookedAtDelivery>, LookFound, string, number | null]>([
    ["found nothing, too early", { seconds_since_call: 70 }, absent, "unknown", 50],
    ["found nothing, for the first time", {}, absent, "unknown", 300],
    ["found nothing again, too early", { seconds_since_absent: 100 }, absent, "unknown", 200],
    ["found nothing twice", { seconds_since_absent: 300 }, absent, "queued", null],
    ["cannot find by id", { finds: false, seconds_since_absent: 900 }, absent, "unknown", 60],
    ["found it prepared", {}, { state: "prepared" }, "queued", null],
    ["found no trace in a folder", { reports: false }, { state: "gone" }, "accepted", null],
    ["found no trace, in a copy", { is_copied: true }, { state: "gone" }, "unknown", null],
    ["found it in the folder", {}, { state: "written" }, "written_to_outbox", 60],
    ["found it at work", {}, { state: "accepted" }, "accepted", 60],
    ["found the receipt", {}, receipt, "delivered", null],
    ["found a failure", {}, { state: "failed", code: "x", text: "y" }, "failed_permanent", null],
  ])("in doubt: %s", (_, changes, found, state, seconds) => {
    const looked = decideLook({ ...in_doubt, ...changes }, found);
    expect([looked.state, looked.seconds_until_look]).toEqual([state, seconds]);
    expect(looked.counts_as_absent).toBe(_ === "found nothing, for the first time");
    if (state === "unknown") expect(looked.send_error).toBe("in doubt");
  });

  it.each<[LookedAtDelivery["state"], LookFound, string, number | null]>([
    ["accepted", absent, "accepted", 60],
    ["accepted", { state: "prepared" }, "accepted", 60],
    ["accepted", { state: "written" }, "accepted", 60],
    ["accepted", early, "delivered", 60],
    ["accepted", { state: "rejected", text: "no" }, "rejected", null],
    ["written_to_outbox", { state: "gone" }, "accepted", 60],
    ["delivered", { state: "accepted" }, "delivered", 60],
    ["delivered", { state: "failed", code: "x", text: "y" }, "delivered", 60],
    ["delivered", { state: "rejected", text: "no" }, "rejected", null],
  ])("%s never moves backwards: %o", (before, found, state, seconds) => {
    const looked = decideLook({ ...taken, state: before }, found);
    expect([looked.state, looked.seconds_until_look]).toEqual([state, seconds]);
  });

  it("keep at most 500 characters of a foreign text", () => {
    const { send_error } = decideLook(taken, { state: "rejected", text: "x".repeat(600) });
    expect(send_error).toHaveLength(500);
  });
});
