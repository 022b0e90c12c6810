/** The start page: attention, automatic work, figures of the month. Admins see the firm, others their own work. */
import { type Attention, type Fact, strongestFacts } from "../../domain/base/attention.ts";
import { type CalendarDate, monthOf } from "../../domain/base/calendar.ts";
import { putStepAway } from "../../features/overview/today/change-steps.ts";
import { listAttention } from "../../features/overview/today/list-attention.ts";
import { type Coming, priceComing } from "../../features/overview/today/price-coming.ts";
import {
  readActivitySummary,
  readOwnSummary,
} from "../../features/overview/today/read-activity-summary.ts";
import { firstStepsOf } from "../../features/overview/today/read-first-steps.ts";
import { type Figures, figuresOf } from "../../features/revenue/reports/report-figures.ts";
import {
  type Configuration,
  getConfiguration,
} from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { NEW_DRAFT } from "../draft/new-draft.tsx";
import { Icon } from "../frame/icon.tsx";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type PageReader, useReader } from "../frame/reader.ts";
import { dayInStyle, hoursOf } from "../parts/format.ts";
import { island as studioWait } from "../welcome/studio-wait.tsx";
import { FirstSteps, PUT_AWAY_PATH } from "./first-steps.tsx";
import { dayBeside } from "./format-days.ts";
import { GoingOutSoon, OwedToYou, OwnCustomers, Week } from "./today-beside.tsx";
import { EarnedByMonth, MonthSoFar } from "./today-figures.tsx";
import { Needs, namedBy } from "./today-needs.tsx";

export const todayPages: readonly WebPage[] = [
  definePage("GET /today", "person", async (request) => {
    const configuration = await getConfiguration(request.cx);
    const today = todayIn(request.cx.clock, configuration.time_zone);
    const is_admin = request.cx.caller.person.role === "admin";
    return (is_admin ? ofFirm : ofPerson)(request, configuration, today);
  }),
  definePage(`POST ${PUT_AWAY_PATH}`, "hidden", async ({ cx, form }) => {
    // An invalid value changes nothing.
    const wanted = putStepAway.input.safeParse({ step: form.step });
    if (!wanted.success) return { redirect: "/today" };
    await run(putStepAway, cx, wanted.data);
    return { redirect: "/today", notice: { done: "step_put_away" } };
  }),
];

async function ofFirm(
  { cx, reader, csrf, waiting, takeHeavyPlace }: PageRequest,
  configuration: Configuration,
  today: CalendarDate,
): Promise<PageAnswer> {
  const [found, summary] = await Promise.all([
    listAttention(cx, today),
    readActivitySummary(cx, today),
  ]);
  // The figures come first: they may take a heavy slot, in which the rest of the page is computed.
  const figures = await figuresOf(cx, configuration, summary.kept, summary.lines, takeHeavyPlace);
  const coming = await priceComing(
    cx,
    today,
    summary.due,
    found,
    configuration.recognition_convention,
  );
  const { functional_currency: currency } = configuration;
  const needs = coming.needs.map((need) => withEarned(need, figures, currency));
  // An example has nothing to set up.
  const steps = waiting?.example == null ? firstStepsOf(summary.first) : [];
  const words = reader.words.today;
  const content = (
    <>
      {waiting?.example === "preparing" && <Island of={studioWait} with={{}} />}
      {summary.has_invoice && (
        <MonthSoFar figures={figures} summary={summary} today={today} currency={currency} />
      )}
      <div class="today">
        <div class="stack">
          {steps.length > 0 && <FirstSteps steps={steps} csrf={csrf} />}
          <Needs needs={needs} today={today} is_admin functional={currency} />
          {summary.has_invoice && <EarnedByMonth figures={figures} currency={currency} />}
        </div>
        <div class="stack">
          {summary.owed !== null && (
            <OwedToYou owed={summary.owed} late={summary.owed_late ?? 0n} currency={currency} />
          )}
          <GoingOutSoon going_out={coming.going_out} today={today} functional={currency} />
          <Week
            hours={summary.hours}
            today={today}
            people={summary.people}
            beside={words.of_people(summary.people)}
          />
        </div>
      </div>
    </>
  );
  return { ...headOf(reader, today, coming), content, actions: <Actions /> };
}

/** Shows the most frequent actions. */
function Actions() {
  const { words } = useReader();
  return (
    <>
      <a class="button" href="/hours">
        <Icon name="clock-hour-4" />
        {words.today.buttons.hours}
      </a>
      <a class="button main" href={NEW_DRAFT}>
        <Icon name="plus" />
        {words.draft.new_invoice}
      </a>
    </>
  );
}

async function ofPerson(
  { cx, reader }: PageRequest,
  { functional_currency, recognition_convention }: Configuration,
  today: CalendarDate,
): Promise<PageAnswer> {
  const { user_id } = cx.caller.person;
  const [found, summary] = await Promise.all([
    listAttention(cx, today, user_id),
    readOwnSummary(cx, today, user_id),
  ]);
  const coming = await priceComing(cx, today, [], found, recognition_convention);
  const { words, language } = reader;
  const of_month = hoursOf(language, summary.hours_of_month);
  const content = (
    <div class="today">
      <div class="stack">
        <Needs
          needs={coming.needs}
          today={today}
          is_admin={false}
          functional={functional_currency}
        />
      </div>
      <div class="stack">
        <Week
          hours={summary.hours}
          today={today}
          people={1}
          beside={words.today.of_month(of_month, dayInStyle(language, today, "month", true))}
        />
        <OwnCustomers customers={summary.customers} today={today} />
      </div>
    </div>
  );
  return { ...headOf(reader, today, coming), content };
}

/** Returns the date as the title, and the strongest facts about the day. */
function headOf(reader: PageReader, today: CalendarDate, { needs, going_out }: Coming) {
  const facts = strongestFacts(needs, going_out);
  return {
    title: dayInStyle(reader.language, today, "weekday_date", true),
    lead:
      facts.length === 0
        ? reader.words.today.nothing
        : facts.map((fact) => sentenceOf(fact, reader, today)).join(" "),
  };
}

function sentenceOf(fact: Fact<Attention>, reader: PageReader, today: CalendarDate): string {
  const words = reader.words.today;
  const count = words.counts[fact.count] ?? String(fact.count);
  if (fact.fact === "going_out") {
    const day = dayBeside(reader.language, fact.by, today);
    return fact.by < today ? words.waiting_since(count, day) : words.going_out_by(count, day);
  }
  return words.facts[fact.fact](count, namedBy(fact.first, reader, today));
}

/** Returns a month that waits for its close, with its earned revenue where that is known. */
function withEarned<Need extends Attention>(
  need: Need,
  figures: Figures | null,
  currency: string,
): Need {
  if (need.kind !== "month_ready") return need;
  const month = monthOf(need.since);
  const amount = figures?.months.find((one) => one.month === month)?.earned ?? null;
  return { ...need, amount, currency };
}
