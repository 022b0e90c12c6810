/** A field for a day in a form that the server reads: with its label above it, its hint and its fault below. */
import { Island } from "../frame/island.tsx";
import type { Faults } from "../frame/submitted.ts";
import { island as dayField } from "./day-field.tsx";
import { Labelled } from "./entry.tsx";

/** `value` is the stored day, or the text that was typed; the server reads it by `dayAsked`. */
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
}) {
  const { name, label, value, today, faults, hint, empty, is_required = false } = props;
  const meaning = empty === undefined ? {} : { empty };
  const field = { id: name, name, label, value, today, is_required, ...meaning };
  return (
    <Labelled
      name={name}
      label={label}
      faults={faults}
      {...(hint === undefined ? {} : { hint })}
      field={(said) => <Island of={dayField} with={{ ...field, ...said }} />}
    />
  );
}
