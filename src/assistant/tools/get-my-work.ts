/** The tool that shows people the lines that wait for their work, the most urgent first. */
import * as z from "zod";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import { viewLine } from "../../domain/base/visibility.ts";
import { RATE_DECIMALS, rateOfUser, recognitionMethods } from "../../domain/sales/line.ts";
import { attentions, MOST_SHOWN, shownGroups } from "../../domain/work/my-work.ts";
import type { WorkLine } from "../../features/work/registrations/list-waiting.ts";
import { hoursNumber, type WorkGroup, workOf } from "../../features/work/registrations/my-work.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { fitting } from "../protocol/answer-size.ts";
import { reading, scopedOutput } from "../protocol/arguments.ts";
import { dayOf, todayText } from "../protocol/day-words.ts";
import { defineTool } from "../protocol/tool.ts";
import { amountText, counted, hoursText, paragraphs, quoted, tableOf } from "../protocol/words.ts";

const Input = z.object({});

const nullable = z.string().nullable();

const ShownLine = z.object({
  line_id: z.string().describe("The line_id for plan_register_work."),
  line_kind: z.enum(["invoice", "occurrence"]),
  invoice_id: nullable,
  title: nullable.describe("Of the draft."),
  series_id: nullable,
  period: nullable,
  name: z.string(),
  recognition_method: z.enum(recognitionMethods),
  currency: z.string(),
  hourly_rate: z
    .number()
    .nullable()
    .describe("The person's own rate on the line; null unless by hours."),
  agreed_value: z.number().nullable(),
  unbilled: z.number().describe("The amount that the line would invoice now, net of VAT."),
  own_hours: z.number(),
  total_hours: z.number(),
  last_worked_on: nullable.describe("The person's last registration."),
  due_on: nullable,
  rank: z.int(),
  attention: z.array(z.enum(attentions)),
});
type ShownLine = z.output<typeof ShownLine>;

const Group = z.object({
  kind: z.enum(["customer", "retainer"]),
  customer_id: z.string(),
  customer_name: z.string(),
  series_id: nullable,
  series_name: nullable.describe("The external id of the series."),
  rank: z.int(),
  waiting: z.int().describe("The number of its lines, shown or not."),
  rest: nullable.describe("The call that shows the others."),
  lines: z.array(ShownLine),
});
type Group = z.output<typeof Group>;

export const getMyWorkTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "get_my_work",
  title: "Show my work",
  description:
    "Use it first if the person asks about open work, where to register hours, or what needs attention: their assigned lines on unissued invoices, by customer or retainer, the most pressing first, each with the line_id that plan_register_work takes; of more than 200 lines the first of each group. attention says why: overdue, failed (the issue was refused), due_soon, over_budget, stale (no hours of theirs in 14 days).",
  input: () => Input,
  output: scopedOutput(Group).extend({ shown: z.int().describe("Lines in this answer.") }),

  async call(cx) {
    const { groups, in_scope, beyond_scope } = await workOf(cx, cx.caller.person.user_id);
    const page = { view: "mine" as const, in_scope, beyond_scope };
    const today = todayText(await dayOf(cx));
    return fitting(MOST_SHOWN, (most) => {
      const data = shownGroups(groups.slice(0, most), most, most).map((group) =>
        groupFrom(cx, group),
      );
      const shown = data.reduce((sum, { lines }) => sum + lines.length, 0);
      const left_out = groups.length - data.length;
      const text = paragraphs(
        `${viewLine(page)}\n${today}`,
        shown < in_scope ? `Shown: ${shown}, the most pressing of each group.` : null,
        ...(data.length === 0 ? ["No lines are open for work."] : data.map(groupText)),
        left_out === 0
          ? null
          : `${counted(left_out, "group")} more: list_invoices and list_series show them.`,
      );
      return { text, structured: { ...page, shown, data, has_more: false, next_cursor: null } };
    });
  },
});

function groupFrom(cx: PersonReader, group: WorkGroup): Group {
  const { first, rank, waiting, lines } = group;
  const { place, customer_id } = first.waiting;
  const is_retainer = place.kind === "occurrence";
  return {
    kind: is_retainer ? "retainer" : "customer",
    customer_id,
    customer_name: first.customer_name,
    series_id: is_retainer ? place.series_id : null,
    series_name: is_retainer ? place.series_name : null,
    rank,
    waiting,
    rest: lines.length < waiting ? restOf(group) : null,
    lines: lines.map((line) => lineFrom(cx, line)),
  };
}

/** Returns the call that shows the lines of a group that are left out here. */
function restOf({ first: { waiting }, places }: WorkGroup): string {
  const { place, customer_id } = waiting;
  if (place.kind === "occurrence") {
    return `get_series with series ${place.series_id}; plan_register_work takes its line_id and the date`;
  }
  return places === 1
    ? `get_invoice with invoice ${place.invoice_id}`
    : `list_invoices with customer ${customer_id} and status draft, then get_invoice of each`;
}

function lineFrom(cx: PersonReader, work: WorkLine): ShownLine {
  const { line, place, currency } = work.waiting;
  const by_hours = line.recognition_method === "hours";
  const rate = rateOfUser(line, cx.caller.person.user_id);
  return {
    line_id: line.id,
    line_kind: place.kind,
    invoice_id: place.kind === "invoice" ? place.invoice_id : null,
    title: place.kind === "invoice" ? place.title : null,
    series_id: place.kind === "occurrence" ? place.series_id : null,
    period: place.kind === "occurrence" ? place.period : null,
    name: line.description_override ?? line.product_name,
    recognition_method: line.recognition_method,
    currency,
    hourly_rate: by_hours ? scaledToNumber(rate, RATE_DECIMALS) : null,
    agreed_value:
      line.agreed_value === null
        ? null
        : scaledToNumber(line.agreed_value, currencyDigits(currency)),
    unbilled: work.unbilled,
    own_hours: hoursNumber(work.own_hours),
    total_hours: hoursNumber(work.total_hours),
    last_worked_on: work.last_worked_on,
    due_on: work.due_on,
    rank: work.rank,
    attention: [...work.attention],
  };
}

function groupText(group: Group): string {
  const named =
    group.kind === "customer"
      ? `Customer ${quoted(group.customer_name)}`
      : `Retainer ${group.series_name === null ? group.series_id : quoted(group.series_name)} of ${quoted(group.customer_name)}`;
  const table = tableOf(group.lines, "", {
    attention: (line) => line.attention.join(", ") || "-",
    due: (line) => line.due_on,
    line: (line) => quoted(line.name),
    on: ({ period, invoice_id, title }) =>
      period ?? `draft ${invoice_id}${title === null ? "" : ` ${quoted(title)}`}`,
    price: (line) =>
      line.hourly_rate === null
        ? `${line.recognition_method}, ${amountText(line.agreed_value, line.currency)}`
        : `${line.hourly_rate} ${line.currency} an hour`,
    "my hours": (line) => `${hoursText(line.own_hours)} of ${hoursText(line.total_hours)}`,
    last: (line) => line.last_worked_on,
    unbilled: (line) => amountText(line.unbilled, line.currency),
    line_id: (line) => line.line_id,
  });
  const count = counted(group.waiting, "line");
  if (group.rest === null) return `${named} (${count}):\n${table}`;
  const shown = group.lines.length === 0 ? "none" : `the first ${group.lines.length}`;
  return `${named} (${count}, ${shown} shown; the others: ${group.rest}):\n${table}`;
}
