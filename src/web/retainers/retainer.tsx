/** A retainer: its facts, the strip of its periods around today, and what it invoices. */
import { type CalendarDate, monthOf } from "../../domain/base/calendar.ts";
import { countPeriods, timesOf } from "../../domain/series/period.ts";
import { linesAt } from "../../domain/series/series.ts";
import { userNames } from "../../features/access/people/queries.ts";
import { earnedNotInvoiced } from "../../features/overview/series-list/read-earned.ts";
import { periodsInRanges } from "../../features/recurring/occurrences/price-range.ts";
import { invoiceNumbers } from "../../features/recurring/occurrences/read-record.ts";
import { effectiveIndex, firstOpen, uncancelled } from "../../features/recurring/series/series.ts";
import {
  type WaitingNote,
  waitingNotesOfSeries,
} from "../../features/sales/credit-notes/queries.ts";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Card, FactList, Facts } from "../parts/facts.tsx";
import { dayOf, moneyOf } from "../parts/format.ts";
import { Day, Pill } from "../parts/values.tsx";
import { explanationAt } from "../revenue/explain-line.tsx";
import { periodsAhead } from "./draft-dry-run.ts";
import { PeriodStrip, type StripPeriod } from "./period-strip.tsx";
import { PeriodsAhead } from "./periods-ahead.tsx";
import { RetainerLines } from "./retainer-lines.tsx";
import { island as retainerMonths } from "./retainer-months.tsx";
import { type RetainerState, retainerState, STRIP_PERIODS, stripRange } from "./retainer-state.ts";
import { draftForm, isOneForm } from "./save-retainer.tsx";
import { mayChangeLines, RETAINERS, type SeenRetainer, seenRetainer } from "./seen-retainer.ts";

export const retainerPages: readonly WebPage[] = [
  definePage(`GET ${RETAINERS}/:id`, "person", show),
];

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, id, reader } = request;
  const seen = await seenRetainer(cx, id);
  const { series, title } = seen;
  const words = reader.words.retainer;
  const is_draft = retainerState(series, seen.today) === "draft";
  if (is_draft && isOneForm(seen)) return draftPage(request, seen);
  const lines = linesAt(series.lines, effectiveIndex(series), "effective");
  const user_ids = lines.flatMap(({ content }) => content.assignees.map(({ user_id }) => user_id));
  const [strip, names, earned, waiting] = await Promise.all([
    is_draft ? aheadOf(request, seen) : stripOf(request, seen),
    userNames(cx, user_ids),
    earnedOf(request, seen),
    series.cancelled_at === null ? [] : waitingNotesOfSeries(cx, id),
  ]);
  const content = (
    <>
      {strip}
      {await explanationAt(request, `${RETAINERS}/${id}`)}
      <div class="beside retainer">
        <div class="stack">
          <RetainerLines
            lines={lines}
            currency={series.currency}
            names={names}
            title={words.what}
            edit={mayChangeLines(series) ? `${RETAINERS}/${id}/lines` : null}
          />
          {!is_draft && (
            <Island
              of={retainerMonths}
              with={{ id, currency: series.currency, is_own: !isAdmin(cx) }}
            />
          )}
        </div>
        <RetainerFacts request={request} seen={seen} earned={earned} waiting={waiting} />
      </div>
    </>
  );
  const lead = leadOf(request, seen);
  return { title, lead, content, is_printed: true, ...actionsOf(request, seen) };
}

/** A draft is one form; what else is known of it stands below. */
async function draftPage(request: PageRequest, seen: SeenRetainer): Promise<PageAnswer> {
  const content = (
    <>
      {await draftForm(request, seen)}
      <div class="below-form">
        <RetainerFacts request={request} seen={seen} earned={null} waiting={[]} />
      </div>
    </>
  );
  return { title: seen.title, lead: leadOf(request, seen), content, ...actionsOf(request, seen) };
}

/** Whether the retainer may end, or end earlier: not after its last day. */
export function mayEnd(
  { is_discarded, end_date }: SeenRetainer["series"],
  today: CalendarDate,
): boolean {
  return !is_discarded && (end_date === null || end_date >= today);
}

function actionsOf({ cx, reader }: PageRequest, { series, today }: SeenRetainer) {
  const { retainer: words, retainer_draft: draft, retainer_end: end } = reader.words;
  const here = `${RETAINERS}/${series.id}`;
  const open = firstOpen(series);
  const is_draft = series.status === "draft";
  const may_end = isAdmin(cx) && mayEnd(series, today);
  const in_one_form = retainerState(series, today) === "draft" && isOneForm({ series });
  if (open === undefined && !may_end) return {};
  return {
    actions: (
      <>
        {may_end && (
          <a class="button" href={`${here}/end`}>
            {end.link}
          </a>
        )}
        {!is_draft && open !== undefined && (
          <ConfirmLink href={`${here}/${open.key}/skip`}>{words.skip}</ConfirmLink>
        )}
        {mayChangeLines(series) && !in_one_form && (
          <>
            <a class="button" href={`${here}/edit`}>
              {draft.edit}
            </a>
            <a class={is_draft ? "button" : "button main"} href={`${here}/lines/new`}>
              {draft.add_line}
            </a>
          </>
        )}
        {is_draft && (
          <ConfirmLink class="button main" href={`${here}/activate`}>
            {draft.activate}
          </ConfirmLink>
        )}
      </>
    ),
  };
}

