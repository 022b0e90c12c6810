/** A field for a day in a form that the server reads: with its label above it, its hint and its fault below. */
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { readDay } from "../../domain/base/typed-day.ts";
import { Island } from "../frame/island.tsx";
import type { Faults } from "../frame/submitted.ts";
import { island as dayField, type LatestDay } from "./day-field.tsx";
import { Labelled } from "./entry.tsx";

/** `value` is the stored day, or the text that was typed; the server reads it by `dayAsked`, and a day that can be read is shown as one. */
export function DayEntry(props: {
  name: string;
  label: string;
  value: string;
  today: string;
  faults: Faults;
  hint?: string;
  /** What an empty field means. */
  empty?: string;
  is_required?: boolean;
  latest?: LatestDay | undefined;
  /** What is wrong with the day, in words; shown in place of the refusal. */
  note?: string | undefined;
}) {
  const { name, label, value, today, faults, hint, empty, is_required = false, latest } = props;
  const meaning = {
    ...(empty === undefined ? {} : { empty }),
    ...(latest === undefined ? {} : { latest }),
  };
  // A refused day stays as it was typed.
  const shown = faults.has(name) ? value : (readDay(value, today as CalendarDate) ?? value);
  const field = { id: name, name, label, value: shown, today, is_required, ...meaning };
  return (
    <Labelled
      name={name}
      label={label}
      faults={faults}
      note={props.note}
      {...(hint === undefined ? {} : { hint })}
      field={(said) => <Island of={dayField} with={{ ...field, ...said }} />}
    />
  );
}
