/** Makes a draft from an issued invoice: its lines at their prices, without hours, days and completions. */
import type { Invoice } from "../../domain/sales/invoice.ts";
import { createInvoice } from "../../features/sales/invoices/draft.ts";
import { presentInvoice } from "../../features/sales/invoices/present.ts";
import { getInvoice } from "../../features/sales/invoices/queries.ts";
import type { InvoiceCreate } from "../../features/sales/invoices/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { ofSeen } from "../frame/seen.ts";

export const duplicatePages: readonly WebPage[] = [
  definePage("POST /invoices/:id/duplicate", "person", ofSeen("invoice", duplicate)),
];

async function duplicate({ cx, id }: PageRequest): Promise<PageAnswer> {
  const { invoice } = await getInvoice(cx, id);
  const { document } = await run(createInvoice, cx, copyOf(invoice));
  const made = JSON.parse(document) as { readonly id: string };
  return { redirect: `/invoices/${made.id}`, notice: { done: "invoice_duplicated" } };
}

/** Returns what is sent to create the copy. Each line keeps its price; a line by hours keeps its rate. */
function copyOf(invoice: Invoice): InvoiceCreate {
  const { customer_id, currency, title, lines } = JSON.parse(presentInvoice(invoice)) as Omit<
    InvoiceCreate,
    "external_id"
  >;
  return {
    customer_id,
    currency,
    title,
    lines: lines.map((line) => ({
      product_id: line.product_id,
      recognition_method: line.recognition_method,
      discount: line.discount,
      description_override: line.description_override,
      assignees: line.assignees,
      budget_hours: line.budget_hours,
      ...(line.recognition_method === "hours"
        ? { hourly_rate: line.hourly_rate }
        : { agreed_value: line.agreed_value }),
    })),
  };
}