async function aheadOf({ cx, id, reader }: PageRequest, { series }: SeenRetainer) {
  const shown = await periodsAhead(cx, series);
  return (
    <Card title={reader.words.retainer_draft.ahead} id="ahead">
      <PeriodsAhead id={id} shown={shown} />
    </Card>
  );
}

function leadOf({ reader }: PageRequest, seen: SeenRetainer): string {
  const { words, language } = reader;
  const { series, customer } = seen;
  const say = series.status === "draft" ? words.retainer.lead_draft : words.retainer.lead;
  const rhythm = words.retainer.rhythms[series.frequency];
  const sentence = say(
    rhythm,
    dayOf(language, series.start_date),
    timingText(seen, words.retainer),
  );
  return `${customer.name} · ${sentence}`;
}

/** Returns when the periods are invoiced, in words. */
function timingText(
  { series }: Pick<SeenRetainer, "series">,
  { timing }: PageRequest["reader"]["words"]["retainer"],
): string {
  const { mode, offset_days } = series.timing;
  if (mode === "manual") return timing.manual;
  return mode === "start-of-period" ? timing.start(offset_days) : timing.end(offset_days);
}

async function earnedOf({ cx }: PageRequest, { series, configuration, today }: SeenRetainer) {
  if (!isAdmin(cx)) return null;
  const earned = await earnedNotInvoiced(cx, configuration, monthOf(today), [series]);
  return earned?.get(series.id) ?? (earned === null ? null : 0n);
}

async function stripOf({ cx, query }: PageRequest, { series, today }: SeenRetainer) {
  const whole = uncancelled(series);
  const known = whole.end_date === null ? null : countPeriods(whole, whole.end_date);
  const asked = /^\d{1,4}$/.test(query.from ?? "") ? Number(query.from) : null;
  const range = stripRange(countPeriods(whole, today), known, asked);
  const [periods, numbers] = await Promise.all([
    periodsInRanges(cx, [series], () => range),
    invoiceNumbers(cx, series.id, range),
  ]);
  const next = firstOpen(series)?.index;
  const shown = periods.map(
    ({ period, state, net }): StripPeriod => ({
      key: period.key,
      state,
      is_next: period.index === next,
      day: timesOf(period, series.timing).issue_date,
      number: numbers.get(period.index) ?? null,
      net,
    }),
  );
  const here = `${RETAINERS}/${series.id}`;
  const { first, end } = range;
  return (
    <PeriodStrip
      id={series.id}
      currency={series.currency}
      periods={shown}
      older={first > 0 ? `${here}?from=${Math.max(0, first - STRIP_PERIODS)}` : null}
      later={known === null || end < known ? `${here}?from=${end}` : null}
    />
  );
}

const LOOKS: Readonly<Record<RetainerState, "ok" | "hot" | "warn" | null>> = {
  active: "ok",
  ending: "ok",
  draft: "hot",
  ended: null,
  discarded: null,
};

function RetainerFacts(props: {
  request: PageRequest;
  seen: SeenRetainer;
  earned: bigint | null;
  waiting: readonly WaitingNote[];
}) {
  const { request, seen, earned, waiting } = props;
  const { words: all, language } = request.reader;
  const words = all.retainer;
  const { series, customer, customer_href, today } = seen;
  const state = retainerState(series, today);
  const look = LOOKS[state];
  const rhythm = words.rhythms[series.frequency];
  const ends =
    series.cancelled_at !== null && series.end_date !== null && state !== "discarded"
      ? words.cancelled
      : null;
  return (
    <Facts title={words.facts} id="facts">
      <FactList
        facts={[
          {
            name: words.state,
            value: <Pill {...(look && { kind: look })}>{ends ?? words.whole_states[state]}</Pill>,
          },
          {
            name: words.customer,
            value: customer.name,
            ...(customer_href !== null && { href: customer_href }),
          },
          {
            name: words.rhythm,
            value: series.alignment === "calendar" ? `${rhythm}, ${words.calendar}` : rhythm,
          },
          { name: words.first_day, value: <Day day={series.start_date} /> },
          {
            name: words.last_day,
            value: series.end_date === null ? words.no_end : <Day day={series.end_date} />,
          },
          { name: words.invoiced, value: timingText(seen, words) },
          { name: words.sends, value: sendsText(request, seen) },
          ...(earned === null
            ? []
            : [{ name: words.earned, value: moneyOf(language, earned, series.currency) }]),
          ...waiting.map(({ id, queue_state, net }) => ({
            name: words.credit_note,
            value: words.credit_waits[queue_state](moneyOf(language, net, series.currency)),
            href: `/credit-notes/${id}`,
          })),
        ]}
      />
    </Facts>
  );
}

function sendsText({ reader }: PageRequest, { series, customer, configuration }: SeenRetainer) {
  const words = reader.words.retainer;
  if (!(series.auto_send ?? configuration.default_auto_send)) return words.sends_nothing;
  if (customer.send_method === "einvoice") return words.sends_einvoice;
  return customer.email === null ? words.sends_no_address : words.sends_to(customer.email);
}
