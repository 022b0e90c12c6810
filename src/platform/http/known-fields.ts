/**
 * The fields that a request may contain, read from the schemas: fields that the request can set, and fields of the resource as
 * the API returns it, which a client may send back unchanged and which have no effect. All other fields are refused (spec 11.5),
 * because a misspelled field would otherwise be ignored silently.
 */
import * as z from "zod";
import { nearestName } from "../../domain/base/nearest-name.ts";
import type { FieldError } from "../../domain/base/problem.ts";
import { itemOfList } from "./csv.ts";
import { pathText } from "./problems.ts";

/** The field names that a schema defines, at every level. */
export interface KnownFields {
  /** The names with their own fields; null when the schema describes no object. */
  readonly fields: ReadonlyMap<string, KnownFields> | null;
  /** The items of an array; null when the schema describes no array. */
  readonly items: KnownFields | null;
  /** Whether the object may have any name. */
  readonly open: boolean;
}

/** A field or parameter that does not exist. */
interface Stranger {
  readonly path: readonly (string | number)[];
  /** The names that can be set in the same object. */
  readonly settable: KnownFields["fields"];
}

export const nothingKnown: KnownFields = { fields: null, items: null, open: false };

const anything: KnownFields = { fields: null, items: null, open: true };

/** Many routes and tools share schemas, and each is read once. */
const read_schemas = new WeakMap<z.core.$ZodType, KnownFields>();

/** Returns the names that a schema knows; of alternatives, the names of all of them. */
export function knownOf(schema: z.core.$ZodType | undefined): KnownFields {
  if (schema === undefined) return nothingKnown;
  const known = read_schemas.get(schema) ?? readSchema(schema);
  read_schemas.set(schema, known);
  return known;
}

function readSchema(schema: z.core.$ZodType): KnownFields {
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
    return { ...nothingKnown, fields: new Map(fields.map(([name, of]) => [name, knownOf(of)])) };
  }
  if (schema instanceof z.ZodArray) return { ...nothingKnown, items: knownOf(schema.element) };
  if (schema instanceof z.ZodUnion) return allOf(schema.options.map(knownOf));
  if (schema instanceof z.ZodPipe) return allOf([knownOf(schema.in), knownOf(schema.out)]);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly
  ) {
    return knownOf(schema.unwrap());
  }
  const is_open =
    schema instanceof z.ZodRecord || schema instanceof z.ZodUnknown || schema instanceof z.ZodAny;
  return is_open ? anything : nothingKnown;
}

/** Combines the names that at least one of the parts knows. */
export function allOf(parts: readonly KnownFields[]): KnownFields {
  return parts.reduce(
    (one, other) => ({
      fields: merged(one.fields, other.fields),
      items:
        one.items && other.items ? allOf([one.items, other.items]) : (one.items ?? other.items),
      open: one.open || other.open,
    }),
    nothingKnown,
  );
}

function merged(one: KnownFields["fields"], other: KnownFields["fields"]): KnownFields["fields"] {
  if (one === null || other === null) return one ?? other;
  const all = new Map(one);
  for (const [name, known] of other) {
    const present = all.get(name);
    all.set(name, present ? allOf([present, known]) : known);
  }
  return all;
}

/** Returns every field of a value that can neither be set nor belongs to the resource as the API returns it. */
export function unknownFieldsIn(
  value: unknown,
  writable: KnownFields,
  answered: KnownFields,
  path: readonly (string | number)[] = [],
): Stranger[] {
  if (Array.isArray(value)) {
    const [inside, shown] = [writable.items, answered.items];
    if (inside === null && shown === null) return [];
    return value.flatMap((item, index) =>
      unknownFieldsIn(item, inside ?? nothingKnown, shown ?? nothingKnown, [...path, index]),
    );
  }
  if (typeof value !== "object" || value === null) return [];
  // A value of another type than the schema's gets a separate error, or none where the client only sends it back.
  if (writable.open || answered.open || (writable.fields ?? answered.fields) === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const [settable, shown] = [writable.fields?.get(name), answered.fields?.get(name)];
    const here = [...path, name];
    if (settable === undefined && shown === undefined) {
      return [{ path: here, settable: writable.fields }];
    }
    return unknownFieldsIn(inner, settable ?? nothingKnown, shown ?? nothingKnown, here);
  });
}

/** Returns the field error about an unknown name, with the most similar known name. */
export function strangerError(
  code: "unknown_field" | "unknown_parameter",
  { path, settable }: Stranger,
): FieldError {
  const what = code === "unknown_parameter" ? "parameter" : "field";
  const nearest = nearestName(String(path.at(-1)), settable?.keys() ?? []);
  const hint = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  return { ...unknownField(path), code, message: `There is no such ${what}.${hint}` };
}

/** Returns the field error about a field that does not exist, without a suggestion. */
export function unknownField(path: readonly (string | number)[]): FieldError {
  const field = pathText(path.map(shortened));
  return { field, code: "unknown_field", message: "There is no such field." };
}

/** The longest name that an error repeats: none of our names is longer. */
const MOST_NAME = 64;

function shortened(key: string | number): string | number {
  return typeof key === "string" ? key.slice(0, MOST_NAME) : key;
}

/** The fields of the API's resources as the API returns them, by the value of their field `object`. */
export type Answered = ReadonlyMap<string, KnownFields>;

/** Collects the fields from the schemas of all replies: a resource is the same in every reply that contains it. */
export function answeredOf(replies: readonly z.core.$ZodType[]): Answered {
  const parts = new Map<string, KnownFields>();
  for (const reply of replies) {
    const item = itemOfList(reply) ?? reply;
    const name = objectOf(item);
    if (name !== undefined) {
      parts.set(name, allOf([parts.get(name) ?? nothingKnown, knownOf(item)]));
    }
  }
  return parts;
}

/** Returns the fixed value of a resource's field `object`: `invoice`. */
export function objectOf(schema: unknown): string | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined;
  const { object } = schema.shape as Record<string, unknown>;
  return object instanceof z.ZodLiteral ? String(object.value) : undefined;
}
