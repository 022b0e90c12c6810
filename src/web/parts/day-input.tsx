/**
 * A field for a day. It takes a day as people type it, and shows what it has understood when it is left. The arrow down opens a
 * calendar. Without scripts it is a text field, whose text the server reads by the same rule.
 */
import { useRef, useState } from "preact/hooks";
import { type CalendarDate, calendarDate } from "../../domain/base/calendar.ts";
import { readDay } from "../../domain/base/typed-day.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";
import { DayCalendar } from "./day-calendar.tsx";
import { typedDay } from "./format.ts";

export interface DayInputProps {
  /** The name of the calendar, and of the field where no label element names it. */
  readonly label: string;
  /** The day `YYYY-MM-DD`, empty, or a text that cannot be read. */
  readonly value: string;
  readonly today: string;
  readonly id?: string;
  readonly name?: string;
  readonly class?: string;
  /** What an empty field means. */
  readonly empty?: string;
  readonly is_named?: boolean;
  readonly is_required?: boolean;
  readonly "aria-invalid"?: "true";
  readonly "aria-describedby"?: string;
  /** Receives each new value; a text that cannot be read is passed as it was typed. */
  onDay?(day: string): void;
  /** Receives the text of the field when it is left. */
  onLeave?(text: string): void;
}

/** Returns what the field shows, what it means, and the change of both. */
function useTyped({ value, today, onDay }: DayInputProps) {
  const { language } = useReader();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const now = today as CalendarDate;
  const known = calendarDate(value);
  const understood = typed === null ? (known ?? null) : readDay(typed, now);

  function take(day: CalendarDate): void {
    const text = typedDay(language, day);
    if (field.current !== null) field.current.value = text;
    setTyped(text);
    onDay?.(day);
    field.current?.focus();
    // As a browser says it for its own fields: filters act on it.
    field.current?.dispatchEvent(new Event("change", { bubbles: true }));
  }

  return {
    field,
    now,
    take,
    understood: understood ?? null,
    is_wrong: typed === null ? value !== "" && known === undefined : understood === undefined,
    shown: typed ?? (known === undefined ? value : typedDay(language, known)),
    type(text: string): void {
      setTyped(text);
      onDay?.(readDay(text, now) ?? text.trim());
    },
    leave(): void {
      if (typed !== null && understood != null) setTyped(typedDay(language, understood));
    },
  };
}

export function DayInput(props: DayInputProps) {
  const { label, empty, is_named = false, is_required = false } = props;
  const { words } = useReader();
  const is_alive = useAlive();
  const [is_open, setOpen] = useState(false);
  const { field, now, take, understood, is_wrong, shown, type, leave } = useTyped(props);
  return (
    <span class="day-input">
      <input
        ref={field}
        class={props.class ?? "input"}
        {...(props.id === undefined ? {} : { id: props.id })}
        {...(props.name === undefined ? {} : { name: props.name })}
        {...(is_named ? { "aria-label": label } : {})}
        {...(empty === undefined ? {} : { placeholder: empty })}
        autocomplete="off"
        maxLength={20}
        required={is_required}
        value={shown}
        aria-describedby={props["aria-describedby"]}
        {...(is_wrong || props["aria-invalid"] ? { "aria-invalid": "true" as const } : {})}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onBlur={({ currentTarget }) => {
          leave();
          props.onLeave?.(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          setOpen(true);
        }}
      />
      {is_alive && (
        <button
          type="button"
          class="open-days"
          tabIndex={-1}
          aria-label={words.days.open}
          onClick={() => setOpen(!is_open)}
        >
          ▾
        </button>
      )}
      {is_open && (
        <DayCalendar
          label={`${words.days.open}: ${label}`}
          chosen={understood}
          today={now}
          choose={(day) => {
            setOpen(false);
            take(day);
          }}
          close={(is_left) => {
            setOpen(false);
            if (!is_left) field.current?.focus();
          }}
        />
      )}
    </span>
  );
}
