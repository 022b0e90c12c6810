/** A period of a retainer: its state with the reason, its lines and hours, and what can be done with it. */

import { problemCatalogue } from "../../domain/base/problem.ts";
import type { Line } from "../../domain/sales/line.ts";
import { countPeriods, periodAt, type SeriesPeriod, timesOf } from "../../domain/series/period.ts";
import { userNames } from "../../features/access/people/queries.ts";
import { type PricedLine, pricedLines } from "../../features/recurring/occurrences/queries.ts";
import {
  findPeriodRecord,
  invoiceNumbers,
  MOST_WORK_OF_PERIOD,
  type PeriodRecord,
  type WorkOfPeriod,
  workOfPeriod,
} from "../../features/recurring/occurrences/read-record.ts";
import { shownPeriod, stateOf, uncancelled } from "../../features/recurring/series/series.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { FactList, Facts } from "../parts/facts.tsx";
import { amountOf, dayOf, hoursOf, momentOf } from "../parts/format.ts";
import { List } from "../parts/list.tsx";
import { periodName } from "../parts/period.ts";
import { Day, Pill } from "../parts/values.tsx";
import { nextOf } from "./next-state.ts";
import { Assigned } from "./retainer-lines.tsx";
import { periodIn, RETAINERS, type SeenRetainer, seenRetainer } from "./seen-retainer.ts";

export const periodPages: readonly WebPage[] = [
  definePage(`GET ${RETAINERS}/:id/:period`, "person", show),
];

/** A period with its retainer, and what is stored of it. */
interface SeenPeriod extends SeenRetainer {
  readonly period: SeriesPeriod;
  readonly record: PeriodRecord | undefined;
  /** The invoice of the period; the number is null while its booking is in progress. */
  readonly invoice: { readonly id: string; readonly number: string | null } | null;
}

async function show(request: PageRequest): Promise<PageAnswer> {
  const { cx, id, named, reader } = request;
  const seen = await seenRetainer(cx, id);
  const { series, title } = seen;
  const found = periodIn(series, named.period);
  // Other spellings of a period lead to its key.
  if (found.key !== named.period) return { redirect: `${RETAINERS}/${id}/${found.key}` };
  const event = series.period_events.get(found.index);
  const own = isAdmin(cx) ? null : cx.caller.person.user_id;
  const [lines, record, numbers, work] = await Promise.all([
    pricedLines(cx, series, found),
    findPeriodRecord(cx, id, found.index),
    invoiceNumbers(cx, id, { first: found.index, end: found.index + 1 }),
    workOfPeriod(cx, id, found.index, own),
  ]);
  const user_ids = lines.flatMap(({ line }) => line.assignees.map(({ user_id }) => user_id));
  const names = await userNames(cx, user_ids);
  const period = shownPeriod(series, found);
  const invoice =
    event !== undefined && "invoice_id" in event
      ? { id: event.invoice_id, number: numbers.get(found.index) ?? null }
      : null;
  const of_period = { ...seen, period, record, invoice };
  const content = (
    <>
      <Reasons request={request} seen={of_period} />
      <div class="beside retainer">
        <div class="stack">
          <Lines request={request} seen={of_period} lines={lines} names={names} />
          <Hours request={request} lines={lines.map(({ line }) => line)} work={work} />
        </div>
        <PeriodFacts request={request} seen={of_period} />
      </div>
      <Around request={request} seen={of_period} />
    </>
  );
  const { language, words } = reader;
  return {
    title: words.retainer.period_of(periodName(language, period.key, true), title),
    lead: seen.customer.name,
    content,
    ...actionsOf(request, of_period),
  };
}

