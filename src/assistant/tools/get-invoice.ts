/** The tool that shows one invoice with the amounts of its lines, their hours, its credit notes and its revenue. */
import * as z from "zod";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber, sumOfNumbers } from "../../domain/base/money.ts";
import { seesAccount } from "../../domain/base/visibility.ts";
import { HOURS_DECIMALS } from "../../domain/sales/line.ts";
import { userNames } from "../../features/access/people/queries.ts";
import { latestDelivery } from "../../features/documents/deliveries/attempt.ts";
import { Delivery, type Totals } from "../../features/documents/issued/schemas.ts";
import { requireInView } from "../../features/overview/views/queries.ts";
import {
  paymentsOf,
  presentPaymentOfRow,
} from "../../features/receivables/payment-states/find-states.ts";
import { PaymentOfRow } from "../../features/receivables/payment-states/schemas.ts";
import { currentMonth } from "../../features/revenue/accruals/queries.ts";
import { readSchedule } from "../../features/revenue/reports/schedule.ts";
import type { RecognitionSchedule } from "../../features/revenue/reports/schemas.ts";
import { readCreditNotes } from "../../features/sales/credit-notes/list.ts";
import type { CreditNoteResource } from "../../features/sales/credit-notes/schemas.ts";
import { workedByLine } from "../../features/sales/hours/list-worked.ts";
import { totalsOfInvoice } from "../../features/sales/invoices/documents.ts";
import { pricedLines } from "../../features/sales/invoices/price-lines.ts";
import type { InvoiceResource } from "../../features/sales/invoices/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { getStored } from "../../platform/database/resources.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
import { fitting, MOST_LINES, MOST_PEOPLE, withFirstPeople } from "../protocol/answer-size.ts";
import { reading, reference } from "../protocol/arguments.ts";
import { briefly } from "../protocol/listed-schema.ts";
import { shownDelivery } from "../protocol/proposal.ts";
import { defineTool } from "../protocol/tool.ts";
import {
  amountText,
  deliveryText,
  hoursText,
  paragraphs,
  quoted,
  table,
} from "../protocol/words.ts";
import { answerText } from "../text/buyer-answer.ts";
import { creditNoteTable, ListedCreditNote, withInvoices } from "../text/listed-credit-notes.ts";
import { invoiceTable, ListedInvoice, withAmounts } from "../text/listed-invoices.ts";
import {
  askedLines,
  linesArguments,
  otherLinesText,
  peopleText,
  ShownInvoiceLine,
} from "../text/shown-lines.ts";

const Input = z.object({ invoice: reference("invoice"), ...linesArguments });

const MOST_CREDIT_NOTES = 100;

const Recognition = z.object({
  whose: z.enum(["all", "mine"]).describe("Whose revenue is shown: for a standard user their own."),
  lines: z.array(
    z.object({
      line_id: z.string(),
      earned_to_date: z.number(),
      months: z.array(z.object({ month: z.string(), earned: z.number() })),
    }),
  ),
});

const Detail = ListedInvoice.extend({
  lines: z.array(ShownInvoiceLine),
  vat: z.number(),
  gross: z.number(),
  delivery: Delivery.pick({ channel: true, address: true, state: true, send_error: true, at: true })
    .extend({ answer: z.string().optional().describe("The buyer's, to an e-invoice.") })
    .nullable()
    .describe("The latest attempt to send it; null if it was never to be sent."),
  credit_notes: z.array(briefly(ListedCreditNote)),
  payment: PaymentOfRow.nullable().describe("Null for a draft, and where it is not known."),
  recognition: Recognition,
});
type Detail = z.output<typeof Detail>;

