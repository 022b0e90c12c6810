/** The page of a retainer that is a draft: its form with the next periods, which is saved as a whole. */
import { linesAt } from "../../domain/series/series.ts";
import {
  DraftSeriesSave,
  saveDraftSeries,
  savedField,
} from "../../features/recurring/series/change-draft.ts";
import { effectiveIndex } from "../../features/recurring/series/series.ts";
import { run } from "../../platform/commands/command.ts";
import { versionOf } from "../../platform/database/resources.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin, isSeen } from "../frame/seen.ts";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { withVersion } from "../frame/with-version.ts";
import { FormFaults } from "../parts/entry.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { aheadOfSave, periodsAhead, sentSave } from "./draft-dry-run.ts";
import { HEADER_BLAMES, HEADER_FIELDS, typedHeader } from "./header-form.tsx";
import { lineChoices } from "./line-choices.ts";
import type { PeriodsShown } from "./periods-shown.ts";
import {
  lineNumbers,
  linesFaultsShown,
  linesFields,
  MOST_FORM_LINES,
  numberedLines,
  withLineAtPlace,
  withNewLine,
  withoutLineAt,
} from "./retainer-fields.ts";
import { island as retainerForm } from "./retainer-form.tsx";
import { RETAINERS, type SeenRetainer, seenRetainer } from "./seen-retainer.ts";
import { type LineChoices, typedLine } from "./typed-line.ts";

export const saveRetainerPages: readonly WebPage[] = [
  definePage(`POST ${RETAINERS}/:id`, "person", save),
];

/** Returns the typed fields of a posted form, without those that belong to the request. */
export function typedFields(form: TypedFields): TypedFields {
  const { csrf: _, customer_id: __, seen: ___, do: ____, ...typed } = form;
  return typed;
}

/** Returns the form after a button that adds, removes or moves a line; null where another button was pressed. */
export function withButton(form: TypedFields, own: string | null): TypedFields | null {
  const typed = typedFields(form);
  if (form.do === "add") return withNewLine(typed, own);
  const [, button, digits = ""] = /^(remove|up|down) (\d{1,3})$/.exec(form.do ?? "") ?? [];
  if (button === undefined) return null;
  const number = Number.parseInt(digits, 10);
  if (button === "remove") return withoutLineAt(typed, number);
  const place = lineNumbers(typed).indexOf(number);
  return withLineAtPlace(typed, place, place + (button === "up" ? -1 : 1));
}

/** Returns the person who must be assigned to a line to see the retainer; null for an admin. */
export function ownOf({ cx }: PageRequest): string | null {
  return isAdmin(cx) ? null : cx.caller.person.user_id;
}

/** Whether the retainer is changed in one form: a draft that a form can hold. */
export function isOneForm({ series }: Pick<SeenRetainer, "series">): boolean {
  return series.status === "draft" && linesOf({ series }).length <= MOST_FORM_LINES;
}

const linesOf = ({ series }: Pick<SeenRetainer, "series">) =>
  linesAt(series.lines, effectiveIndex(series), "effective");

const choicesOf = (request: PageRequest, seen: SeenRetainer): Promise<LineChoices> =>
  lineChoices(request.cx, {
    currency: seen.series.currency,
    known: linesOf(seen).map(({ content }) => ({
      id: content.product_id,
      name: content.product_name,
    })),
    typed: request.form,
  });

/** Returns the form of a stored draft. */
export async function draftForm(request: PageRequest, seen: SeenRetainer) {
  const { cx, reader } = request;
  const { series } = seen;
  const [choices, ahead, version] = await Promise.all([
    choicesOf(request, seen),
    periodsAhead(cx, series),
    versionOf(cx, "recurring_series", series.id),
  ]);
  const lines = linesOf(seen).map(({ line_id, content }) => ({
    line_id,
    typed: typedLine(content, series.currency, reader.language),
  }));
  const typed = { ...typedHeader(series), ...numberedLines(lines) };
  return <DraftForm {...{ request, seen, choices, ahead, version, typed }} faults={NO_FAULTS} />;
}