function actionsOf({ reader }: PageRequest, { series, period, invoice, today }: SeenPeriod) {
  const words = reader.words.retainer.period;
  const here = `${RETAINERS}/${series.id}/${period.key}`;
  const state = stateOf(series, period);
  if (state === "issued" || state === "dropped" || series.is_discarded) return {};
  const is_pending = invoice !== null;
  const { due_on } = timesOf(period, series.timing);
  const issue = is_pending
    ? words.resume
    : state === "failed"
      ? words.try_now
      : due_on !== null && due_on > today
        ? words.issue_early
        : words.issue;
  return {
    actions: (
      <>
        {!is_pending && state !== "skipped" && (
          <ConfirmLink href={`${here}/skip`}>{words.skip}</ConfirmLink>
        )}
        {state === "skipped" && (
          <ConfirmLink href={`${here}/unskip`}>{words.take_back}</ConfirmLink>
        )}
        <ConfirmLink class="button main" href={`${here}/issue`}>
          {issue}
        </ConfirmLink>
      </>
    ),
  };
}

/** Says why the period is in its state, and what to do. */
function Reasons({ request, seen }: { request: PageRequest; seen: SeenPeriod }) {
  const { words: all, language, time_zone } = request.reader;
  const words = all.retainer.period;
  const { series, period, record, customer } = seen;
  const state = stateOf(series, period);
  if (state === "failed") {
    const code = record?.failure_code ?? "";
    const problem = problemCatalogue().find((one) => one.code === code);
    const next = record?.next_attempt_at ?? null;
    return (
      <div class="notice bad reasons-of">
        <p class="strong">{words.failed}</p>
        {problem !== undefined && <p>{all.refused(problem)}</p>}
        <p>
          {words.tries(record?.attempts ?? 0)}{" "}
          {next === null
            ? words.no_next_try
            : words.next_try(momentOf(language, next, time_zone).text)}
        </p>
        {isAdmin(request.cx) && (
          <p>
            <a class="link" href={`/customers/${customer.id}`}>
              {words.fix_customer}
            </a>
          </p>
        )}
      </div>
    );
  }
  const sentence = sentenceOf(request, seen);
  return sentence === null ? null : <p class="notice reasons-of">{sentence}</p>;
}

function sentenceOf({ reader }: PageRequest, { series, period, record }: SeenPeriod) {
  const words = reader.words.retainer.period;
  const state = stateOf(series, period);
  if (state === "skipped") {
    const reason = record?.reason ?? null;
    if (reason === null) return words.skipped;
    return words.skipped_because(words.reasons[reason] ?? reason);
  }
  if (state === "dropped") return words.dropped;
  if (state !== "scheduled") return null;
  const next = nextOf(series, period).state;
  return next === "scheduled" || next === "failed" ? null : words[next];
}

function Lines(props: {
  request: PageRequest;
  seen: SeenPeriod;
  lines: readonly PricedLine[];
  names: ReadonlyMap<string, string>;
}) {
  const { request, seen, lines, names } = props;
  const { words: all, language } = request.reader;
  const words = all.retainer;
  const { currency } = seen.series;
  return (
    <section class="card" aria-labelledby="lines">
      <header>
        <h2 id="lines">{words.period.lines}</h2>
      </header>
      {lines.length === 0 ? (
        <p class="pad soft">{words.no_lines}</p>
      ) : (
        <List
          label={words.period.lines}
          rows={lines}
          empty={null}
          columns={[
            {
              head: words.line,
              fold: "lead",
              cell: ({ line }) => (
                <span class="strong">{line.description_override ?? line.product_name}</span>
              ),
            },
            {
              head: words.period.method,
              cell: ({ line }) => all.draft.methods[line.recognition_method],
            },
            { head: words.who, cell: ({ line }) => <Assigned content={line} names={names} /> },
            {
              head: words.net,
              kind: "number",
              fold: "end",
              cell: ({ amount }) => amountOf(language, amount, currency),
            },
          ]}
        />
      )}
      {lines.length > 0 && (
        <p class="sum-line">
          <span>{words.net}</span>
          <span class="num strong">
            {amountOf(
              language,
              lines.reduce((sum, { amount }) => sum + amount, 0n),
              currency,
            )}
          </span>
        </p>
      )}
    </section>
  );
}

