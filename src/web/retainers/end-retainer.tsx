/** Ends a retainer, for admins: the last day is chosen on the strip, and the page shows what the end would do before it is done. */

import { addDays, type CalendarDate, calendarDate } from "../../domain/base/calendar.ts";
import { Problem } from "../../domain/base/problem.ts";
import { readDay } from "../../domain/base/typed-day.ts";
import {
  countPeriods,
  indexContaining,
  periodAt,
  periodsFrom,
} from "../../domain/series/period.ts";
import { CancelBody } from "../../features/recurring/series/schemas.ts";
import { openDraftLines } from "../../features/sales/hours/list-unbilled.ts";
import { changeWork } from "../../features/work/registrations/change.ts";
import { run } from "../../platform/commands/command.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { Fault, Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isId } from "../frame/reference.ts";
import { type Faults, NO_FAULTS, refusedBy, submitted } from "../frame/submitted.ts";
import { DayEntry } from "../parts/day-entry.tsx";
import type { LatestDay } from "../parts/day-field.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { dayOf, moneyOf } from "../parts/format.ts";
import { shortPeriod } from "../parts/period.ts";
import { Select } from "../parts/select.tsx";
import { type Refusal, refusalOf } from "../words/refusal.ts";
import { dryRunEnd, type EndShown, endAsShown } from "./end-dry-run.ts";
import { EndEffects } from "./end-effects.tsx";
import { mayEnd } from "./retainer.tsx";
import { RETAINERS, type SeenRetainer, seenRetainer } from "./seen-retainer.ts";

const PATH = `${RETAINERS}/:id/end`;
/** The periods whose last days are offered on the strip. */
const PERIODS_OFFERED = 13;
const FIELDS = ["end_date", "credit", "reason"];
const BLAMES = { SERIES_ALREADY_CANCELLED: "end_date" } as const;
const MOST_LINES_OFFERED = 100;
/** The fault of a day after that on which the retainer ends anyway; its field says which day that is. */
const TOO_LATE: Refusal = { code: "invalid_value", message: "Must be an earlier day." };

export const endPages: readonly WebPage[] = [
  definePage(`GET ${PATH}`, "admin", async (request) => {
    const seen = await seenRetainer(request.cx, request.id);
    const { series, today } = seen;
    if (!mayEnd(series, today)) return { redirect: `${RETAINERS}/${series.id}` };
    return preview(request, seen, { ...proposed(seen), ...request.query }, null);
  }),
  definePage(`POST ${PATH}`, "admin", end),
];

/** Returns the fields as they are proposed: the end of the current period, with credits. */
function proposed({ series, today }: SeenRetainer): TypedFields {
  const index = indexContaining(series, today);
  const period = index === undefined ? undefined : periodAt(series, index);
  return { end_date: period?.to ?? today, credit: "prorated", reason: "" };
}

/** Returns the last day that a new end may have, and what is said of a later one; undefined for a retainer without an end. */
function latestOf({ reader }: PageRequest, { series }: SeenRetainer): LatestDay | undefined {
  const { end_date, cancelled_at } = series;
  if (end_date === null) return undefined;
  const said = reader.words.retainer_end.ends_already(dayOf(reader.language, end_date));
  return { day: cancelled_at === null ? end_date : addDays(end_date, -1), said };
}

function sentBy({ today }: SeenRetainer, { end_date, credit, reason }: TypedFields) {
  return {
    end_date: readDay(end_date ?? "", today) ?? end_date,
    credit,
    reason: reason?.trim() || null,
  };
}

async function preview(
  request: PageRequest,
  seen: SeenRetainer,
  typed: TypedFields,
  refused: Problem | null,
): Promise<PageAnswer> {
  const { cx, id: ref } = request;
  const sent = sentBy(seen, typed);
  const latest = latestOf(request, seen);
  const day = calendarDate(sent.end_date ?? "");
  const { cancelled_at } = seen.series;
  // An earlier cancellation is refused by the command itself.
  const is_late = cancelled_at === null && day !== undefined && latest !== undefined;
  if (is_late && refused === null && day > latest.day) {
    const faults: Faults = new Map([["end_date", TOO_LATE]]);
    return page(request, seen, typed, faults, null, 422, null);
  }
  const outcome = await submitted(CancelBody, sent, FIELDS, BLAMES, (body) =>
    dryRunEnd(cx, { ref, body }),
  );
  if ("faults" in outcome) {
    return page(request, seen, typed, outcome.faults, null, outcome.status, refused);
  }
  const status = refused === null ? 200 : statusOfKind[refused.kind];
  return page(request, seen, typed, NO_FAULTS, outcome.done, status, refused);
}

