/**
 * Recurring series: the lines in force in a period, and how edits change them (spec 4.8). A line has versions, each in force from
 * a period on, and overrides for single periods. Its id never changes, and no edit changes what is issued.
 */

import { round, scaledToNumber } from "../base/money.ts";
import { type FieldError, Problem } from "../base/problem.ts";
import type { Line, LineInput } from "../sales/line.ts";
import { HOURS_DECIMALS, PERCENT_DECIMALS, RATE_DECIMALS } from "../sales/line.ts";
import type { LineIdentity } from "./line-id.ts";
import type { IssueTiming, SeriesPeriod } from "./period.ts";

/** The content of a line, without its identity in a document. */
export type LineContent = Omit<Line, "id">;

/** The contents of a line by period index. Null means "removed". */
export interface LineVersions<Content> {
  readonly versions: ReadonlyMap<number, Content | null>;
  readonly overrides: ReadonlyMap<number, Content | null>;
}

export interface SeriesLine extends LineIdentity, LineVersions<LineContent> {}

export const scopes = ["this_only", "this_and_following", "all"] as const;
export type Scope = (typeof scopes)[number];

/** Returns the content of a line in a period; null when the line is absent. */
export function contentAt(line: SeriesLine, index: number): LineContent | null {
  const override = line.overrides.get(index);
  return override !== undefined ? override : versionAt(line, index);
}

/** Returns the version in force in a period, without overrides. */
export function versionAt<Content>(
  line: Pick<LineVersions<Content>, "versions">,
  index: number,
): Content | null {
  const started = [...line.versions.keys()].filter((from) => from <= index);
  if (started.length === 0) return null;
  return line.versions.get(Math.max(...started)) ?? null;
}

export interface PlacedContent extends LineIdentity {
  readonly content: LineContent;
}

/** Returns the lines of a period by position; effective lines leave out overrides. */
export function linesAt(
  lines: readonly SeriesLine[],
  index: number,
  which: "all" | "effective" = "all",
): PlacedContent[] {
  return lines
    .flatMap((line): PlacedContent[] => {
      const { line_id, hashed_periods } = line;
      const content = which === "all" ? contentAt(line, index) : versionAt(line, index);
      return content === null ? [] : [{ line_id, hashed_periods, content }];
    })
    .sort((a, b) => a.content.position - b.content.position);
}

/** Returns `linesAt` for one period after another: it computes the lines again only where a line changes. */
export function linesOver(
  lines: readonly SeriesLine[],
): (index: number) => readonly PlacedContent[] {
  const changes = new Set(breakpoints(lines, 0));
  let known: readonly PlacedContent[] = [];
  let from: number | undefined;
  return (index) => {
    let is_known = from !== undefined && index >= from;
    for (let at = (from ?? index) + 1; is_known && at <= index; at += 1)
      is_known = !changes.has(at);
    if (!is_known) known = linesAt(lines, index);
    from = index;
    return known;
  };
}

/** Returns a new line that begins in a period: for that period only, or from that period on. */
export function addedLine(
  line_id: string,
  content: LineContent,
  scope: Scope,
  index: number,
): SeriesLine {
  const entry = new Map([[index, content]]);
  const line = { line_id, hashed_periods: null, versions: new Map(), overrides: new Map() };
  return scope === "this_only" ? { ...line, overrides: entry } : { ...line, versions: entry };
}

/** Returns the line, changed by `merge` from a period on. Overrides keep their content unless the scope is `all`. */
export function changedLine(
  line: SeriesLine,
  scope: Scope,
  index: number,
  merge: (content: LineContent) => LineContent,
): SeriesLine {
  const merged = (content: LineContent | null) => (content === null ? null : merge(content));
  if (scope === "this_only") {
    const overrides = new Map(line.overrides).set(index, merged(contentAt(line, index)));
    return { ...line, overrides };
  }
  const versions = new Map(line.versions);
  // Splits a version that began earlier: its content before the period stays unchanged.
  if (!versions.has(index) && versionAt(line, index) !== null) {
    versions.set(index, versionAt(line, index));
  }
  for (const [from, content] of versions) if (from >= index) versions.set(from, merged(content));
  if (scope === "this_and_following") return { ...line, versions };
  const overrides = new Map(line.overrides);
  for (const [at, content] of overrides) if (at >= index) overrides.set(at, merged(content));
  return { ...line, versions, overrides };
}

