/**
 * What a person sees on pages: admins the account, others what they are assigned to.
 * Everything else is absent, as if it did not exist.
 */
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

/** The conditions with which a list of the kind shows only what the person sees. */
export function seenBy(cx: PersonReader, kind: ViewedKind): readonly Condition[] {
  return viewConditions(cx, kind, viewOfRole(cx));
}

/** Whether the person's role lets them see the resource with the id. For admins it may still be absent. */
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

/** Whether the person may do what only admins do on pages. */
export function isAdmin({ caller }: PersonReader): boolean {
  return caller.person.role === "admin";
}
