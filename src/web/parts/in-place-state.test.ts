/** A field that is edited in its place, without a browser: what is saved when it is left, and what the answer changes. */
import { describe, expect, it } from "vitest";
import type { Answer } from "../browser/send.ts";
import {
  type InPlaceEvent,
  type InPlaceRules,
  type InPlaceState,
  inPlaceAfter,
  UNTOUCHED,
} from "./in-place-state.ts";

const NO_NUMBER = { code: "invalid_type", message: "Must be a number." } as const;
/** A price of which 100 is stored. */
const rules: InPlaceRules<number> = {
  read: (typed) =>
    Number.isNaN(Number(typed)) ? { refusal: NO_NUMBER } : { value: Number(typed) },
  isStored: (value) => value === 100,
};
const LEAVE: InPlaceEvent<number> = { kind: "leave", rules };
const RESET: InPlaceEvent<number> = { kind: "reset" };
const type = (text: string): InPlaceEvent<number> => ({ kind: "type", text });
const answer = (given: Answer<unknown>): InPlaceEvent<number> => ({
  kind: "answer",
  answer: given,
  rules,
});
const DONE = answer({ done: {} });
const LOST = answer({ lost: true });
const REFUSED = answer({
  refused: { code: "VALIDATION_FAILED", message: "No.", field_errors: [], details: {} },
});
const AGAIN = { code: "REAUTHENTICATION_REQUIRED", message: "Answer again." } as const;
const ASKED_AGAIN = answer({ refused: { ...AGAIN, field_errors: [], details: {} } });
const played = (...events: readonly InPlaceEvent<number>[]): InPlaceState<number> =>
  events.reduce<InPlaceState<number>>(inPlaceAfter, UNTOUCHED);

describe("a field that is left", () => {
  it.each<[given: string, typed: string | null, expected: Partial<InPlaceState<number>>]>([
    ["untouched sends nothing", null, { status: "still", sending: null }],
    ["with another value saves it", "120", { typed: "120", status: "saving" }],
    ["with the stored value shows it again", "100.0", UNTOUCHED],
    ["with an unreadable text keeps it with the reason", "x", { typed: "x", status: NO_NUMBER }],
  ])("%s", (_given, typed, expected) => {
    const state = played(...(typed === null ? [] : [type(typed)]), LEAVE);
    expect(state).toMatchObject(expected);
    expect(state.sending?.value).toBe(typed === "120" ? 120 : undefined);
  });

  it("is not saved while a person types, nor after Escape", () => {
    expect(played(type("120")).sending).toBeNull();
    expect(played(type("120"), RESET)).toEqual(UNTOUCHED);
    expect(played(type("120"), RESET, LEAVE).sending).toBeNull();
  });
});

describe("the answer to a save", () => {
  const saving = [type("120"), LEAVE] as const;

  it.each<[event: InPlaceEvent<number>, expected: Partial<InPlaceState<number>>]>([
    [DONE, { typed: null, status: "saved" }],
    [LOST, { typed: "120", status: "unsaved" }],
    [REFUSED, { typed: "120", status: { code: "VALIDATION_FAILED", message: "No." } }],
    [ASKED_AGAIN, { typed: "120", status: AGAIN }],
  ])("is shown at the text that was sent: %j", (event, expected) => {
    expect(played(...saving, event)).toMatchObject({ ...expected, sending: null });
  });

  it.each([DONE, LOST, REFUSED])("leaves alone what is typed meanwhile: %j", (event) => {
    const state = played(...saving, type("130"), event);
    expect(state).toMatchObject({ typed: "130", status: "still", sending: null });
  });

  it.each([DONE, LOST, REFUSED])(
    "is followed by the save of newer text that was left: %j",
    (event) => {
      const waiting = played(...saving, type("130"), LEAVE);
      expect(waiting.sending?.value).toBe(120);
      expect(inPlaceAfter(waiting, event)).toMatchObject({
        status: "saving",
        sending: { value: 130 },
      });
      // A person who has returned to the field is not interrupted.
      expect(played(...saving, type("130"), LEAVE, type("140"), event).sending).toBeNull();
    },
  );

  it.each<[event: InPlaceEvent<number>, status: string]>([
    [DONE, "saved"],
    [LOST, "still"],
    [REFUSED, "still"],
  ])("after a reset during the save says only what was stored: %j", (event, status) => {
    expect(played(...saving, RESET, event)).toMatchObject({ typed: null, status, sending: null });
  });
});
