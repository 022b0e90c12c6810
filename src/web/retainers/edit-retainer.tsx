/** Changes the rhythm of a retainer: its first and last day, when its periods are invoiced, and whether they are sent. */
import { requireMayChange } from "../../features/overview/views/require-issuing.ts";
import { changeSeries } from "../../features/recurring/series/draft.ts";
import { SeriesUpdate } from "../../features/recurring/series/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import { todayFor } from "../frame/day-asked.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { FormFaults } from "../parts/entry.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import {
  HEADER_BLAMES,
  HEADER_FIELDS,
  HeaderFields,
  sentHeader,
  typedHeader,
} from "./header-form.tsx";
import { RETAINERS, seenRetainer } from "./seen-retainer.ts";

const PATH = `${RETAINERS}/:id/edit`;

export const editRetainerPages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "person", async (request) => {
    const { series } = await seenRetainer(request.cx, request.id);
    return form(request, typedHeader(series), NO_FAULTS, 200);
  }),
  definePage(`POST ${PATH}`, "person", change),
];

async function change(request: PageRequest): Promise<PageAnswer> {
  const { cx, id: ref, form: typed } = request;
  const { title } = await seenRetainer(cx, ref);
  const sent = sentHeader(typed, todayFor(request));
  const outcome = await submitted(
    SeriesUpdate,
    sent,
    HEADER_FIELDS,
    HEADER_BLAMES,
    async (changes) => {
      await requireMayChange(cx, ref, changes);
      return run(changeSeries, cx, { ref, changes });
    },
  );
  if ("faults" in outcome) return form(request, typed, outcome.faults, outcome.status);
  return { redirect: `${RETAINERS}/${ref}`, notice: { done: "retainer_saved", of: title } };
}

async function form(
  request: PageRequest,
  typed: TypedFields,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, id, reader, csrf } = request;
  const { title } = await seenRetainer(cx, id);
  const { words } = reader;
  const here = `${RETAINERS}/${id}`;
  const content = (
    <>
      <FormFaults faults={faults} words={words.see_fields} />
      <Form action={`${here}/edit`} csrf={csrf(`${here}/edit`)}>
        <HeaderFields typed={typed} faults={faults} today={todayFor(request)} />
        <Submit text={words.save} back={{ href: here, text: words.retainer.skipping.not_yet }} />
      </Form>
    </>
  );
  return { title: words.retainer_draft.edit_title(title), content, status };
}
