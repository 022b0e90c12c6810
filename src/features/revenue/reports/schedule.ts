/** Computes an invoice's schedule: each line's earned and invoiced amounts by month, to the end of its revenue. */

import { type Month, monthOf } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { laterMonth } from "../../../domain/revenue/accrual.ts";
import { earnedByUser, type LineFacts, lineAmount } from "../../../domain/revenue/recognition.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getInvoice } from "../../sales/invoices/queries.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { currentMonth, positionThrough } from "../accruals/queries.ts";
import type { LineBalanceAtMonth } from "../revenue-facts/positions.ts";
import { RecognitionSchedule } from "./schemas.ts";

/** Returns the current line balances of an invoice through the end of their earnings, in the order of the invoice's lines. */
export async function lineBalancesOfInvoice(
  cx: Reader,
  ref: string,
): Promise<{
  readonly currency: string;
  readonly invoice_id: string;
  readonly current: Month;
  readonly line_balances: readonly KnownLineBalance[];
}> {
  const { id } = await getStored(cx, "invoices", ref);
  const { invoice } = await getInvoice(cx, id);
  const configuration = await getConfiguration(cx);
  const current = currentMonth(cx, configuration);
  // Ends with the last month of any service period or credit; later months change nothing.
  const through = invoice.lines.reduce<Month | null>(
    (last, line) => laterMonth(last, line.service_to && monthOf(line.service_to)),
    laterMonth(
      laterMonth(current, invoice.issue_date && monthOf(invoice.issue_date)),
      await lastCredit(cx, id),
    ),
  );
  const position = await positionThrough(
    cx,
    configuration,
    invoice.customer_id,
    through ?? current,
  );
  const line_balances = position.line_balances.filter(
    (line_balance) => line_balance.invoice_id === id && isKnown(line_balance),
  );
  return {
    currency: invoice.currency,
    invoice_id: id,
    current,
    line_balances: line_balances as KnownLineBalance[],
  };
}

/** Returns the month of the credit note with the latest date, which may be in the future. */
async function lastCredit(cx: Reader, invoice_id: string): Promise<Month | null> {
  const row = await cx.row<{ month: Month | null }>(sql`
    select to_char(max(credit_date), 'YYYY-MM') as month from credit_notes
     where account_id = ${cx.caller.account_id} and invoice_id = ${invoice_id} and status = 'issued'`);
  return row?.month ?? null;
}

export type KnownLineBalance = LineBalanceAtMonth & { readonly facts: LineFacts };

function isKnown(line_balance: LineBalanceAtMonth): line_balance is KnownLineBalance {
  return line_balance.facts !== null;
}

/** Returns the schedule of an invoice. Throws NOT_FOUND. */
export async function readSchedule(cx: Reader, ref: string): Promise<JsonText> {
  const { currency, invoice_id, current, line_balances } = await lineBalancesOfInvoice(cx, ref);
  const digits = currencyDigits(currency);
  const money = (amount: Money): number => scaledToNumber(amount, digits);
  return jsonText(
    RecognitionSchedule.parse({
      object: "recognition_schedule",
      invoice_id,
      currency,
      lines: line_balances.map(({ line_id, facts, now }) => {
        const to_date = now.filter((one) => one.month <= current);
        return {
          line_id,
          amount: money(lineAmount(facts)),
          credited: money(facts.credits.reduce((sum, credit) => sum + credit.amount, 0n)),
          earned_to_date: money(to_date.reduce((sum, one) => sum + one.earned, 0n)),
          invoiced_to_date: money(to_date.reduce((sum, one) => sum + one.invoiced, 0n)),
          completed_on: facts.completed_on,
          months: now.map(({ month, earned, invoiced }) => ({
            month,
            earned: money(earned),
            invoiced: money(invoiced),
            users: earnedByUser(facts, month, earned).map(({ user_id, amount }) => ({
              user_id,
              earned: money(amount),
            })),
          })),
        };
      }),
    }),
  );
}

/** Returns the balance of a line among those of its customer; undefined when the line earns nothing (yet, or any more). */
export function findLineBalance(
  line_balances: readonly LineBalanceAtMonth[],
  line_id: string,
): KnownLineBalance | undefined {
  return line_balances.filter(isKnown).find((line_balance) => line_balance.line_id === line_id);
}
