/** The effect of an answer on a booking in an external ledger, and the next call (spec 9.8). */
import { describe, expect, it } from "vitest";
import type { Booked, BookOutcome, FoundBooking } from "../../../ledger/ledger.ts";
import {
  afterBooking,
  afterLook,
  type Doubt,
  type IntentProgress,
  nextCall,
} from "./intent-state.ts";

const CALL_MS = 5_000;
const NOW = 1_000_000;
const booked: Booked = { state: "booked", guid: "g", ledger_id: "L1", number: 1n, totals: null };
const refusal = { state: "rejected", code: "VALIDATION" } as const;

const known = (fields: Partial<IntentProgress> = {}): IntentProgress => ({
  state: "booking",
  called_at: null,
  looks: 0,
  has_glanced: false,
  must_look: false,
  has_draft: false,
  refused: null,
  doubt: null,
  is_guid_used: false,
  former_guids: 0,
  returned: 0,
  ...fields,
});
/** A booking call may have succeeded a moment ago. */
const unclear = (fields: Partial<IntentProgress> = {}) =>
  known({ state: "unknown", called_at: NOW - 100, ...fields });

describe("the next call", () => {
  it.each<[string, IntentProgress, "book" | "find", number]>([
    ["books where nothing can have been booked", known(), "book", 0],
    ["looks first after a takeover", known({ must_look: true }), "find", 0],
    ["looks immediately after a call without a clear answer", unclear(), "find", 0],
    [
      "looks again when the time has run out",
      unclear({ has_glanced: true }),
      "find",
      CALL_MS - 100,
    ],
    [
      "looks immediately after a look without result",
      unclear({ called_at: NOW - 60_000, has_glanced: true }),
      "find",
      0,
    ],
    [
      "looks immediately after an answer that disagrees",
      unclear({ doubt: "FOREIGN_GUID" }),
      "find",
      0,
    ],
    ["books a draft that was found", unclear({ has_draft: true }), "book", 0],
    [
      "but not one that was refused",
      unclear({ has_draft: true, refused: refusal, has_glanced: true }),
      "find",
      CALL_MS - 100,
    ],
    ["looks at what is pending", unclear({ state: "pending" }), "find", 0],
    ["looks before it abandons a used guid", known({ is_guid_used: true }), "find", 0],
    [
      "but not before an earlier call has run out",
      unclear({ is_guid_used: true, has_glanced: true }),
      "find",
      CALL_MS - 100,
    ],
    ["only looks at what is parked", known({ state: "parked" }), "find", 0],
  ])("%s", (_what, before, verb, wait) => {
    expect(nextCall(before, NOW, CALL_MS)).toEqual({ verb, at: NOW + wait });
  });
});

const agrees = () => null;
const doubted = (): Doubt => "TOTAL_MISMATCH";

describe("the answer to a booking", () => {
  it.each<[string, IntentProgress, BookOutcome, object]>([
    ["booked finishes", known(), booked, { to: "finish" }],
    ["a refusal releases", known(), refusal, { to: "release" }],
    [
      "a refusal after an unclear call is not accepted yet",
      unclear({ has_draft: true }),
      refusal,
      { to: "go_on", known: { refused: refusal, called_at: NOW - 100 } },
    ],
    [
      "other content is parked",
      known(),
      { state: "rejected", code: "GUID_CONFLICT" },
      { to: "park" },
    ],
    [
      "not reached changes nothing",
      known(),
      { state: "not_started" },
      { to: "go_on", known: { state: "booking", called_at: null }, is_news: false },
    ],
    [
      "no answer may be a booking",
      known(),
      { state: "unknown" },
      { to: "go_on", known: { state: "unknown", called_at: NOW, looks: 0 }, is_news: false },
    ],
    [
      "a guid that is used is looked up, and an earlier call is remembered",
      unclear({ has_draft: true }),
      { state: "guid_used" },
      { to: "go_on", known: { is_guid_used: true, called_at: NOW - 100, looks: 0 } },
    ],
    ["accepted waits", known(), { state: "pending", poll_after_ms: 9 }, { to: "wait" }],
    ["no credentials wait", known(), { state: "unauthorized" }, { to: "wait" }],
  ])("%s", (_what, before, outcome, step) => {
    expect(afterBooking(before, outcome, NOW, agrees)).toMatchObject(step);
  });

  it("that disagrees is looked up again", () => {
    expect(afterBooking(known(), booked, NOW, doubted)).toMatchObject({
      to: "go_on",
      known: { doubt: "TOTAL_MISMATCH", called_at: NOW },
    });
  });
});

