/**
 * Rows of lists as data: what their text shows, in the same order. The tools that begin with `get_` show whole resources. A list
 * that repeated them would be several times as long as its text.
 */
import * as z from "zod";
import { deliveryStates } from "../../features/documents/issued/schemas.ts";

/** The state of a document's last delivery as lists show it; absent for a draft. */
export const DeliveryShown = {
  delivery_state: z.enum([...deliveryStates, "none"]).optional(),
};

/** The rows of a list: their schema, and how a row is made of a resource. */
interface ListedRow<Field extends string> {
  readonly schema: z.ZodObject;
  /** Returns the fields that have a value. */
  of(resource: { readonly [Name in Field]?: unknown }): Readonly<Record<string, unknown>>;
}

/** Returns the rows of a list with some fields of a resource, in the order of the columns of its text. */
export function listedRow<Shape extends z.ZodRawShape, Field extends keyof Shape & string>(
  resource: z.ZodObject<Shape>,
  fields: readonly Field[],
): ListedRow<Field> {
  const shape = fields.map((field) => {
    const schema = resource.shape[field] as unknown as z.ZodType;
    return [field, mayBeAbsent(schema) ? schema.optional() : schema] as const;
  });
  return {
    schema: z.object(Object.fromEntries(shape)),
    of: (row) =>
      Object.fromEntries(
        fields.filter((field) => hasValue(row[field])).map((field) => [field, row[field]]),
      ),
  };
}

function mayBeAbsent(schema: z.ZodType): boolean {
  return [null, undefined, []].some((value) => schema.safeParse(value).success);
}

function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}
