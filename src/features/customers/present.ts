/** A customer as the API shows it. The text is stored with the row and passed on as it is. */
import { warningsOfCustomer } from "../../domain/warning.ts";
import { type JsonText, jsonText } from "../../platform/json.ts";
import type { CustomerRow } from "./queries.ts";
import { CustomerResource } from "./schemas.ts";

export function presentCustomer(row: CustomerRow): JsonText {
  const { active: _, ...fields } = row;
  const warnings = warningsOfCustomer(row);
  return jsonText(
    CustomerResource.parse({
      object: "customer",
      ...fields,
      ...(warnings.length === 0 ? {} : { warnings }),
    }),
  );
}
