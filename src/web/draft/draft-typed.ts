/** A draft as typed: field texts, unreadable ones included, and their values. The command decides everything again. */
import { type CalendarDate, calendarDate } from "../../domain/base/calendar.ts";
import type { LineInput, RecognitionMethod } from "../../domain/sales/line.ts";
import { lineFaults } from "../../domain/sales/line.ts";
import type { BuyerReference } from "../../domain/sales/printed.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";
import {
  draftNumber,
  hoursUnderstood,
  percentUnderstood,
  priceUnderstood,
} from "./draft-number.ts";

export interface TypedAssignee {
  readonly user_id: string;
  /** The share in percent; empty shares are equal. */
  readonly share: string;
  /** The assignee's own hourly rate, as stored; the editor has no field for it yet. */
  readonly rate: number | null;
}

export interface TypedLine {
  /** Identifies the line on the screen, including a line that is not stored yet. */
  readonly key: string;
  readonly id: string | null;
  readonly product_id: string;
  /** The text that replaces the product's name on the document; empty for none. */
  readonly text: string;
  readonly method: RecognitionMethod;
  /** The agreed value, or the hourly rate for a line by hours; empty takes the product's. */
  readonly price: string;
  /** The stored value or rate, whichever `price` is not; only for information. */
  readonly other_price: number | null;
  readonly discount: string;
  readonly service_from: string;
  readonly service_to: string;
  readonly budget: string;
  readonly assignees: readonly TypedAssignee[];
}

/**
 * The buyer's references: null takes the customer's, and an empty text prints none. A copy that a browser kept before the page had
 * these fields has none of them.
 */
type References = { readonly [Reference in BuyerReference]?: string | null | undefined };

export interface TypedDraft extends References {
  readonly customer_id: string;
  readonly title: string;
  readonly issue_date: string;
  readonly auto_send: boolean;
  readonly lines: readonly TypedLine[];
}

/** The faults of the typed texts, by the API's name of the field: `lines[1].discount`. */
export type TypedFaults = ReadonlyMap<string, Refusal>;

/** A draft in the form that the command takes. */
export interface DraftChanges extends References {
  readonly customer_id: string;
  readonly title: string | null;
  readonly issue_date: string | null;
  readonly auto_send: boolean;
  readonly lines: readonly (LineInput & { readonly id?: string })[];
}

const NO_NUMBER: Refusal = { code: "invalid_type", message: "Must be a number." };
const NO_PRODUCT: Refusal = { code: "required", message: "Choose a product." };
const NO_DAY: Refusal = { code: "invalid_format", message: "Must be a date." };

/** Returns the draft in the form that the command takes, with the faults of texts that cannot be read or break a rule. */
export function readDraft(
  draft: TypedDraft,
  language: Language,
): { readonly changes: DraftChanges; readonly faults: TypedFaults } {
  const faults = new Map<string, Refusal>();
  const lines = draft.lines.map((line, index) => readLine(line, index, language, faults));
  for (const { field, code, message } of lineFaults(lines)) {
    if (!faults.has(field)) faults.set(field, { code, message });
  }
  const changes = {
    customer_id: draft.customer_id,
    title: draft.title.trim() || null,
    issue_date: dayFrom(draft.issue_date, "issue_date", faults),
    auto_send: draft.auto_send,
    buyer_reference: referenceFrom(draft.buyer_reference),
    order_reference: referenceFrom(draft.order_reference),
    accounting_cost: referenceFrom(draft.accounting_cost),
    lines,
  };
  return { changes, faults };
}

/** Returns a reference without surrounding spaces; the customer's is taken where only spaces were typed. */
function referenceFrom(typed: References[BuyerReference]): References[BuyerReference] {
  return typed ? typed.trim() || null : typed;
}

function readLine(
  line: TypedLine,
  index: number,
  language: Language,
  faults: Map<string, Refusal>,
): DraftChanges["lines"][number] {
  const at = `lines[${index}]`;
  const number = (typed: string, field: string): number | null => {
    const value = draftNumber(language, typed);
    if (value !== undefined && Number.isNaN(value)) faults.set(`${at}.${field}`, NO_NUMBER);
    return value === undefined || Number.isNaN(value) ? null : value;
  };
  if (line.product_id === "") faults.set(`${at}.product_id`, NO_PRODUCT);
  const is_by_hours = line.method === "hours";
  const price = number(line.price, is_by_hours ? "hourly_rate" : "agreed_value");
  const is_over_time = line.method === "value";
  return {
    ...(line.id === null ? {} : { id: line.id }),
    product_id: line.product_id,
    recognition_method: line.method,
    agreed_value: is_by_hours ? line.other_price : price,
    hourly_rate: is_by_hours ? price : line.other_price,
    discount: number(line.discount, "discount"),
    description_override: line.text.trim() || null,
    position: index + 1,
    assignees: line.assignees.map(({ user_id, share, rate }, place) => ({
      user_id,
      distribution_percentage: is_by_hours
        ? null
        : number(share, `assignees[${place}].distribution_percentage`),
      hourly_rate_override: rate,
    })),
    service_from: is_over_time ? dayFrom(line.service_from, `${at}.service_from`, faults) : null,
    service_to: is_over_time ? dayFrom(line.service_to, `${at}.service_to`, faults) : null,
    budget_hours: line.method === "progress" ? number(line.budget, "budget_hours") : null,
  };
}

