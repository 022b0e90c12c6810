/** Form fields that show their fault next to the typed value. */
import type { TargetedEvent, VNode } from "preact";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";

interface LabelledProps {
  readonly label: string;
  readonly name: string;
  readonly faults: Faults;
  readonly hint?: string;
  /** What is wrong with the text, in words; shown in place of the refusal. */
  readonly note?: string | undefined;
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
  const refusal = faults.get(name);
  const fault = props.note ?? (refusal && words.refused(refusal));
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
          {fault}
        </span>
      )}
    </div>
  );
}

interface FieldEvents {
  onInput?(event: TargetedEvent<HTMLInputElement>): void;
  onBlur?(event: TargetedEvent<HTMLInputElement>): void;
  onFocus?(): void;
}

/** Shows a text field. `value` is the stored value, or the typed one when the form is shown again. */
export function Entry(
  props: LabelledProps & {
    readonly value: string;
    readonly most?: number;
    readonly is_required?: boolean;
    readonly type?: "text" | "email" | "tel" | "date";
    readonly more?: FieldEvents & { readonly list?: string };
  },
) {
  const { name, value, most = 255, is_required = false, type = "text", more } = props;
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
          {...more}
          {...said}
        />
      )}
    />
  );
}

/** A text field with a list of texts to choose from; other texts are allowed. Works without scripts. */
export function ListedEntry(
  props: Parameters<typeof Entry>[0] & { readonly listed: readonly string[] },
) {
  const { name, listed } = props;
  const id = `${name}-listed`;
  return (
    <>
      <Entry {...props} more={{ ...props.more, list: id }} />
      <datalist id={id}>
        {listed.map((text) => (
          <option value={text} />
        ))}
      </datalist>
    </>
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
