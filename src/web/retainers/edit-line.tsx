/**
 * The pages that add, change and remove a line of a retainer. The form of an active retainer first shows what each scope would
 * touch, with old and new amounts; the change is then exactly what was shown. A draft is changed at once.
 */
import * as z from "zod";
import { notFound, type Problem } from "../../domain/base/problem.ts";
import { periodsFrom } from "../../domain/series/period.ts";
import { type SeriesLine, scopes, versionAt } from "../../domain/series/series.ts";
import { LineAdd, LineChange } from "../../features/recurring/series/schemas.ts";
import { effectiveIndex, firstOpen, isOpen } from "../../features/recurring/series/series.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Fault, Form, Submit } from "../frame/form.tsx";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { isSeen } from "../frame/seen.ts";
import { type Faults, NO_FAULTS, refusedBy, submitted } from "../frame/submitted.ts";
import { FormFaults } from "../parts/entry.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { periodName } from "../parts/period.ts";
import { refusalOf } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";
import { island as lineChange } from "./line-change.tsx";
import { lineChoices } from "./line-choices.ts";
import {
  dryRunLine,
  editDraftLine,
  editLineAsShown,
  type LineChangeShown,
  type LineDeed,
  lineShown,
} from "./line-dry-run.ts";
import { LineFields } from "./line-form.tsx";
import type { LineAnswer } from "./line-shown.ts";
import { typedFields } from "./save-retainer.tsx";
import { periodIn, RETAINERS, type SeenRetainer, seenRetainer } from "./seen-retainer.ts";
import {
  type LineChoices,
  lineFaultsShown,
  lineFields,
  sentLine,
  typedLine,
} from "./typed-line.ts";

const LINES = `${RETAINERS}/:id/lines`;
/** The periods from which a change may be made to begin. */
const MOST_PERIODS = 24;
const LINE = "line";

export const lineRetainerPages: readonly WebPage[] = [
  ...pagesOf(`${LINES}/new`, "add"),
  ...pagesOf(`${LINES}/:line`, "change"),
  ...pagesOf(`${LINES}/:line/remove`, "remove"),
];

function pagesOf(path: `/${string}`, kind: LineDeed["kind"]): WebPage[] {
  return [
    definePage(`GET ${path}`, "person", (request) => show(request, kind)),
    definePage(`POST ${path}`, "person", (request) => carryOut(request, kind)),
  ];
}

/** What a page knows before it reads its fields. */
interface LinePage extends SeenRetainer {
  readonly kind: LineDeed["kind"];
  readonly line: SeriesLine | null;
  readonly choices: LineChoices;
  readonly here: string;
}

async function pageOf(
  cx: PersonContext,
  id: string,
  kind: LineDeed["kind"],
  line_id: string | undefined,
  typed: TypedFields = {},
): Promise<LinePage> {
  const seen = await seenRetainer(cx, id);
  const line = kind === "add" ? null : lineIn(seen, line_id);
  const content = line && contentOf(seen, line);
  const known = content && { id: content.product_id, name: content.product_name };
  const at = `${RETAINERS}/${id}/lines`;
  const here = line === null ? `${at}/new` : `${at}/${line.line_id}`;
  return {
    ...seen,
    kind,
    line,
    choices: await lineChoices(cx, {
      currency: seen.series.currency,
      known: known === null ? [] : [known],
      typed,
    }),
    here: kind === "remove" ? `${here}/remove` : here,
  };
}

function lineIn({ series }: SeenRetainer, id: string | undefined): SeriesLine {
  const line = isId(id) ? series.lines.find(({ line_id }) => line_id === id) : undefined;
  if (line === undefined) throw notFound("series_line", id ?? "");
  return line;
}

/** Returns the content of the line that the form shows: the effective one, or the newest one that it ever had. */
function contentOf({ series }: SeenRetainer, line: SeriesLine) {
  const effective = versionAt(line, effectiveIndex(series));
  if (effective !== null) return effective;
  const known = [...line.versions.values(), ...line.overrides.values()];
  return known.findLast((content) => content !== null) ?? null;
}