/** Returns the line without the period, or without all periods from that period on. */
export function removedLine(line: SeriesLine, scope: Scope, index: number): SeriesLine {
  if (scope === "this_only") {
    return { ...line, overrides: new Map(line.overrides).set(index, null) };
  }
  const versions = new Map([...line.versions].filter(([from]) => from < index));
  if (versionAt(line, index) !== null || versions.size < line.versions.size) {
    versions.set(index, null);
  }
  if (scope === "this_and_following") return { ...line, versions };
  const overrides = new Map([...line.overrides].filter(([at]) => at < index));
  return { ...line, versions, overrides };
}

/**
 * Returns the users who are assigned to a line in any of its contents, with the period from which they are no longer assigned: a
 * version applies until the next one replaces it; an override has no end (null).
 */
export function assignedUntil(line: SeriesLine): Map<string, number | null> {
  const until = new Map<string, number | null>();
  const add = (content: LineContent | null, ends_at: number | null): void => {
    for (const { user_id } of content?.assignees ?? []) {
      const known = until.get(user_id);
      const is_for_good = ends_at === null || known === null;
      until.set(user_id, is_for_good ? null : Math.max(ends_at, known ?? 0));
    }
  };
  const starts = [...line.versions.keys()].sort((a, b) => a - b);
  for (const [place, from] of starts.entries()) {
    add(line.versions.get(from) ?? null, starts[place + 1] ?? null);
  }
  for (const content of line.overrides.values()) add(content, null);
  return until;
}

/** Returns the index itself, and every later period in which the content of some line changes. */
export function breakpoints(lines: readonly SeriesLine[], index: number): number[] {
  const at = lines.flatMap((line) => [
    ...line.versions.keys(),
    ...[...line.overrides.keys()].flatMap((place) => [place, place + 1]),
  ]);
  return [...new Set([index, ...at.filter((place) => place > index)])].sort((a, b) => a - b);
}

/** Returns every content that is in force in some period from an index on, or would be without an override. */
export function contentsFrom(lines: readonly SeriesLine[], index: number): LineContent[] {
  return lines.flatMap((line) => {
    const later = (versions_by_index: SeriesLine["versions"]) =>
      [...versions_by_index].flatMap(([at, content]) => (at > index ? [content] : []));
    const versions_by_index = [
      versionAt(line, index),
      ...later(line.versions),
      line.overrides.get(index) ?? null,
      ...later(line.overrides),
    ];
    return versions_by_index.filter((content) => content !== null);
  });
}

/** Field errors for two lines at one position in a period. */
export function positionFaults(lines: readonly SeriesLine[], index: number): FieldError[] {
  const clashes = breakpoints(lines, index).some((at) => {
    const positions = linesAt(lines, at).map(({ content }) => content.position);
    return new Set(positions).size < positions.length;
  });
  if (!clashes) return [];
  return [
    { field: "line.position", code: "duplicate", message: "Another line has this position." },
  ];
}

/** Returns the position after the highest one that any line has from a period on. */
export function freePosition(lines: readonly SeriesLine[], index: number): number {
  const taken = breakpoints(lines, index).flatMap((at) =>
    linesAt(lines, at).map(({ content }) => content.position),
  );
  return taken.length === 0 ? 1 : Math.max(...taken) + 1;
}

