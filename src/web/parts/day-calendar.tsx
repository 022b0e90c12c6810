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
  const { words, language } = useReader();
  const place = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(chosen ?? today);
  const moves = useRef(true);
  // Before the next key press, which is meant for the calendar.
  useLayoutEffect(() => {
    if (moves.current) place.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    moves.current = true;
  }, [at]);
  const month = monthOf(at);
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
      <div class="row">
        <button
          type="button"
          class="button bare small"
          aria-label={words.days.before}
          onClick={() => page(-1)}
        >
          ‹
        </button>
        <span class="grow strong" aria-live="polite">
          {monthText(language, month)}
        </span>
        <button
          type="button"
          class="button bare small"
          aria-label={words.days.after}
          onClick={() => page(1)}
        >
          ›
        </button>
      </div>
      <div class="week-heads" aria-hidden="true">
        {days.slice(0, 7).map((day) => (
          <span key={day}>{dayFormat(language, { weekday: "narrow" }).format(middayOf(day))}</span>
        ))}
      </div>
      <div class="of-month">
        {days.map((day) => (
          <button
            key={day}
            type="button"
            tabIndex={day === at ? 0 : -1}
            class={monthOf(day) === month ? "" : "quiet"}
            aria-label={dayOf(language, day)}
            aria-pressed={day === chosen}
            {...(day === today ? { "aria-current": "date" as const } : {})}
            onClick={() => choose(day)}
          >
            {String(Number(day.slice(8)))}
          </button>
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
