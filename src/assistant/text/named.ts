/** Customers and people as an assistant names them: converts a reference, or `me`, to an id. */
import { invalidField } from "../../domain/base/problem.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { findStored } from "../../platform/database/resources.ts";

/** Returns the customer's id. Throws VALIDATION_FAILED with `unknown_reference`. */
export async function customerIdOf(cx: PersonReader, ref: string): Promise<string> {
  const customer = await findStored(cx, "customers", ref);
  if (customer !== undefined) return customer.id;
  throw invalidField("customer", "unknown_reference", "There is no such customer.");
}

/** Returns the user's id; an id is not looked up again. Throws VALIDATION_FAILED. */
export async function userIdOf(cx: PersonReader, ref: string, field: string): Promise<string> {
  if (ref === "me") return cx.caller.person.user_id;
  if (!ref.startsWith("ext:")) return ref.toLowerCase();
  const user = await findStored(cx, "users", ref);
  if (user === undefined) throw invalidField(field, "unknown_reference", "There is no such user.");
  return user.id;
}