function Hours(props: {
  request: PageRequest;
  lines: readonly Line[];
  work: readonly WorkOfPeriod[];
}) {
  const { request, lines, work } = props;
  const { words: all, language } = request.reader;
  const words = all.retainer.period;
  const measures = lines.some(({ recognition_method }) => recognition_method !== "value");
  if (work.length === 0 && !measures) return null;
  const texts = new Map<string, string>(
    lines.map(({ id, description_override, product_name }) => [
      id,
      description_override ?? product_name,
    ]),
  );
  return (
    <section class="card" aria-labelledby="hours">
      <header>
        <h2 id="hours">{words.hours}</h2>
        {work.length > MOST_WORK_OF_PERIOD && (
          <span class="end tiny quiet">{words.more_hours}</span>
        )}
      </header>
      {work.length === 0 ? (
        <p class="pad soft">{words.no_hours}</p>
      ) : (
        <List
          label={words.hours}
          rows={work.slice(0, MOST_WORK_OF_PERIOD)}
          empty={null}
          columns={[
            { head: words.date, fold: "lead", cell: ({ date }) => <Day day={date} /> },
            { head: all.retainer.who, cell: ({ user_name }) => user_name },
            { head: all.retainer.line, cell: ({ line_id }) => texts.get(line_id) ?? "–" },
            {
              head: words.note,
              cell: ({ note, billable }) =>
                billable ? (note ?? "–") : `${words.not_billable} · ${note ?? "–"}`,
            },
            {
              head: words.hours,
              kind: "number",
              fold: "end",
              cell: ({ hours }) => hoursOf(language, hours),
            },
          ]}
        />
      )}
    </section>
  );
}

const LOOKS = {
  issued: "ok",
  scheduled: null,
  failed: "bad",
  skipped: "warn",
  dropped: null,
} as const;

function PeriodFacts({ request, seen }: { request: PageRequest; seen: SeenPeriod }) {
  const { words: all, language } = request.reader;
  const words = all.retainer;
  const { series, period, invoice, title } = seen;
  const state = stateOf(series, period);
  const look = LOOKS[state];
  const event = series.period_events.get(period.index);
  const service = `${dayOf(language, period.from)} – ${dayOf(language, period.to)}`;
  const is_partial = period.days < period.nominal_days;
  return (
    <Facts title={words.facts} id="facts">
      <FactList
        facts={[
          {
            name: words.state,
            value: <Pill {...(look && { kind: look })}>{words.states[state]}</Pill>,
          },
          { name: words.period.of, value: title, href: `${RETAINERS}/${series.id}` },
          {
            name: words.customer,
            value: seen.customer.name,
            ...(seen.customer_href !== null && { href: seen.customer_href }),
          },
          {
            name: words.period.service,
            value: is_partial
              ? `${service} (${words.period.partial(period.days, period.nominal_days)})`
              : service,
          },
          event?.state === "issued"
            ? { name: words.period.day, value: <Day day={event.issue_date} /> }
            : {
                name: words.period.planned,
                value: <Day day={timesOf(period, series.timing).issue_date} />,
              },
          ...(invoice?.number == null
            ? []
            : [
                {
                  name: words.period.invoice,
                  value: words.period.open_invoice(invoice.number),
                  href: `/invoices/${invoice.id}`,
                },
              ]),
        ]}
      />
    </Facts>
  );
}

/** Links to the periods before and after this one. */
function Around({ request, seen }: { request: PageRequest; seen: SeenPeriod }) {
  const { words: all, language } = request.reader;
  const words = all.retainer.period;
  const { series, period } = seen;
  const whole = uncancelled(series);
  const last = whole.end_date === null ? null : countPeriods(whole, whole.end_date) - 1;
  const before = period.index > 0 ? periodAt(whole, period.index - 1) : undefined;
  const after =
    last === null || period.index < last ? periodAt(whole, period.index + 1) : undefined;
  const link = (one: SeriesPeriod | undefined, word: string) =>
    one && (
      <a class="button" href={`${RETAINERS}/${series.id}/${one.key}`}>
        {word}: {periodName(language, one.key)}
      </a>
    );
  return (
    <p class="row around">
      {link(before, words.previous)}
      {link(after, words.following)}
    </p>
  );
}
