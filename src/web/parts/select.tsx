/** A field that is one of a few things. */
import type { Faults } from "../frame/submitted.ts";
import { Labelled } from "./entry.tsx";

/** A choice: what is sent, and what is shown. */
export type Option = readonly [value: string, text: string];

/** What stands in it and is none of the choices, because another program stored it, stays one more of them. */
export function Select(props: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly options: readonly Option[];
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
