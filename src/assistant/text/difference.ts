/** Says why the revenue of a month differs from what is booked, or from what a close would book: as data and as one sentence. */
import * as z from "zod";
import type { Month } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../domain/base/money.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import {
  type CauseOfDifference,
  comparisons,
  differenceOf,
} from "../../features/revenue/outlook/explain-difference.ts";
import { numbersOf } from "../../features/revenue/outlook/find-late-facts.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { moneyText, quoted, tableOf } from "../protocol/words.ts";

/** The most causes that are listed one by one; the others are one row. */
const MOST_CAUSES = 40;

export const Difference = z.object({
  month: z.string(),
  compared_to: z.enum(comparisons),
  currency: z.string(),
  now: z.number().describe("Earned by the facts as they are now."),
  than: z.number().describe("Booked by the vouchers of the month, or by its close if it ran now."),
  difference: z.number(),
  causes: z
    .array(
      z.object({
        cause: z.string(),
        customer_name: z.string().nullable(),
        amount: z.number(),
      }),
    )
    .describe("They add up to the difference."),
});

interface Said {
  readonly text: string;
  readonly difference: z.output<typeof Difference> | null;
}

interface Cause {
  readonly words: string;
  readonly customer_id: string | null;
  readonly amount: Money;
}

/** Returns the difference of a month by cause, the largest first. */
export async function differenceText(
  cx: PersonReader,
  month: Month,
  compared_to: (typeof comparisons)[number],
  customer_id: string | null,
): Promise<Said> {
  const found = await differenceOf(cx, month, compared_to, customer_id);
  if (found === null) {
    const text =
      "The difference is not known: a rate is missing, or there are too many customers; name one.";
    return { text, difference: null };
  }
  const { functional_currency: currency } = await getConfiguration(cx);
  const documents = await numbersOf(cx, found.causes);
  const all = added(found.causes.map((one) => ({ ...one, words: wordsOf(one, documents) })));
  const listed = shortened(all);
  const names = await customerNames(
    cx,
    listed.flatMap((one) => one.customer_id ?? []),
  );
  const units = (amount: Money): number => scaledToNumber(amount, currencyDigits(currency));
  const causes = listed.map(({ words, customer_id: id, amount }) => ({
    cause: words,
    customer_name: id === null ? null : (names.get(id) ?? null),
    amount: units(amount),
  }));
  const { now, than } = found;
  const shown = { now: units(now), than: units(than), difference: units(now - than), causes };
  const sentence = sentenceOf(month, compared_to, currency, found, all);
  const table = tableOf(listed, "", {
    cause: ({ words }) => words,
    customer: (one) => (one.customer_id === null ? "-" : quoted(names.get(one.customer_id))),
    amount: ({ amount }) => signed(amount, currency),
  });
  return {
    text: listed.length < 2 ? sentence : `${sentence}\n${table}`,
    difference: { month, compared_to, currency, ...shown },
  };
}

const COMPARED: Readonly<Record<(typeof comparisons)[number], string>> = {
  booked: "its vouchers have booked",
  preview: "its close would book now",
};

/** `2026-10 is 12,000.00 DKK lower than its vouchers have booked (30,000.00 DKK): −14,500.00 DKK credit note 503, …`. */
function sentenceOf(
  month: Month,
  compared_to: (typeof comparisons)[number],
  currency: string,
  { now, than }: { readonly now: Money; readonly than: Money },
  causes: readonly Cause[],
): string {
  const difference = now - than;
  const size = moneyText(difference < 0n ? -difference : difference, currency);
  const relation = difference < 0n ? `${size} lower than` : `${size} higher than`;
  const earned = `It earns ${moneyText(now, currency)}`;
  const rest = `what ${COMPARED[compared_to]}, ${moneyText(than, currency)}`;
  if (causes.length === 0) return `${month} is exactly ${rest}.`;
  const is = difference === 0n ? `${month} adds up to` : `${month} is ${relation}`;
  const merged = shortened(added(causes.map((one) => ({ ...one, customer_id: null }))));
  const parts = merged.map(({ words, amount }) => `${signed(amount, currency)} ${words}`);
  return `${is} ${rest}: ${parts.join(", ")}. ${earned}.`;
}

/** An amount with its sign: `−14,500.00 DKK`. */
function signed(amount: Money, currency: string): string {
  return amount < 0n ? `−${moneyText(-amount, currency)}` : `+${moneyText(amount, currency)}`;
}

/** Adds up the causes with the same words and customer, the largest first. */
function added(causes: readonly Cause[]): Cause[] {
  const sums = new Map<string, Cause>();
  for (const { words, customer_id, amount } of causes) {
    const key = `${words} ${customer_id}`;
    sums.set(key, { words, customer_id, amount: (sums.get(key)?.amount ?? 0n) + amount });
  }
  const size = ({ amount }: Cause): Money => (amount < 0n ? -amount : amount);
  return [...sums.values()]
    .filter(({ amount }) => amount !== 0n)
    .sort((a, b) => (size(a) > size(b) ? -1 : size(a) < size(b) ? 1 : 0));
}

/** Returns the first causes; the others are one row, so that the rows still add up. */
function shortened(causes: readonly Cause[]): readonly Cause[] {
  if (causes.length <= MOST_CAUSES) return causes;
  const others = causes.slice(MOST_CAUSES - 1);
  const amount = others.reduce((sum, one) => sum + one.amount, 0n);
  const words = `${others.length} smaller causes`;
  return [...causes.slice(0, MOST_CAUSES - 1), { words, customer_id: null, amount }];
}

const WORDS: Readonly<Record<CauseOfDifference["cause"], string>> = {
  changed: "lines changed, moved or removed",
  new_invoice: "made later",
  hours_registered: "hours registered late",
  hours_changed: "hours changed, moved or deleted",
  completed: "milestones completed late",
  issued: "issued late",
  credit_note: "credit note",
  earlier_months: "corrections of earlier months booked with it",
  not_booked: "not booked",
  booked: "booked already",
  refused: "customers whose booking is refused",
};

function wordsOf(
  { cause, invoice_id, credit_note_id }: CauseOfDifference,
  numbers: ReadonlyMap<string, string>,
): string {
  if (cause === "credit_note") return `credit note ${numbers.get(credit_note_id ?? "") ?? "draft"}`;
  if (cause !== "new_invoice" && cause !== "issued") return WORDS[cause];
  const number = numbers.get(invoice_id ?? "");
  return number === undefined ? `drafts ${WORDS[cause]}` : `invoice ${number} ${WORDS[cause]}`;
}
