/** Whose things a person may see, where these belong to users: hours and revenue. */
import { Problem } from "../../domain/base/problem.ts";
import { seesAccount } from "../../domain/base/visibility.ts";
import { findUser } from "../../features/people/queries.ts";
import { refOfUser } from "../protocol/arguments.ts";
import type { PersonReader } from "../protocol/tool.ts";

/**
 * The reference of a user whose things the person may see: anybody's for an admin, their own for a standard
 * user. Throws ROLE_FORBIDDEN, saying what is not theirs.
 */
export async function requireOwn(cx: PersonReader, user: string, what: string): Promise<string> {
  const { role, user_id } = cx.caller.person;
  const ref = refOfUser(cx, user);
  if (seesAccount(role) || ref === user_id) return ref;
  const found = await findUser(cx, ref);
  if (found?.user.id === user_id) return user_id;
  throw new Problem("ROLE_FORBIDDEN", {
    message: `A standard user sees only their own ${what}; leave user out, or use me.`,
  });
}
