/** `plan_create_series`: plans a series, as a draft or active from the start, and shows it as it would be stored. */
import * as z from "zod";
import { frequencies } from "../../domain/series/period.ts";
import { requireInView } from "../../features/overview/views/queries.ts";
import { requireMayActivate } from "../../features/overview/views/require-issuing.ts";
import { createSeries } from "../../features/recurring/series/draft.ts";
import { SeriesCreate, type SeriesResource } from "../../features/recurring/series/schemas.ts";
import { MOST_LINES } from "../../features/sales/invoices/schemas.ts";
import { Currency, Day } from "../../platform/http/schemas.ts";
import { reference } from "../protocol/arguments.ts";
import { changesBetween } from "../protocol/plan-words.ts";
import { carryOut, defineProposal, done, validated } from "../protocol/proposal.ts";
import { counted } from "../protocol/words.ts";
import { customerIdOf } from "../text/named.ts";
import {
  likeInvoiceLine,
  NamedSeriesLine,
  namedPrinted,
  resolvedLines,
} from "../text/named-lines.ts";
import {
  activate,
  activated,
  customerName,
  effectsOf,
  waitingPeriods,
  warningsOf,
} from "../text/series-plans.ts";
import { takesLinesBack } from "../text/shown-lines.ts";

const CreateInput = z.object({
  customer: reference("customer"),
  frequency: z.enum(frequencies),
  start_date: Day,
  end_date: Day.nullable().optional().describe("Last day of service."),
  issue_timing: SeriesCreate.shape.issue_timing,
  currency: Currency.optional(),
  ...namedPrinted,
  lines: z.array(likeInvoiceLine(NamedSeriesLine)).max(MOST_LINES).default([]),
  activate: activate.default(false),
});

interface Creating {
  readonly series: SeriesCreate;
  readonly activate: boolean;
}

export const planCreateSeries = defineProposal<z.output<typeof CreateInput>, Creating>({
  name: "plan_create_series",
  title: "Plan a recurring series",
  description:
    "Plans a new recurring series, such as a monthly retainer. Use it when the person wants to bill a customer regularly. It stays a draft unless `activate` is true, which needs the scope mcp:issue.",
  scope: "mcp:write",
  input: () => CreateInput,
  takes_back: takesLinesBack,

  async settle(cx, { customer, lines, activate: is_active, ...sent }) {
    const customer_id = await customerIdOf(cx, customer);
    const resolved = await resolvedLines(cx, lines);
    const series = validated(SeriesCreate, { ...sent, customer_id, lines: resolved });
    return { series, activate: is_active };
  },

  async permit(cx, input) {
    requireMayActivate(cx, input.activate);
    await requireInView(cx, "customer", input.series.customer_id);
  },

  async prepare(inside, input) {
    const { plan, committed } = await carryOut(createSeries, inside, input.series);
    const { id } = JSON.parse(committed.document) as SeriesResource;
    const document = input.activate ? await activated(inside, id) : committed.document;
    const series = JSON.parse(document) as SeriesResource;
    const customer = await customerName(inside, series);
    const lines = counted(series.lines.length, "line");
    const kind = input.activate ? "an active" : "a draft of a";
    return {
      facts: plan,
      shown: {
        summary: `Creates ${kind} ${series.frequency} series for ${customer} from ${series.start_date} with ${lines}.`,
        changes: changesBetween("recurring_series", null, null, document),
        effects: effectsOf(input.activate, series),
        warnings: [...warningsOf(inside, series), ...(await waitingPeriods(inside, series))],
      },
      ...done("recurring_series", [id], document),
    };
  },
});
