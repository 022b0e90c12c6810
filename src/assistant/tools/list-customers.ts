/** The tool that lists customers. `get_customer` shows one with its open work. */
import * as z from "zod";
import type { Role } from "../../domain/base/user.ts";
import { viewLine } from "../../domain/base/visibility.ts";
import { customerConditions } from "../../features/catalogue/customers/queries.ts";
import { CustomerResource } from "../../features/catalogue/customers/schemas.ts";
import { listInView } from "../../features/overview/views/queries.ts";
import {
  pageArguments,
  reading,
  scopeArgument,
  scopedOutput,
  searchArgument,
} from "../protocol/arguments.ts";
import { defineTool } from "../protocol/tool.ts";
import { moreText, paragraphs, quoted, table } from "../protocol/words.ts";
import { listedRow } from "../text/listed-row.ts";

const input = (role: Role) =>
  z.object({ scope: scopeArgument(role), search: searchArgument, ...pageArguments });

const Row = listedRow(CustomerResource, [
  "id",
  "name",
  "country_key",
  "vat_number",
  "email",
  "external_id",
]);

export const listCustomersTool = defineTool<z.output<ReturnType<typeof input>>>({
  ...reading,
  name: "list_customers",
  title: "List customers",
  description:
    "Use it to find a customer by name, VAT number or e-mail, or to list the customers of the account. Active customers, the newest first. mine are those billed by invoices with a line assigned to the person. Then get_customer shows one of them.",
  input,
  output: scopedOutput(Row.schema),

  async call(cx, { scope, search, limit, cursor }) {
    const filters = customerConditions({ search });
    const page = await listInView<CustomerResource>(cx, "customer", scope, filters, {
      limit,
      cursor,
    });
    const rows = page.data.map((customer) => [
      customer.id,
      quoted(customer.name),
      customer.country_key,
      quoted(customer.vat_number),
      quoted(customer.email),
      quoted(customer.external_id),
    ]);
    const columns = ["customer", "name", "country", "VAT number", "e-mail", "external id"];
    const text = paragraphs(
      viewLine(page),
      table(columns, rows, "No customers."),
      moreText(page.next_cursor),
    );
    return { text, structured: { ...page, data: page.data.map(Row.of) } };
  },
});
