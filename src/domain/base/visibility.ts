/**
 * Decides which records a person sees (spec 8.1): `mine` and `related` are the records assigned to them and the
 * customers that they created, `all` is the whole account, for admins only. Machines always see the whole account.
 */
import { Problem } from "./problem.ts";
import type { Role } from "./user.ts";

export const views = ["mine", "related", "all"] as const;
export type View = (typeof views)[number];

/** The resources that have views. */
const viewedKinds = ["customer", "invoice", "credit_note", "recurring_series"] as const;
export type ViewedKind = (typeof viewedKinds)[number];

/** The views that a role may choose, the default first. */
export function viewsOf(role: Role): readonly [View, ...View[]] {
  return role === "admin" ? views : ["mine", "related"];
}

/** Throws ROLE_FORBIDDEN unless the role may use the view. */
export function requireView(role: Role, view: View): void {
  if (viewsOf(role).includes(view)) return;
  throw new Problem("ROLE_FORBIDDEN", {
    message: "Only an admin may see the whole account; use the scope mine.",
  });
}

/** Throws ROLE_FORBIDDEN, with the name of the resource, unless the role is admin. */
export function requireAdmin(role: Role, what: string): void {
  if (role === "admin") return;
  throw new Problem("ROLE_FORBIDDEN", { message: `Only an admin may see ${what}.` });
}

/** Whether the role may open single resources outside of the person's own. */
export function seesAccount(role: Role): boolean {
  return role === "admin";
}

/** The refusal for a resource outside the view, by its kind. */
export function outOfScope(kind: ViewedKind): Problem {
  const noun = { customer: "customer", invoice: "invoice", credit_note: "credit note" };
  const named = kind === "recurring_series" ? "series" : noun[kind];
  return new Problem("OUT_OF_SCOPE", {
    message: `This ${named} is outside your view: you are assigned to none of its lines. Ask an admin, or ask to be assigned.`,
  });
}

/** A warning for a document that its creator would not see, because none of its lines is assigned to them. */
export function unseenWarning(
  { role, user_id }: { readonly role: Role; readonly user_id: string },
  lines: readonly { readonly assignees: readonly { readonly user_id: string }[] }[],
): string[] {
  const is_assigned = lines.some(({ assignees }) =>
    assignees.some((assignee) => assignee.user_id === user_id),
  );
  if (seesAccount(role) || is_assigned) return [];
  return ["The person is assigned to none of its lines, so it will be outside their view."];
}

/** How many rows meet the filters: those in the view, and those of the account outside it. */
export interface InView {
  readonly view: View;
  readonly in_scope: number;
  readonly beyond_scope: number;
}

/** The first line of every result with a view. */
export function viewLine({ view, in_scope, beyond_scope }: InView): string {
  return `View: ${view}. In scope: ${in_scope}. Beyond scope: ${beyond_scope}.`;
}
