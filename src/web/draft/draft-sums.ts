/** A draft's nets, VAT, totals and months of earning while it is typed, computed by the functions that book it. */
import type { LineId, ProductId } from "../../domain/base/brand.ts";
import { type CalendarDate, type Month, monthOf } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import type { Money, Percent } from "../../domain/base/money.ts";
import {
  billableHours,
  earnedByUser,
  earnedMonths,
  type LineFacts,
  type WorkedHours,
} from "../../domain/revenue/recognition.ts";
import type { Convention } from "../../domain/revenue/spread.ts";
import type { DocumentTotals, DocumentVat } from "../../domain/sales/document.ts";
import { type Line, netOf, type RecognitionMethod } from "../../domain/sales/line.ts";
import { lineFrom, type PricedProduct } from "../../domain/sales/line-from.ts";
import type { EarningDefaults } from "../../domain/sales/proposed-earning.ts";
import { type TaxedLine, totalsOf } from "../../domain/sales/totals.ts";
import type { VatCode } from "../../domain/sales/vat-code.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";
import {
  type DraftChanges,
  methodChosen,
  readDraft,
  type TypedDraft,
  type TypedFaults,
  type TypedLine,
} from "./draft-typed.ts";

/** A product in the form that the browser receives: prices in 1/10000 and the quantity in 1/100, as decimal text. */
export interface ProductFacts extends EarningDefaults {
  readonly id: string;
  readonly name: string;
  readonly product_number: string | null;
  readonly account_number: number;
  readonly names_account: boolean;
  readonly unit: string;
  readonly quantity: string;
  readonly default_price: string;
  readonly prices: readonly { readonly currency: string; readonly amount: string }[];
  /** The VAT on a sale to the draft's customer. The server determines it: checking VAT numbers takes much code. */
  readonly vat_code: VatCode;
  readonly vat_rate: Percent;
}

/** All data other than the typed text that determines the sums of a draft. */
export interface DraftFacts {
  readonly currency: string;
  readonly functional_currency: string;
  readonly today: CalendarDate;
  readonly customer: { readonly id: string; readonly name: string };
  readonly convention: Convention;
  readonly products: readonly ProductFacts[];
  readonly worked: Readonly<Record<string, readonly WorkedHours[]>>;
  readonly completed: Readonly<Record<string, CalendarDate>>;
}

export interface EarnedIn {
  readonly month: Month;
  readonly earned: Money;
}

export interface DraftSums {
  readonly changes: DraftChanges;
  readonly faults: TypedFaults;
  /** The nets by line; null where a net cannot be computed yet. */
  readonly nets: readonly (Money | null)[];
  /** The prices by line, typed or of the product: by hours the rate in 1/10000, else minor units. Null where there is none. */
  readonly prices: readonly (Money | null)[];
  readonly totals: DocumentTotals;
  readonly vat: readonly DocumentVat[];
  /** The revenue by month, as if the draft were issued on its date, or today where it has none. */
  readonly months: readonly EarnedIn[];
}

/** Returns a product in the form that the rules take. */
function productFrom(facts: ProductFacts, functional_currency: string): PricedProduct {
  return {
    ...facts,
    id: facts.id as ProductId,
    quantity: BigInt(facts.quantity),
    default_price: BigInt(facts.default_price),
    prices: facts.prices.map(({ currency, amount }) => ({ currency, amount: BigInt(amount) })),
    functional_currency,
  };
}

/** Returns the sums of the draft as it is typed now. */
export function sumsOf(draft: TypedDraft, facts: DraftFacts, language: Language): DraftSums {
  const { changes, faults: read } = readDraft(draft, language);
  const faults = new Map<string, Refusal>(read);
  const products = new Map(facts.products.map((product) => [product.id, product]));
  const digits = currencyDigits(facts.currency);
  const issued_on = (changes.issue_date as CalendarDate | null) ?? facts.today;
  const nets: (Money | null)[] = [];
  const prices: (Money | null)[] = [];
  const taxed: TaxedLine[] = [];
  const months = new Map<Month, Money>();
  for (const [index, sent] of changes.lines.entries()) {
    const product = products.get(sent.product_id);
    const line = product && lineOf(sent, index, product, facts, faults);
    prices.push(line === undefined ? null : priceOf(line));
    const is_faulty = [...read.keys()].some((field) => field.startsWith(`lines[${index}].`));
    if (product === undefined || line === undefined || is_faulty) {
      nets.push(null);
      continue;
    }
    const worked = facts.worked[line.id] ?? [];
    const net = netOf(line, digits, billableHours(worked));
    nets.push(net);
    taxed.push({ net, vat_code: product.vat_code, vat_rate: product.vat_rate });
    for (const { month, earned } of earnedOf(line, worked, facts, issued_on)) {
      months.set(month, (months.get(month) ?? 0n) + earned);
    }
  }
  return {
    changes,
    faults,
    nets,
    prices,
    ...totalsOf(taxed, null),
    months: [...months]
      .map(([month, earned]) => ({ month, earned }))
      .filter(({ earned }) => earned !== 0n)
      .sort((a, b) => (a.month < b.month ? -1 : 1)),
  };
}

