/** A customer as the API shows it. The text is stored with the row and passed on unchanged. */
import { printedOf } from "../../../domain/sales/printed.ts";
import { warningsOfCustomer } from "../../../domain/sales/warning.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { CustomerResource } from "./schemas.ts";

/** The fields of a customer, without its account, stored document, time of change and creator. */
export type CustomerRow = Omit<
  Selectable<Tables["customers"]>,
  "account_id" | "document" | "updated_at" | "created_by"
>;

export function presentCustomer(row: CustomerRow): JsonText {
  const {
    active: _,
    buyer_reference,
    order_reference,
    accounting_cost,
    hours_specification,
    reminders,
    einvoice_address,
    einvoice_format,
    einvoice_by_mail,
    ...fields
  } = row;
  const printed = printedOf({
    buyer_reference,
    order_reference,
    accounting_cost,
    hours_specification,
  });
  const set = { einvoice_address, einvoice_format };
  const warnings = warningsOfCustomer(row);
  return jsonText(
    CustomerResource.parse({
      object: "customer",
      ...fields,
      ...printed,
      ...(warnings.length === 0 ? {} : { warnings }),
      ...(reminders ? {} : { reminders }),
      ...Object.fromEntries(Object.entries(set).filter(([, value]) => value !== null)),
      ...(einvoice_by_mail && { einvoice_by_mail }),
    }),
  );
}
