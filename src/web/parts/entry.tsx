/** Form fields that show their fault next to the typed value. */
import type { VNode } from "preact";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";

interface LabelledProps {
  readonly label: string;
  readonly name: string;
  readonly faults: Faults;
  readonly hint?: string;
}

/** The attributes by which screen readers find the hint and the fault of a field. */
interface Said {
  readonly "aria-invalid"?: "true";
  readonly "aria-describedby"?: string;
}

/** A field with its label above it, its hint and its fault below. */
export function Labelled(props: LabelledProps & { readonly field: (said: Said) => VNode }) {
  const { label, name, faults, hint, field } = props;
  const { words } = useReader();
  const fault = faults.get(name);
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {field({
        ...(fault === undefined ? {} : { "aria-invalid": "true" }),
        ...(described === "" ? {} : { "aria-describedby": described }),
      })}
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

/** Shows a text field. `value` is the stored value, or the typed one when the form is shown again. */
export function Entry(
  props: LabelledProps & {
    readonly value: string;
    readonly most?: number;
    readonly is_required?: boolean;
    readonly type?: "text" | "email" | "tel" | "date";
  },
) {
  const { name, value, most = 255, is_required = false, type = "text" } = props;
  return (
    <Labelled
      {...props}
      field={(said) => (
        <input
          class="input"
          id={name}
          name={name}
          type={type as "text"}
          value={value}
          maxLength={most}
          autocomplete="off"
          required={is_required}
          {...said}
        />
      )}
    />
  );
}

/** Shows the faults of a form as a whole, above it: those of no field, and a note that fields below have faults. */
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
