/** A number field of a draft line. Its label is the name of its column; screen readers also hear to which line it belongs. */
import { useState } from "preact/hooks";
import { useReader } from "../frame/reader.ts";
import type { Refusal } from "../words/refusal.ts";
import type { TypedLine } from "./draft-typed.ts";
import { ReadAs } from "./read-as.tsx";

/** What the fields of a line share: the line, its refused values by field, and the change of it. */
export interface LineFields {
  readonly line: TypedLine;
  readonly index: number;
  readonly wrong: ReadonlyMap<string, Refusal>;
  set(next: Partial<TypedLine>): void;
}

interface Props extends Omit<LineFields, "set"> {
  readonly field: string;
  readonly place: "price" | "discount";
  readonly label: string;
  readonly value: string;
  /** What the field shows while nothing is typed. */
  readonly empty?: string;
  readonly placeholder?: string;
  /** Returns the text as the field shows it once it is left. */
  understood(typed: string): string;
  onTyped(typed: string): void;
}

export function Cell(props: Props) {
  const { line, index, wrong, field, place, label, value, empty = "", placeholder } = props;
  const { words } = useReader();
  const [is_cleared, setCleared] = useState(false);
  return (
    <label class={`field num ${place}`}>
      <span>{label}</span>
      <input
        class="input num"
        inputMode="decimal"
        maxLength={30}
        aria-label={`${label}, ${words.draft.line(index + 1)}`}
        {...(placeholder === undefined ? {} : { placeholder })}
        value={value === "" && !is_cleared ? empty : value}
        {...saidOf(line, field, wrong)}
        onInput={({ currentTarget }) => {
          setCleared(currentTarget.value === "");
          props.onTyped(currentTarget.value);
        }}
        onBlur={() => setCleared(false)}
      />
      <ReadAs typed={value} shown={props.understood(value)} />
    </label>
  );
}

/** Returns the attributes of a field whose value is refused. */
export function saidOf(line: TypedLine, field: string, wrong: LineFields["wrong"]) {
  if (!wrong.has(field)) return {};
  return { "aria-invalid": "true" as const, "aria-describedby": `fault-${line.key}-${field}` };
}
