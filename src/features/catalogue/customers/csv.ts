/** `/customers.csv`: one row for each customer, with every field. */

import { listRows } from "../../../platform/database/page.ts";
import {
  type CsvColumn,
  defineCsvFile,
  flag,
  number,
  portionsOf,
  text,
} from "../../../platform/http/csv-file.ts";
import type { CustomerRow } from "./present.ts";
import { customerConditions } from "./queries.ts";
import { CustomerQuery } from "./schemas.ts";

type Row = Omit<CustomerRow, "buyer_reference" | "order_reference" | "hours_specification">;

const columns: readonly CsvColumn<Row>[] = [
  text("id", "The customer's id.", (row) => row.id),
  text("external_id", "The id that the caller gave.", (row) => row.external_id),
  text("name", "As it is now.", (row) => row.name),
  text("country_key", "ISO 3166-1 alpha-2.", (row) => row.country_key),
  flag("is_person", "Whether it is a private person.", (row) => row.is_person),
  text("send_method", "`email` or `einvoice`.", (row) => row.send_method),
  text("street", "", (row) => row.street),
  text("zip_code", "", (row) => row.zip_code),
  text("city", "", (row) => row.city),
  text("phone", "", (row) => row.phone),
  text("email", "Where documents are sent.", (row) => row.email),
  text("webpage", "", (row) => row.webpage),
  text("att_person", "The contact.", (row) => row.att_person),
  text("vat_number", "As it was entered.", (row) => row.vat_number),
  text("se_number", "", (row) => row.se_number),
  text("p_number", "", (row) => row.p_number),
  text("ean_number", "GLN of public buyers.", (row) => row.ean_number),
  flag("use_cvr", "", (row) => row.use_cvr),
  text("company_type_key", "", (row) => row.company_type_key),
  text("preferred_invoice_language_key", "", (row) => row.preferred_invoice_language_key),
  text("preferred_invoice_currency_key", "ISO 4217.", (row) => row.preferred_invoice_currency_key),
  text("external_reference", "", (row) => row.external_reference),
  text(
    "payment_condition_type",
    "Terms; empty: the account's.",
    (row) => row.payment_condition_type,
  ),
  number(
    "payment_condition_number_of_days",
    "Days.",
    (row) => row.payment_condition_number_of_days,
  ),
  text("invoice_mail_out_option_key", "", (row) => row.invoice_mail_out_option_key),
  text("payment_mean", "", (row) => row.payment_mean),
  flag("active", "False for inactive ones.", (row) => row.active),
  flag("reminders", "Whether it is reminded of overdue invoices.", (row) => row.reminders),
  text(
    "einvoice_address",
    "`scheme:value`, where it was entered; empty: the EAN or CVR number.",
    (row) => row.einvoice_address,
  ),
  text(
    "einvoice_format",
    "`peppol-bis-3` or `oioubl-2.1`; empty: `peppol-bis-3`.",
    (row) => row.einvoice_format,
  ),
  flag(
    "einvoice_by_mail",
    "Whether mailed invoices have the e-invoice in their PDF.",
    (row) => row.einvoice_by_mail,
  ),
  text("accounting_cost", "The customer's own account.", (row) => row.accounting_cost),
];

export const customersCsv = defineCsvFile({
  path: "/customers.csv",
  operation: "customers.export",
  summary: "Customers as a file",
  description: "One customer in a row, the newest first, with the filters of `GET /customers`.",
  query: CustomerQuery.omit({ limit: true, cursor: true }),
  columns,
  example: {
    id: "019a5d2c-7c1e-7b52-9f0e-2f6f3f0f4a11",
    external_id: "crm-17",
    name: "Acme A/S",
    country_key: "DK",
    is_person: "false",
    send_method: "email",
    email: "ap@acme.example",
    vat_number: "DK12345674",
    use_cvr: "false",
    active: "true",
    reminders: "true",
    einvoice_by_mail: "false",
  },
  rows: (cx, query) =>
    portionsOf((page) =>
      listRows<Row>(cx, FIELDS.join(", "), "customers", customerConditions(query), {
        ...query,
        ...page,
      }),
    ),
});

/** Every column except `active` shows the column of the table that has the same name. */
const FIELDS = columns.map(({ name }) => name);