/** Returns the lines in an order from a period on: those that it names come first, the others stay behind them as they were. */
export function linesInOrder(
  lines: readonly SeriesLine[],
  order: readonly string[],
  index: number,
): readonly SeriesLine[] {
  const firstOf = ({ versions, overrides }: SeriesLine): number =>
    Math.min(...[...versions.values(), ...overrides.values()].map((one) => one?.position ?? 0));
  const others = lines
    .filter(({ line_id }) => !order.includes(line_id))
    .sort((a, b) => firstOf(a) - firstOf(b));
  const ids = [...order, ...others.map(({ line_id }) => line_id)];
  return lines.map((line) => {
    const position = ids.indexOf(line.line_id) + 1;
    return changedLine(line, "all", index, (content) => ({ ...content, position }));
  });
}

/** Returns the faults of a series line: it must not be a milestone, or have its own service period (spec 2.1 and 2.3). */
export function seriesLineFaults(
  line: Pick<LineInput, "recognition_method" | "service_from" | "service_to">,
  at: string,
): FieldError[] {
  const faults: FieldError[] = [];
  if (line.recognition_method === "milestone") {
    const message = "A series has no milestones.";
    faults.push({ field: `${at}.recognition_method`, code: "not_allowed", message });
  }
  for (const field of ["service_from", "service_to"] as const) {
    if ((line[field] ?? null) === null) continue;
    const message = "The service period of a series line is its occurrence's.";
    faults.push({ field: `${at}.${field}`, code: "not_allowed", message });
  }
  return faults;
}

/** Throws SERIES_TIMING_CONFLICT if a line measures work but is issued, and frozen, at the start of the period. */
export function requireTimingFits(
  contents: readonly Pick<LineContent, "recognition_method">[],
  timing: IssueTiming,
): void {
  const measured = contents.some(
    ({ recognition_method }) => recognition_method === "hours" || recognition_method === "progress",
  );
  if (measured && timing.mode === "start-of-period") throw new Problem("SERIES_TIMING_CONFLICT");
}

/** Returns the content in the form that a client sends, into which an edit is merged. */
export function inputOf(content: LineContent, currency_digits: number): LineInput {
  const rate = (value: bigint | null) =>
    value === null ? null : scaledToNumber(value, RATE_DECIMALS);
  return {
    product_id: content.product_id,
    recognition_method: content.recognition_method,
    agreed_value:
      content.agreed_value === null ? null : scaledToNumber(content.agreed_value, currency_digits),
    hourly_rate: rate(content.hourly_rate),
    discount: scaledToNumber(BigInt(content.discount), PERCENT_DECIMALS),
    description_override: content.description_override,
    position: content.position,
    assignees: content.assignees.map((assignee) => ({
      user_id: assignee.user_id,
      distribution_percentage:
        assignee.distribution_percentage === null
          ? null
          : scaledToNumber(BigInt(assignee.distribution_percentage), PERCENT_DECIMALS),
      hourly_rate_override: rate(assignee.hourly_rate_override),
    })),
    budget_hours:
      content.budget_hours === null
        ? null
        : scaledToNumber(BigInt(content.budget_hours), HOURS_DECIMALS),
  };
}

/** Returns an occurrence's line: in a partial period, a share by days (spec 4.6), except for `hours` lines. */
export function occurrenceLine(content: LineContent, id: Line["id"], period: SeriesPeriod): Line {
  const is_value = content.recognition_method === "value";
  const is_partial = period.days < period.nominal_days && content.recognition_method !== "hours";
  // Spread the content last, then assign the rest: reports create hundreds of thousands of lines, and the other order takes six
  // times as long.
  const line: { -readonly [Field in keyof Line]: Line[Field] } = { id, ...content };
  line.service_from = is_value ? period.from : null;
  line.service_to = is_value ? period.to : null;
  if (!is_partial) return line;
  const share = { days: period.days, of: period.nominal_days };
  const nominal_budget = content.budget_hours;
  if (nominal_budget === null) return { ...line, share };
  // Shown with two decimals and never as 0; calculations use the exact share.
  const budget_hours = Number(round(BigInt(nominal_budget * share.days), BigInt(share.of))) || 1;
  return { ...line, share, nominal_budget, budget_hours };
}
