/** Confirms the skip of a period, with a reason, and the way back: a skipped period waits for its invoice again. */
import { timesOf } from "../../domain/series/period.ts";
import { ReasonBody } from "../../features/recurring/occurrences/schemas.ts";
import { skipOccurrence, unskipOccurrence } from "../../features/recurring/occurrences/skip.ts";
import { stateOf } from "../../features/recurring/series/series.ts";
import { run } from "../../platform/commands/command.ts";
import { Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS, submitted } from "../frame/submitted.ts";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { periodName } from "../parts/period.ts";
import { periodIn, RETAINERS, seenRetainer } from "./seen-retainer.ts";

const PATH = `${RETAINERS}/:id/:period`;

const DEEDS = {
  skip: { command: skipOccurrence, done: "period_skipped" },
  unskip: { command: unskipOccurrence, done: "period_unskipped" },
} as const;

type Deed = keyof typeof DEEDS;

export const skipPages: readonly WebPage[] = (["skip", "unskip"] as const).flatMap((deed) => [
  definePage(`GET ${PATH}/${deed}`, "person", (request) =>
    confirmation(request, deed, NO_FAULTS, 200),
  ),
  definePage(`POST ${PATH}/${deed}`, "person", (request) => carryOut(request, deed)),
]);

async function carryOut(request: PageRequest, deed: Deed): Promise<PageAnswer> {
  const { cx, id: ref, form, named, reader } = request;
  const { series } = await seenRetainer(cx, ref);
  const period = periodIn(series, named.period);
  const { command, done } = DEEDS[deed];
  const typed = form.reason?.trim() ? { reason: form.reason.trim() } : {};
  const outcome = await submitted(ReasonBody, typed, ["reason"], {}, ({ reason }) =>
    run(command, cx, { ref, period: period.key, reason }),
  );
  if ("faults" in outcome) return confirmation(request, deed, outcome.faults, outcome.status);
  const of = periodName(reader.language, period.key, true);
  return { redirect: `${RETAINERS}/${ref}/${period.key}`, notice: { done, of } };
}

async function confirmation(
  request: PageRequest,
  deed: Deed,
  faults: Faults,
  status: number,
): Promise<PageAnswer> {
  const { cx, id, form, named, reader, csrf } = request;
  const { series, today } = await seenRetainer(cx, id);
  const period = periodIn(series, named.period);
  const here = `${RETAINERS}/${id}/${period.key}`;
  const is_skipped = stateOf(series, period) === "skipped";
  if (faults.size === 0 && is_skipped === (deed === "skip")) return { redirect: here };
  const { words: all, language } = reader;
  const words = all.retainer.skipping;
  const name = periodName(language, period.key);
  const { due_on } = timesOf(period, series.timing);
  const is_due = due_on !== null && due_on <= today && due_on >= (series.activated_on ?? "9999");
  const action = `${here}/${deed}`;
  const content = (
    <div class="card confirm">
      <FormFaults faults={faults} words={all.see_fields} />
      <p>{deed === "skip" ? words.means : words.back_means}</p>
      {deed === "unskip" && is_due && <p class="note-warn">{words.back_late}</p>}
      <Form action={action} csrf={csrf(action)}>
        <Entry
          name="reason"
          label={words.reason}
          hint={words.reason_hint}
          value={form.reason ?? ""}
          most={500}
          faults={faults}
        />
        <Submit
          text={deed === "skip" ? words.now(name) : words.back_now}
          back={{ href: here, text: words.not_yet }}
        />
      </Form>
    </div>
  );
  const title = deed === "skip" ? words.title(name) : words.back_title(name);
  return { title, content, status };
}
