/** Lines as an assistant sends them: products by reference, people by reference or as `me`. */
import * as z from "zod";
import type { FieldError } from "../../domain/base/problem.ts";
import { requireValid } from "../../domain/base/problem.ts";
import { printedByTool } from "../../features/catalogue/customers/schemas.ts";
import {
  AssigneeInput,
  InvoiceLineInput,
  printedInput,
} from "../../features/sales/invoices/schemas.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { findStored } from "../../platform/database/resources.ts";
import { reference } from "../protocol/arguments.ts";
import { briefly } from "../protocol/listed-schema.ts";
import { userIdOf } from "./named.ts";

/** Further fields that documents print; see `printedByTool`. */
export const namedPrinted = {
  ...printedByTool,
  footer: printedInput.footer.unwrap().unwrap().optional().describe("Under the lines."),
};

const { id, agreed_value, hourly_rate } = InvoiceLineInput.shape;

const named = {
  agreed_value: agreed_value.describe("Net. Default: the product's price × quantity."),
  hourly_rate: hourly_rate.describe("Default: the price of a product in hours."),
  product_id: reference("product"),
  assignees: z
    .array(AssigneeInput.extend({ user_id: reference("user") }))
    .max(100)
    .optional(),
};

/** A line of a draft; `id` keeps the existing line. */
export const LineWithNames = InvoiceLineInput.extend({
  ...named,
  id: id.describe("Of a line of the draft to keep."),
});
/** A line of a series, which has no id in requests. */
export const NamedSeriesLine = InvoiceLineInput.omit({ id: true }).extend(named);
export type LineWithNames = z.output<typeof LineWithNames>;

/** Returns a schema of lines whose description names the fields: the catalogue describes each of them in `plan_create_invoice` only. */
export function likeInvoiceLine<Line extends z.ZodObject>(line: Line, description?: string): Line {
  const fields = `Fields as in lines of plan_create_invoice: ${Object.keys(line.shape).join(", ")}.`;
  return briefly(line.describe([description, fields].filter(Boolean).join(" ")));
}

interface LineFields {
  readonly product_id?: string | undefined;
  readonly assignees?: LineWithNames["assignees"];
}

/** Returns the lines with ids in place of references. Throws VALIDATION_FAILED; `path` names a line by its position. */
export async function resolvedLines<Fields extends LineFields>(
  cx: PersonReader,
  lines: readonly Fields[],
  path: (index: number) => string = (index) => `lines[${index}]`,
): Promise<Fields[]> {
  const faults: FieldError[] = [];
  const resolved: Fields[] = [];
  for (const [index, line] of lines.entries()) {
    const product_id = line.product_id && (await productIdOf(cx, line.product_id));
    if (line.product_id !== undefined && product_id === undefined) {
      const field = `${path(index)}.product_id`;
      faults.push({ field, code: "unknown_reference", message: "There is no such product." });
    }
    const assignees: LineWithNames["assignees"] = [];
    for (const [place, assignee] of (line.assignees ?? []).entries()) {
      const field = `${path(index)}.assignees[${place}].user_id`;
      assignees.push({ ...assignee, user_id: await userIdOf(cx, assignee.user_id, field) });
    }
    resolved.push({
      ...line,
      ...(product_id === undefined ? {} : { product_id }),
      ...(line.assignees === undefined ? {} : { assignees }),
    });
  }
  requireValid(faults);
  return resolved;
}

async function productIdOf(cx: PersonReader, ref: string): Promise<string | undefined> {
  if (!ref.startsWith("ext:")) return ref;
  return (await findStored(cx, "products", ref))?.id;
}