function dayFrom(typed: string, field: string, faults: Map<string, Refusal>): CalendarDate | null {
  if (typed === "") return null;
  const day = calendarDate(typed);
  if (day === undefined) faults.set(field, NO_DAY);
  return day ?? null;
}

/** Returns the draft for another customer; the same object where it is already theirs. */
export function withCustomer(draft: TypedDraft, customer_id: string): TypedDraft {
  return draft.customer_id === customer_id ? draft : { ...draft, customer_id };
}

/** Returns the draft without the line; all other lines keep their order. */
export function withoutLine(draft: TypedDraft, key: string): TypedDraft {
  return { ...draft, lines: draft.lines.filter((line) => line.key !== key) };
}

/** Returns the draft with the line moved by a number of positions, at most to either end. */
export function withLineMoved(draft: TypedDraft, key: string, by: number): TypedDraft {
  const from = draft.lines.findIndex((line) => line.key === key);
  const to = Math.min(draft.lines.length - 1, Math.max(0, from + by));
  const line = draft.lines[from];
  if (line === undefined || from === to) return draft;
  const rest = draft.lines.filter((one) => one !== line);
  return { ...draft, lines: [...rest.slice(0, to), line, ...rest.slice(to)] };
}

/** Returns the draft with a copy of the line after it. The copy has the key, and is not stored: it has no hours. */
export function withLineCopied(draft: TypedDraft, key: string, copy_key: string): TypedDraft {
  return {
    ...draft,
    lines: draft.lines.flatMap((line) =>
      line.key === key ? [line, { ...line, key: copy_key, id: null }] : [line],
    ),
  };
}

/** Returns where a dragged line goes: `from` is its place, `middles` those of all lines, and `y` that of the pointer. */
export function placeUnder(middles: readonly number[], from: number, y: number): number {
  return middles.filter((middle, at) => at !== from && middle < y).length;
}

/**
 * Returns the change of a line that is earned by another method. A rate is not a value: when the method changes between the two,
 * the price comes from the product again.
 */
export function methodChosen(line: TypedLine, method: RecognitionMethod): Partial<TypedLine> {
  const is_other = (method === "hours") !== (line.method === "hours");
  return { method, ...(is_other ? { price: "", other_price: null } : {}) };
}

/** Returns the draft with some fields of the line changed. */
export function withLine(draft: TypedDraft, key: string, change: Partial<TypedLine>): TypedDraft {
  return {
    ...draft,
    lines: draft.lines.map((line) => (line.key === key ? { ...line, ...change } : line)),
  };
}

/**
 * Returns the draft with the numbers of a line as their fields show them once they are left. Its content stays the same. Returns
 * the same object where no text changes.
 */
export function withLineUnderstood(
  draft: TypedDraft,
  key: string,
  language: Language,
  currency: string,
): TypedDraft {
  const line = draft.lines.find((one) => one.key === key);
  if (line === undefined) return draft;
  const next = {
    price: priceUnderstood(language, line.price, currency),
    discount: percentUnderstood(language, line.discount),
    budget: hoursUnderstood(language, line.budget),
    assignees: line.assignees.map((one) => ({
      ...one,
      share: percentUnderstood(language, one.share),
    })),
  };
  const is_same =
    next.price === line.price &&
    next.discount === line.discount &&
    next.budget === line.budget &&
    next.assignees.every(({ share }, at) => share === line.assignees[at]?.share);
  return is_same ? draft : withLine(draft, key, next);
}

/** Whether two drafts have the same content. The spelling of numbers and the ids of lines do not matter. */
export function saysTheSame(one: TypedDraft, other: TypedDraft, language: Language): boolean {
  const [a, b] = [one, other].map((draft) => {
    const { changes, faults } = readDraft(draft, language);
    const lines = changes.lines.map(({ id: _, ...line }) => line);
    return JSON.stringify([{ ...changes, lines }, [...faults]]);
  });
  return a === b;
}

/** Gives the new lines of a draft the ids of their stored lines. Lines added or removed meanwhile stay unchanged. */
export function withIds(draft: TypedDraft, sent: TypedDraft, ids: readonly string[]): TypedDraft {
  const id_of = new Map(sent.lines.map(({ key }, index) => [key, ids[index]]));
  return {
    ...draft,
    lines: draft.lines.map((line) =>
      line.id === null ? { ...line, id: id_of.get(line.key) ?? null } : line,
    ),
  };
}
