/**
 * Plays what the customers of the studio pay: each statement of its bank is imported, and its lines are booked as suggested, but for
 * those that wait. Also plays reminders. A repetition changes nothing.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import { run } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { bookBankLines } from "../../receivables/bank-lines/book.ts";
import { BankLinesBook } from "../../receivables/bank-lines/schemas.ts";
import { importBankFile } from "../../receivables/bank-statements/store-import.ts";
import { createAllocation } from "../../receivables/payments/allocate.ts";
import { AllocationCreate } from "../../receivables/payments/schemas.ts";
import { previewReminders } from "../../reminders/reminder-runs/preview.ts";
import { runReminders } from "../../reminders/reminder-runs/run-reminders.ts";
import {
  type ReminderRun,
  ReminderRunBody,
  type ReminderRunPreview,
  ReminderRunPreviewBody,
} from "../../reminders/reminder-runs/schemas.ts";
import {
  type BilledDocument,
  type Bills,
  linesOfBank,
  type StudioBankLine,
  settledByCredit,
} from "./find-bank-lines.ts";
import type { CustomerKey } from "./firm.ts";
import { bankFileOf } from "./render-statement.ts";

/** The balance of the bank before the year, in øre. */
const FIRST_BALANCE: Money = 412_318_50n;
/** The external id of the payment that came twice. */
const PAID_TWICE = "studio-paid-twice";

interface StatementDays {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
  readonly ends_on: CalendarDate;
}

/** Imports the statement of some days and books its lines. Throws where a line is refused. */
export async function playBank(cx: Context, { from, to, ends_on }: StatementDays): Promise<void> {
  const bills = { documents: await billedDocuments(cx), ends_on };
  const lines = linesOfBank(bills, from, to);
  const file = bankFileOf({ from, to, opening: await balanceBefore(cx, from), lines });
  await importBankFile(cx, { content_type: "application/xml", bytes: file }, undefined);
  await bookLines(cx, lines, from);
  await useCredit(cx, bills, from, to);
}

/** Books those of the lines that are open. */
async function bookLines(
  cx: Context,
  lines: readonly StudioBankLine[],
  from: CalendarDate,
): Promise<void> {
  const of_text = new Map(lines.map((line) => [line.text, line]));
  const stored = await cx.rows<{ id: string; text: string }>(sql`select id, text from bank_lines
    where account_id = ${cx.caller.account_id} and state = 'open' and date >= ${from} order by id`);
  const decided = stored.flatMap(({ id, text }) => {
    const line = of_text.get(text);
    return line === undefined || line.treatment === "wait"
      ? []
      : [{ bank_line: id, ...deed(line) }];
  });
  if (decided.length === 0) return;
  const { refused, outcomes } = await run(
    bookBankLines,
    cx,
    BankLinesBook.parse({ lines: decided }),
  );
  if (refused > 0) throw new Error(`lines of the bank are refused: ${JSON.stringify(outcomes)}`);
}

/** Returns what a line is, as the request to book it says. */
function deed({ treatment, pays, customer }: StudioBankLine) {
  switch (treatment) {
    case "part":
      return { payment: { allocations: pays.map((invoice) => ({ invoice })) } };
    case "twice": {
      const remainder = "customer_credit";
      return { payment: { external_id: PAID_TWICE, customer: `ext:${customer}`, remainder } };
    }
    case "leave_out":
      return { ignore: "Office rent" };
    default:
      return { accept: true };
  }
}

/** Settles the invoices of some days for which the customer has paid before. */
async function useCredit(
  cx: Context,
  bills: Bills,
  from: CalendarDate,
  to: CalendarDate,
): Promise<void> {
  for (const { id, number, date } of settledByCredit(bills)) {
    if (date < from || date > to) continue;
    const external_id = `studio-credit-${number}`;
    const sent = { external_id, payment: `ext:${PAID_TWICE}`, invoice: id };
    await run(createAllocation, cx, AllocationCreate.parse(sent));
  }
}

/** Sends a customer the reminder that is due today, if one is. */
export async function remind(cx: Context, customer: CustomerKey): Promise<void> {
  const asked = ReminderRunPreviewBody.parse({ customer: `ext:${customer}` });
  const { rows } = JSON.parse(await previewReminders(cx, asked)) as ReminderRunPreview;
  const due = rows.flatMap(({ customer_id, currency, agreed }) =>
    agreed === null ? [] : [{ customer: customer_id, currency, agreed }],
  );
  if (due.length === 0) return;
  const document = await runReminders(cx, ReminderRunBody.parse({ rows: due }));
  const { issued } = JSON.parse(document) as ReminderRun;
  if (issued < due.length) throw new Error(`reminders are refused: ${document}`);
}

/** Returns what the studio has issued, in the order of the books. */
async function billedDocuments(cx: Context): Promise<BilledDocument[]> {
  const rows = await cx.rows<
    Omit<BilledDocument, "customer"> & { readonly customer: CustomerKey | null }
  >(sql`
    select o.id, o.kind, o.number, c.external_id as customer, o.currency, o.amount, o.date, o.due_date
    from open_items o join customers c on c.account_id = o.account_id and c.id = o.customer_id
    where o.account_id = ${cx.caller.account_id} and o.kind in ('invoice', 'credit_note')
    order by o.kind, o.number::int`);
  // The customers of the example have names of their own; one that a person has added has none.
  return rows.flatMap(({ customer, ...row }) => (customer === null ? [] : [{ ...row, customer }]));
}

/** Returns the closing balance of the statement before a day. */
async function balanceBefore(cx: Context, from: CalendarDate): Promise<Money> {
  const before = await cx.row<{ closing_balance: Money | null }>(sql`
    select closing_balance from bank_statements where account_id = ${cx.caller.account_id} and last_day < ${from}
    order by last_day desc limit 1`);
  return before?.closing_balance ?? FIRST_BALANCE;
}
