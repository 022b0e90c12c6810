/** Looks into the schemas of arguments: what a schema wraps, and whether something is anywhere in it. */
import * as z from "zod";

/** Returns the schema that an optional, nullable or defaulted one wraps; undefined for another. */
export function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return wraps ? (schema.unwrap() as z.ZodType) : undefined;
}

/** Returns a function that says whether a schema, or one in it at any depth, is wanted. It looks into each schema once. */
export function anywhereIn(
  isWanted: (schema: z.ZodType) => boolean,
): (schema: z.ZodType) => boolean {
  const known = new WeakMap<object, boolean>();
  const contains = (schema: z.ZodType): boolean => {
    const found = known.get(schema) ?? lookInto(schema);
    known.set(schema, found);
    return found;
  };
  const lookInto = (schema: z.ZodType): boolean => {
    if (isWanted(schema)) return true;
    const inner = innerOf(schema);
    if (inner !== undefined) return contains(inner);
    if (schema instanceof z.ZodArray) return contains(schema.element as z.ZodType);
    if (!(schema instanceof z.ZodObject)) return false;
    return Object.values(schema.shape).some((field) => contains(field as z.ZodType));
  };
  return contains;
}
