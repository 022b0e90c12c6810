/** Refuses invalid arguments with the fault of each and its right form, read from the listed schema of the tool. */
import { MOST_FIELD_ERRORS } from "../../domain/base/field-errors.ts";
import { nearestName } from "../../domain/base/nearest-name.ts";
import { type FieldError, Problem } from "../../domain/base/problem.ts";
import { pathFrom } from "../../platform/http/schemas.ts";
import { DAY_FORM, type ListedSchema } from "./listed-schema.ts";

type Json = Readonly<Record<string, unknown>>;

/** Returns VALIDATION_FAILED with the first hundred faults, in terms of the tool's own schema, and the number of all faults. */
export function invalidArguments(
  name: string,
  schema: ListedSchema,
  faults: readonly FieldError[],
): Problem {
  // The right form is looked up only for the faults that are shown.
  const field_errors = faults.slice(0, MOST_FIELD_ERRORS).map((fault): FieldError => {
    const path = pathFrom(fault.field);
    const at = schemaAt(schema, path);
    const right = at === undefined ? namesAt(schema, path) : `Right: ${formOf(at)}.`;
    return { ...fault, message: `${fault.message} ${right}` };
  });
  const message = `The arguments of ${name} are not valid; nothing was done.`;
  return new Problem("VALIDATION_FAILED", {
    message,
    field_errors,
    field_errors_total: faults.length,
  });
}

/** Returns the known names of the object that contains an unknown argument. */
function namesAt(schema: Json, path: readonly (string | number)[]): string {
  const names = Object.keys(propertiesOf(schemaAt(schema, path.slice(0, -1))));
  const nearest = nearestName(String(path.at(-1)), names);
  const hint = nearest === undefined ? "" : `Did you mean ${nearest}? `;
  return `${hint}It takes ${names.length === 0 ? "nothing" : names.join(", ")}.`;
}

/** Returns the part of a schema to which a path leads; undefined where the schema has no such part. */
function schemaAt(schema: Json, path: readonly PropertyKey[]): Json | undefined {
  let at: Json | undefined = schema;
  for (const key of path) {
    if (at === undefined) return undefined;
    const inner: Json = choicesOf(at).find((one) => one.type !== "null") ?? at;
    at = typeof key === "number" ? (inner.items as Json) : propertiesOf(inner)[String(key)];
  }
  return at;
}

function propertiesOf(schema: Json | undefined): Readonly<Record<string, Json>> {
  return (schema?.properties ?? {}) as Readonly<Record<string, Json>>;
}

const choicesOf = ({ anyOf }: Json): readonly Json[] => (anyOf ?? []) as readonly Json[];

/** Describes the form of a value of the schema: `a whole number from 1 to 100 (Rows of a page.)`. */
function formOf(schema: Json): string {
  const { description } = schema;
  const note = typeof description === "string" ? ` (${description.replace(/\.$/, "")})` : "";
  return `${bareFormOf(schema)}${note}`;
}

function bareFormOf(schema: Json): string {
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map(bareFormOf).join(", or ");
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(", ")}`;
  switch (schema.type) {
    case "null":
      return "null";
    case "boolean":
      return "true or false";
    case "integer":
      return `a whole number${rangeOf(schema)}`;
    case "number":
      return `a number${rangeOf(schema)}`;
    case "array":
      return `a list, each ${bareFormOf((schema.items ?? {}) as Json)}`;
    case "object":
      return objectForm(schema);
    default:
      return String(schema.description).includes(DAY_FORM) ? "a day such as 2026-03-31" : "a text";
  }
}

function rangeOf({ minimum, maximum }: Json): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

function objectForm(schema: Json): string {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const names = Object.keys(propertiesOf(schema));
  const [needed, free] = [
    names.filter((name) => required.has(name)),
    names.filter((name) => !required.has(name)),
  ];
  const parts = [
    ...(needed.length > 0 ? [needed.join(", ")] : []),
    ...(free.length > 0 ? [`optionally ${free.join(", ")}`] : []),
  ];
  return `an object with ${parts.join(" and ")}`;
}