export const getInvoiceTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "get_invoice",
  title: "Show an invoice",
  description:
    "Use it before an invoice is changed, issued or credited, or to see what it contains: lines with their ids, amounts and hours, totals with VAT, whether it was sent and paid, credit notes, and when its revenue is earned (standard users: their own part). Also for invoices of retainers.",
  input: () => Input,
  output: z.object({ data: Detail }),

  async call(cx, { invoice: ref, ...asked }) {
    const stored = await getStored(cx, "invoices", ref);
    const { id } = stored;
    await requireInView(cx, "invoice", id);
    const resource = JSON.parse(stored.document) as InvoiceResource;
    const [listed] = await withAmounts(cx, [resource]);
    if (listed === undefined) throw new Error("the invoice is missing");
    const credits = await readCreditNotes({ invoice: id, limit: MOST_CREDIT_NOTES }).answer(cx);
    const notes = pageFrom<CreditNoteResource>(credits).data;
    const totals = parsed<z.output<typeof Totals>>(await totalsOfInvoice(cx, id));
    const lines = askedLines(resource.lines, asked, (line) => line.id).slice(0, MOST_LINES);
    const delivery = await latestDelivery(cx, id);
    const payments = await paymentsOf(cx, [id]);
    const whole: Detail = {
      ...listed,
      lines: await shownLines(cx, { ...resource, lines }, asked.line_id !== undefined),
      vat: totals.vat,
      gross: totals.gross,
      delivery: delivery ? withAnswer(delivery) : null,
      credit_notes: await withInvoices(cx, notes),
      payment: presentPaymentOfRow(listed.currency, payments.get(id)),
      recognition: await recognitionOf(cx, id, listed.currency),
    };
    return fitting(MOST_LINES, async (most) => {
      const data = withFirstLines(whole, most);
      const others = otherLinesText(asked, data.lines.length, data.line_count);
      return { text: await textOf(cx, data, others), structured: { data } };
    });
  },
});

/** Returns the invoice with the first of its lines, of their revenue, and of its credit notes. */
function withFirstLines(whole: Detail, most: number): Detail {
  const lines = whole.lines.slice(0, most);
  const ids = new Set(lines.map(({ id }) => id));
  const earned = whole.recognition.lines.filter(({ line_id }) => ids.has(line_id));
  return {
    ...whole,
    lines,
    credit_notes: whole.credit_notes.slice(0, most),
    recognition: { ...whole.recognition, lines: earned },
  };
}

function parsed<Value>(text: JsonText): Value {
  return JSON.parse(text);
}

async function shownLines(
  cx: PersonReader,
  invoice: InvoiceResource,
  with_all_people: boolean,
): Promise<Detail["lines"]> {
  const ids = invoice.lines.map((line) => line.id);
  const [priced, worked] = await Promise.all([
    pricedLines(cx, [invoice.id]),
    workedByLine(cx, ids),
  ]);
  const price_of = new Map(
    (priced.get(invoice.id) ?? []).map((one) => [one.line.id as string, one]),
  );
  const users = [...worked.values()].flatMap((entries) => entries.map(({ user_id }) => user_id));
  const names = await userNames(cx, users);
  const { role, user_id: own_id } = cx.caller.person;
  // A person sees only their own hours by user, as in list_work_registrations.
  const isShown = (user_id: string) => seesAccount(role) || user_id === own_id;
  const hoursOf = (hundredths: number) => scaledToNumber(BigInt(hundredths), HOURS_DECIMALS);
  return invoice.lines.map((line) => {
    const one = price_of.get(line.id);
    const by_user = new Map<string, number>();
    for (const { user_id, hours } of worked.get(line.id) ?? []) {
      by_user.set(user_id, (by_user.get(user_id) ?? 0) + hours);
    }
    const total = [...by_user.values()].reduce((sum, hours) => sum + hours, 0);
    const named = [...by_user].filter(([user_id]) => isShown(user_id));
    const shown_hours = with_all_people ? named : named.slice(0, MOST_PEOPLE);
    const hours_left_out = named.length - shown_hours.length;
    return {
      ...(with_all_people ? line : withFirstPeople(line)),
      name: line.description_override ?? one?.line.product_name ?? "",
      amount: scaledToNumber(one?.net ?? 0n, currencyDigits(invoice.currency)),
      hours: hoursOf(total),
      hours_by_user: shown_hours.map(([user_id, hours]) => ({
        user_id,
        name: names.get(user_id) ?? "",
        hours: hoursOf(hours),
      })),
      ...(hours_left_out > 0 && { hours_by_user_left_out: hours_left_out }),
    };
  });
}

