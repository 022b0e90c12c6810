/** A field that is one of a few things. */
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";

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
  const { label, name, value, options, faults } = props;
  const { words } = useReader();
  const fault = faults.get(name);
  const is_known = options.some(([known]) => known === value);
  const shown = is_known ? options : [...options, [value, value] as const];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select
        class="input"
        id={name}
        name={name}
        {...(fault === undefined
          ? {}
          : { "aria-invalid": "true" as const, "aria-describedby": `${name}-fault` })}
      >
        {shown.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
      {fault !== undefined && (
        <span class="fault" id={`${name}-fault`}>
          {words.refused(fault)}
        </span>
      )}
    </div>
  );
}
