/** The tool that lists the periods of a series with their issued or expected amounts. */
import * as z from "zod";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledToNumber } from "../../domain/base/money.ts";
import { requireInView } from "../../features/overview/views/queries.ts";
import { pricedPeriods } from "../../features/recurring/occurrences/price-periods.ts";
import { listOccurrences } from "../../features/recurring/occurrences/queries.ts";
import { Occurrence } from "../../features/recurring/occurrences/schemas.ts";
import { requirePeriod } from "../../features/recurring/series/periods.ts";
import { getSeries } from "../../features/recurring/series/queries.ts";
import { occurrenceStates } from "../../features/recurring/series/schemas.ts";
import { shownPeriod } from "../../features/recurring/series/series.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { getStored } from "../../platform/database/resources.ts";
import { Day } from "../../platform/http/schemas.ts";
import { pageArguments, pageOutput, reading, reference } from "../protocol/arguments.ts";
import { defineTool } from "../protocol/tool.ts";
import { amountText, moreText, paragraphs, table } from "../protocol/words.ts";
import { listedRow } from "../text/listed-row.ts";

const Input = z.object({
  series: reference("series"),
  from: Day.optional().describe("First day on which a period may start; default: the first one."),
  to: Day.optional().describe("Last day on which a period may start; default: in twelve months."),
  status: z.enum(occurrenceStates).optional(),
  ...pageArguments,
});

const ListedOccurrence = Occurrence.extend({
  currency: z.string(),
  net: z
    .number()
    .describe(
      "Net of VAT: as booked, else as of now; for a dropped period the amount that it would have had.",
    ),
});

const Row = listedRow(ListedOccurrence, [
  "period",
  "period_from",
  "period_to",
  "status",
  "issue_date",
  "net",
  "currency",
  "invoice_id",
]);

export const listOccurrencesTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "list_occurrences",
  title: "List the occurrences of a series",
  description:
    "Use it to see which periods of a series are issued, scheduled, failed, skipped or dropped, their invoice dates and net amounts, in order of time. The period names what plan_issue_occurrence takes.",
  input: () => Input,
  output: pageOutput(Row.schema),

  async call(cx, { series: ref, ...page }) {
    const { id } = await getStored(cx, "recurring_series", ref);
    await requireInView(cx, "recurring_series", id);
    const list = pageFrom<z.output<typeof Occurrence>>(await listOccurrences(cx, id, page));
    const { series } = await getSeries(cx, id);
    // The period as it is shown: one that a cancellation has cut short is priced by its shorter length.
    const periods = list.data.map(({ period }) =>
      shownPeriod(series, requirePeriod(series, period)),
    );
    const placed = periods.map((period) => ({ series, period }));
    const priced = await pricedPeriods(cx, placed);
    const data = list.data.map((occurrence, at) => ({
      ...occurrence,
      currency: series.currency,
      net: scaledToNumber(priced[at]?.net ?? 0n, currencyDigits(series.currency)),
    }));
    const rows = data.map((one) => [
      one.period,
      `${one.period_from} to ${one.period_to}`,
      one.status,
      one.issue_date,
      amountText(one.net, one.currency),
      one.invoice_id,
    ]);
    const columns = ["period", "days", "status", "invoice date", "net", "invoice"];
    const text = paragraphs(
      `Occurrences of series ${id}:`,
      table(columns, rows, "No occurrences."),
      moreText(list.next_cursor),
    );
    return { text, structured: { ...list, data: data.map(Row.of) } };
  },
});
