/** The names of the buyer's references, as the forms of customers, drafts and sendings call them. In both languages. */
import type { BuyerReference } from "../../domain/sales/printed.ts";

export const enReferences = {
  buyer_reference: "Their reference",
  order_reference: "Their order number",
  accounting_cost: "Accounting cost",
} satisfies Record<BuyerReference, string>;

export const daReferences: typeof enReferences = {
  buyer_reference: "Deres reference",
  order_reference: "Deres ordrenummer",
  accounting_cost: "Kontering",
};
