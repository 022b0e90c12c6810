/** `get_series`: one series with the effective lines and the planned changes. */
import * as z from "zod";
import { periodAt } from "../../domain/series/period.ts";
import { type LineContent, linesAt } from "../../domain/series/series.ts";
import { userNames } from "../../features/access/people/queries.ts";
import { requireInView } from "../../features/overview/views/queries.ts";
import { getSeries } from "../../features/recurring/series/queries.ts";
import type { SeriesResource } from "../../features/recurring/series/schemas.ts";
import {
  effectiveIndex,
  presentContent,
  type Series,
  uncancelled,
} from "../../features/recurring/series/series.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { fitting, MOST_LINES, withFirstPeople } from "../protocol/answer-size.ts";
import { reading, reference } from "../protocol/arguments.ts";
import { briefly } from "../protocol/listed-schema.ts";
import { defineTool } from "../protocol/tool.ts";
import { amountText, counted, paragraphs, quoted, table } from "../protocol/words.ts";
import { ListedSeries, seriesTable, withNext } from "../text/listed-series.ts";
import {
  askedLines,
  linesArguments,
  otherLinesText,
  peopleText,
  ShownContent,
  ShownSeriesLine,
} from "../text/shown-lines.ts";

const Input = z.object({ series: reference("series"), ...linesArguments });

const PlannedChange = z.object({
  line_id: z.string(),
  period: z.string(),
  applies: z.enum(["from_this_period", "in_this_period_only"]),
  line: briefly(ShownContent).nullable().describe("Null if the line is removed."),
});

const SeriesDetail = ListedSeries.extend({
  lines: z.array(ShownSeriesLine),
  planned_changes: z.array(PlannedChange),
  planned_changes_left_out: z.int().optional(),
});

type SeriesDetail = z.output<typeof SeriesDetail>;

export const getSeriesTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "get_series",
  title: "Show a series",
  description:
    "Use it before a series or one of its lines is changed, or to see what a retainer contains: header, effective lines with the line ids that edits take, and changes planned for later periods.",
  input: () => Input,
  output: z.object({ data: SeriesDetail }),

  async call(cx, { series: ref, ...asked }) {
    const { series, document } = await getSeries(cx, ref);
    await requireInView(cx, "recurring_series", series.id);
    const [listed] = await withNext(cx, [JSON.parse(document) as SeriesResource]);
    if (listed === undefined) throw new Error("the series is missing");
    const effective = linesAt(series.lines, effectiveIndex(series), "effective");
    const changes = plannedChanges(series).filter(
      ({ line_id }) => asked.line_id === undefined || line_id === asked.line_id,
    );
    const is_planned = changes.length > 0 && asked.line_id !== undefined;
    const rows = is_planned
      ? effective.filter(({ line_id }) => line_id === asked.line_id)
      : askedLines(effective, asked, ({ line_id }) => line_id);
    const withPeople = <Line extends { readonly assignees: readonly unknown[] }>(line: Line) =>
      asked.line_id === undefined ? withFirstPeople(line) : line;
    return fitting(MOST_LINES, async (most) => {
      const lines = rows.slice(0, most).map(({ line_id, content }) => ({
        line_id,
        ...withPeople(shown(content, series.currency)),
      }));
      const planned_changes = changes
        .slice(0, most)
        .map((change) => ({ ...change, line: change.line && withPeople(change.line) }));
      const left_out = changes.length - planned_changes.length;
      const data: SeriesDetail = {
        ...listed,
        lines,
        planned_changes,
        ...(left_out > 0 && { planned_changes_left_out: left_out }),
      };
      const others = otherLinesText(asked, lines.length, effective.length);
      return { text: await seriesText(cx, data, others), structured: { data } };
    });
  },
});

function shown(content: LineContent, currency: string) {
  return {
    ...presentContent(content, currency),
    name: content.description_override ?? content.product_name,
  } as z.output<typeof PlannedChange>["line"] & object;
}

/** Returns the changes after the effective lines: later versions, and overrides of open periods. */
function plannedChanges(series: Series): SeriesDetail["planned_changes"] {
  const effective = effectiveIndex(series);
  const entries = series.lines.flatMap(({ line_id, versions, overrides }) => [
    ...[...versions]
      .filter(([at]) => at > effective)
      .map(([at, content]) => ({ line_id, at, content, applies: "from_this_period" as const })),
    ...[...overrides]
      .filter(([at]) => at >= effective)
      .map(([at, content]) => ({ line_id, at, content, applies: "in_this_period_only" as const })),
  ]);
  return entries
    .sort((a, b) => a.at - b.at)
    .flatMap(({ line_id, at, content, applies }) => {
      const period = periodAt(uncancelled(series), at)?.key;
      if (period === undefined) return [];
      return [{ line_id, period, applies, line: content && shown(content, series.currency) }];
    });
}

async function seriesText(
  cx: PersonReader,
  data: SeriesDetail,
  others: string | null,
): Promise<string> {
  const contents = [...data.lines, ...data.planned_changes.flatMap(({ line }) => line ?? [])];
  const user_ids = contents.flatMap(({ assignees }) => assignees.map(({ user_id }) => user_id));
  const names = await userNames(cx, user_ids);
  const price = (line: (typeof contents)[number]): string =>
    line.recognition_method === "hours"
      ? `${line.hourly_rate} ${data.currency} an hour`
      : amountText(line.agreed_value, data.currency);
  const people = (line: (typeof contents)[number]): string =>
    peopleText(
      line.assignees.map(({ user_id }) => quoted(names.get(user_id))),
      line.assignees_left_out,
      "anyone",
    );
  const cells = (line: (typeof contents)[number]) => [
    quoted(line.name),
    line.recognition_method,
    price(line),
    `${line.discount} %`,
    people(line),
  ];
  const columns = ["name", "method", "price", "discount", "assigned to"];
  const changes = data.planned_changes.map(({ line_id, period, applies, line }) => [
    applies === "from_this_period" ? `from ${period}` : `only ${period}`,
    line_id,
    ...(line === null ? ["removed", "-", "-", "-", "-"] : cells(line)),
  ]);
  return paragraphs(
    seriesTable([data], ""),
    `Effective lines:\n${table(
      ["line_id", ...columns],
      data.lines.map((line) => [line.line_id, ...cells(line)]),
      "No lines.",
    )}`,
    others,
    changes.length === 0
      ? "No changes are planned."
      : `Planned changes:\n${table(["period", "line_id", ...columns], changes, "")}`,
    data.planned_changes_left_out === undefined
      ? null
      : `${counted(data.planned_changes_left_out, "planned change")} more: line_id shows those of one line.`,
  );
}
