/** A field with a fixed set of choices. */
import type { Faults } from "../frame/submitted.ts";
import { Labelled } from "./entry.tsx";

/** A choice: the value that is sent, and the text that is shown. */
export type SelectOption = readonly [value: string, text: string];

/** Shows the field. A stored value from another program that is not one of the choices stays as an additional choice. */
export function Select(props: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly faults: Faults;
}) {
  const { name, value, options } = props;
  const is_known = options.some(([known]) => known === value);
  const shown = is_known ? options : [...options, [value, value] as const];
  return (
    <Labelled
      {...props}
      field={(said) => (
        <select class="input" id={name} name={name} {...said}>
          {shown.map(([option, text]) => (
            <option value={option} selected={option === value}>
              {text}
            </option>
          ))}
        </select>
      )}
    />
  );
}
