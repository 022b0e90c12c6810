/** Creates many drafts in one transaction, by the rule of one. */
import { Problem } from "../../../domain/base/problem.ts";
import { defineCreations } from "../../../platform/commands/creation.ts";
import { orRefusal } from "../../../platform/commands/save-many.ts";
import { asOneStatement } from "../../../platform/database/one-statement.ts";
import { findCustomers } from "../../catalogue/customers/queries.ts";
import { draftContent, draftFrom } from "../../sales/invoices/draft.ts";
import { referencesOf } from "../../sales/invoices/lines.ts";
import { presentInvoice } from "../../sales/invoices/present.ts";
import { insertInvoices } from "../../sales/invoices/queries.ts";
import type { InvoiceCreate } from "../../sales/invoices/schemas.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";

type Named = InvoiceCreate & { readonly external_id: string };

export const createInvoices = defineCreations<Named>({
  name: "create_invoices",
  table: "invoices",
  contentOf: draftContent,

  async create(tx, rows) {
    const reads = asOneStatement(tx);
    const [customers, configuration, references] = await Promise.all([
      findCustomers(
        reads,
        rows.map(({ sent }) => sent.customer_id),
      ),
      getConfiguration(reads),
      referencesOf(
        reads,
        rows.flatMap(({ sent }) => sent.lines),
      ),
    ]);
    const drafts = rows.map(({ sent, request_hash }) => {
      const customer = customers.get(sent.customer_id.toLowerCase());
      const invoice = orRefusal(() => draftFrom(tx, sent, { customer, configuration, references }));
      if (invoice instanceof Problem) return invoice;
      return { invoice, document: presentInvoice(invoice), request_hash };
    });
    const made = drafts.flatMap((one) => (one instanceof Problem ? [] : [one]));
    if (made.length > 0) insertInvoices(tx, made);
    for (const { invoice, document } of made) {
      tx.audit("invoice", invoice.id, "created", { before: null, after: document });
    }
    return drafts.map((one) => (one instanceof Problem ? one : one.invoice.id));
  },
});