describe("a look", () => {
  const late = { called_at: NOW - CALL_MS };
  it.each<[string, IntentProgress, FoundBooking, object]>([
    ["that finds it finishes", unclear(), booked, { to: "finish" }],
    [
      "that is too early does not count",
      unclear(),
      { state: "absent" },
      { to: "go_on", known: { state: "unknown", looks: 0, has_glanced: true }, is_news: true },
    ],
    [
      "that is too early again changes nothing",
      unclear({ has_glanced: true }),
      { state: "absent" },
      { to: "go_on", known: { state: "unknown", looks: 0 }, is_news: false },
    ],
    [
      "that is late enough counts as the first",
      unclear(late),
      { state: "absent" },
      { to: "go_on", known: { state: "unknown", looks: 1 }, is_news: true },
    ],
    [
      "that is the second makes certain that nothing is booked",
      unclear({ ...late, looks: 1 }),
      { state: "absent" },
      { to: "go_on", known: { state: "booking", called_at: null, looks: 0 } },
    ],
    [
      "that is the second makes a refusal certain",
      unclear({ ...late, looks: 1, refused: refusal }),
      { state: "absent" },
      { to: "release", refusal },
    ],
    [
      "that finds a draft makes a refusal certain",
      unclear({ ...late, refused: refusal }),
      { state: "draft" },
      { to: "release" },
    ],
    [
      "that finds a draft lets it be booked",
      unclear(),
      { state: "draft" },
      { to: "go_on", known: { has_draft: true } },
    ],
    [
      "without an answer changes nothing",
      unclear(late),
      { state: "unknown" },
      { to: "go_on", is_news: false },
    ],
    [
      "that finds a pending booking waits",
      unclear(),
      { state: "pending" },
      { to: "wait", known: { state: "pending" } },
    ],
  ])("%s", (_what, before, found, step) => {
    expect(afterLook(before, found, NOW, CALL_MS, agrees)).toMatchObject(step);
  });

  const used = (fields: Partial<IntentProgress> = {}) =>
    unclear({ ...late, is_guid_used: true, ...fields });
  it.each<[string, IntentProgress, FoundBooking, object]>([
    [
      "too early keeps the guid",
      used({ called_at: NOW - 100, looks: 1 }),
      { state: "absent" },
      { to: "go_on", known: { is_guid_used: true, looks: 1 } },
    ],
    [
      "the first time keeps the guid",
      used(),
      { state: "absent" },
      { to: "go_on", known: { is_guid_used: true, looks: 1 } },
    ],
    [
      "the first time keeps the guid also where nothing can have been booked",
      known({ is_guid_used: true }),
      { state: "absent" },
      { to: "go_on", known: { is_guid_used: true, looks: 1 } },
    ],
    [
      "the second time takes another guid",
      used({ looks: 1 }),
      { state: "absent" },
      {
        to: "rename",
        known: { state: "booking", called_at: null, is_guid_used: false, former_guids: 1 },
      },
    ],
    [
      "under a third other guid leaves it to a person",
      used({ looks: 1, former_guids: 3 }),
      { state: "absent" },
      { to: "park", reason: "GUID_CONFLICT" },
    ],
    [
      "without an answer keeps the guid",
      used({ looks: 1 }),
      { state: "unknown" },
      { to: "go_on", known: { is_guid_used: true, looks: 1 } },
    ],
  ])("that finds nothing under a guid that is used, %s", (_what, before, found, step) => {
    expect(afterLook(before, found, NOW, CALL_MS, agrees)).toMatchObject(step);
  });

  it("that finds a draft or a booking under a guid reported as used keeps it", () => {
    expect(afterLook(used({ looks: 1 }), { state: "draft" }, NOW, CALL_MS, agrees)).toMatchObject({
      to: "go_on",
      known: { has_draft: true, is_guid_used: false },
    });
    expect(afterLook(used({ looks: 1 }), booked, NOW, CALL_MS, agrees)).toMatchObject({
      to: "finish",
    });
  });

  const accepted = (fields: Partial<IntentProgress> = {}) =>
    unclear({ ...late, state: "pending", ...fields });
  const again = { state: "booking", called_at: null, returned: 1 };
  it.each<[string, IntentProgress, FoundBooking, object]>([
    [
      "as a draft too early, waits",
      accepted({ called_at: NOW - 100 }),
      { state: "draft" },
      { to: "wait", known: { state: "pending", looks: 0 } },
    ],
    [
      "as a draft, is looked at again",
      accepted(),
      { state: "draft" },
      { to: "go_on", known: { state: "pending", looks: 1 } },
    ],
    [
      "as a draft twice, is booked again",
      accepted({ looks: 1 }),
      { state: "draft" },
      { to: "go_on", known: { ...again, has_draft: true } },
    ],
    [
      "missing twice, is booked again",
      accepted({ looks: 1 }),
      { state: "absent" },
      { to: "go_on", known: { ...again, has_draft: false } },
    ],
    [
      "as a draft after the second call, was refused",
      accepted({ looks: 1, returned: 1 }),
      { state: "draft" },
      { to: "release", refusal: { state: "rejected", code: "VALIDATION" } },
    ],
    [
      "as a draft after a second call without an answer, was refused as well",
      unclear({ ...late, looks: 1, returned: 1 }),
      { state: "draft" },
      { to: "release" },
    ],
    [
      "as a draft before the second call, is booked",
      known({ returned: 1, must_look: true }),
      { state: "draft" },
      { to: "go_on", known: { has_draft: true, returned: 1 } },
    ],
    [
      "pending between two looks, restarts them",
      accepted({ looks: 1 }),
      { state: "pending" },
      { to: "wait", known: { looks: 0 } },
    ],
  ])("that finds what was accepted %s", (_what, before, found, step) => {
    expect(afterLook(before, found, NOW, CALL_MS, agrees)).toMatchObject(step);
  });

  it("that finds different content leaves it to a person", () => {
    const step = afterLook(unclear(), booked, NOW, CALL_MS, doubted);
    expect(step).toEqual({ to: "park", reason: "TOTAL_MISMATCH" });
  });
});
