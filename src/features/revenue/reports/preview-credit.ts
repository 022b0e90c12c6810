/** Previews a credit note's effect on revenue: compares its lines' months with and without it. Nothing is stored. */

import type * as z from "zod";
import { type CalendarDate, type Month, monthOf } from "../../../domain/base/calendar.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import {
  type EarnedMonth,
  earnedMonths,
  type LineFacts,
} from "../../../domain/revenue/recognition.ts";
import type { Convention } from "../../../domain/revenue/spread.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../../platform/commands/tx.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { presentTotals } from "../../documents/issued/totals.ts";
import { createCreditNote } from "../../sales/credit-notes/create.ts";
import { type CreditNote, creditableLines } from "../../sales/credit-notes/queries.ts";
import type { CreditNotePreviewBody } from "../../sales/credit-notes/schemas.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { CreditPreview } from "./preview-credit-schemas.ts";
import { type KnownLineBalance, lineBalancesOfInvoice } from "./schedule.ts";

/** Takes the body of POST /credit-notes, whose external id does not matter. Throws the refusals of creating the credit note. */
export async function previewCredit(cx: Context, sent: CreditNotePreviewBody): Promise<JsonText> {
  return jsonText(await dryRun(cx, async (tx) => previewOf(tx, await planCredit(tx, sent))));
}

type Decided = Extract<
  Awaited<ReturnType<typeof createCreditNote.plan>>,
  { readonly decided: unknown }
>;

/** Plans a new credit note. Throws the refusals of creating it. */
export async function planCredit(tx: Tx, sent: CreditNotePreviewBody): Promise<Decided> {
  const plan = await createCreditNote.plan(tx, { ...sent, external_id: newId<string>() });
  if (!("decided" in plan)) throw new Error("a new external id is known already");
  return plan;
}

/** Returns the effect of a planned credit note on revenue. */
export async function previewOf(
  cx: Reader,
  { decided }: Decided,
): Promise<z.output<typeof CreditPreview>> {
  const { facts, snapshot: document, kept } = decided;
  const { note } = facts;
  const warnings = kept ?? [];
  const { compared, months } = await revenueOfCredit(cx, note);
  const creditable = await creditableLines(cx, note.invoice_id);
  const rests = new Map(
    creditable.map((line) => [line.line_id as string, line.amount - line.credited]),
  );
  const money = (amount: Money): number => scaledToNumber(amount, document.currency_digits);
  const totals = presentTotals(document, warnings);
  return CreditPreview.parse({
    object: "credit_note_preview",
    invoice_id: note.invoice_id,
    kind: note.kind,
    credit_date: note.credit_date,
    ...(note.reason !== null && { reason: note.reason }),
    currency: document.currency,
    net: totals.net,
    vat: totals.vat,
    gross: totals.gross,
    vat_breakdown: totals.vat_breakdown,
    lines: compared.map(({ line_balance, credit, before, after }) => {
      return {
        invoice_line_id: line_balance.line_id,
        amount: money(credit),
        remainder: money((rests.get(line_balance.line_id) ?? 0n) - credit),
        months: monthsBeside(before, after).map((one) => presentMonth(one, money)),
      };
    }),
    months: months.map((one) => presentMonth(one, money)),
    warnings: totals.warnings,
  });
}

/** Returns the months of an invoice's lines, separately and together, with and without a planned credit note. */
export async function revenueOfCredit(
  cx: Reader,
  note: Pick<CreditNote, "invoice_id" | "credit_date" | "lines">,
) {
  const { recognition_convention } = await getConfiguration(cx);
  const { line_balances, current } = await lineBalancesOfInvoice(cx, note.invoice_id);
  const through = lastMonthOf(line_balances, note.credit_date, current);
  const compared = line_balances.map((line_balance) => {
    const credit =
      note.lines.find((line) => line.invoice_line_id === line_balance.line_id)?.amount ?? 0n;
    return {
      line_balance,
      credit,
      before: earnedMonths(line_balance.facts, recognition_convention, through),
      after: monthsAfter(
        line_balance.facts,
        recognition_convention,
        through,
        credit,
        note.credit_date,
      ),
    };
  });
  const months = monthsBeside(
    compared.flatMap((one) => one.before),
    compared.flatMap((one) => one.after),
  );
  return { compared, months };
}

/** Returns the latest month among the current month, the credit date, and the lines' service ends, issue dates and earnings. */
function lastMonthOf(
  line_balances: readonly KnownLineBalance[],
  credit_date: CalendarDate,
  current: Month,
): Month {
  return line_balances.reduce<Month>(
    (last, { facts, now }) => {
      const ends = [facts.line.service_to, facts.issue_date].flatMap((day) =>
        day === null ? [] : [monthOf(day)],
      );
      return [last, ...ends, ...now.map((one) => one.month)].sort().at(-1) ?? last;
    },
    [current, monthOf(credit_date)].sort().at(-1) ?? current,
  );
}

function monthsAfter(
  facts: LineFacts,
  convention: Convention,
  through: Month,
  amount: Money,
  credit_date: CalendarDate,
): EarnedMonth[] {
  if (amount === 0n) return earnedMonths(facts, convention, through);
  const credits = [...facts.credits, { effective: credit_date, amount, new_service_to: null }];
  return earnedMonths({ ...facts, credits }, convention, through);
}

interface Beside {
  readonly month: Month;
  earned_before: Money;
  earned_after: Money;
  invoiced_before: Money;
  invoiced_after: Money;
}

/** Sums the months before and after the credit note, in order. */
function monthsBeside(before: readonly EarnedMonth[], after: readonly EarnedMonth[]): Beside[] {
  const months = new Map<Month, Beside>();
  const at = (month: Month): Beside => {
    const nothing = {
      earned_before: 0n,
      earned_after: 0n,
      invoiced_before: 0n,
      invoiced_after: 0n,
    };
    const one = months.get(month) ?? { month, ...nothing };
    months.set(month, one);
    return one;
  };
  for (const { month, earned, invoiced } of before) {
    at(month).earned_before += earned;
    at(month).invoiced_before += invoiced;
  }
  for (const { month, earned, invoiced } of after) {
    at(month).earned_after += earned;
    at(month).invoiced_after += invoiced;
  }
  return [...months.values()].sort((a, b) => (a.month < b.month ? -1 : 1));
}

function presentMonth({ month, ...amounts }: Beside, money: (amount: Money) => number) {
  return {
    month,
    earned_before: money(amounts.earned_before),
    earned_after: money(amounts.earned_after),
    invoiced_before: money(amounts.invoiced_before),
    invoiced_after: money(amounts.invoiced_after),
  };
}
