/** What a person sees on pages: admins the account, others what they are assigned to. The rest is as absent as what never was. */
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

/** What a list of the kind takes to show what the person sees. */
export function seenBy(cx: PersonReader, kind: ViewedKind): readonly Condition[] {
  return viewConditions(cx, kind, viewOfRole(cx));
}

/** Whether the person sees the thing of an id, as far as their role goes: for admins it may still be absent. */
export async function isSeen(cx: PersonReader, kind: ViewedKind, id: string): Promise<boolean> {
  try {
    await requireInView(cx, kind, id);
    return true;
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.code === "OUT_OF_SCOPE") return false;
    throw thrown;
  }
}

/** Returns when the person sees the thing, as far as their role goes. Throws NOT_FOUND. */
export async function requireSeen(cx: PersonReader, kind: ViewedKind, id: string): Promise<void> {
  if (!(await isSeen(cx, kind, id))) throw notFound(kind, id);
}

/** Does something with what a page names. Throws NOT_FOUND for who does not see it. */
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

/** Whether the person may do what admins alone do on pages. */
export function isAdmin({ caller }: PersonReader): boolean {
  return caller.person.role === "admin";
}
