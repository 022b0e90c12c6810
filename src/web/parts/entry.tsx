/** Fields of forms that say what is wrong with them, beside what was typed. */
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";

interface EntryProps {
  readonly label: string;
  readonly name: string;
  /** What stands in it: as stored, or as it was typed when the form is shown again. */
  readonly value: string;
  readonly faults: Faults;
  readonly hint?: string;
  readonly most?: number;
  readonly is_required?: boolean;
}

export function Entry(props: EntryProps & { readonly type?: "text" | "email" | "tel" | "date" }) {
  const { label, name, value, faults, hint, most, is_required, type } = props;
  const { words } = useReader();
  const fault = faults.get(name);
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        class="input"
        id={name}
        name={name}
        type={(type ?? "text") as "text"}
        value={value}
        maxLength={most ?? 255}
        autocomplete="off"
        required={is_required ?? false}
        {...(fault === undefined ? {} : { "aria-invalid": "true" as const })}
        {...(described === "" ? {} : { "aria-describedby": described })}
      />
      {hint !== undefined && (
        <span class="tiny quiet" id={`${name}-hint`}>
          {hint}
        </span>
      )}
      {fault !== undefined && (
        <span class="fault" id={`${name}-fault`}>
          {words.refused(fault)}
        </span>
      )}
    </div>
  );
}

/** What is wrong with a form as a whole, above it: what no field of it is to blame for, and that there are faults below. */
export function FormFaults({ faults, words }: { faults: Faults; words: string }) {
  const { words: said } = useReader();
  if (faults.size === 0) return null;
  const fault = faults.get("");
  return (
    <div class="notice bad" role="alert">
      {fault === undefined ? words : said.refused(fault)}
    </div>
  );
}