async function show(request: PageRequest, kind: LineDeed["kind"]): Promise<PageAnswer> {
  const { query, reader } = request;
  const page = await pageOf(request.cx, request.id, kind, request.named.line, query);
  if (page.series.cancelled_at !== null || firstOpen(page.series) === undefined) {
    return { redirect: `${RETAINERS}/${page.series.id}` };
  }
  if (kind === "remove" || query.preview !== undefined) return preview(request, page, query, null);
  const content = page.line && contentOf(page, page.line);
  const typed =
    content === null
      ? { recognition_method: "value" }
      : typedLine(content, page.series.currency, reader.language);
  return form(request, page, typed, NO_FAULTS, null, 200);
}

/** Reads the typed line and does something with it. */
function withDeed<Result>(
  language: Language,
  { kind, line, choices, ...seen }: LinePage,
  typed: TypedFields,
  work: (deed: LineDeed) => Promise<Result>,
) {
  const fields = lineFields(LINE, choices.people);
  const content = line && contentOf(seen, line);
  const sent = { scope: "all", line: sentLine(typed, language, choices.people, content) };
  if (kind === "add") {
    return submitted(LineAdd, sent, fields, {}, (edit) => work({ kind, line: edit.line }));
  }
  const line_id = line?.line_id ?? "";
  if (kind === "change") {
    return submitted(LineChange, sent, fields, {}, (edit) =>
      work({ kind, line_id, line: edit.line }),
    );
  }
  return submitted(LineChange.pick({ scope: true }), { scope: "all" }, [], {}, () =>
    work({ kind: "remove", line_id }),
  );
}

/** Returns the effect of what is typed, or its faults, by a dry run. */
function effectOf(cx: PersonContext, language: Language, page: LinePage, typed: TypedFields) {
  const period = periodOf(page, typed.period);
  return withDeed(language, page, typed, (deed) => dryRunLine(cx, page.series.id, deed, period));
}

const Asked = z.object({
  id: Uuid,
  line_id: Uuid.nullable(),
  kind: z.enum(["add", "change", "remove"]),
  fields: z.record(z.string().max(80), z.string().max(2_000)),
  language: z.enum(["en", "da"]),
});

/** The effect of a line while it is typed, within the view of the person. */
export const lineRetainerActions: readonly Action[] = [
  defineAction("/app/retainers/line", "person", Asked, async (cx, asked): Promise<LineAnswer> => {
    const { id, line_id, kind, fields, language } = asked;
    const page = await pageOf(cx, id, kind, line_id ?? undefined);
    const outcome = await effectOf(cx, language, page, fields);
    if ("done" in outcome) return { shown: lineShown(outcome.done) };
    return { faults: [...lineFaultsShown(LINE, outcome.faults)] };
  }),
];

/** Returns the page with the effect of what is typed. `refused` is why a change has just failed. */
async function preview(
  request: PageRequest,
  page: LinePage,
  typed: TypedFields,
  refused: Problem | null,
): Promise<PageAnswer> {
  const { cx, reader } = request;
  const outcome = await effectOf(cx, reader.language, page, typed);
  if ("faults" in outcome) {
    const faults = lineFaultsShown(LINE, outcome.faults);
    return form(request, page, typed, faults, null, outcome.status, refused);
  }
  const status = refused === null ? 200 : statusOfKind[refused.kind];
  return form(request, page, typed, NO_FAULTS, outcome.done, status, refused);
}

/** Returns the key of the period from which the change begins; undefined for the first open one. Throws NOT_FOUND. */
function periodOf({ series }: SeenRetainer, text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : periodIn(series, text).key;
}

