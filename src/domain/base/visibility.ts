/**
 * What a person sees of their account (spec 8.1): `mine` is what they are assigned to and the customers that they made,
 * `related` the same, and `all` the account, which only admins may see. Machines are not concerned: they see the account.
 */
import { Problem } from "./problem.ts";
import type { Role } from "./user.ts";

export const views = ["mine", "related", "all"] as const;
export type View = (typeof views)[number];

/** What a view may be asked of. */
const viewedKinds = ["customer", "invoice", "credit_note", "recurring_series"] as const;
export type ViewedKind = (typeof viewedKinds)[number];

/** The views that a role may choose from, the default first. */
export function viewsOf(role: Role): readonly [View, ...View[]] {
  return role === "admin" ? views : ["mine", "related"];
}

/** Returns when the role may use the view. Throws ROLE_FORBIDDEN. */
export function requireView(role: Role, view: View): void {
  if (viewsOf(role).includes(view)) return;
  throw new Problem("ROLE_FORBIDDEN", {
    message: "Only an admin may see the whole account; use the scope mine.",
  });
}

/** Returns for an admin. Throws ROLE_FORBIDDEN, saying what is the admins' own. */
export function requireAdmin(role: Role, what: string): void {
  if (role === "admin") return;
  throw new Problem("ROLE_FORBIDDEN", { message: `Only an admin may see ${what}.` });
}

/** Whether single resources outside of the person's own are open to the role. */
export function seesAccount(role: Role): boolean {
  return role === "admin";
}

/** The refusal of a resource outside the view, by its kind. */
export function outOfScope(kind: ViewedKind): Problem {
  const noun = { customer: "customer", invoice: "invoice", credit_note: "credit note" };
  const named = kind === "recurring_series" ? "series" : noun[kind];
  return new Problem("OUT_OF_SCOPE", {
    message: `This ${named} is outside your view: you are assigned to none of its lines. Ask an admin, or ask to be assigned.`,
  });
}

/** Warns of a document that the person who makes it would not see, because none of its lines is theirs. */
export function unseenWarning(
  { role, user_id }: { readonly role: Role; readonly user_id: string },
  lines: readonly { readonly assignees: readonly { readonly user_id: string }[] }[],
): string[] {
  const is_theirs = lines.some(({ assignees }) =>
    assignees.some((assignee) => assignee.user_id === user_id),
  );
  if (seesAccount(role) || is_theirs) return [];
  return ["The person is assigned to none of its lines, so it will be outside of their view."];
}

/** How many rows meet the filters: those of the view, and those of the account that are not in it. */
export interface InView {
  readonly view: View;
  readonly in_scope: number;
  readonly beyond_scope: number;
}

/** The line with which every scoped result opens. */
export function viewLine({ view, in_scope, beyond_scope }: InView): string {
  return `View: ${view}. In scope: ${in_scope}. Beyond scope: ${beyond_scope}.`;
}
