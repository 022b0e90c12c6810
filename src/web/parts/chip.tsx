/** A filter of a list that acts when it is chosen; without scripts its form has a button. */
import { useReader } from "../frame/reader.ts";

export interface ChipOption {
  readonly value: string;
  readonly text: string;
}

/** Returns the class of a filter, which stands out while it filters. */
export function chipClass(is_on: boolean): string {
  return is_on ? "field chip on" : "field chip";
}

/** Shows a filter with one value of several; the first option stands for all. */
export function Chip(props: {
  name: string;
  label: string;
  /** The chosen value; undefined or empty for all. */
  chosen: string | undefined;
  options: readonly ChipOption[];
}) {
  const { name, label, chosen = "", options } = props;
  const { lists: words } = useReader().words;
  return (
    <label class={chipClass(chosen !== "")}>
      <span>{label}</span>
      <select class="input" name={name}>
        <option value="">{words.any}</option>
        {options.map(({ value, text }) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
