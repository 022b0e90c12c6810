/** Creates, changes and deletes drafts (spec 5.1 and 5.2). Issued invoices never change. */

import * as z from "zod";
import type { CustomerId, InvoiceId } from "../../../domain/base/brand.ts";
import { type FieldError, requireValid } from "../../../domain/base/problem.ts";
import { type Invoice, requireDraft } from "../../../domain/sales/invoice.ts";
import { lineInCurrency } from "../../../domain/sales/line-from.ts";
import { printedWith } from "../../../domain/sales/printed.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { defineCreation, type Saved, storedAgain } from "../../../platform/commands/creation.ts";
import { asOneStatement } from "../../../platform/database/one-statement.ts";
import { sql } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { contentHash, type JsonText } from "../../../platform/runtime/json.ts";
import type { CustomerRow } from "../../catalogue/customers/present.ts";
import { findCustomer, getCustomer } from "../../catalogue/customers/queries.ts";
import { requireActive, requireKnown } from "../../catalogue/customers/require-billable.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { requireNoWork } from "../hours/queries.ts";
import { forgetCompletions } from "./complete.ts";
import {
  type LineReferences,
  linesFrom,
  linesWithDefaults,
  referencesOf,
  vatCodesOf,
} from "./lines.ts";
import { presentInvoice } from "./present.ts";
import { insertInvoice, type LoadedInvoice, lockInvoice, replaceInvoice } from "./queries.ts";
import { routed, routedBy } from "./routing.ts";
import { InvoiceCreate, InvoiceUpdate } from "./schemas.ts";

/** Creates a draft. Throws VALIDATION_FAILED, EXTERNAL_ID_CONFLICT, CUSTOMER_INACTIVE. */
export const createInvoice = defineCreation({
  name: "create_invoice",
  input: InvoiceCreate,
  table: "invoices",
  contentOf: draftContent,
  only_reads: true,

  async plan(tx, sent, request_hash) {
    const reads = asOneStatement(tx);
    const [customer, configuration, references] = await Promise.all([
      // The customer is not locked: the booking freezes a copy of the customer.
      findCustomer(reads, sent.customer_id),
      getConfiguration(reads),
      referencesOf(reads, sent.lines),
    ]);
    const invoice = draftFrom(tx, sent, { customer, configuration, references });
    return { invoice, request_hash };
  },

  commit(tx, { invoice, request_hash }): Saved {
    const document = presentInvoice(invoice);
    insertInvoice(tx, invoice, document, request_hash);
    tx.audit("invoice", invoice.id, "created", { before: null, after: document });
    return { created: true, document };
  },

  repeated: (tx, id) => storedAgain(tx, "invoices", id),
});

/** What decides a new draft, besides the request. */
interface DraftFacts {
  readonly customer: CustomerRow | undefined;
  readonly configuration: Configuration;
  readonly references: LineReferences;
}

/** Returns a new draft. Throws VALIDATION_FAILED, PRODUCT_INACTIVE, CUSTOMER_INACTIVE. */
export function draftFrom(
  cx: Reader,
  sent: InvoiceCreate,
  { customer, configuration, references }: DraftFacts,
): Invoice {
  requireKnown(customer);
  const currency =
    sent.currency ?? customer.preferred_invoice_currency_key ?? configuration.functional_currency;
  const lines = linesFrom(sent.lines, references, currency, []);
  requireActive(customer);
  const vat_codes = vatCodesOf(references);
  const routed_lines = routedBy(cx, lines, { customer, configuration, vat_codes });
  return {
    id: newId<InvoiceId>(),
    external_id: sent.external_id ?? null,
    customer_id: customer.id as CustomerId,
    currency,
    issue_date: sent.issue_date ?? null,
    title: sent.title ?? null,
    auto_send: sent.auto_send ?? configuration.default_auto_send,
    status: "draft",
    ledger_invoice_guid: null,
    ledger_invoice_number: null,
    issued_at: null,
    lines: routed_lines,
    printed: printedWith({}, sent),
  };
}

/**
 * Changes the given fields of a draft; `lines` replaces all lines. Throws NOT_FOUND, INVOICE_ALREADY_ISSUED,
 * INVOICE_ISSUE_IN_PROGRESS, LINE_HAS_REGISTRATIONS, VALIDATION_FAILED, CUSTOMER_INACTIVE.
 */
