/** Suggests what open bank lines are (spec 13.5). Nothing is booked by it. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { referencesOfNumber } from "../../../domain/receivables/payment-codes.ts";
import {
  customersByName,
  indexOf,
  likelyPayers,
  type MatchedItem,
  type MatchedLine,
  type MatchIndex,
  type Suggestion,
  soughtBy,
  suggestionsFor,
} from "../../../domain/receivables/suggest-match.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { PartInput } from "../payments/schemas.ts";
import { type BankLineRow, openLinesIn } from "./queries.ts";

/** What is open of an account, made ready for many lines. */
export interface OpenMatches {
  readonly index: MatchIndex;
  readonly items: ReadonlyMap<string, OpenMatch>;
}

type OpenMatch = Omit<MatchedItem, "references"> & {
  readonly kind: "invoice" | "credit_note" | "reminder" | "opening";
};

/** The open items from which on suggestions take long. */
const MANY = 2_000;

/** Whether so much is open that suggestions take long. */
export async function hasManyOpen(cx: Reader): Promise<boolean> {
  const rows =
    await cx.rows(sql`select from open_items where account_id = ${cx.caller.account_id} and open > 0
    limit ${MANY}`);
  return rows.length === MANY;
}

/**
 * Reads what is open of an account that lines may pay, with the customers' names and the accounts from which they have paid. For an
 * exact suggestion the documents that lines name are enough: no other choice is exact.
 */
export async function openMatches(
  cx: Reader,
  lines: readonly BankLineRow[],
  { is_for_exact = false } = {},
): Promise<OpenMatches> {
  const { account_id } = cx.caller;
  const incoming = lines.filter(({ amount }) => amount > 0n).map(matchedFrom);
  const [by_name, by_counterparty] = is_for_exact
    ? [new Map(), new Map()]
    : await Promise.all([customersOf(cx), payersOf(cx, incoming)]);
  const sought = soughtBy(incoming, by_name, by_counterparty);
  const { numbers, customer_ids } = sought;
  const amounts = is_for_exact ? [] : sought.amounts;
  const items = await cx.rows<OpenMatch>(sql`
    select id, kind, customer_id, is_credit, currency, number, open, coalesce(due_date, date)::text as due
    from open_items where account_id = ${account_id} and open > 0 and kind in ('invoice', 'credit_note', 'reminder', 'opening')
      and not (kind = 'opening' and is_credit)
      and (number = any(${numbers}) or open = any(${amounts.map(String)}::bigint[]) or customer_id = any(${customer_ids}))
    order by id`);
  const index = indexOf(
    // A number in a text is that of an invoice, never of a reminder.
    items.map((item) => ({
      ...item,
      number: item.kind === "reminder" ? null : item.number,
      references: referencesOf(item),
    })),
    by_name,
    by_counterparty,
  );
  return { index, items: new Map(items.map((item) => [item.id, item])) };
}

/** Returns the ids of customers by their plain names. */
async function customersOf(cx: Reader): Promise<Map<string, string[]>> {
  const rows = await cx.rows<{ id: string; name: string }>(
    sql`select id, name from customers where account_id = ${cx.caller.account_id}`,
  );
  return customersByName(new Map(rows.map(({ id, name }) => [id, name])));
}

/** Returns the customers by the accounts from which only they have paid. */
export async function payersOf(
  cx: Reader,
  lines: readonly MatchedLine[],
): Promise<ReadonlyMap<string, string>> {
  const accounts = lines.map(({ counterparty_account }) => counterparty_account).filter(Boolean);
  if (accounts.length === 0) return new Map();
  const { account_id } = cx.caller;
  const rows = await cx.rows<{ account: string | null; customer_id: string | null }>(sql`
    select l.counterparty_account as account, min(p.customer_id::text) as customer_id
    from bank_lines l join payments p on p.account_id = ${account_id} and p.id = l.payment_id and p.reversed_on is null
    where l.account_id = ${account_id} and l.counterparty_account = any(${[...new Set(accounts)]}) and l.payment_id is not null
      and l.amount > 0
    group by l.counterparty_account having count(distinct p.customer_id) = 1`);
  return new Map(rows.map(({ account, customer_id }) => [account ?? "", customer_id ?? ""]));
}

function referencesOf({ kind, number }: OpenMatch): string[] {
  if (number === null || (kind !== "invoice" && kind !== "reminder")) return [];
  return referencesOfNumber(number, kind);
}

/** A suggestion with the payment that it could be booked as. */
interface LineSuggestion {
  readonly confidence: Suggestion["confidence"];
  readonly reasons: Suggestion["reasons"];
  readonly payment: {
    readonly customer: string;
    readonly currency: string;
    readonly amount: number;
    readonly allocations: readonly SuggestedPart[];
  };
}

type SuggestedPart = Pick<PartInput, "invoice" | "reminder" | "opening" | "credit_note"> & {
  readonly amount: number;
};

/** Returns at most three suggestions for a line, the best first; none for money out. */
export function suggestionsOf(line: BankLineRow, { index, items }: OpenMatches): LineSuggestion[] {
  if (line.amount <= 0n) return [];
  return suggestionsFor(matchedFrom(line), index).map(
    ({ confidence, reasons, customer_id, currency, amount, shares }) => ({
      confidence,
      reasons,
      payment: {
        customer: customer_id,
        currency,
        amount: scaledToNumber(amount, currencyDigits(currency)),
        allocations: partsOf(shares, items, currencyDigits(currency)),
      },
    }),
  );
}

/** Returns the customers whose open bank lines of money in may be payments: no reminder goes to them meanwhile. */
export async function likelyPayersOf(cx: Reader): Promise<ReadonlySet<string>> {
  const lines = await openLinesIn(cx);
  if (lines.length === 0) return new Set();
  const { index } = await openMatches(cx, lines);
  return new Set(lines.flatMap((line) => [...likelyPayers(matchedFrom(line), index)]));
}

/** Returns a line as rules know it. */
export function matchedFrom(line: BankLineRow): MatchedLine {
  const { instructed_amount: amount, instructed_currency: currency } = line;
  return {
    reference: line.reference ?? "",
    end_to_end_id: line.end_to_end_id ?? "",
    text: line.text,
    amount: line.amount,
    currency: line.currency,
    instructed: amount === null || currency === null ? null : { amount, currency },
    counterparty_name: line.counterparty_name ?? "",
    counterparty_account: line.counterparty_account ?? "",
  };
}

/** Returns the parts of the payment: credits are applied to the debits in their order, and money pays the rest of these. */
function partsOf(
  shares: Suggestion["shares"],
  items: OpenMatches["items"],
  digits: number,
): SuggestedPart[] {
  const credits = shares.filter(({ is_credit }) => is_credit).map((one) => ({ ...one }));
  const parts: SuggestedPart[] = [];
  const add = (item_id: string, credit_id: string | null, amount: Money): void => {
    const item = items.get(item_id);
    const name = item?.kind === "opening" || item?.kind === "reminder" ? item.kind : "invoice";
    const credit = credit_id === null ? {} : { credit_note: credit_id };
    parts.push({ [name]: item_id, ...credit, amount: scaledToNumber(amount, digits) });
  };
  for (const { item_id, amount } of shares.filter(({ is_credit }) => !is_credit)) {
    let left = amount;
    for (const credit of credits) {
      const used = credit.amount < left ? credit.amount : left;
      if (used <= 0n) continue;
      add(item_id, credit.item_id, used);
      left -= used;
      Object.assign(credit, { amount: credit.amount - used });
    }
    if (left > 0n) add(item_id, null, left);
  }
  return parts;
}
