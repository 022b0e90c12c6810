/** People as an assistant names them: `me`, a user's id, or `ext:` and their external id. */
import { invalidField } from "../../domain/problem.ts";
import { findStored } from "../../platform/database/resources.ts";
import type { PersonContext } from "../../platform/mcp/tool.ts";

/** The user's id; what is an id already is not looked up. Throws VALIDATION_FAILED. */
export async function userIdOf(cx: PersonContext, ref: string, field: string): Promise<string> {
  if (ref === "me") return cx.caller.person.user_id;
  if (!ref.startsWith("ext:")) return ref.toLowerCase();
  const user = await findStored(cx.db, "users", cx.caller.account_id, ref);
  if (user === undefined) throw invalidField(field, "unknown_reference", "There is no such user.");
  return user.id;
}
