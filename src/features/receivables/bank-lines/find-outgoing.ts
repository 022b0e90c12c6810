/** Suggests what open bank lines of money out are: credits that are given back, and payments that came back. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import {
  type BookedPayment,
  type OpenCredit,
  type OutgoingLine,
  type OutgoingSuggestion,
  soughtByOutgoing,
  suggestOutgoing,
} from "../../../domain/receivables/suggest-outgoing.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { customerNames } from "../../catalogue/customers/queries.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { matchedFrom, payersOf } from "./find-suggestions.ts";
import type { BankLineRow } from "./queries.ts";

/** The newest credits and payments of the same amounts that are looked at. All that are named are. */
const MOST_READ = 500;

/** Returns the suggestions for those of the lines that are money out, by the lines' ids. */
export async function outgoingSuggestions(
  cx: Reader,
  lines: readonly BankLineRow[],
): Promise<ReadonlyMap<string, readonly OutgoingSuggestion[]>> {
  const money_out = lines.filter(({ amount }) => amount < 0n);
  if (money_out.length === 0) return new Map();
  const asked = money_out.map(outgoingFrom);
  const [credits, payments, by_counterparty] = await Promise.all([
    findCredits(cx, asked),
    findReturnable(cx, asked),
    payersOf(cx, asked),
  ]);
  const customers = [...credits, ...payments].map(({ customer_id }) => customer_id);
  const names = await customerNames(cx, [...new Set(customers)]);
  const facts = { credits, payments, names, by_counterparty };
  return new Map(money_out.map((line) => [line.id, suggestOutgoing(outgoingFrom(line), facts)]));
}

function findCredits(cx: Reader, lines: readonly OutgoingLine[]): Promise<OpenCredit[]> {
  const { account_id } = cx.caller;
  const { amounts, numbers, references } = soughtByOutgoing(lines);
  return cx.rows<OpenCredit>(sql`with credits as materialized (
      select i.id, i.kind, i.customer_id, i.number, i.date, i.currency, i.open, p.reference
      from open_items i left join payments p on p.account_id = ${account_id} and p.id = i.id
      where i.account_id = ${account_id} and i.open > 0 and i.is_credit and i.kind in ('credit_note', 'payment', 'opening'))
    select id, kind, customer_id, number, date, currency, open, reference from credits
    where number = any(${numbers}) or upper(regexp_replace(reference, '\\s', '', 'g')) = any(${references})
      or id in (select id from credits where open = any(${amounts.map(String)}::bigint[]) order by id desc limit ${MOST_READ})
    order by id`);
}

/** A payment with the texts of the line that brought it. */
type ReturnableRow = Omit<BookedPayment, "currency" | "written" | "counterparty_account"> & {
  readonly recorded_as: string | null;
  readonly reference: string | null;
  readonly end_to_end_id: string | null;
  readonly text: string | null;
  readonly counterparty_account: string | null;
};

/** Returns payments that stand and of which no refund takes, by their amounts, and by what their own lines say. */
async function findReturnable(
  cx: Reader,
  lines: readonly OutgoingLine[],
): Promise<BookedPayment[]> {
  const { account_id } = cx.caller;
  const { amounts } = soughtByOutgoing(lines);
  const written = (field: "reference" | "end_to_end_id"): string[] =>
    lines.map((line) => line[field]).filter(Boolean);
  const [{ functional_currency: currency }, rows] = await Promise.all([
    getConfiguration(cx),
    cx.rows<ReturnableRow>(sql`with found as (
        (select id from payments where account_id = ${account_id} and kind = 'payment' and reversed_on is null
          and bank_amount = any(${amounts.map(String)}::bigint[]) order by id desc limit ${MOST_READ})
        union
        select payment_id from bank_lines
          where account_id = ${account_id} and amount > 0 and reference = any(${written("reference")})
        union
        select payment_id from bank_lines
          where account_id = ${account_id} and amount > 0 and end_to_end_id = any(${written("end_to_end_id")}))
      select p.id, p.customer_id, p.number::text as number, p.date, p.bank_account_id, p.bank_amount, p.reference as recorded_as,
        l.reference, l.end_to_end_id, l.text, l.counterparty_account
      from found f join payments p on p.account_id = ${account_id} and p.id = f.id and p.kind = 'payment' and p.reversed_on is null
        left join bank_lines l on l.account_id = ${account_id} and l.id = p.bank_line_id
      where not exists (select from allocations a join payments r on r.account_id = ${account_id} and r.id = a.debit_id
        where a.account_id = ${account_id} and a.credit_id = p.id and a.reversed_on is null)
      order by p.id desc`),
  ]);
  return rows.map(
    ({ recorded_as, reference, end_to_end_id, text, counterparty_account, ...row }) => ({
      ...row,
      currency,
      counterparty_account: counterparty_account ?? "",
      written: [
        { reference: reference ?? "", end_to_end_id: end_to_end_id ?? "", text: text ?? "" },
        { reference: recorded_as ?? "", end_to_end_id: "", text: "" },
      ],
    }),
  );
}

function outgoingFrom(row: BankLineRow): OutgoingLine {
  const { date, bank_account_id } = row;
  const { amount, instructed, ...line } = matchedFrom(row);
  const sent = instructed === null ? null : { ...instructed, amount: sizeOf(instructed.amount) };
  return { ...line, amount: sizeOf(amount), instructed: sent, date, bank_account_id };
}

function sizeOf(amount: Money): Money {
  return amount < 0n ? -amount : amount;
}

/** A suggestion with what the line could be booked as: a refund, or the return of a payment. */
export function presentOutgoing({
  confidence,
  reasons,
  customer_id,
  currency,
  given,
  returned,
  fee,
}: OutgoingSuggestion) {
  const shown = (amount: Money): number => scaledToNumber(amount, currencyDigits(currency));
  if (returned !== null) {
    return { confidence, reasons, payment: null, reverse: returned.id, fee: shown(fee) };
  }
  const allocations = given.map(({ credit, amount }) => ({
    [credit.kind]: credit.id,
    amount: shown(amount),
  }));
  const amount = shown(given.reduce((sum, one) => sum + one.amount, 0n));
  return { confidence, reasons, payment: { customer: customer_id, currency, amount, allocations } };
}
