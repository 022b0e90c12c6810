/** The fields of a connection to an accounting system, and why it refused. A secret is never part of the page. */
import type { Problem } from "../../domain/base/problem.ts";
import type { ConnectionSettings, Connector, ConnectorField } from "../../ledger/connector.ts";
import { useReader } from "../frame/reader.ts";
import type { Faults } from "../frame/submitted.ts";
import { Labelled } from "../parts/entry.tsx";
import type { TypedFields } from "../parts/fields.tsx";

/** Returns the values that were typed, by the names of the connector's fields; empty ones are left out. */
export function givenIn({ fields }: Connector, form: TypedFields): ConnectionSettings {
  return Object.fromEntries(
    fields.flatMap(({ name }) => {
      const value = form[name]?.trim() ?? "";
      return value === "" ? [] : [[name, value] as const];
    }),
  );
}

/** Shows the fields; those that few people need are folded, unless one of them was refused. */
export function ConnectionFields(props: {
  connector: Connector;
  typed: TypedFields;
  refused: Problem | null;
}) {
  const { connector, typed, refused } = props;
  const words = useReader().words.connection;
  const faults = faultsOf(refused);
  const isRare = ({ is_required, either }: ConnectorField) => !is_required && either === undefined;
  const rare = connector.fields.filter(isRare);
  const shown = (fields: readonly ConnectorField[]) =>
    fields.map((field) => <ConnectionField key={field.name} {...{ field, typed, faults }} />);
  return (
    <div class="fields">
      {shown(connector.fields.filter((field) => !isRare(field)))}
      {rare.length > 0 && (
        <details open={rare.some(({ name }) => faults.has(name) || Boolean(typed[name]))}>
          <summary>{words.rare}</summary>
          {shown(rare)}
        </details>
      )}
    </div>
  );
}

function ConnectionField(props: { field: ConnectorField; typed: TypedFields; faults: Faults }) {
  const { field, typed, faults } = props;
  const words = useReader().words.connection;
  const { name, is_secret, is_required, either } = field;
  const label = words.fields[name] ?? name;
  const hint = is_secret ? words.secret_hint : either === undefined ? undefined : words.either;
  return (
    <Labelled
      name={name}
      label={label}
      faults={faults}
      {...(hint === undefined
        ? {}
        : { hint: either === undefined ? hint : `${words.either} ${hint}` })}
      field={(said) => (
        <input
          class="input"
          id={name}
          name={name}
          type={(is_secret ? "password" : "text") as "text"}
          value={is_secret ? "" : (typed[name] ?? "")}
          maxLength={4000}
          autocomplete={is_secret ? "new-password" : "off"}
          required={is_required}
          {...said}
        />
      )}
    />
  );
}

function faultsOf(refused: Problem | null): Faults {
  return new Map((refused?.extras.field_errors ?? []).map((error) => [error.field, error]));
}

/** Shows why the connection was refused: the faults of the system's books each in words. */
export function ConnectionFaults({ refused }: { refused: Problem }) {
  const { words: all } = useReader();
  const words = all.connection;
  const { code, extras } = refused;
  const faults = (extras.details?.faults ?? []) as readonly {
    readonly code: string;
    readonly message: string;
  }[];
  const meaning = words.refusals[code] ?? all.see_fields;
  return (
    <div class="notice bad" role="alert">
      <p>{meaning}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault.message}>
              {words.faults[fault.code] ?? words.other_fault}{" "}
              <small lang="en">{fault.message}</small>
            </li>
          ))}
        </ul>
      )}
      {faults.length === 0 && code !== "VALIDATION_FAILED" && code !== "CONFIGURATION_LOCKED" && (
        <small lang="en">{refused.message}</small>
      )}
    </div>
  );
}
