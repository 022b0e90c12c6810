/** The state of the credit form without a browser: the credited amounts, the shown effect, and when it may be sent. */
import { describe, expect, it } from "vitest";
import type { Language } from "../words/words.ts";
import {
  type CreditEvent,
  type CreditFault,
  type CreditShown,
  type CreditState,
  creditAfter,
  creditFrom,
  creditOf,
} from "./credit-state.ts";

/** 200 of the second line and all of the third line are already credited. */
const LINES = [
  { id: "a", text: "Design", amount: 1000, rest: 1000 },
  { id: "b", text: "Print", amount: 500, rest: 300 },
  { id: "c", text: "Delivery", amount: 100, rest: 0 },
];
const opened = (language: Language = "en"): CreditState =>
  creditFrom(
    {
      invoice: "i1",
      currency: "DKK",
      today: "2026-03-10",
      lines: LINES,
      external_id: "page:1",
      csrf: "proof",
    },
    language,
  );
const played = (state: CreditState, ...events: readonly CreditEvent[]): CreditState =>
  events.reduce(creditAfter, state);
const type = (line_id: string, text: string): CreditEvent => ({ kind: "type", line_id, text });
const FILL: CreditEvent = { kind: "fill", lines: LINES };
const MAKE: CreditEvent = { kind: "make" };
const effect = (agreed: string): CreditShown => ({
  net: 400,
  vat: 100,
  gross: 500,
  months: null,
  warnings: [],
  address: null,
  agreed,
});
const SHOWN: CreditEvent = { kind: "shown", shown: effect("token") };
const shown = () => played(opened(), type("a", "400"), SHOWN);

describe("the credit read from the form", () => {
  it.each<[given: string, events: readonly CreditEvent[], expected: object | null]>([
    ["is empty without amounts", [], null],
    ["is empty if all amounts are zero", [type("a", "0")], null],
    ["is empty if an amount is not a number", [type("a", "400"), type("b", "x")], null],
    ["is empty without a date", [type("a", "400"), { kind: "date", day: "" }], null],
    [
      "has a typed reason, without the spaces around it",
      [FILL, { kind: "reason", text: " Delivered late\n" }],
      { kind: "full", reason: "Delivered late" },
    ],
    [
      "is partial for a part of a line",
      [type("a", "400"), type("b", "")],
      { kind: "partial", lines: [{ invoice_line_id: "a", amount: 400 }] },
    ],
    [
      "is partial for one whole line",
      [{ kind: "fill", lines: LINES.slice(1, 2) }],
      { kind: "partial", lines: [{ invoice_line_id: "b", amount: 300 }] },
    ],
    ["is full for the remaining amount of every line", [FILL], { kind: "full" }],
    [
      "is full for typed amounts equal to the remaining ones",
      [type("a", "1,000.00"), type("b", "300")],
      { kind: "full" },
    ],
    [
      "contains an amount above the remaining one, which the server refuses",
      [FILL, type("b", "301")],
      { kind: "partial", lines: [{ amount: 1000 }, { amount: 301 }] },
    ],
    [
      "contains the chosen date",
      [FILL, { kind: "date", day: "2026-04-01" }],
      { credit_date: "2026-04-01" },
    ],
  ])("%s", (_given, events, expected) => {
    const credit = creditOf(played(opened(), ...events));
    if (expected === null) expect(credit).toBeNull();
    else expect(credit).toMatchObject({ invoice: "i1", ...expected });
  });

  it("reads and fills in numbers in the format of the user's language", () => {
    const state = played(opened("da"), FILL);
    expect(state.typed).toMatchObject({ a: "1.000,00", b: "300,00" });
    expect(creditOf(state)?.kind).toBe("full");
  });
});

describe("the shown effect", () => {
  it("is removed, with the fault, when an amount or the date changes", () => {
    const state = played(shown(), { kind: "not_made", fault: "credit_lost" }, type("a", "401"));
    expect([state.shown, state.fault]).toEqual([null, null]);
    expect(played(shown(), { kind: "date", day: "2026-04-01" }).shown).toBeNull();
  });

  it("is unchanged if the same credit is written in another way", () => {
    expect(played(shown(), type("a", "400.00"), type("b", "0")).shown).toEqual(effect("token"));
  });

  it("is missing with a reason if the dry run fails", () => {
    const state = played(opened(), type("a", "1"), { kind: "not_shown", fault: "dry_run_lost" });
    expect([state.fault, played(state, MAKE).sending]).toEqual(["dry_run_lost", null]);
  });
});

describe("the credit", () => {
  it("is sent only if its effect is shown, with the confirmation token", () => {
    expect(played(opened(), type("a", "400"), MAKE).sending).toBeNull();
    expect(played(shown(), type("a", "401"), MAKE).sending).toBeNull();
    expect(played(shown(), MAKE).sending).toEqual({
      invoice: "i1",
      kind: "partial",
      credit_date: "2026-03-10",
      lines: [{ invoice_line_id: "a", amount: 400 }],
      external_id: "page:1",
      agreed: "token",
    });
  });

  it("is sent one request at a time, even if amounts change meanwhile", () => {
    const sending = played(shown(), MAKE);
    const fault: CreditFault = "dry_run_lost";
    const later = played(sending, MAKE, type("a", "500"), { kind: "not_shown", fault }, MAKE);
    expect(later.sending).toBe(sending.sending);
    expect(played(later, SHOWN, MAKE).sending).toBe(sending.sending);
  });

  it("is repeated with the same external id if no answer arrives", () => {
    const lost = played(shown(), MAKE, { kind: "not_made", fault: "credit_lost" });
    expect([lost.fault, lost.sending]).toEqual(["credit_lost", null]);
    expect(played(lost, MAKE).sending).toMatchObject({ external_id: "page:1", agreed: "token" });
  });

  it("keeps the typed amounts and shows the reason if the server refuses it", () => {
    const refused = {
      code: "PLAN_STALE" as const,
      message: "No.",
      field_errors: [],
      details: {},
    };
    const state = played(shown(), MAKE, { kind: "not_made", fault: refused });
    expect(state).toMatchObject({ typed: { a: "400" }, fault: refused, sending: null });
  });
});
