/**
 * Lists invoices: stored texts unparsed, or with the additions of `GET /invoices?include=…`. Issued invoices show
 * frozen documents. Drafts are computed as by `GET /invoices/{ref}/totals`, from inputs that are read together.
 */

import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import type { Condition } from "../../../platform/database/page.ts";
import { sql } from "../../../platform/database/sql.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { customerLabels } from "../../catalogue/customers/queries.ts";
import {
  creditedOf,
  documentsOf,
  lastDeliveries,
  lastSendings,
  presentCredited,
  presentSending,
  rowTotalsOf,
} from "../../documents/issued/include.ts";
import {
  asksForPayment,
  paymentConditions,
  paymentsOf,
  presentPaymentOfRow,
} from "../../receivables/payment-states/find-states.ts";
import type { Configuration } from "../../settings/configuration/queries.ts";
import { readIssueFacts } from "./issue-inputs.ts";
import { invoiceConditions } from "./list-conditions.ts";
import { findInvoices } from "./queries.ts";
import type { InvoiceInclude, InvoiceQuery, InvoiceResource, InvoiceRow } from "./schemas.ts";

/**
 * Returns the read of a page of invoices, the newest first: one-time invoices, unless the page asks for others. An unknown
 * customer gives an empty list. `seen` are the conditions that restrict a caller who does not see the whole account. Throws
 * VALIDATION_FAILED for a cursor that this service did not issue, and RECEIVABLES_NOT_BEGUN for a filter by what is paid.
 */
export function readInvoices(page: InvoiceQuery, seen: readonly Condition[] = []): StoredRead {
  const { include } = page;
  const additions =
    include &&
    ((cx: Reader, resources: readonly JsonText[]) => withIncluded(cx, resources, include));
  const read = (more: readonly Condition[]): StoredRead =>
    readPage("invoices", [...invoiceConditions(page), ...more, ...seen], page, additions);
  if (!asksForPayment(page)) return read([]);
  return {
    single: undefined,
    answer: async (cx) => read(await paymentConditions(cx, page)).answer(cx),
  };
}

/** What a caller has read already, so that it is not read again. */
interface Known {
  readonly configuration?: Configuration;
}

/** Returns rows of invoices in the order of their stored texts. An invoice that no longer exists is left out. */
export async function rowsOfInvoices(
  cx: Reader,
  texts: readonly JsonText[],
  include: readonly InvoiceInclude[],
  known: Known = {},
): Promise<InvoiceRow[]> {
  const rows = await withIncluded(cx, texts, include, known);
  return rows.map((text) => JSON.parse(text) as InvoiceRow);
}

/** Makes rows of invoices, with the requested additions. A draft that has been deleted in the meantime is left out. */
function withIncluded(
  cx: Reader,
  resources: readonly JsonText[],
  include: readonly InvoiceInclude[],
  known: Known = {},
): Promise<JsonText[]> {
  return reading(cx, async (inside) => {
    const invoices = resources.map((text) => JSON.parse(text) as InvoiceResource);
    const of = <Part>(
      name: InvoiceInclude,
      read: () => Promise<Part>,
    ): Promise<Part | undefined> => (include.includes(name) ? read() : Promise.resolve(undefined));
    const ids = invoices.map(({ id }) => id);
    const customer_ids = invoices.map(({ customer_id }) => customer_id);
    const totals = await of("totals", () => totalsBeside(inside, invoices, known));
    const [customers, periods, payments, sendings] = await Promise.all([
      of("customer", () => customerLabels(inside, customer_ids)),
      of("series", () => periodsOf(inside, ids)),
      of("payment", () => paymentsOf(inside, ids, known.configuration)),
      of("delivery", () => lastSendings(inside, ids)),
    ]);
    return invoices.flatMap((invoice) => {
      if (totals !== undefined && !totals.has(invoice.id)) return [];
      const customer = customers?.get(invoice.customer_id);
      const series = periods?.get(invoice.id);
      const row: InvoiceRow = {
        ...invoice,
        ...totals?.get(invoice.id),
        ...(customer && { customer }),
        ...(series && { series }),
        ...(payments && {
          payment: presentPaymentOfRow(invoice.currency, payments.get(invoice.id)),
        }),
        ...(sendings && { delivery: presentSending(sendings.get(invoice.id)) }),
      };
      return [jsonText(row)];
    });
  });
}

/**
 * Returns the documents of invoices: frozen for issued invoices, as of now for drafts. An invoice that no longer exists has no
 * entry. `known` has the configuration, when the caller has read it already.
 */
export function documentsOfInvoices(
  cx: Reader,
  ids: readonly string[],
  known: Known = {},
): Promise<Map<string, DocumentSnapshot>> {
  return documentsOf(cx, ids, async (drafts) => {
    const invoices = await findInvoices(cx, drafts);
    const { inputsOf } = await readIssueFacts(cx, invoices, known);
    return new Map(invoices.map((invoice) => [invoice.id, inputsOf(invoice).document]));
  });
}

async function totalsBeside(
  cx: Reader,
  invoices: readonly Pick<InvoiceResource, "id" | "status">[],
  known: Known,
): Promise<Map<string, Pick<InvoiceRow, "totals" | "due_date" | "delivery_state">>> {
  const idsOf = (some: typeof invoices): string[] => some.map(({ id }) => id);
  const issued = idsOf(invoices.filter(({ status }) => status === "issued"));
  const [credited, deliveries] = await Promise.all([
    creditedOf(cx, issued),
    lastDeliveries(cx, issued),
  ]);
  const documents = await documentsOfInvoices(cx, idsOf(invoices), known);
  const beside = [...documents].map(
    ([id, document]) =>
      [
        id,
        {
          totals: {
            ...rowTotalsOf(document),
            ...presentCredited(credited.get(id), document.currency_digits),
          },
          due_date: document.payment.due_date,
          delivery_state: deliveries.get(id) ?? null,
        },
      ] as const,
  );
  return new Map(beside);
}

type PeriodRow = NonNullable<InvoiceRow["series"]> & { readonly invoice_id: string };

/** Returns the billed periods of invoices of series; one-time invoices have no entry. */
export async function periodsOf(
  cx: Reader,
  ids: readonly string[],
): Promise<Map<string, NonNullable<InvoiceRow["series"]>>> {
  const rows =
    await cx.rows<PeriodRow>(sql`select i.id as invoice_id, s.id, s.external_id, i.period, i.period_from, i.period_to
     from invoices i join recurring_series s on s.account_id = i.account_id and s.id = i.series_id
     where i.account_id = ${cx.caller.account_id} and i.id = any(${ids})`);
  return new Map(rows.map(({ invoice_id, ...period }) => [invoice_id, period]));
}

interface LastInvoice {
  readonly customer_id: string;
  readonly issue_date: CalendarDate | null;
}

/** Returns each customer's latest issued invoice; customers without one have no entry. */
export async function lastInvoices(
  cx: Reader,
  customer_ids: readonly string[],
): Promise<Map<string, LastInvoice>> {
  if (customer_ids.length === 0) return new Map();
  const { account_id } = cx.caller;
  const rows = await cx.rows<LastInvoice>(sql`select c.id as customer_id, i.issue_date
     from customers c cross join lateral (
       select issue_date from invoices where account_id = ${account_id} and customer_id = c.id and status = 'issued'
       order by id desc limit 1) i
     where c.account_id = ${account_id} and c.id = any(${customer_ids})`);
  return new Map(rows.map((row) => [row.customer_id, row]));
}
