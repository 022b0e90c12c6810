/** The columns of the query for revenue facts, by kind of fact. Their SQL expressions use the query's table aliases. */
import type { CalendarDate, Month } from "../../../domain/base/calendar.ts";
import type { Money } from "../../../domain/base/money.ts";
import type { LineCredit, MeasuredWork, WorkedHours } from "../../../domain/revenue/recognition.ts";
import type { Line } from "../../../domain/sales/line.ts";
import { earnedLineColumns } from "../../../platform/database/line-columns.ts";
import {
  bigints,
  bigintsOrNull,
  from,
  nested,
  plain,
  Shape,
} from "../../../platform/database/shape.ts";
import { type JsonText, thaw } from "../../../platform/runtime/json.ts";

/** A line of an invoice, or of an opening contract, with everything that affects it. */
export interface InvoicedLine {
  readonly line: Line;
  /** Null for an opening contract. */
  readonly invoice_id: string | null;
  readonly series_id: string | null;
  readonly opening_contract_id: string | null;
  readonly period: string | null;
  readonly currency: string;
  /** Null for a draft. */
  readonly issue_date: CalendarDate | null;
  readonly rate_micro: bigint | null;
  readonly amount: Money | null;
  readonly amount_functional: Money | null;
  readonly completed_on: CalendarDate | null;
  readonly measured: MeasuredWork | null;
  readonly credits: readonly BookedCredit[];
}

export interface BookedCredit extends LineCredit {
  /** Null for what an opening contract gave back at its end. */
  readonly credit_note_id: string | null;
  /** As posted; null when the invoice is in functional currency. */
  readonly functional: Money | null;
}

export interface MonthRate {
  readonly month: Month;
  readonly rate_micro: bigint;
}

interface CustomerRow {
  readonly name: string;
  /** The last month with an effective booking. */
  readonly booked_through: Month | null;
}

export const customerShape = new Shape<CustomerRow>({
  name: plain("text"),
  booked_through: from(
    `(select max(a.month) from accruals a
       where a.account_id = $1 and a.customer_id = c.id and a.status = 'booked')`,
    plain("text"),
  ),
});

/** A credit, with the id of the line that it credits. */
type CreditRow = BookedCredit & { readonly line_id: string };

const credited = {
  line_id: from("l.invoice_line_id", plain<string>("uuid")),
  effective: from("greatest(n.credit_date, i.issue_date)", plain<CreditRow["effective"]>("date")),
  amount: from("l.amount", bigints),
  new_service_to: from("l.new_service_to", plain<CreditRow["new_service_to"]>("date")),
};
const credit_note_id = from("n.id", plain<string | null>("uuid"));

export const creditShape = new Shape<CreditRow>({
  ...credited,
  functional: bigintsOrNull,
  credit_note_id,
});

/** With the posted amount in functional currency. */
export function creditAt(functional: string): string {
  const of_note = { ...credited, functional: from(functional, bigintsOrNull), credit_note_id };
  return new Shape<CreditRow>(of_note).packed();
}

/** What an opening contract gave back when it ended, `o` in the statement, in the form of a credit. */
export const returnedAt = new Shape<CreditRow>({
  line_id: from("o.line_id", plain<string>("uuid")),
  effective: from("o.ended_on", plain<CreditRow["effective"]>("date")),
  amount: from("o.returned", bigints),
  new_service_to: from("o.ended_on", plain<CreditRow["new_service_to"]>("date")),
  functional: from("o.returned_functional", bigintsOrNull),
  credit_note_id: from("null", plain<string | null>("uuid")),
}).packed();

/** A line by `value` in the form of that of an invoice: what was brought along counts as issued on the cutover. */
export const OPENING_LINE = `json_build_array(${earnedLineColumns.packed("l")}, null, null, o.id, null, o.currency, o.cutover,
  o.rate_micro::text, o.amount::text, o.amount_functional::text, null, null)`;

/** The columns of an opening contract, by those of a line. */
export const OPENING_AS_LINE = `select o.line_id as id, o.product_id, 'value' as recognition_method, o.amount as agreed_value,
    null::bigint as hourly_rate, 0 as discount, null::text as description_override, 1::bigint as position,
    o.assignees, greatest(coalesce(o.service_from, o.cutover + 1), o.cutover + 1) as service_from,
    o.service_to, null::int as budget_hours, o.product_name, o.product_number, o.account_number, o.unit,
    null::int as share_days, null::int as share_of, null::int as nominal_budget`;

export const invoicedShape = new Shape<Omit<InvoicedLine, "credits">>({
  line: nested(earnedLineColumns, "l"),
  invoice_id: from("i.id", plain("uuid")),
  series_id: from("i.series_id", plain("uuid")),
  opening_contract_id: from("null", plain<string | null>("uuid")),
  period: from("i.period", plain("text")),
  currency: from("i.currency", plain("text")),
  issue_date: from("case when i.status = 'issued' then i.issue_date end", plain("date")),
  rate_micro: from("i.rate_micro", bigintsOrNull),
  amount: from("l.amount", bigintsOrNull),
  amount_functional: from("l.amount_functional", bigintsOrNull),
  completed_on: from(
    "(select c.completed_on from line_completions c where c.account_id = $1 and c.line_id = l.id)",
    plain("date"),
  ),
  measured: from(
    "(select e.content from line_earnings e where e.account_id = $1 and e.line_id = l.id)",
    {
      ...plain<MeasuredWork | null>("text"),
      parse: (text) => (text === null ? null : thaw<MeasuredWork>(text as JsonText)),
    },
  ),
});

export const workShape = new Shape<WorkedHours & { readonly line_id: string }>({
  line_id: plain("uuid"),
  user_id: plain("uuid"),
  date: plain("date"),
  hours: plain("int"),
  billable: plain("boolean"),
});

export const rateShape = new Shape<MonthRate & { readonly currency: string }>({
  currency: plain("text"),
  month: plain("text"),
  rate_micro: bigints,
});
