/** Schemas that the arguments and results of tools share, and the annotations of all reading tools. */
import * as z from "zod";
import type { Role } from "../../domain/base/user.ts";
import { views, viewsOf } from "../../domain/base/visibility.ts";
import { AskedDeliveries } from "../../features/documents/issued/find-documents.ts";
import { deliveryStates } from "../../features/documents/issued/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { UUID } from "../../platform/database/page.ts";
import { pathText } from "../../platform/http/problems.ts";
import { isRef, text } from "../../platform/http/schemas.ts";
import type { Tool } from "./tool.ts";
import { anywhereIn, innerOf } from "./walk-schema.ts";

/** Scope and annotations of a tool that reads. */
export const reading = {
  scope: "mcp:read",
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const satisfies Pick<Tool, "scope" | "annotations">;

export const pageArguments = {
  limit: z.int().min(1).max(100).default(25),
  cursor: text(1000, 1).optional().describe("next_cursor of the previous page."),
};

/** Returns the schema for the views from which the role may choose. */
export function scopeArgument(role: Role) {
  const [first, ...others] = viewsOf(role);
  const all = role === "admin" ? "; all: the whole account" : "";
  return z
    .enum([first, ...others])
    .default("mine")
    .describe(`mine, or the same as related: what the person is assigned to${all}.`);
}

/** The kinds of resources that a reference may name. */
export type NamedKind = "customer" | "product" | "user" | "invoice" | "credit_note" | "series";

const kinds = new WeakMap<object, NamedKind>();

/** Users that are not one person: a tool takes `all` where it says so. */
const takes_all = new WeakSet<object>();

/** The forms of a reference, by kind. */
export const FORMS: Readonly<Record<NamedKind, string>> = {
  customer: "Id, ext:<external_id>, or a unique name.",
  product: "Id, ext:<external_id>, product number, or a unique name.",
  user: "me, id, ext:<external_id>, or a unique name.",
  invoice: "Id, ext:<external_id>, or number.",
  credit_note: "Id, ext:<external_id>, or number.",
  series: "Id, ext:<external_id>, or the name of a customer with no other series.",
};

/**
 * A reference to one resource as people write it: the id, `ext:` and the external id, or a name. When the tool is called, a name
 * is already replaced by the id (`withoutNames`); for a user, `me` stays.
 */
export function reference(kind: NamedKind, description?: string) {
  const schema = text(255, 1)
    .overwrite((value) => (isRef(value) && !value.startsWith("ext:") ? value.toLowerCase() : value))
    .describe([description, FORMS[kind]].filter(Boolean).join(" "));
  kinds.set(schema, kind);
  return schema;
}

/** A reference to a user, or `all` for every user. */
export function userOrAll(description?: string) {
  const schema = reference("user", description);
  takes_all.add(schema);
  return schema;
}

/** Finds the id of a named resource. Throws VALIDATION_FAILED for the field when no resource or several have the name. */
export type FindNamed = (
  cx: PersonReader,
  kind: NamedKind,
  name: string,
  field: string,
) => Promise<string>;

/** Replaces names in the arguments by ids, at any depth; looks up each name once. Throws what `find` throws. */
export function withoutNames(
  cx: PersonReader,
  schema: z.ZodType,
  value: unknown,
  find: FindNamed,
): Promise<unknown> {
  const known = new Map<string, string>();
  return replaced(schema, value, [], async (kind, name, field) => {
    const key = `${kind} ${name}`;
    const id = known.get(key) ?? (await find(cx, kind, name, field));
    known.set(key, id);
    return id;
  });
}

async function replaced(
  schema: z.ZodType,
  value: unknown,
  path: readonly PropertyKey[],
  find: (kind: NamedKind, name: string, field: string) => Promise<string>,
): Promise<unknown> {
  if (value === undefined || value === null) return value;
  const kind = kinds.get(schema);
  if (kind !== undefined) {
    const is_word =
      (kind === "user" && value === "me") || (takes_all.has(schema) && value === "all");
    const is_ref = typeof value !== "string" || isRef(value) || is_word;
    return is_ref ? value : find(kind, value, pathText(path));
  }
  const inner = innerOf(schema);
  if (inner !== undefined) return replaced(inner, value, path, find);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const found: unknown[] = [];
    for (const [index, one] of value.entries()) {
      const item = schema.element as z.ZodType;
      found.push(await replaced(item, one, [...path, index], find));
    }
    return found;
  }
  if (!(schema instanceof z.ZodObject)) return value;
  const found: Record<string, unknown> = { ...(value as object) };
  for (const [key, field] of Object.entries(schema.shape)) {
    if (found[key] !== undefined && maySpeakOf(field as z.ZodType)) {
      found[key] = await replaced(field as z.ZodType, found[key], [...path, key], find);
    }
  }
  return found;
}

/** Whether every reference among the arguments is an id, which needs no lookup. */
export function hasIdsAlone(
  { shape }: z.ZodObject,
  values: Readonly<Record<string, unknown>>,
): boolean {
  for (const key in shape) {
    const value = values[key];
    if (value === undefined || !maySpeakOf(shape[key] as z.ZodType)) continue;
    if (typeof value !== "string" || !UUID.test(value)) return false;
  }
  return true;
}

/** Whether a schema contains a reference, at any depth. Most arguments contain none. */
const maySpeakOf = anywhereIn((schema) => kinds.has(schema));

export const searchArgument = text(255, 1)
  .optional()
  .describe("Only resources that contain this text, case-insensitive.");

/** Returns a user argument as a reference that queries accept. */
export function refOfUser(cx: PersonReader, user: string): string {
  return user === "me" ? cx.caller.person.user_id : user;
}

const page = { has_more: z.boolean(), next_cursor: z.string().nullable() };

/** Returns the result schema of a list without views. */
export function pageOutput<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), ...page });
}

/** The sums of a list of documents. */
export const sumsOutput = {
  sums: z
    .array(z.object({ currency: z.string(), count: z.int(), net: z.number() }))
    .describe("Of issued documents, on all pages."),
};

/** The argument of lists of documents that filters by the last delivery. */
export const deliveryArgument = AskedDeliveries.optional().describe(
  `State of the last delivery, several with commas: ${deliveryStates.join(", ")}, or none.`,
);

/** Returns the result schema of a list with views. */
export function scopedOutput<Item extends z.ZodType>(item: Item) {
  return z.object({
    view: z.enum(views),
    in_scope: z.int().describe("Rows of the view under these filters, on all pages."),
    beyond_scope: z
      .int()
      .describe(
        "Rows of the account outside the view under these filters, without the search text.",
      ),
    data: z.array(item),
    ...page,
  });
}
