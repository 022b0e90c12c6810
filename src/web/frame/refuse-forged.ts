/** Refuses what a standard user may not do: to a resource that they see it is forbidden, any other address does not exist. */
import { Problem } from "../../domain/base/problem.ts";
import type { ViewedKind } from "../../domain/base/visibility.ts";
import { requireInView } from "../../features/overview/views/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";

/** The kinds of resources by the folder of their pages. */
const KINDS: Readonly<Record<string, ViewedKind>> = {
  customers: "customer",
  invoices: "invoice",
  "credit-notes": "credit_note",
  retainers: "recurring_series",
};

/** Whether an address names a resource of which standard users see their own, as `/customers/:id/edit` does. */
export function namesViewed(path: string): boolean {
  const [, folder = "", id] = path.split("/");
  return id === ":id" && KINDS[folder] !== undefined;
}

/**
 * Refuses a page for admins to a standard user. Throws INSUFFICIENT_SCOPE where they see the resource that the address names,
 * otherwise NOT_FOUND.
 */
export async function refuseForged(cx: PersonReader, path: string, id: string): Promise<never> {
  const kind = KINDS[path.split("/")[1] ?? ""];
  if (kind === undefined || !namesViewed(path)) throw new Problem("NOT_FOUND");
  try {
    await requireInView(cx, kind, id);
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.code === "OUT_OF_SCOPE") throw new Problem("NOT_FOUND");
    throw thrown;
  }
  throw new Problem("INSUFFICIENT_SCOPE", { message: "Only an admin may do this." });
}
