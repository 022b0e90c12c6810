/** The form of a credit without a browser: what is credited, when its effect is shown, and when it can be made. */
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

/** Of the second line, 200 have been credited before, and all of the third. */
const LINES = [
  { id: "a", text: "Design", amount: 1000, rest: 1000 },
  { id: "b", text: "Print", amount: 500, rest: 300 },
  { id: "c", text: "Delivery", amount: 100, rest: 0 },
];
const opened = (language: Language = "en"): CreditState =>
  creditFrom(
    { invoice: "i1", currency: "DKK", today: "2026-03-10", lines: LINES, external_id: "page:1" },
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

describe("the typed amounts", () => {
  it.each<[given: string, events: readonly CreditEvent[], expected: object | null]>([
    ["nothing", [], null],
    ["only zeros", [type("a", "0")], null],
    ["a text that is no number", [type("a", "400"), type("b", "x")], null],
    ["no day", [type("a", "400"), { kind: "date", day: "" }], null],
    [
      "some of a line",
      [type("a", "400"), type("b", "")],
      { kind: "partial", lines: [{ invoice_line_id: "a", amount: 400 }] },
    ],
    [
      "all of one line",
      [{ kind: "fill", lines: LINES.slice(1, 2) }],
      { kind: "partial", lines: [{ invoice_line_id: "b", amount: 300 }] },
    ],
    ["all that is left of every line", [FILL], { kind: "full" }],
    ["the same, typed", [type("a", "1,000.00"), type("b", "300")], { kind: "full" }],
    [
      "more than is left, which the server refuses",
      [FILL, type("b", "301")],
      { kind: "partial", lines: [{ amount: 1000 }, { amount: 301 }] },
    ],
    ["another day", [FILL, { kind: "date", day: "2026-04-01" }], { credit_date: "2026-04-01" }],
  ])("of %s", (_given, events, expected) => {
    const credit = creditOf(played(opened(), ...events));
    if (expected === null) expect(credit).toBeNull();
    else expect(credit).toMatchObject({ invoice: "i1", ...expected });
  });

  it("are read and filled in as the reader writes numbers", () => {
    const state = played(opened("da"), FILL);
    expect(state.typed).toMatchObject({ a: "1.000,00", b: "300,00" });
    expect(creditOf(state)?.kind).toBe("full");
  });
});

describe("the effect that is shown", () => {
  it("is of the typed credit: other amounts have none yet, and no fault", () => {
    const state = played(shown(), { kind: "not_made", fault: "credit_lost" }, type("a", "401"));
    expect([state.shown, state.fault]).toEqual([null, null]);
    expect(played(shown(), { kind: "date", day: "2026-04-01" }).shown).toBeNull();
  });

  it("stays for another spelling of the same credit", () => {
    expect(played(shown(), type("a", "400.00"), type("b", "0")).shown).toEqual(effect("token"));
  });

  it("is missing with a reason where the dry run is refused or lost", () => {
    const state = played(opened(), type("a", "1"), { kind: "not_shown", fault: "dry_run_lost" });
    expect([state.fault, played(state, MAKE).sending]).toEqual(["dry_run_lost", null]);
  });
});

describe("the credit", () => {
  it("is made only as it was shown, with the token of what was shown", () => {
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

  it("is sent one request at a time, whatever is typed meanwhile", () => {
    const sending = played(shown(), MAKE);
    const fault: CreditFault = "dry_run_lost";
    const later = played(sending, MAKE, type("a", "500"), { kind: "not_shown", fault }, MAKE);
    expect(later.sending).toBe(sending.sending);
    expect(played(later, SHOWN, MAKE).sending).toBe(sending.sending);
  });

  it("is repeated under the same key where no answer came", () => {
    const lost = played(shown(), MAKE, { kind: "not_made", fault: "credit_lost" });
    expect([lost.fault, lost.sending]).toEqual(["credit_lost", null]);
    expect(played(lost, MAKE).sending).toMatchObject({ external_id: "page:1", agreed: "token" });
  });

  it("that is refused stays as it was typed, with the reason", () => {
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
