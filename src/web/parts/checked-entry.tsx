/** A checked field in a form of the server, with the note on the value that it shows. */
import { Island } from "../frame/island.tsx";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { type CheckedFieldProps, island as checkedField } from "./checked-field.tsx";
import { noteOf } from "./field-checks.ts";

export function CheckedField(
  props: Omit<CheckedFieldProps, "refusal" | "note"> & { readonly faults: Faults },
) {
  const { faults, ...shown } = props;
  const { language } = useReader();
  const country = shown.country?.otherwise ?? "";
  const note = noteOf(shown.check, shown.value, { country, language });
  const refusal = faults.get(shown.name) ?? null;
  return <Island of={checkedField} with={{ ...shown, refusal, note }} />;
}
