/**
 * A field of a form that is checked when it is left: check digits, and prices, which it then shows as they were understood.
 * Without scripts it is a text field with the note on its stored value.
 */
import { useState } from "preact/hooks";
import type { IslandOf } from "../browser/island.ts";
import { Island } from "../frame/island.tsx";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import type { Refusal } from "../words/refusal.ts";
import { Entry } from "./entry.tsx";
import { type FieldCheck, noteOf, understoodAs } from "./field-checks.ts";

interface CheckedFieldProps {
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
}

function CheckedFieldView(props: CheckedFieldProps) {
  const { name, label, check, hint, most, refusal } = props;
  const { words, language } = useReader();
  const [typed, setTyped] = useState(props.value);
  const [left, setLeft] = useState<Left | null>({
    text: props.value,
    country: props.country?.otherwise ?? "",
  });
  const note = left === null ? null : noteOf(check, left.text, { country: left.country, language });
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
        onInput: ({ currentTarget }) => {
          setTyped(currentTarget.value);
          setLeft(null);
        },
        onBlur: ({ currentTarget }) => {
          const text = understoodAs(check, currentTarget.value, language);
          setTyped(text);
          setLeft({ text, country: countryOf(currentTarget, props) });
        },
      }}
    />
  );
}

/** The text of the field when it was left, with the country of the form at that time. */
interface Left {
  readonly text: string;
  readonly country: string;
}

function countryOf({ form }: HTMLInputElement, { country }: CheckedFieldProps): string {
  if (country === undefined) return "";
  const field = form?.elements.namedItem(country.field);
  return (field instanceof HTMLSelectElement && field.value) || country.otherwise;
}

export const island: IslandOf<CheckedFieldProps> = {
  name: "checked-field",
  View: CheckedFieldView,
};

/** Shows a checked field in a form of the server. */
export function CheckedField(
  props: Omit<CheckedFieldProps, "refusal"> & { readonly faults: Faults },
) {
  const { faults, ...shown } = props;
  return <Island of={island} with={{ ...shown, refusal: faults.get(props.name) ?? null }} />;
}
