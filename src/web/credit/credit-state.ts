/**
 * The state of the form that credits an invoice: the typed amounts, the effect of the credit from a dry run, and the request that
 * makes the credit. Pure: only the credit whose effect is shown can be made.
 */
import { calendarDate } from "../../domain/base/calendar.ts";
import type { Refused } from "../browser/send.ts";
import type { CuredText } from "../parts/facts.tsx";
import { amountOfNumber } from "../parts/format.ts";
import { numberFrom } from "../parts/number.ts";
import type { Language } from "../words/words.ts";

export interface CreditedLine {
  readonly id: string;
  readonly text: string;
  readonly amount: number;
  /** The amount that can still be credited. */
  readonly rest: number;
}

/** The invoice as the page receives it. */
export interface CreditedInvoice {
  readonly invoice: string;
  readonly currency: string;
  readonly today: string;
  readonly lines: readonly CreditedLine[];
  /** The idempotency key: repeated requests make one credit note. */
  readonly external_id: string;
  /** The CSRF token of the form, which is sent without scripts. */
  readonly csrf: string;
  /** What was sent without scripts; absent on the first page. */
  readonly sent?: Pick<CreditState, "typed" | "day" | "reason" | "shown" | "fault">;
}

/** The body of `POST /credit-notes`. */
interface Credit {
  readonly invoice: string;
  readonly kind: "full" | "partial";
  readonly credit_date: string;
  readonly lines?: readonly { readonly invoice_line_id: string; readonly amount: number }[];
  readonly reason?: string;
}

/** The effect of a credit. */
export interface CreditShown {
  readonly net: number;
  readonly vat: number;
  readonly gross: number;
  /** The effect by month; null for a reader who may not see the revenue of other people. */
  readonly months:
    | readonly {
        readonly month: string;
        readonly earned_before: number;
        readonly earned_after: number;
      }[]
    | null;
  readonly warnings: readonly CuredText[];
  readonly address: string | null;
  readonly agreed: string;
}

/** A refusal, or which of the two requests got no response. */
export type CreditFault = Refused | "dry_run_lost" | "credit_lost";

export interface CreditState {
  readonly of: CreditedInvoice;
  readonly language: Language;
  /** Amounts by line, as typed. */
  readonly typed: Readonly<Record<string, string>>;
  readonly day: string;
  readonly reason: string;
  readonly shown: CreditShown | null;
  readonly fault: CreditFault | null;
  /** The request under way: the credit that was shown. */
  readonly sending: (Credit & { readonly external_id: string; readonly agreed: string }) | null;
}

export type CreditEvent =
  | { readonly kind: "type"; readonly line_id: string; readonly text: string }
  /** Credits the whole rest of these lines. */
  | { readonly kind: "fill"; readonly lines: readonly CreditedLine[] }
  | { readonly kind: "date"; readonly day: string }
  | { readonly kind: "reason"; readonly text: string }
  | { readonly kind: "make" }
  /** The responses of the dry run and of the credit; a credit that was made leaves the page. */
  | { readonly kind: "shown"; readonly shown: CreditShown }
  | { readonly kind: "not_shown" | "not_made"; readonly fault: CreditFault };

export function creditFrom(of: CreditedInvoice, language: Language): CreditState {
  const { typed = {}, day = of.today, reason = "", shown = null, fault = null } = of.sent ?? {};
  return { of, language, typed, day, reason, shown, fault, sending: null };
}

/** Returns the remaining amounts of lines, as a person types them. */
export function restsOf(
  { currency }: Pick<CreditedInvoice, "currency">,
  language: Language,
  lines: readonly CreditedLine[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    lines.map(({ id, rest }) => [id, amountOfNumber(language, rest, currency)]),
  );
}

/** Returns the typed credit; null if nothing or unreadable text is typed. The rest of every line is a full credit. */
export function creditOf({ of, language, typed, day, reason }: CreditState): Credit | null {
  const { invoice, lines } = of;
  const amounts = lines.map(({ id, rest }) => ({
    invoice_line_id: id,
    amount: numberFrom(language, typed[id]) ?? 0,
    rest,
  }));
  if (calendarDate(day) === undefined || amounts.some(({ amount }) => Number.isNaN(amount)))
    return null;
  const credited = amounts.filter(({ amount }) => amount !== 0);
  if (credited.length === 0) return null;
  const text = reason.trim();
  const because = text === "" ? {} : { reason: text };
  if (amounts.every(({ amount, rest }) => amount === rest))
    return { invoice, kind: "full", credit_date: day, ...because };
  return {
    invoice,
    kind: "partial",
    credit_date: day,
    lines: credited.map(({ rest: _, ...line }) => line),
    ...because,
  };
}

export function creditAfter(state: CreditState, event: CreditEvent): CreditState {
  const { of, language, typed } = state;
  switch (event.kind) {
    case "type":
      return retyped(state, { typed: { ...typed, [event.line_id]: event.text } });
    case "fill":
      return retyped(state, { typed: { ...typed, ...restsOf(of, language, event.lines) } });
    case "date":
      return retyped(state, { day: event.day });
    case "reason":
      return retyped(state, { reason: event.text });
    case "make":
      return making(state);
    case "shown":
      return { ...state, shown: event.shown };
    case "not_shown":
      return { ...state, fault: event.fault };
    case "not_made":
      return { ...state, fault: event.fault, sending: null };
  }
}

/** Returns the state after typing. The shown effect belongs to the typed credit: another credit has none yet. */
function retyped(
  state: CreditState,
  change: Partial<Pick<CreditState, "typed" | "day" | "reason">>,
): CreditState {
  const after = { ...state, ...change };
  const is_same = JSON.stringify(creditOf(after)) === JSON.stringify(creditOf(state));
  return is_same ? after : { ...after, shown: null, fault: null };
}

/** Returns the state with the request to make the credit; one request runs at a time. */
function making(state: CreditState): CreditState {
  const { of, shown, sending } = state;
  const credit = creditOf(state);
  if (credit === null || shown === null || sending !== null) return state;
  const { external_id } = of;
  return { ...state, sending: { ...credit, external_id, agreed: shown.agreed } };
}
