/** The tool that plans adding, changing and removing lines of a series. */
import * as z from "zod";
import { invalidField } from "../../domain/base/problem.ts";
import { type SeriesPeriod, timesOf } from "../../domain/series/period.ts";
import { contentAt, type LineContent, type Scope, scopes } from "../../domain/series/series.ts";
import { requireInView } from "../../features/overview/views/queries.ts";
import { pricedPeriods } from "../../features/recurring/occurrences/price-periods.ts";
import {
  addSeriesLine,
  changeSeriesLine,
  removeSeriesLine,
} from "../../features/recurring/series/edit-line.ts";
import { requirePeriod } from "../../features/recurring/series/periods.ts";
import { getSeries } from "../../features/recurring/series/queries.ts";
import {
  LineAdd,
  LineChange,
  type SeriesLineEdit,
} from "../../features/recurring/series/schemas.ts";
import { presentContent, type Series } from "../../features/recurring/series/series.ts";
import type { PersonTx } from "../../platform/commands/tx.ts";
import { getStored, versionOf } from "../../platform/database/resources.ts";
import { text, Uuid } from "../../platform/http/schemas.ts";
import { jsonText } from "../../platform/runtime/json.ts";
import { reference } from "../protocol/arguments.ts";
import { changesBetween } from "../protocol/plan-words.ts";
import { carryOut, defineProposal, done, validated } from "../protocol/proposal.ts";
import { dayText, moneyText, quoted } from "../protocol/words.ts";
import { likeInvoiceLine, NamedSeriesLine, resolvedLines } from "../text/named-lines.ts";
import { customerName } from "../text/series-plans.ts";
import { takesLineBack } from "../text/shown-lines.ts";

const actions = ["add", "change", "remove"] as const;

const Input = z.object({
  series: reference("series"),
  action: z.enum(actions),
  scope: z
    .enum(scopes)
    .describe("One period, from a period on, or all periods that are not issued."),
  line_id: Uuid.optional().describe(
    "With `change` and `remove`: the line_id as get_series shows it.",
  ),
  period: text(32, 1)
    .optional()
    .describe("Key or first day of the period. Default: the first period that is not issued."),
  line: likeInvoiceLine(
    NamedSeriesLine.partial(),
    "With `add` the whole line, with `change` the fields that change (null empties one).",
  ).optional(),
});

type Edit = { readonly series_id: string; readonly scope: Scope } & (
  | { readonly action: "add"; readonly edit: LineAdd }
  | { readonly action: "change"; readonly edit: LineChange; readonly line_id: string }
  | { readonly action: "remove"; readonly period: string | undefined; readonly line_id: string }
);

export const planEditSeriesLine = defineProposal<z.output<typeof Input>, Edit>({
  name: "plan_edit_series_line",
  title: "Plan a change of a series' lines",
  description:
    "Plans adding, changing or removing a line of a series, in one period, from a period on, or in all periods that are not issued. Use it when a price, an assignee or the content of a retainer changes. Issued periods keep their lines.",
  scope: "mcp:write",
  input: () => Input,
  takes_back: takesLineBack,

  async settle(cx, { series, action, scope, line_id, period, line }) {
    const { id } = await getStored(cx, "recurring_series", series);
    const common = { series_id: id, scope };
    const at = period === undefined ? {} : { period };
    if (action === "remove") {
      return { ...common, action, period, line_id: required(line_id, "line_id", action) };
    }
    const [resolved] = await resolvedLines(cx, [required(line, "line", action)], () => "line");
    if (action === "add") {
      return { ...common, action, edit: validated(LineAdd, { scope, ...at, line: resolved }) };
    }
    const edit = validated(LineChange, { scope, ...at, line: resolved });
    return { ...common, action, edit, line_id: required(line_id, "line_id", action) };
  },

  permit: (cx, { series_id }) => requireInView(cx, "recurring_series", series_id),

  async prepare(inside, input) {
    const { series_id: ref } = input;
    const { series } = await getSeries(inside, ref);
    const version = await versionOf(inside, "recurring_series", ref);
    const { plan, committed } = await carryOutEdit(inside, input);
    const { line_id, period } = JSON.parse(committed) as SeriesLineEdit;
    const first = requirePeriod(series, period);
    const { index } = first;
    const before = series.lines.find((line) => line.line_id === line_id);
    const shownAt = (content: LineContent | null) =>
      content === null ? null : jsonText(presentContent(content, series.currency));
    const was = before ? contentAt(before, index) : null;
    const is = contentAt(plan.line, index);
    const changes = changesBetween("series_line", line_id, shownAt(was), shownAt(is));
    const named = was ?? is;
    const line =
      named === null
        ? "a line"
        : `the line ${quoted(named.description_override ?? named.product_name)}`;
    const customer = await customerName(inside, series);
    const verb = {
      add: `Adds ${line} to`,
      change: `Changes ${line} of`,
      remove: `Removes ${line} from`,
    };
    const where = {
      this_only: `in period ${period} only`,
      this_and_following: `from period ${period} on`,
      all: `in every period that is not issued, the first being ${period}`,
    };
    const { series: changed } = await getSeries(inside, ref);
    const amounts = await invoiceText(inside, series, changed, first);
    return {
      facts: [plan, version],
      shown: {
        summary: `${verb[input.action]} the ${series.frequency} series for ${customer}, ${where[input.scope]}: ${amounts}.`,
        changes,
        effects: ["Books nothing and sends nothing; issued periods do not change."],
        warnings:
          series.status === "active"
            ? ["The series is active: its next periods are billed this way."]
            : [],
      },
      ...done("recurring_series", [ref], committed),
    };
  },
});

/** Returns from which day an edit counts, and what it makes of the first invoice: `from 15 January 2027; invoice of 2027-01-15: 22,000.00 DKK becomes 25,000.00 DKK`. */
async function invoiceText(
  inside: PersonTx,
  before: Series,
  after: Series,
  period: SeriesPeriod,
): Promise<string> {
  const [was] = await pricedPeriods(inside, [{ series: before, period }]);
  const [is] = await pricedPeriods(inside, [{ series: after, period }]);
  const [old_net, new_net] = [was, is].map((one) => moneyText(one?.net ?? 0n, before.currency));
  const { issue_date } = timesOf(period, after.timing);
  const amounts = old_net === new_net ? `${old_net}, unchanged` : `${old_net} becomes ${new_net}`;
  return `from ${dayText(period.from)}; invoice of ${issue_date}: ${amounts}`;
}

function carryOutEdit(tx: PersonTx, input: Edit) {
  const { series_id: ref, scope } = input;
  switch (input.action) {
    case "add":
      return carryOut(addSeriesLine, tx, { ref, edit: input.edit });
    case "change":
      return carryOut(changeSeriesLine, tx, { ref, line_id: input.line_id, edit: input.edit });
    case "remove": {
      const { line_id, period } = input;
      return carryOut(removeSeriesLine, tx, { ref, line_id, scope, period });
    }
  }
}

function required<Value>(value: Value | undefined, field: string, action: string): Value {
  if (value !== undefined) return value;
  throw invalidField(field, "required", `The action ${action} needs it.`);
}
