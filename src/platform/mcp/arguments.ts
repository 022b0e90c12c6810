/** What the arguments and results of tools have in common, as schemas, and what every reading tool says of itself. */
import * as z from "zod";
import type { Role } from "../../domain/user.ts";
import { views, viewsOf } from "../../domain/visibility.ts";
import { as, isRef, Ref, text } from "../http/schemas.ts";
import type { JsonText } from "../json.ts";
import type { PersonContext, Tool } from "./tool.ts";

/** Scope and annotations of a tool that reads. */
export const reading = {
  scope: "mcp:read",
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const satisfies Pick<Tool, "scope" | "annotations">;

export const pageArguments = {
  limit: z.int().min(1).max(100).default(25).describe("Rows of a page, 1 to 100."),
  cursor: text(1000, 1)
    .optional()
    .describe("next_cursor of the page before, with the same other arguments."),
};

/** The views that the role may choose from. */
export function scopeArgument(role: Role) {
  const [first, ...others] = viewsOf(role);
  const all = role === "admin" ? "; all: the whole account" : "";
  return z
    .enum([first, ...others])
    .default("mine")
    .describe(`mine, or the same as related: what the person is assigned to${all}.`);
}

/** A reference: an id, or `ext:` and an external id. */
export const Reference = Ref.describe("The id, or ext: and the external id.");

/** A user: `me`, an id, or `ext:` and an external id. */
export const UserReference = z
  .string()
  .refine(
    (value) => value === "me" || isRef(value),
    as("invalid_format", "A user is me, an id or ext:<external_id>."),
  )
  .overwrite((value) => (value === "me" || value.startsWith("ext:") ? value : value.toLowerCase()))
  .describe("me, a user's id, or ext: and the external id.");

export const searchArgument = text(255, 1)
  .optional()
  .describe("Only what has this text in it, whatever its case.");

/** A user argument as a reference that queries take. */
export function refOfUser(cx: PersonContext, user: string): string {
  return user === "me" ? cx.caller.person.user_id : user;
}

const page = { has_more: z.boolean(), next_cursor: z.string().nullable() };

/** What a list that has no views answers. */
export function pageOutput<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), ...page });
}

/** What a scoped list answers. */
export function scopedOutput<Item extends z.ZodType>(item: Item) {
  return z.object({
    view: z.enum(views),
    in_scope: z.int().describe("Rows of the view under these filters, on all pages."),
    beyond_scope: z.int().describe("Rows of the account under these filters outside the view."),
    data: z.array(item),
    ...page,
  });
}

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** The list that a query has written as text. */
export function pageFrom<Row>(text: JsonText): Page<Row> {
  const { data, has_more, next_cursor } = JSON.parse(text) as Page<Row>;
  return { data, has_more, next_cursor };
}
