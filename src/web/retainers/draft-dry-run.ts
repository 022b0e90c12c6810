/** The next periods of a draft while its form is typed, by a dry run of the command that would save it. */
import * as z from "zod";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import { timesOf } from "../../domain/series/period.ts";
import { type LineContent, linesAt, versionAt } from "../../domain/series/series.ts";
import {
  netOfWholePeriod,
  periodsInRanges,
} from "../../features/recurring/occurrences/price-range.ts";
import {
  DraftSeriesSave,
  saveDraftSeries,
  savedField,
} from "../../features/recurring/series/change-draft.ts";
import { createSeries } from "../../features/recurring/series/draft.ts";
import { getSeries } from "../../features/recurring/series/queries.ts";
import { SeriesCreate } from "../../features/recurring/series/schemas.ts";
import { effectiveIndex, firstOpen, type Series } from "../../features/recurring/series/series.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { carried } from "../../platform/commands/command.ts";
import type { PersonContext, Reader } from "../../platform/commands/context.ts";
import { dryRun } from "../../platform/commands/tx.ts";
import { fieldErrorsFrom } from "../../platform/http/problems.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { assignable } from "../draft/draft-facts.ts";
import type { Named } from "../draft/draft-stored.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { requireSeen } from "../frame/seen.ts";
import { refusedBy } from "../frame/submitted.ts";
import type { TypedFields } from "../parts/fields.tsx";
import type { Language } from "../words/words.ts";
import { sentHeader } from "./header-form.tsx";
import type { PeriodsAnswer, PeriodsShown } from "./periods-shown.ts";
import { lineAt, lineNumbers, sentLines } from "./retainer-fields.ts";
import { fieldUnderstood, typedLine } from "./typed-line.ts";

const MOST_AHEAD = 12;
const MOST_CHARACTERS = 2_000;

/** What the form was typed by and on, which decides how its texts are read. */
interface Typing {
  readonly language: Language;
  readonly today: CalendarDate;
  readonly people: readonly Named[];
}

/** Returns the form of a new retainer as the command takes it, not validated. */
export function sentNew(typed: TypedFields, customer_id: string, typing: Typing) {
  const lines = sentLines(typed, typing.language, typing.people);
  return {
    ...sentHeader(typed, typing.today),
    customer_id,
    lines: lines.map(({ line }) => line),
  };
}

/** Returns the form of a stored draft as the command takes it, not validated. Lines as they are stored are sent without content. */
export function sentSave(typed: TypedFields, series: Series, typing: Typing) {
  const stored = new Map<string, LineContent>();
  for (const line of series.lines) {
    const content = versionAt(line, effectiveIndex(series));
    if (content !== null) stored.set(line.line_id, content);
  }
  const same = new Set(
    lineNumbers(typed).flatMap((number) => {
      const line_id = typed[`${lineAt(number)}line_id`] ?? "";
      const content = stored.get(line_id);
      return content !== undefined && saysTheSame(typed, number, content, series, typing)
        ? [line_id]
        : [];
    }),
  );
  const lines = sentLines(typed, typing.language, typing.people, stored);
  return {
    ref: series.id,
    changes: sentHeader(typed, typing.today),
    lines: lines.map(({ line_id, line }) => ({
      line_id,
      line: line_id !== null && same.has(line_id) ? null : line,
    })),
  };
}

/** Whether the fields of a line are those that its stored content fills. A box that is not checked is not sent. */
function saysTheSame(
  typed: TypedFields,
  number: number,
  content: LineContent,
  { currency }: Series,
  { language, people }: Typing,
): boolean {
  const at = lineAt(number);
  const stored = typedLine(content, currency, language);
  const names = people.flatMap(({ id }) => [`who_${id}`, `share_${id}`]);
  return [...new Set([...Object.keys(stored), ...names])].every((name) => {
    const now = typed[`${at}${name}`];
    // Fields that do not apply are not shown while a script runs.
    const is_left_out = now === undefined && !name.startsWith("who_");
    const understood = fieldUnderstood(name, now ?? "", language, currency);
    return is_left_out || understood === (stored[name] ?? "");
  });
}

