/** What bank lines would become, as pages show it: their suggestions, with names, numbers and what each leaves open. */
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledFromChecked, scaledToNumber } from "../../domain/base/money.ts";
import type { confidences, matchReasons } from "../../domain/receivables/suggest-match.ts";
import type { OutgoingSuggestion } from "../../domain/receivables/suggest-outgoing.ts";
import { customerNames } from "../../features/catalogue/customers/queries.ts";
import {
  outgoingSuggestions,
  presentOutgoing,
} from "../../features/receivables/bank-lines/find-outgoing.ts";
import {
  hasManyOpen,
  type OpenMatches,
  openMatches,
  suggestionsOf,
} from "../../features/receivables/bank-lines/find-suggestions.ts";
import { type BankLineRow, linesNamed } from "../../features/receivables/bank-lines/queries.ts";
import type { BookedLineInput } from "../../features/receivables/bank-lines/schemas.ts";
import type { Reader } from "../../platform/commands/context.ts";
import { contentHash } from "../../platform/runtime/json.ts";
import { TakesLong } from "../../platform/threads/takes-long.ts";
import { defineLongWork } from "../frame/long-work.ts";

/** A suggestion as pages show it. Amounts are as in the API. */
export interface Becomes {
  /** Names the suggestion: another one, or one of other amounts, has another key. */
  readonly key: string;
  readonly confidence: (typeof confidences)[number];
  readonly reasons: readonly (typeof matchReasons)[number][];
  readonly customer_id: string;
  readonly customer_name: string;
  readonly currency: string;
  /** What the customer paid. */
  readonly amount: number;
  readonly invoices: readonly string[];
  readonly openings: readonly string[];
  readonly reminders: readonly string[];
  readonly notes: readonly string[];
  /** What stays open of the items. */
  readonly still_owed: number;
  /** What no item takes up. */
  readonly left: number;
  /** Of money out, the credits that are given back or the payment that came back; empty of money in. */
  readonly out: readonly {
    readonly kind: "credit_note" | "payment" | "opening" | "returned";
    readonly number: string;
  }[];
  /** What the bank took for the return, in functional currency. */
  readonly fee: number;
}

/** A line with its suggestions, the best first. */
interface SuggestedLine {
  readonly id: string;
  readonly becomes: readonly Becomes[];
}

type LinePayment = NonNullable<BookedLineInput["payment"]>;

/** Finds the suggestions of lines; those that are not open have none. */
export const suggestLines = defineLongWork({
  name: "pages.suggest_lines",
  is_read: true,
  on_replica: true,
  async work(cx, ids: readonly string[]): Promise<readonly SuggestedLine[]> {
    if (cx.leaves_if_long && (await hasManyOpen(cx))) throw new TakesLong();
    const lines = await linesNamed(cx, ids);
    const choices = await choicesOf(cx, lines);
    return lines.map(({ id }) => ({
      id,
      becomes: (choices.get(id) ?? []).map(({ becomes }) => becomes),
    }));
  },
});

/** A suggestion with the payment that it is booked as. */
export interface Choice {
  readonly becomes: Becomes;
  readonly does: { readonly payment: LinePayment } | { readonly reverse: string };
}

/** Returns the choices of open lines by the lines' ids. */
export async function choicesOf(
  cx: Reader,
  lines: readonly BankLineRow[],
): Promise<ReadonlyMap<string, readonly Choice[]>> {
  const open = lines.filter(({ state }) => state === "open");
  if (open.length === 0) return new Map();
  const [matches, outgoing] = await Promise.all([
    openMatches(cx, open),
    outgoingSuggestions(cx, open),
  ]);
  const found = open.map((line) => ({ line, suggestions: suggestionsOf(line, matches) }));
  const customers = [
    ...found.flatMap(({ suggestions }) => suggestions.map(({ payment }) => payment.customer)),
    ...[...outgoing.values()].flat().map(({ customer_id }) => customer_id),
  ];
  const names = await customerNames(cx, [...new Set(customers)]);
  return new Map(
    found.map(({ line, suggestions }) => [
      line.id,
      [
        ...suggestions.map((suggestion) => choiceFrom(suggestion, matches, names)),
        ...(outgoing.get(line.id) ?? []).map((one) => outgoingChoice(one, names)),
      ],
    ]),
  );
}

type Suggested = ReturnType<typeof suggestionsOf>[number];

function choiceFrom(
  { confidence, reasons, payment }: Suggested,
  matches: OpenMatches,
  names: ReadonlyMap<string, string>,
): Choice {
  const { customer, currency, amount, allocations } = payment;
  const digits = currencyDigits(currency);
  const minor = (one: number) => scaledFromChecked(one, digits);
  const numbersOf = (ids: readonly (string | null | undefined)[]) => [
    ...new Set(ids.flatMap((id) => (id == null ? [] : [matches.items.get(id)?.number ?? "–"]))),
  ];
  const paid = new Set(allocations.map((one) => one.invoice ?? one.opening ?? one.reminder ?? ""));
  const owed = [...paid].reduce((sum, id) => sum + (matches.items.get(id)?.open ?? 0n), 0n);
  const taken = allocations.reduce((sum, one) => sum + minor(one.amount), 0n);
  const money = allocations
    .filter(({ credit_note }) => credit_note == null)
    .reduce((sum, one) => sum + minor(one.amount), 0n);
  const left = minor(amount) - money;
  const key = contentHash(payment).toString("base64url").slice(0, KEY_LENGTH);
  return {
    becomes: {
      ...{ key, confidence, reasons, customer_id: customer, currency, amount },
      customer_name: names.get(customer) ?? "–",
      invoices: numbersOf(allocations.map((one) => one.invoice)),
      openings: numbersOf(allocations.map((one) => one.opening)),
      reminders: numbersOf(allocations.map((one) => one.reminder)),
      notes: numbersOf(allocations.map((one) => one.credit_note)),
      still_owed: scaledToNumber(owed - taken, digits),
      left: scaledToNumber(left, digits),
      out: [],
      fee: 0,
    },
    does: {
      payment: {
        ...{ customer, currency, fee: 0, remainder: left > 0n ? "customer_credit" : "refuse" },
        allocations: allocations.map((one) => ({ ...one, rounding: 0 })),
      },
    },
  };
}

/** Returns the choice of money out. */
function outgoingChoice(
  suggestion: OutgoingSuggestion,
  names: ReadonlyMap<string, string>,
): Choice {
  const { confidence, reasons, customer_id, currency, given, returned } = suggestion;
  const { payment, reverse, fee = 0 } = presentOutgoing(suggestion);
  const credits = given.map(({ credit: { kind, number } }) => ({ kind, number }));
  const amount =
    payment?.amount ?? scaledToNumber(returned?.bank_amount ?? 0n, currencyDigits(currency));
  const key = contentHash([payment, reverse]).toString("base64url").slice(0, KEY_LENGTH);
  return {
    becomes: {
      ...{ key, confidence, reasons, customer_id, currency },
      customer_name: names.get(customer_id) ?? "–",
      ...{ amount, fee },
      ...{ invoices: [], openings: [], reminders: [], notes: [], still_owed: 0, left: 0 },
      out: returned === null ? credits : [{ kind: "returned", number: returned.number }],
    },
    does:
      payment === null
        ? { reverse: reverse ?? "" }
        : {
            payment: {
              ...{ customer: payment.customer, currency, fee: 0, remainder: "refuse" },
              allocations: payment.allocations.map((one) => ({ ...one, rounding: 0 })),
            },
          },
  };
}

const KEY_LENGTH = 12;
