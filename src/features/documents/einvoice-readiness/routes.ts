/** The REST routes that say whether something could be sent as an e-invoice: of a customer, and those that documents share. */
import type { Context } from "../../../platform/commands/context.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { readinessOfCustomer } from "./read-readiness.ts";
import { EinvoiceReadiness } from "./schemas.ts";

const refuses = ["NOT_FOUND", "EINVOICE_BY_LEDGER"] as const;

/** Returns the route of one kind of document. `read` throws NOT_FOUND and EINVOICE_BY_LEDGER. */
export function readinessRoute(
  table: "invoices" | "credit_notes",
  one: string,
  read: (cx: Context, ref: string) => Promise<JsonText>,
) {
  const path = table === "invoices" ? "/invoices" : "/credit-notes";
  return defineRoute(`GET ${path}/:ref/einvoice/readiness`, {
    operation: `${table}.get_einvoice_readiness`,
    summary: `Whether ${one} could be sent as an e-invoice`,
    description:
      "A draft as if it were issued now, an issued document as if it were sent now. Nothing is looked up: `receiver` has the last look-up that is new enough.",
    access: "read",
    params: RefParams,
    replies: { 200: EinvoiceReadiness },
    refuses,
    handle: (cx, { params }) => read(cx, params.ref),
  });
}

export const einvoiceReadinessRoutes = routesOf("E-invoices", [
  defineRoute("GET /customers/:ref/einvoice/readiness", {
    operation: "customers.get_einvoice_readiness",
    summary: "Whether e-invoices could be sent to a customer",
    description:
      "The fields of seller and customer, and the receiver. A document may lack more: its own readiness says so. Nothing is looked up.",
    access: "read",
    params: RefParams,
    replies: { 200: EinvoiceReadiness },
    refuses,
    handle: (cx, { params }) => readinessOfCustomer(cx, params.ref),
  }),
]);
