/** Previews what booking bank lines would do (spec 13.5), by running the command and rolling it back. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { shownEntries } from "../payments/preview.ts";
import { bookBankLines } from "./book.ts";
import { BankLineRun, type BankLinesBook } from "./schemas.ts";

/** Returns what booking lines would do, with the entries of payments and of their returns; nothing is stored. */
export function previewBankLines(cx: Context, sent: BankLinesBook): Promise<JsonText> {
  return dryRun(cx, async (tx) => {
    const plan = await bookBankLines.plan(tx, sent);
    const run = await bookBankLines.commit(tx, plan);
    const returned = run.outcomes.flatMap(({ payment_id }, at) =>
      plan.lines[at]?.planned.as === "return" && payment_id !== null ? [payment_id] : [],
    );
    const reversals = await reversalsOf(tx, returned, plan.functional_currency);
    const outcomes = run.outcomes.map((outcome, at) => {
      const planned = plan.lines[at]?.planned;
      if (planned?.as === "return") {
        return { ...outcome, entries: reversals.get(outcome.payment_id ?? "") ?? [] };
      }
      if (planned?.as !== "payment") return { ...outcome, entries: [] };
      return { ...outcome, entries: shownEntries(planned.plan.entries, plan.functional_currency) };
    });
    return jsonText(BankLineRun.parse({ ...run, outcomes }));
  });
}

type Entries = ReturnType<typeof shownEntries>;

/** Returns the entries that reverse payments, by the payments' ids. */
async function reversalsOf(
  tx: Tx,
  ids: readonly string[],
  functional_currency: string,
): Promise<ReadonlyMap<string, Entries>> {
  if (ids.length === 0) return new Map();
  const { account_id } = tx.caller;
  const rows = await tx.rows<{
    payment_id: string | null;
    date: CalendarDate;
    currency: string;
    account_number: number;
    amount: Money;
    currency_amount: Money;
    customer_id: string | null;
  }>(sql`select e.reverses_guid as payment_id, e.entry_date as date, e.currency, p.account_number, p.amount, p.currency_amount,
      p.customer_id
    from ledger_entries e join ledger_postings p on p.account_id = ${account_id} and p.entry_no = e.entry_no
    where e.account_id = ${account_id} and e.reverses_guid = any(${ids}) order by e.entry_no, p.line_no`);
  const functional_digits = currencyDigits(functional_currency);
  return new Map(
    ids.map((id) => {
      const own = rows.filter(({ payment_id }) => payment_id === id);
      const [first] = own;
      if (first === undefined) return [id, []];
      const postings = own.map(({ account_number, amount, currency_amount, customer_id }) => ({
        account_number,
        amount: scaledToNumber(amount, functional_digits),
        currency_amount: scaledToNumber(currency_amount, currencyDigits(first.currency)),
        customer_id,
      }));
      return [id, [{ date: first.date, postings }]];
    }),
  );
}
