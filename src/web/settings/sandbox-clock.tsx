/** The clock and the scheduler of a sandbox account, a part of the settings for developers. Other accounts have neither. */

import { addMonths, calendarDate } from "../../domain/base/calendar.ts";
import { invalidField, Problem } from "../../domain/base/problem.ts";
import { runScheduler } from "../../features/recurring/occurrences/run-scheduler.ts";
import { readClock, setTestClock } from "../../features/recurring/test-clock/change-clock.ts";
import { run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { timestampOf } from "../../platform/runtime/clock.ts";
import { TakesLong } from "../../platform/threads/takes-long.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { Form, Moment, Submit } from "../frame/form.tsx";
import { defineLongWork } from "../frame/long-work.ts";
import { definePage, type PageRequest, type WebPage } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { type Faults, refusedBy } from "../frame/submitted.ts";
import { DayEntry } from "../parts/day-entry.tsx";
import { FormFaults } from "../parts/entry.tsx";
import { Card } from "../parts/facts.tsx";
import { refusalOf } from "../words/refusal.ts";

const DEVELOPER = "/settings/developer";
const CLOCK = `${DEVELOPER}/clock`;
const SCHEDULER = `${DEVELOPER}/run-scheduler`;

/** How long a run may take before the page answers; the service continues with the rest. */
const RUN_MS = 15_000;
const DAY_MS = 86_400_000;

/** Runs the scheduler of the account, always in another thread where there is one. Returns how many invoices were issued. */
export const runningScheduler = defineLongWork({
  name: "pages.run_scheduler",
  is_read: false,
  async work(cx, _input: object): Promise<number> {
    if (cx.leaves_if_long) throw new TakesLong();
    const { issued } = await runScheduler({ ...cx, once: null }, RUN_MS);
    return issued.length;
  },
});

/** Returns the pages; `show` renders the settings again with the faults of the clock. */
export function sandboxPages(
  show: (request: PageRequest, faults: Faults) => ReturnType<WebPage["handle"]>,
): readonly WebPage[] {
  return [
    definePage(`POST ${CLOCK}`, "hidden", async (request) => {
      const { cx, form } = request;
      const date = dayAsked(request, form.date);
      if (!cx.caller.sandbox) throw new Problem("NOT_A_SANDBOX");
      try {
        await run(setTestClock, cx, { now: momentFrom(cx, form.move, date) });
      } catch (thrown) {
        const problem = refusedBy(thrown);
        const [fault] = problem.extras.field_errors ?? [];
        return show(request, new Map([[fault?.field ?? "", fault ?? refusalOf(problem)]]));
      }
      return { redirect: DEVELOPER, notice: { done: "clock_set" } };
    }),
    definePage(`POST ${SCHEDULER}`, "hidden", async (request) => {
      if (!request.cx.caller.sandbox) throw new Problem("NOT_A_SANDBOX");
      const issued = await request.runLong(runningScheduler, {});
      return { redirect: DEVELOPER, notice: { done: "scheduler_ran", of: String(issued) } };
    }),
  ];
}

/** Returns the moment to which the clock is to be set; null for the real clock. Throws VALIDATION_FAILED. */
function momentFrom(cx: PersonContext, move: string | undefined, date: string | undefined) {
  const now = cx.clock.now();
  if (move === "real") return null;
  if (move === "day") return timestampOf(Date.parse(now) + DAY_MS);
  const day = calendarDate(move === "month" ? now.slice(0, 10) : (date ?? ""));
  if (day === undefined) throw invalidField("date", "invalid_format", "Not a day.");
  const [until, time] =
    move === "month" ? [addMonths(day, 1), now.slice(10)] : [day, "T12:00:00.000Z"];
  return timestampOf(Date.parse(`${until}${time}`));
}

/** Shows the clock of a sandbox account; nothing for other accounts. */
export async function sandboxSection(request: PageRequest, faults: Faults) {
  const { cx, csrf, form } = request;
  if (!cx.caller.sandbox) return null;
  const { test_clock } = await readClock(cx);
  const tokens = { clock: csrf(CLOCK), scheduler: csrf(SCHEDULER) };
  const today = todayFor(request);
  const typed = form.date ?? "";
  return (
    <SandboxClock now={test_clock} typed={typed} today={today} faults={faults} tokens={tokens} />
  );
}

function SandboxClock(props: {
  now: string | null;
  typed: string;
  today: string;
  faults: Faults;
  tokens: { readonly clock: string; readonly scheduler: string };
}) {
  const { now, typed, today, faults, tokens } = props;
  const { words: all } = useReader();
  const words = all.settings;
  const moving = (move: "day" | "month" | "real", text: string) => (
    <Form action={CLOCK} csrf={tokens.clock}>
      <input type="hidden" name="move" value={move} />
      <button type="submit" class="button">
        {text}
      </button>
    </Form>
  );
  return (
    <Card title={words.sandbox} id="sandbox" hint={words.sandbox_hint}>
      <div class="pad">
        <FormFaults faults={faults} words={all.see_fields} />
        <p>{now === null ? words.clock_runs : words.clock_stands(<Moment at={now} />)}</p>
        <div class="row">
          {moving("day", words.one_day)}
          {moving("month", words.one_month)}
          {now !== null && moving("real", words.real_clock)}
          <Form action={SCHEDULER} csrf={tokens.scheduler}>
            <button type="submit" class="button">
              {words.run_scheduler}
            </button>
          </Form>
        </div>
        <Form action={CLOCK} csrf={tokens.clock}>
          <DayEntry
            name="date"
            label={words.clock_day}
            value={typed}
            today={today}
            faults={faults}
            is_required
          />
          <Submit text={words.set_clock} is_secondary />
        </Form>
      </div>
    </Card>
  );
}
