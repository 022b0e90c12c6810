/**
 * A field of a form that is checked when it is left: check digits, and prices, which it then shows as they were understood.
 * Without scripts it is a text field with the note on its stored value.
 */
import { useRef, useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import type { Refusal } from "../words/refusal.ts";
import { Entry } from "./entry.tsx";
import type { CheckNote, FieldCheck } from "./field-checks.ts";
import { understoodAs } from "./price-text.ts";

export interface CheckedFieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly check: FieldCheck;
  readonly hint?: string;
  readonly most?: number;
  /** The country of a VAT number: the field of the form that has it, and the value of an empty one. */
  readonly country?: { readonly field: string; readonly otherwise: string };
  /** The refusal of the stored or typed value; null for none. */
  readonly refusal: Refusal | null;
  /** What is wrong with the value; null for nothing. */
  readonly note: CheckNote | null;
}

/** The checks are large: a browser loads them when such a field is entered. */
const loadChecks = () => import("./field-checks.ts");

function CheckedFieldView(props: CheckedFieldProps) {
  const { name, label, check, hint, most, refusal } = props;
  const { words, language } = useReader();
  const [typed, setTyped] = useState(props.value);
  const [note, setNote] = useState(props.note);
  const newest = useRef(props.value);
  const faults: Faults = new Map(
    refusal === null || typed !== props.value ? [] : [[name, refusal]],
  );
  return (
    <Entry
      name={name}
      label={label}
      value={typed}
      faults={faults}
      {...(hint === undefined ? {} : { hint })}
      {...(most === undefined ? {} : { most })}
      note={note === null ? undefined : words.entries.notes[note]}
      more={{
        onFocus: () => void loadChecks(),
        onInput: ({ currentTarget }) => {
          newest.current = currentTarget.value;
          setTyped(currentTarget.value);
          setNote(null);
        },
        onBlur: async ({ currentTarget }) => {
          const text = understoodAs(check, currentTarget.value, language);
          const country = countryOf(currentTarget, props);
          newest.current = text;
          setTyped(text);
          const { noteOf } = await loadChecks();
          // A person who has typed on leaves the field again.
          if (newest.current === text) setNote(noteOf(check, text, { country, language }));
        },
      }}
    />
  );
}

function countryOf({ form }: HTMLInputElement, { country }: CheckedFieldProps): string {
  if (country === undefined) return "";
  const field = form?.elements.namedItem(country.field);
  return (field instanceof HTMLSelectElement && field.value) || country.otherwise;
}

export const island = islandOf<CheckedFieldProps>({
  name: "checked-field",
  View: CheckedFieldView,
});
