/** Suggests what open bank lines of money out are: credits that are given back, and payments that came back. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { numbersIn } from "../../../domain/receivables/named-documents.ts";
import {
  type BookedPayment,
  type OpenCredit,
  type OutgoingLine,
  type OutgoingSuggestion,
  suggestOutgoing,
} from "../../../domain/receivables/suggest-outgoing.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { customerNames } from "../../catalogue/customers/queries.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import type { BankLineRow } from "./queries.ts";

/** The newest credits and payments that are looked at. */
const MOST_READ = 500;

/** Returns the suggestions for those of the lines that are money out, by the lines' ids. */
export async function outgoingSuggestions(
  cx: Reader,
  lines: readonly BankLineRow[],
): Promise<ReadonlyMap<string, readonly OutgoingSuggestion[]>> {
  const asked = lines
    .filter(({ amount }) => amount < 0n)
    .map((line) => [line, outgoingFrom(line)] as const);
  if (asked.length === 0) return new Map();
  const { account_id } = cx.caller;
  const amounts = [...new Set(asked.map(([, { moved }]) => `${moved}`))];
  const numbers = [...new Set(asked.flatMap(([, line]) => numbersIn(line)))];
  const { functional_currency } = await getConfiguration(cx);
  const [credits, payments] = await Promise.all([
    cx.rows<OpenCredit>(sql`select id, kind, customer_id, number, currency, open from open_items
      where account_id = ${account_id} and open > 0 and is_credit and kind in ('credit_note', 'payment', 'opening')
        and (open = any(${amounts}::bigint[]) or number = any(${numbers}))
      order by id desc limit ${MOST_READ}`),
    cx.rows<Omit<BookedPayment, "currency">>(sql`
      select p.id, p.customer_id, p.number::text as number, p.bank_amount,
        coalesce((select l.counterparty_account from bank_lines l where l.account_id = ${account_id} and l.id = p.bank_line_id), '')
          as counterparty_account
      from payments p
      where p.account_id = ${account_id} and p.kind = 'payment' and p.reversed_on is null
        and p.bank_amount = any(${amounts}::bigint[])
      order by p.id desc limit ${MOST_READ}`),
  ]);
  const customers = [...credits, ...payments].map(({ customer_id }) => customer_id);
  const names = await customerNames(cx, [...new Set(customers)]);
  const booked = payments.map((one) => ({ ...one, currency: functional_currency }));
  return new Map(
    asked.map(([{ id }, line]) => [id, suggestOutgoing(line, credits, booked, names)]),
  );
}

function outgoingFrom(line: BankLineRow): OutgoingLine {
  return {
    reference: line.reference ?? "",
    end_to_end_id: line.end_to_end_id ?? "",
    text: line.text,
    moved: -line.amount,
    currency: line.currency,
    counterparty_name: line.counterparty_name ?? "",
    counterparty_account: line.counterparty_account ?? "",
  };
}

/** Presents a suggestion as the API shows it, for a line of an amount below 0. */
export function presentOutgoing(
  { confidence, reasons, customer_id, credit, returned }: OutgoingSuggestion,
  { amount, currency }: Pick<BankLineRow, "amount" | "currency">,
) {
  if (credit === null) return { confidence, reasons, payment: null, reverse: returned?.id };
  const moved = scaledToNumber(-amount, currencyDigits(currency));
  const allocations = [{ [credit.kind]: credit.id, amount: moved }];
  const payment = { customer: customer_id, currency, amount: moved, allocations };
  return { confidence, reasons, payment };
}
