/** The fields of a form about one resource, with its values and faults. */
import type { ComponentChildren } from "preact";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { Entry } from "./entry.tsx";
import { Select, type SelectOption } from "./select.tsx";

/** The values of fields by name: the stored ones, or those typed when the form is shown again. */
export type TypedFields = Readonly<Record<string, string | undefined>>;

/** Returns functions that render a field by its name. `most` is the number of characters; the field `name` is required. */
export function fieldsOf(typed: TypedFields, faults: Faults) {
  return {
    entry: (
      name: string,
      label: string,
      more: { hint?: string; most?: number; type?: "email" | "tel" } = {},
    ) => (
      <Entry
        name={name}
        label={label}
        value={typed[name] ?? ""}
        faults={faults}
        is_required={name === "name"}
        {...more}
      />
    ),
    select: (name: string, label: string, options: readonly SelectOption[]) => (
      <Select
        name={name}
        label={label}
        value={typed[name] ?? ""}
        options={options}
        faults={faults}
      />
    ),
  };
}

/** Shows fields that are rarely needed, folded. They are open from the start if one has a value or a fault. */
export function RareFields(props: {
  readonly names: readonly string[];
  readonly typed: TypedFields;
  readonly faults: Faults;
  readonly children: ComponentChildren;
}) {
  const { names, typed, faults, children } = props;
  const { more } = useReader().words.entries;
  const is_open = names.some((name) => (typed[name] ?? "") !== "" || faults.has(name));
  return (
    <details class="rare-fields" open={is_open}>
      <summary>{more}</summary>
      <div class="fields">{children}</div>
    </details>
  );
}
