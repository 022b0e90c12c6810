/** Finds the user whose records a person may see, for records that belong to users: hours and revenue. */
import { Problem } from "../../../domain/base/problem.ts";
import { seesAccount } from "../../../domain/base/visibility.ts";
import type { PersonReader } from "../../../platform/commands/context.ts";
import { findUser } from "../../access/people/queries.ts";

/** Returns the reference of a user: any for an admin, else only their own. Throws ROLE_FORBIDDEN, naming `what`. */
export async function requireOwn(cx: PersonReader, ref: string, what: string): Promise<string> {
  const { role, user_id } = cx.caller.person;
  if (seesAccount(role) || ref === user_id) return ref;
  const found = await findUser(cx, ref);
  if (found?.user.id === user_id) return user_id;
  throw new Problem("ROLE_FORBIDDEN", {
    message: `A standard user sees only their own ${what}; omit user, or use me.`,
  });
}