/** Returns the revenue of the lines by month: an admin sees all of it, a standard user their own part (spec 7.1). */
async function recognitionOf(
  cx: PersonReader,
  invoice_id: string,
  currency: string,
): Promise<Detail["recognition"]> {
  const { person } = cx.caller;
  const schedule = parsed<z.output<typeof RecognitionSchedule>>(await readSchedule(cx, invoice_id));
  const current = currentMonth(cx, await getConfiguration(cx));
  const sees_all = seesAccount(person.role);
  const lines = schedule.lines.map(({ line_id, months }) => {
    const shown = months.flatMap(({ month, earned, users }) => {
      const own = users.find(({ user_id }) => user_id === person.user_id)?.earned ?? 0;
      const part = sees_all ? earned : own;
      return part === 0 ? [] : [{ month, earned: part }];
    });
    const to_date = shown.filter(({ month }) => month <= current).map(({ earned }) => earned);
    const earned_to_date = sumOfNumbers(to_date, currencyDigits(currency));
    return { line_id, earned_to_date, months: shown };
  });
  return { whose: sees_all ? "all" : "mine", lines };
}

async function textOf(cx: PersonReader, data: Detail, others: string | null): Promise<string> {
  const user_ids = data.lines.flatMap((line) => line.assignees.map(({ user_id }) => user_id));
  const names = await userNames(cx, user_ids);
  const money = (amount: number) => amountText(amount, data.currency);
  const lines = data.lines.map((line) => [
    line.id,
    quoted(line.name),
    line.recognition_method,
    money(line.amount),
    hoursOfLine(line),
    peopleText(
      line.assignees.map(({ user_id }) => quoted(names.get(user_id))),
      line.assignees_left_out,
      "anyone",
    ),
  ]);
  const earned = data.recognition.lines.flatMap(({ line_id, months }) =>
    months.map(({ month, earned }) => [line_id, month, money(earned)]),
  );
  const whose = data.recognition.whose === "all" ? "Earned" : "Earned by me";
  return paragraphs(
    invoiceTable([data], ""),
    `Net ${money(data.net)}, VAT ${money(data.vat)}, gross ${money(data.gross)}.`,
    data.booking === undefined ? null : bookingSentence(data.booking),
    sendingText(data),
    data.payment === null ? null : paymentText(data.payment, money),
    `Lines:\n${table(
      ["line_id", "name", "method", "amount", "hours", "assigned to"],
      lines,
      "No lines.",
    )}`,
    others,
    `Credit notes:\n${creditNoteTable(data.credit_notes, "No credit notes.")}`,
    `${whose}:\n${table(["line_id", "month", "earned"], earned, "Nothing.")}`,
  );
}

/** Returns the delivery with the buyer's answer, where there is one. */
function withAnswer(delivery: NonNullable<Awaited<ReturnType<typeof latestDelivery>>>) {
  const answer = answerText(delivery.response);
  return { ...shownDelivery(delivery), ...(answer === undefined ? {} : { answer }) };
}

/** Returns what became of sending an issued invoice, and what the buyer answered; null for a draft. */
function sendingText({ status, delivery }: Detail): string | null {
  if (delivery !== null) {
    const { answer } = delivery;
    const answered = answer === undefined ? "" : ` The buyer has answered: ${answer}.`;
    return `${deliveryText(delivery)}${answered}`;
  }
  return status === "issued" ? "Matchbook has never sent it." : null;
}

/** Returns what is paid of it and what is open. */
function paymentText(
  { state, is_overdue, open, paid_on }: NonNullable<Detail["payment"]>,
  money: (amount: number) => string,
): string {
  const on = paid_on === null ? "" : ` on ${paid_on}`;
  const left = open === null || open === 0 ? "" : `, ${money(open)} open`;
  return `Payment: ${state.replace("_", " ")}${on}${left}${is_overdue ? ", overdue" : ""}.`;
}

function bookingSentence(state: NonNullable<Detail["booking"]>): string {
  return state === "parked"
    ? "Its booking is uncertain: the answer of the accounting system differs from the request. An admin has to check it there; do not issue it again."
    : "It is being booked in the accounting system, which has not reported the outcome yet. The booking continues automatically.";
}

/** Returns all hours of a line, with the names that the person may see: `3.50 h ("Bo" 2.50 h, "Eva" 1.00 h)`. */
function hoursOfLine(line: Detail["lines"][number]): string {
  const { hours, hours_by_user, hours_by_user_left_out } = line;
  if (hours === 0) return "-";
  const named = hours_by_user.map((one) => `${quoted(one.name)} ${hoursText(one.hours)}`);
  const people = peopleText(named, hours_by_user_left_out, "");
  return people === "" ? hoursText(hours) : `${hoursText(hours)} (${people})`;
}
