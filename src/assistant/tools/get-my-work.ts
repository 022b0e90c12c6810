/** The tool that tells people what waits for their work, the most pressing first. */
import * as z from "zod";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import { viewLine } from "../../domain/base/visibility.ts";
import { RATE_DECIMALS, rateOfUser, recognitionMethods } from "../../domain/sales/line.ts";
import { attentions } from "../../domain/work/my-work.ts";
import { hoursNumber, type MyWork, type WorkLine, workOf } from "../../features/work/my-work.ts";
import type { PersonReader } from "../../platform/context.ts";
import { reading, scopedOutput } from "../protocol/arguments.ts";
import { defineTool } from "../protocol/tool.ts";
import { amountText, counted, hoursText, paragraphs, quoted, table } from "../protocol/words.ts";

const Input = z.object({});

const nullable = z.string().nullable();

const ShownLine = z.object({
  line_id: z.string().describe("What plan_register_work takes."),
  line_kind: z.enum(["invoice", "occurrence"]),
  invoice_id: nullable,
  title: nullable.describe("Of the draft."),
  series_id: nullable,
  period: nullable,
  name: z.string(),
  recognition_method: z.enum(recognitionMethods),
  currency: z.string(),
  hourly_rate: z.number().nullable().describe("The person's own rate there; null unless by hours."),
  agreed_value: z.number().nullable(),
  unbilled: z.number().describe("What the line would be invoiced with now, net of VAT."),
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
  lines: z.array(ShownLine),
});
type Group = z.output<typeof Group>;

export const getMyWorkTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "get_my_work",
  title: "Show my work",
  description:
    "Use it first when the person asks what to do, where to register hours, or what needs attention: their assigned lines on unissued invoices, by customer or retainer, the most pressing first, each with the line_id that plan_register_work takes. attention says why: overdue, failed (issuing was refused), due_soon, over_budget, stale (no hours of theirs in 14 days).",
  input: () => Input,
  output: scopedOutput(Group),

  async call(cx) {
    const work = await workOf(cx, cx.caller.person.user_id);
    const data = work.groups.map((group) => groupFrom(cx, group));
    const { in_scope, beyond_scope } = work;
    const page = { view: "mine" as const, in_scope, beyond_scope };
    const text = paragraphs(
      viewLine(page),
      ...(data.length === 0 ? ["Nothing waits for work."] : data.map(groupText)),
    );
    return { text, structured: { ...page, data, has_more: false, next_cursor: null } };
  },
});

function groupFrom(cx: PersonReader, { rank, lines }: MyWork["groups"][number]): Group {
  const [first] = lines;
  if (first === undefined) throw new Error("a group without lines");
  const { place, customer_id } = first.waiting;
  const is_retainer = place.kind === "occurrence";
  return {
    kind: is_retainer ? "retainer" : "customer",
    customer_id,
    customer_name: first.customer_name,
    series_id: is_retainer ? place.series_id : null,
    series_name: is_retainer ? place.series_name : null,
    rank,
    lines: lines.map((line) => lineFrom(cx, line)),
  };
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
  const rows = group.lines.map((line) => [
    line.attention.join(", ") || "-",
    line.due_on,
    quoted(line.name),
    line.period ?? `draft ${line.invoice_id}${line.title === null ? "" : ` ${quoted(line.title)}`}`,
    line.hourly_rate === null
      ? `${line.recognition_method}, ${amountText(line.agreed_value, line.currency)}`
      : `${line.hourly_rate} ${line.currency} an hour`,
    `${hoursText(line.own_hours)} of ${hoursText(line.total_hours)}`,
    line.last_worked_on,
    amountText(line.unbilled, line.currency),
    line.line_id,
  ]);
  const columns = [
    "attention",
    "due",
    "line",
    "on",
    "price",
    "my hours",
    "last",
    "unbilled",
    "line_id",
  ];
  return `${named} (${counted(rows.length, "line")}):\n${table(columns, rows, "")}`;
}
