/** A month in which a day is chosen: arrow keys move by days and weeks, Page Up and Page Down by months, Escape closes. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  addDays,
  addMonths,
  type CalendarDate,
  firstDayOf,
  lastDayOf,
  mondayOf,
  monthOf,
} from "../../domain/base/calendar.ts";
import { useReader } from "../frame/reader.ts";
import { dayFormat, dayOf, middayOf, monthOf as monthText } from "./format.ts";

interface Props {
  readonly label: string;
  readonly chosen: CalendarDate | null;
  readonly today: CalendarDate;
  choose(day: CalendarDate): void;
  /** `is_left` if the focus has gone elsewhere. */
  close(is_left: boolean): void;
}

const STEPS: Readonly<Record<string, (day: CalendarDate) => CalendarDate>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  PageUp: (day) => addMonths(day, -1),
  PageDown: (day) => addMonths(day, 1),
};

export function DayCalendar({ label, chosen, today, choose, close }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(chosen ?? today);
  const moves = useRef(true);
  // Before the next key press, which is meant for the calendar.
  useLayoutEffect(() => {
    if (moves.current) place.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    moves.current = true;
  }, [at]);
  const days = daysAround(at);

  function page(step: -1 | 1): void {
    moves.current = false;
    setAt(addMonths(at, step));
  }

  return (
    // The focus moves inside; the dialog only notices keys and that the focus has left.
    <div
      ref={place}
      class="days"
      role="dialog"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          close(false);
        }
        const step = STEPS[event.key];
        if (step === undefined) return;
        event.preventDefault();
        setAt(step(at));
      }}
      onFocusOut={() => {
        // A day that is no longer shown loses the focus before the next one has it.
        requestAnimationFrame(() => {
          const days = place.current;
          if (days !== null && !days.contains(document.activeElement)) close(true);
        });
      }}
    >
      <Head at={at} page={page} />
      <div class="of-month">
        {days.map((day) => (
          <Day
            key={day}
            day={day}
            is_at={day === at}
            is_chosen={day === chosen}
            is_today={day === today}
            is_outside={monthOf(day) !== monthOf(at)}
            choose={choose}
          />
        ))}
      </div>
    </div>
  );
}

/** Returns the whole weeks of the month of a day. */
function daysAround(at: CalendarDate): readonly CalendarDate[] {
  const month = monthOf(at);
  const days: CalendarDate[] = [];
  const last = addDays(mondayOf(lastDayOf(month)), 6);
  for (let day = mondayOf(firstDayOf(month)); day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Shows the month with the buttons to its neighbours, and the names of the days. */
function Head({ at, page }: { at: CalendarDate; page: (step: -1 | 1) => void }) {
  const { words, language } = useReader();
  const turn = (step: -1 | 1, label: string, sign: string) => (
    <button type="button" class="button bare small" aria-label={label} onClick={() => page(step)}>
      {sign}
    </button>
  );
  return (
    <>
      <div class="row">
        {turn(-1, words.days.before, "‹")}
        <span class="grow strong" aria-live="polite">
          {monthText(language, monthOf(at))}
        </span>
        {turn(1, words.days.after, "›")}
      </div>
      <div class="week-heads" aria-hidden="true">
        {daysAround(at)
          .slice(0, 7)
          .map((day) => (
            <span key={day}>
              {dayFormat(language, { weekday: "narrow" }).format(middayOf(day))}
            </span>
          ))}
      </div>
    </>
  );
}

function Day(props: {
  day: CalendarDate;
  is_at: boolean;
  is_chosen: boolean;
  is_today: boolean;
  is_outside: boolean;
  choose: (day: CalendarDate) => void;
}) {
  const { day, is_at, is_chosen, is_today, is_outside, choose } = props;
  const { language } = useReader();
  return (
    <button
      type="button"
      tabIndex={is_at ? 0 : -1}
      class={is_outside ? "quiet" : ""}
      aria-label={dayOf(language, day)}
      aria-pressed={is_chosen}
      {...(is_today ? { "aria-current": "date" as const } : {})}
      onClick={() => choose(day)}
    >
      {String(Number(day.slice(8)))}
    </button>
  );
}
