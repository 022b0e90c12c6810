/** Decides the checklist of a month: what prevents its close, what a person should look at first, and what is in order. */
import { firstDayOf, lastDayOf, type Month } from "../../domain/base/calendar.ts";
import { dayOf, hoursOf, monthOf } from "../parts/format.ts";
import type { Words } from "../words/en.ts";
import type { Language } from "../words/words.ts";
import type { MonthAheadShown, WarningCode } from "./ahead-shown.ts";

/** A rate that the checklist shows: text as the reader writes it; nulls where no rate is known. */
interface RateShown {
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly date: string | null;
  readonly rate: string | null;
}

/** Facts of the month in the form that travels to the browser. */
export interface FactsShown {
  readonly hours: number;
  readonly people: number;
  readonly retainers: number;
  readonly in_doubt: number;
  readonly rates: readonly RateShown[];
}

export interface CheckItem {
  /** `bad` prevents the close, or the booking of a customer; `warn` deserves a look; `ok` is in order. */
  readonly state: "bad" | "warn" | "ok";
  readonly text: string;
  /** The page that resolves the matter. */
  readonly cure?: { readonly href: string; readonly word: string };
  /** The currency whose rate the person can set here. */
  readonly rate_of?: string;
}

const RETAINERS: readonly WarningCode[] = [
  "UNISSUED_OVERDUE",
  "FAILED_OCCURRENCES",
  "DRAFT_SERIES_STARTED",
];

/** Returns the checklist in order: refusals, warnings, then what is in order. `ahead` is null until it is computed. */
export function checklistOf(
  month: Month,
  facts: FactsShown,
  ahead: Pick<
    MonthAheadShown,
    "blockers" | "warnings" | "refused" | "failed" | "unassigned"
  > | null,
  all: Words,
  language: Language,
): readonly CheckItem[] {
  const words = all.close;
  const items: CheckItem[] = [];
  for (const { refusal, month: earlier } of ahead?.blockers ?? []) {
    const cure = blockerCure(refusal.code, earlier, month, all, language);
    items.push({ state: "bad", text: all.refused(refusal), ...(cure !== null && { cure }) });
  }
  if (ahead !== null && ahead.failed > 0) {
    items.push({
      state: "bad",
      text: words.refused(ahead.failed),
      cure: { href: "#refused", word: words.cures.lines },
    });
  }
  const warned = new Map((ahead?.warnings ?? []).map(({ code, count }) => [code, count]));
  for (const [code, count] of warned) {
    const cure = cureOf(code, ahead?.unassigned ?? 0, words);
    items.push({ state: "warn", text: words.warnings[code](count), ...(cure && { cure }) });
  }
  if (facts.in_doubt > 0) {
    items.push({
      state: "warn",
      text: words.doubt(facts.in_doubt),
      cure: { href: "/ledger/queue", word: words.cures.queue },
    });
  }
  const rates = facts.rates.map((rate) => rateItem(month, rate, words, language));
  items.push(...rates.filter(({ state }) => state !== "ok"));
  if (ahead !== null) {
    if (!RETAINERS.some((code) => warned.has(code))) {
      items.push({ state: "ok", text: words.retainers(facts.retainers) });
    }
    if (!warned.has("QUEUED_CREDIT_NOTES")) items.push({ state: "ok", text: words.credit_notes });
  }
  if (facts.in_doubt === 0) items.push({ state: "ok", text: words.doubt(0) });
  items.push({
    state: "ok",
    text: words.hours(hoursOf(language, facts.hours), facts.people),
    cure: { href: "/hours/team", word: words.cures.hours },
  });
  items.push(...rates.filter(({ state }) => state === "ok"));
  return items;
}

/** Returns the number of items that a person should look at. */
export function toCheck(items: readonly CheckItem[]): number {
  return items.filter(({ state }) => state !== "ok").length;
}

/** Returns the cure of a warning. `unassigned` lines are listed on the page; booked ones stay as they are booked. */
function cureOf(code: WarningCode, unassigned: number, words: Words["close"]) {
  if (code === "UNASSIGNED_REVENUE") {
    return unassigned === 0 ? null : { href: "#unassigned", word: words.cures.lines };
  }
  if (code === "QUEUED_CREDIT_NOTES") {
    return { href: "/invoices?tab=credit-notes", word: words.cures.credit_notes };
  }
  if (code === "BANK_LINES_OPEN") return { href: "/bank", word: words.cures.bank };
  if (code === "DRAFT_SERIES_STARTED") {
    return { href: "/retainers?group=draft", word: words.cures.drafts };
  }
  return { href: "/retainers?group=active", word: words.cures.retainers };
}

/** Returns the page on which a person resolves what prevents the close; none where only time does. */
function blockerCure(
  code: string,
  earlier: string | null,
  month: Month,
  all: Words,
  language: Language,
) {
  const { cures } = all.close;
  if (earlier !== null && earlier !== month) {
    return { href: `/close/${earlier}`, word: cures.earlier(monthOf(language, earlier)) };
  }
  if (code === "ACCOUNT_ROLE_MISSING") return { href: "/settings/vat", word: cures.roles };
  if (code === "PERIOD_LOCKED") return { href: "/settings/months", word: cures.locks };
  return null;
}

function rateItem(
  month: Month,
  { currency, date, rate }: RateShown,
  words: Words["close"],
  language: Language,
): CheckItem {
  if (date === null || rate === null) {
    return { state: "bad", text: words.rate_missing(currency), rate_of: currency };
  }
  if (date < firstDayOf(month)) {
    const text = words.rate_old(currency, monthOf(language, month), rate, dayOf(language, date));
    return { state: "warn", text, rate_of: currency };
  }
  const is_last = date === lastDayOf(month);
  return {
    state: "ok",
    text: words.rate(currency, rate, dayOf(language, date)),
    ...(!is_last && { rate_of: currency }),
  };
}