async function carryOut(request: PageRequest, kind: LineDeed["kind"]): Promise<PageAnswer> {
  const { cx, form: typed } = request;
  const page = await pageOf(cx, request.id, kind, request.named.line);
  const { series, title } = page;
  const period = periodOf(page, typed.period);
  const scope = scopes.find((one) => one === typed.scope) ?? "this_and_following";
  const is_draft = series.status === "draft";
  let refused: Problem | null = null;
  const outcome = await withDeed(request.reader.language, page, typed, async (deed) => {
    if (is_draft) return editDraftLine(cx, series.id, deed);
    const shown = { scope, period, digest: typed.digest ?? "" };
    try {
      return await editLineAsShown(cx, series.id, deed, shown);
    } catch (thrown) {
      refused = refusedBy(thrown);
      throw thrown;
    }
  });
  if ("done" in outcome) {
    // A person may have removed their own lines: then the retainer is absent for them.
    const stays = await isSeen(cx, "recurring_series", series.id);
    const notice = { done: "retainer_saved", of: title } as const;
    return { redirect: stays ? `${RETAINERS}/${series.id}` : RETAINERS, notice };
  }
  if (!is_draft && refused !== null) return preview(request, page, typed, refused);
  const faults = lineFaultsShown(LINE, outcome.faults);
  return form(request, page, typed, faults, null, outcome.status);
}

function form(
  request: PageRequest,
  page: LinePage,
  typed: TypedFields,
  faults: Faults,
  shown: LineChangeShown | null,
  status: number,
  refused: Problem | null = null,
): PageAnswer {
  const { reader } = request;
  const { words: all } = reader;
  const words = all.retainer_lines;
  const { kind, line, series } = page;
  const content = line && contentOf(page, line);
  const name = content === null ? "" : (content.description_override ?? content.product_name);
  const back = `${RETAINERS}/${series.id}`;
  const is_draft = series.status === "draft";
  return {
    title: words.titles[kind](name),
    lead: page.title,
    status,
    content: (
      <>
        <Fault text={refused === null ? undefined : saidOf(request, refused)} />
        <FormFaults faults={faults} words={all.see_fields} />
        {is_draft ? (
          <DraftForm request={request} page={page} typed={typed} faults={faults} />
        ) : (
          <Island
            of={lineChange}
            with={{
              id: series.id,
              line_id: line?.line_id ?? null,
              kind,
              here: page.here,
              back,
              csrf: request.csrf(page.here),
              typed: { period: firstOpen(series)?.key ?? "", ...typedFields(typed) },
              faults: [...faults],
              choices: page.choices,
              periods: periodsOf(page, reader),
              currency: series.currency,
              every: series.frequency,
              shown: shown === null ? null : lineShown(shown),
            }}
          />
        )}
      </>
    ),
    ...(kind === "change" && {
      actions: (
        <a class="button" href={`${page.here}/remove`}>
          {words.remove_link}
        </a>
      ),
    }),
  };
}

function saidOf({ reader }: PageRequest, problem: Problem): string {
  const { words } = reader;
  return problem.code === "PLAN_STALE"
    ? words.retainer_lines.changed
    : words.refused(refusalOf(problem));
}

interface FormProps {
  readonly page: LinePage;
  readonly typed: TypedFields;
  readonly faults: Faults;
}

/** The form of a line of a draft, which is changed at once. */
function DraftForm({ request, page, typed, faults }: FormProps & { request: PageRequest }) {
  const { kind, here, choices, series } = page;
  const { retainer_lines: words, retainer } = request.reader.words;
  return (
    <Form action={here} csrf={request.csrf(here)}>
      {kind !== "remove" && <LineFields typed={typed} faults={faults} choices={choices} />}
      <Submit
        text={words.buttons[kind]}
        back={{ href: `${RETAINERS}/${series.id}`, text: retainer.skipping.not_yet }}
      />
    </Form>
  );
}

/** Returns the keys and names of the open periods from which a change may begin. */
function periodsOf({ series }: LinePage, { language }: PageRequest["reader"]): [string, string][] {
  const open = firstOpen(series);
  const periods: [string, string][] = [];
  for (const period of open === undefined ? [] : periodsFrom(series, open.index)) {
    if (periods.length === MOST_PERIODS) break;
    if (isOpen(series, period.index)) {
      periods.push([period.key, periodName(language, period.key)]);
    }
  }
  return periods;
}
