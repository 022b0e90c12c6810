/** Customers as an assistant names them in a document. */
import { invalidField } from "../../domain/problem.ts";
import { findStored } from "../../platform/database/resources.ts";
import type { PersonContext } from "../../platform/mcp/tool.ts";

/** The customer's id. Throws VALIDATION_FAILED with `unknown_reference`. */
export async function customerIdOf(cx: PersonContext, ref: string): Promise<string> {
  const customer = await findStored(cx.db, "customers", cx.caller.account_id, ref);
  if (customer !== undefined) return customer.id;
  throw invalidField("customer", "unknown_reference", "There is no such customer.");
}