function DraftForm(props: {
  request: PageRequest;
  seen: SeenRetainer;
  choices: LineChoices;
  ahead: PeriodsShown | null;
  version: string;
  typed: TypedFields;
  faults: Faults;
}) {
  const { request, seen, choices, ahead, version, typed, faults } = props;
  const { series, today, customer } = seen;
  const action = `${RETAINERS}/${series.id}`;
  return (
    <>
      <FormFaults faults={faults} words={request.reader.words.see_fields} />
      <Island
        of={retainerForm}
        with={{
          action,
          csrf: request.csrf(action),
          customer_id: customer.id,
          draft: { id: series.id, seen: version },
          typed,
          faults: [...faults],
          choices,
          today,
          own: ownOf(request),
          ahead,
        }}
      />
    </>
  );
}

const saveSeen = withVersion(saveDraftSeries, "recurring_series");

async function save(request: PageRequest): Promise<PageAnswer> {
  const { cx, id, form, reader } = request;
  const seen = await seenRetainer(cx, id);
  const here = `${RETAINERS}/${id}`;
  if (!isOneForm(seen)) return { redirect: here };
  const choices = await choicesOf(request, seen);
  const typed = typedFields(form);
  const show = async (
    shown: TypedFields,
    more: { ahead?: PeriodsShown; faults?: Faults; status?: number; version?: string },
  ): Promise<PageAnswer> => ({
    title: seen.title,
    lead: reader.words.retainer_draft.created_means,
    status: more.status ?? 200,
    content: (
      <DraftForm
        {...{ request, seen, choices }}
        ahead={more.ahead ?? null}
        version={more.version ?? form.seen ?? ""}
        typed={shown}
        faults={more.faults ?? NO_FAULTS}
      />
    ),
  });
  const changed = withButton(form, ownOf(request));
  if (changed !== null) return show(changed, {});
  const typing = { language: reader.language, today: seen.today, people: choices.people };
  const shown_fields = [...HEADER_FIELDS, ...linesFields(typed, choices.people)];
  const fields = [
    ...shown_fields,
    ...HEADER_FIELDS.map((field) => `changes.${field}`),
    ...shown_fields.map((field) => field.replace("].", "].line.")),
  ];
  const sent = sentSave(typed, seen.series, typing);
  if (form.do === "periods") {
    const outcome = await submitted(DraftSeriesSave, sent, fields, HEADER_BLAMES, (valid) =>
      aheadOfSave(cx, valid),
    );
    if ("done" in outcome) return show(typed, { ahead: outcome.done });
    const { faults, status } = outcome;
    return show(typed, { faults: faultsShown(typed, faults), status });
  }
  const outcome = await submitted(DraftSeriesSave, sent, fields, HEADER_BLAMES, (valid) =>
    run(saveSeen, cx, { ...valid, seen: form.seen ?? "" }),
  );
  if ("done" in outcome) {
    // A person may have removed their own lines: then the retainer is absent for them.
    const stays = await isSeen(cx, "recurring_series", id);
    const notice = { done: "retainer_saved", of: seen.title } as const;
    return { redirect: stays ? here : RETAINERS, notice };
  }
  const { faults, status } = outcome;
  // The form is shown with the newest version: who saves it again has read that it overwrites another change.
  const is_changed = faults.get("")?.code === "CHANGED_MEANWHILE";
  const version = is_changed ? await versionOf(cx, "recurring_series", id) : undefined;
  return show(typed, {
    faults: faultsShown(typed, faults),
    status,
    ...(version !== undefined && { version }),
  });
}

/** Returns the faults of a save by the names of the form's fields. */
function faultsShown(typed: TypedFields, faults: Faults): Faults {
  const named = [...faults].map(([field, fault]) => [savedField(field), fault] as const);
  return linesFaultsShown(typed, new Map(named));
}
