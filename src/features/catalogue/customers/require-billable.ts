/** The requirements of invoices and series for the customer that they bill. */
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import type { CustomerRow } from "./present.ts";

/** Requires that the customer exists. Throws VALIDATION_FAILED with `unknown_reference`. */
export function requireKnown(customer: CustomerRow | undefined): asserts customer is CustomerRow {
  if (customer) return;
  throw invalidField("customer_id", "unknown_reference", "There is no such customer.");
}

/** Requires that the customer is active. Throws CUSTOMER_INACTIVE. */
export function requireActive(customer: CustomerRow): void {
  if (!customer.active) throw new Problem("CUSTOMER_INACTIVE");
}