async function end(request: PageRequest): Promise<PageAnswer> {
  const { cx, id: ref, form } = request;
  const seen = await seenRetainer(cx, ref);
  const body = CancelBody.safeParse(sentBy(seen, form));
  if (!body.success) return preview(request, seen, form, null);
  let work: EndShown["work"];
  try {
    ({ work } = await dryRunEnd(cx, { ref, body: body.data }));
    await run(endAsShown, cx, { ref, body: body.data, digest: form.digest ?? "" });
  } catch (thrown) {
    return preview(request, seen, form, refusedBy(thrown));
  }
  const refusals = isId(form.move_to) ? await moveWork(request, work, form.move_to) : [];
  if (refusals.length > 0) return unmoved(request, seen, refusals);
  return { redirect: `${RETAINERS}/${ref}`, notice: { done: "retainer_ended", of: seen.title } };
}

/** Moves registrations to a line, each by its own command; returns the refusals. */
async function moveWork(
  { cx }: PageRequest,
  work: EndShown["work"],
  line_id: string,
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const { id: ref } of work) {
    try {
      await run(changeWork, cx, { ref, changes: { line_id } });
    } catch (thrown) {
      const is_absent = thrown instanceof Problem && thrown.code === "NOT_FOUND";
      refusals.push(refusalOf(is_absent ? thrown : refusedBy(thrown)));
    }
  }
  return refusals;
}