/** Returns the next periods of the typed retainer, whose content is valid. Throws what the command throws. */
export function aheadOfNew(cx: PersonContext, sent: SeriesCreate): Promise<PeriodsShown> {
  return dryRun(cx, async (tx) => {
    const plan = await createSeries.plan(tx, sent);
    if ("repeat" in plan) throw new Error("a form has no external id");
    return periodsAhead(tx, plan.series);
  });
}

/** Returns the next periods of a stored draft as it would be saved. Throws what the command throws. */
export function aheadOfSave(cx: PersonContext, sent: DraftSeriesSave): Promise<PeriodsShown> {
  return dryRun(cx, async (tx) => {
    await carried(tx, saveDraftSeries, sent);
    return periodsAhead(tx, (await getSeries(tx, sent.ref)).series);
  });
}

/** Returns at most the next twelve open periods of a series, by its present lines and hours. */
export async function periodsAhead(cx: Reader, series: Series): Promise<PeriodsShown> {
  const open = firstOpen(series);
  const priced =
    open === undefined
      ? []
      : await periodsInRanges(cx, [series], () => ({
          first: open.index,
          end: open.index + MOST_AHEAD,
        }));
  const lines = linesAt(series.lines, effectiveIndex(series), "effective");
  const { net, has_hours } = netOfWholePeriod(lines, series.currency);
  return {
    currency: series.currency,
    every: series.frequency,
    each: `${net}`,
    has_hours,
    periods: priced.map(({ period, net: of_period }) => ({
      key: period.key,
      from: period.from,
      to: period.to,
      day: timesOf(period, series.timing).issue_date,
      net: `${of_period}`,
    })),
  };
}

const Asked = z.object({
  /** The draft; null for a retainer that is not stored yet. */
  id: Uuid.nullable(),
  customer_id: Uuid,
  fields: z.record(z.string().max(80), z.string().max(MOST_CHARACTERS)),
  language: z.enum(["en", "da"]),
});

export const draftRetainerActions: readonly Action[] = [
  defineAction("/app/retainers/ahead", "person", Asked, async (cx, asked) => {
    const { id, customer_id } = asked;
    await requireSeen(cx, "customer", customer_id);
    if (id !== null) await requireSeen(cx, "recurring_series", id);
    return aheadOfTyped(cx, asked);
  }),
];

/** Returns the periods of what is typed, or why it has none yet: the fault of a field, or a rule that forbids it. */
async function aheadOfTyped(
  cx: PersonContext,
  { id, customer_id, fields, language }: z.infer<typeof Asked>,
): Promise<PeriodsAnswer> {
  const [{ time_zone }, people] = await Promise.all([getConfiguration(cx), assignable(cx)]);
  const typing = { language, today: todayIn(cx.clock, time_zone), people };
  try {
    if (id === null) {
      const sent = valid(SeriesCreate, sentNew(fields, customer_id, typing));
      return { shown: await aheadOfNew(cx, sent) };
    }
    const { series } = await getSeries(cx, id);
    const sent = valid(DraftSeriesSave, sentSave(fields, series, typing));
    return { shown: await aheadOfSave(cx, sent) };
  } catch (thrown) {
    const { code, message, kind, extras } = refusedBy(thrown);
    if (kind !== "invalid" && kind !== "conflict") throw thrown;
    return { refused: { code, message, field_errors: extras.field_errors ?? [], details: {} } };
  }
}

/** Returns the value that the schema accepts. Throws VALIDATION_FAILED. */
function valid<Value>(schema: z.ZodType<Value>, sent: unknown): Value {
  const parsed = schema.safeParse(sent, { reportInput: true });
  if (parsed.success) return parsed.data;
  const field_errors = fieldErrorsFrom(parsed.error).map((error) => ({
    ...error,
    field: savedField(error.field),
  }));
  throw new Problem("VALIDATION_FAILED", { field_errors });
}
