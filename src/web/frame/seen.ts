/** Limits the resources on pages: admins see the account, others their assignments. All others seem not to exist. */
import { notFound, Problem } from "../../domain/base/problem.ts";
import type { ViewedKind } from "../../domain/base/visibility.ts";
import {
  requireInView,
  viewConditions,
  viewOfRole,
} from "../../features/overview/views/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import type { Condition } from "../../platform/database/page.ts";
import type { PageRequest } from "./page.tsx";

/** Returns the conditions with which a list of the kind shows only the resources that the person sees. */
export function seenBy(cx: PersonReader, kind: ViewedKind): readonly Condition[] {
  return viewConditions(cx, kind, viewOfRole(cx));
}

/** Whether the person's role lets them see the resource with the id. For admins, the resource may still be absent. */
export async function isSeen(cx: PersonReader, kind: ViewedKind, id: string): Promise<boolean> {
  try {
    await requireInView(cx, kind, id);
    return true;
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.code === "OUT_OF_SCOPE") return false;
    throw thrown;
  }
}

/** Returns when the person's role lets them see the resource. Throws NOT_FOUND. */
export async function requireSeen(cx: PersonReader, kind: ViewedKind, id: string): Promise<void> {
  if (!(await isSeen(cx, kind, id))) throw notFound(kind, id);
}

/** Wraps a page of the resource that its address names. Throws NOT_FOUND for a person who does not see it. */
export function ofSeen<Answer>(
  kind: ViewedKind,
  answer: (request: PageRequest) => Promise<Answer>,
): (request: PageRequest) => Promise<Answer> {
  return async (request) => {
    const { cx, id } = request;
    await requireSeen(cx, kind, id);
    return answer(request);
  };
}

/** Whether the person may use the pages and actions for admins. */
export function isAdmin({ caller }: PersonReader): boolean {
  return caller.person.role === "admin";
}

/** Returns the address of a booked document's entry, for an admin of an account whose books Matchbook keeps; nothing for others. */
export function toEntry(cx: PersonReader, document_id: string): { readonly href?: string } {
  if (!isAdmin(cx) || !cx.ledger?.transactional) return {};
  return { href: `/ledger/entries/${document_id}` };
}