export const changeInvoice = defineCommand({
  name: "change_invoice",
  access: "write",
  input: z.object({ ref: Ref, changes: InvoiceUpdate }),

  async plan(tx, { ref, changes }) {
    const loaded = await lockInvoice(tx, ref);
    const { invoice } = loaded;
    const currency = changes.currency ?? invoice.currency;
    const repriced = currency === invoice.currency ? [] : invoice.lines;
    const [customer, references] = await Promise.all([
      changes.customer_id === undefined
        ? Promise.resolve(null)
        : findCustomer(tx, changes.customer_id),
      referencesOf(tx, changes.lines ?? repriced),
    ]);
    if (customer !== null) requireKnown(customer);
    const lines = changes.lines
      ? linesFrom(changes.lines, references, currency, invoice.lines, invoice.currency)
      : linesIn(invoice, currency, references);
    requireDraft(invoice, loaded.is_being_issued);
    const kept = new Set(lines.map((line) => line.id));
    await requireNoWork(
      tx,
      invoice.lines.flatMap((line) => (kept.has(line.id) ? [] : [line.id])),
    );
    const is_moved = customer !== null && customer.id !== invoice.customer_id;
    if (is_moved) requireActive(customer);
    const after: Invoice = {
      ...invoice,
      customer_id: (customer?.id as CustomerId | undefined) ?? invoice.customer_id,
      currency,
      issue_date: changes.issue_date === undefined ? invoice.issue_date : changes.issue_date,
      title: changes.title === undefined ? invoice.title : changes.title,
      auto_send: changes.auto_send ?? invoice.auto_send,
      lines: is_moved || changes.lines ? await routedTo(tx, lines, customer, invoice) : lines,
      printed: printedWith(invoice.printed, changes),
    };
    return { before: loaded, after };
  },

  async commit(tx, { before, after }): Promise<JsonText> {
    const document = presentInvoice(after);
    if (document === before.document && !linesChanged(before, after)) return document;
    await forgetCompletions(tx, before.invoice, after);
    replaceInvoice(tx, after, document);
    tx.audit("invoice", after.id, "updated", { before: before.document, after: document });
    return document;
  },
});

/** Deletes a draft. Throws NOT_FOUND, INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS, LINE_HAS_REGISTRATIONS. */
export const deleteInvoice = defineCommand({
  name: "delete_invoice",
  access: "write",
  input: z.object({ ref: Ref }),

  async plan(tx, { ref }) {
    const loaded = await lockInvoice(tx, ref);
    requireDraft(loaded.invoice, loaded.is_being_issued);
    const line_ids = loaded.invoice.lines.map((line) => line.id);
    await requireNoWork(tx, line_ids);
    return loaded;
  },

  async commit(tx, { invoice, document }): Promise<void> {
    tx.write(
      sql`delete from invoices where account_id = ${tx.caller.account_id} and id = ${invoice.id}`,
    );
    tx.audit("invoice", invoice.id, "deleted", { before: document, after: null });
  },
});

/** Returns the content that identifies a repetition: the body, with the defaults that depend on no stored data (spec 11.2). */
export function draftContent(sent: InvoiceCreate): unknown {
  return { ...sent, lines: linesWithDefaults(sent.lines) };
}

/** Converts the current lines to another currency: numbers stay as sent, as far as the currency has the decimals. */
function linesIn(
  { lines, currency: from }: Invoice,
  currency: string,
  { products }: LineReferences,
): Invoice["lines"] {
  if (currency === from) return lines;
  const faults: FieldError[] = [];
  const priced = lines.map((line, index) => {
    const product = products.get(line.product_id);
    if (product === undefined) throw new Error("the product of a line is not there");
    const result = lineInCurrency(line, product, from, currency);
    if (!("code" in result)) return result;
    faults.push({ ...result, field: `lines[${index}].${result.field}` });
    return line;
  });
  requireValid(faults);
  return priced;
}

/** Sets the revenue accounts of lines for the customer in the request, or else for the current customer. */
async function routedTo(
  cx: Reader,
  lines: Invoice["lines"],
  sent: CustomerRow | null,
  invoice: Invoice,
): Promise<Invoice["lines"]> {
  return routed(cx, lines, sent ?? (await getCustomer(cx, invoice.customer_id)));
}

/** Whether a change of a draft changes lines. A line's snapshot of its product may change even when no shown field does. */
function linesChanged(before: LoadedInvoice, after: Invoice): boolean {
  return !contentHash(before.invoice.lines).equals(contentHash(after.lines));
}