function priceOf({ recognition_method, hourly_rate, agreed_value }: Line): Money | null {
  return recognition_method === "hours" ? hourly_rate : agreed_value;
}

/** Returns the price that a line without a typed price takes from the product; null where the product gives none. */
export function productPrice(
  product: ProductFacts,
  recognition_method: RecognitionMethod,
  { currency, functional_currency }: Pick<DraftFacts, "currency" | "functional_currency">,
): Money | null {
  const priced = productFrom(product, functional_currency);
  const input = { product_id: product.id, recognition_method };
  const line = lineFrom(input, "" as LineId, 0, priced, currency);
  return Array.isArray(line) ? null : priceOf(line);
}

/** Returns the months in which a line would be earned by a method; null where its price or a field is missing. */
export function monthsByMethod(
  draft: TypedDraft,
  line: TypedLine,
  method: RecognitionMethod,
  facts: DraftFacts,
  language: Language,
): readonly EarnedIn[] | null {
  const changed = method === line.method ? line : { ...line, ...methodChosen(line, method) };
  const { nets, months } = sumsOf({ ...draft, lines: [changed] }, facts, language);
  return nets[0] === null ? null : months;
}

function lineOf(
  sent: DraftChanges["lines"][number],
  index: number,
  product: ProductFacts,
  facts: DraftFacts,
  faults: Map<string, Refusal>,
): Line | undefined {
  const id = (sent.id ?? `new-${index}`) as LineId;
  const priced = productFrom(product, facts.functional_currency);
  const line = lineFrom(sent, id, index, priced, facts.currency);
  if (!Array.isArray(line)) return line;
  for (const { field, code, message } of line) {
    if (!faults.has(field)) faults.set(field, { code, message });
  }
  return undefined;
}

/** Returns the revenue from a line by month, as if the line were issued on `issued_on`. */
export function earnedOf(
  line: Line,
  worked: readonly WorkedHours[],
  facts: EarningFacts,
  issued_on: CalendarDate,
): readonly EarnedIn[] {
  const through = lastMonth(line, worked, facts, issued_on);
  return earnedMonths(lineFactsOf(line, worked, facts, issued_on), facts.convention, through);
}

type EarningFacts = Pick<DraftFacts, "currency" | "today" | "convention" | "completed">;

/** Returns one person's revenue from a line, by month, as if the line were issued on `issued_on`. */
export function earnedBy(
  person: string,
  line: Line,
  worked: readonly WorkedHours[],
  facts: EarningFacts,
  issued_on: CalendarDate,
): readonly EarnedIn[] {
  const of_line = lineFactsOf(line, worked, facts, issued_on);
  return earnedOf(line, worked, facts, issued_on).map(({ month, earned }) => ({
    month,
    earned: earnedByUser(of_line, month, earned)
      .filter(({ user_id }) => user_id === person)
      .reduce((sum, { amount }) => sum + amount, 0n),
  }));
}

/** Returns the last month in which any part of the line may be earned. */
function lastMonth(
  line: Line,
  worked: readonly WorkedHours[],
  facts: EarningFacts,
  issued_on: CalendarDate,
): Month {
  return [
    monthOf(issued_on),
    monthOf(facts.today),
    ...(line.service_to === null ? [] : [monthOf(line.service_to)]),
    ...worked.map(({ date }) => monthOf(date)),
  ].reduce((last, month) => (month > last ? month : last));
}

function lineFactsOf(
  line: Line,
  worked: readonly WorkedHours[],
  facts: EarningFacts,
  issue_date: CalendarDate,
): LineFacts {
  return {
    line,
    currency_digits: currencyDigits(facts.currency),
    issue_date,
    amount: null,
    completed_on: facts.completed[line.id] ?? null,
    worked,
    credits: [],
    measured: null,
  };
}