function unmoved(
  { reader }: PageRequest,
  { series, title }: SeenRetainer,
  refusals: readonly Refusal[],
): PageAnswer {
  const { words } = reader;
  const said = [...new Set(refusals.map((refusal) => words.refused(refusal)))];
  const content = (
    <div class="card confirm">
      <Fault text={words.retainer_end.unmoved(refusals.length)} />
      <ul>
        {said.map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
      <p class="buttons">
        <a class="button" href={`${RETAINERS}/${series.id}`}>
          {title}
        </a>
      </p>
    </div>
  );
  return { title: words.retainer_end.ended(title), content, status: 422 };
}

async function page(
  request: PageRequest,
  seen: SeenRetainer,
  typed: TypedFields,
  faults: Faults,
  shown: EndShown | null,
  status: number,
  refused: Problem | null,
): Promise<PageAnswer> {
  const { cx, reader } = request;
  const { words: all } = reader;
  const words = all.retainer_end;
  const { series, title } = seen;
  const back = `${RETAINERS}/${series.id}`;
  const action = `${back}/end`;
  const targets =
    shown === null || shown.work.length === 0
      ? []
      : await openDraftLines(cx, series.customer_id, MOST_LINES_OFFERED);
  const content = (
    <>
      <Fault text={refused === null ? undefined : saidOf(request, refused)} />
      <FormFaults faults={faults} words={all.see_fields} />
      <Strip request={request} seen={seen} typed={typed} />
      <EndFields
        action={action}
        typed={typed}
        faults={faults}
        today={seen.today}
        latest={latestOf(request, seen)}
      />
      {shown !== null && (
        <Confirm request={request} seen={seen} typed={typed} shown={shown} targets={targets} />
      )}
      {shown === null && (
        <p class="buttons">
          <a class="button" href={back}>
            {all.retainer.skipping.not_yet}
          </a>
        </p>
      )}
    </>
  );
  return { title: words.title(title), lead: seen.customer.name, content, status };
}

/** The form of the end. It changes nothing: its answer shows the effect. */
function EndFields(props: {
  action: string;
  typed: TypedFields;
  faults: Faults;
  today: CalendarDate;
  latest: LatestDay | undefined;
}) {
  const { action, typed, faults, today, latest } = props;
  const { words: all } = useReader();
  const words = all.retainer_end;
  return (
    <form method="get" action={action}>
      <div class="fields two-columns">
        <DayEntry
          name="end_date"
          label={words.last_day}
          hint={words.last_day_hint}
          value={typed.end_date ?? ""}
          today={today}
          faults={faults}
          latest={latest}
          note={faults.get("end_date") === TOO_LATE ? latest?.said : undefined}
          is_required
        />
        <Select
          name="credit"
          label={words.credit}
          value={typed.credit ?? "prorated"}
          options={[
            ["prorated", words.prorated],
            ["none", words.no_credit],
          ]}
          faults={faults}
        />
        <Entry
          name="reason"
          label={words.reason}
          hint={words.reason_hint}
          value={typed.reason ?? ""}
          most={500}
          faults={faults}
        />
      </div>
      <Submit text={all.retainer_lines.see} is_secondary />
    </form>
  );
}

/** The effect of the end, and the button that ends the retainer as it is shown. */
function Confirm(props: {
  request: PageRequest;
  seen: SeenRetainer;
  typed: TypedFields;
  shown: EndShown;
  targets: Awaited<ReturnType<typeof openDraftLines>>;
}) {
  const { request, seen, typed, shown, targets } = props;
  const { series } = seen;
  const words = request.reader.words.retainer_end;
  const action = `${RETAINERS}/${series.id}/end`;
  return (
    <Form action={action} csrf={request.csrf(action)}>
      {FIELDS.map((name) => (
        <input type="hidden" name={name} value={typed[name]} />
      ))}
      <input type="hidden" name="digest" value={shown.digest} />
      <EndEffects shown={shown} currency={series.currency} />
      {shown.work.length > 0 && (
        <div class="fields">
          <Select
            name="move_to"
            label={words.move_to}
            value=""
            options={[
              ["", words.move_nowhere],
              ...targets.map(({ id, text, draft }) => [id, `${draft ?? "–"} · ${text}`] as const),
            ]}
            faults={NO_FAULTS}
          />
        </div>
      )}
      <Submit
        text={buttonOf(request, shown, series.currency)}
        back={{
          href: `${RETAINERS}/${series.id}`,
          text: request.reader.words.retainer.skipping.not_yet,
        }}
      />
    </Form>
  );
}

function saidOf({ reader }: PageRequest, problem: Problem): string {
  const { words } = reader;
  return problem.code === "PLAN_STALE"
    ? words.retainer_end.changed
    : words.refused(refusalOf(problem));
}

function buttonOf({ reader }: PageRequest, shown: EndShown, currency: string): string {
  const { words, language } = reader;
  if (shown.is_discarded) return words.retainer_end.discard;
  const sum = shown.credits.reduce((all, { amount }) => all + amount, 0n);
  const day = dayOf(language, shown.last_day);
  const credited = sum === 0n ? null : moneyOf(language, sum, currency);
  return words.retainer_end.end_now(day, credited);
}

/** Offers the last days of the current and the next periods. */
function Strip(props: { request: PageRequest; seen: SeenRetainer; typed: TypedFields }) {
  const { request, seen, typed } = props;
  const { words, language } = request.reader;
  const { series, today } = seen;
  const first = Math.max(0, countPeriods(series, today) - 2);
  const periods = [];
  for (const period of periodsFrom(series, first)) {
    if (periods.length === PERIODS_OFFERED) break;
    periods.push(period);
  }
  const hrefOf = (end_date: CalendarDate): string =>
    `${RETAINERS}/${series.id}/end?${new URLSearchParams({ end_date, credit: typed.credit ?? "prorated", reason: typed.reason ?? "" })}`;
  return (
    <nav class="card end-strip" aria-label={words.retainer_end.strip}>
      <ol>
        {periods.map(({ key, to }) => {
          const { name, year } = shortPeriod(language, key);
          return (
            <li>
              <a
                href={hrefOf(to)}
                {...(to === typed.end_date ? { "aria-current": "true" as const } : {})}
              >
                <span class="unseen">{words.retainer_end.end_with} </span>
                {name} {year !== null && <small>{year}</small>}
              </a>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
