/**
 * Requires that an issued document can be sent as an e-invoice now, as asked. Nothing is queued that cannot be made, and an e-invoice
 * that may have arrived is sent again only on request (spec 14.6).
 */
import { Problem, requireValid } from "../../../domain/base/problem.ts";
import { correctionsFrom, type GivenReferences } from "../../../domain/einvoice/corrections.ts";
import { STATES_UNDER_WAY } from "../../../domain/einvoice/einvoice-delivery.ts";
import { electronicAddressFaults } from "../../../domain/einvoice/electronic-address.ts";
import { requireExpressible } from "../../../domain/einvoice/missing.ts";
import { buyerReferences } from "../../../domain/sales/printed.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import {
  electronicInvoiceOf,
  readIssued,
  readReceiver,
} from "../einvoice-files/read-electronic-invoice.ts";

/** How the e-invoice of a document is to be sent. */
interface AskedEinvoice extends GivenReferences {
  readonly document_id: string;
  readonly customer_id: string;
  readonly receiver?: string | undefined;
  readonly again?: boolean | undefined;
  /** The newest sending that the caller has seen; `again` concerns this one alone. */
  readonly seen?: string | undefined;
}

/** What differs from the frozen document and from the customer's address, by field. */
type Differing = Readonly<Record<string, string | null>>;

/** Where the e-invoice goes, and what it corrects. */
export interface EinvoiceSending {
  readonly receiver: string | null;
  /** JSON; null without. */
  readonly corrections: string | null;
  readonly differs: { readonly before: Differing; readonly after: Differing } | null;
}

/**
 * Returns how the e-invoice is sent. The caller has locked the document. Throws VALIDATION_FAILED for a wrong receiver,
 * EINVOICE_UNDER_WAY, and EINVOICE_INCOMPLETE for a file that cannot be made with these corrections.
 */
export async function requireEinvoiceSending(
  cx: Reader,
  asked: AskedEinvoice,
): Promise<EinvoiceSending> {
  const { document_id, customer_id, again = false, seen } = asked;
  requireValid(electronicAddressFaults(asked.receiver ?? null, "receiver"));
  const under_way = await findUnderWay(cx, document_id);
  if (under_way !== undefined) {
    const is_seen = seen === undefined || seen === under_way.id;
    if (!again || !is_seen) throw einvoiceUnderWay(under_way);
  }
  const customer = await readReceiver(cx, customer_id);
  const receiver = asked.receiver ?? customer.address;
  const issued = await readIssued(cx, document_id);
  const frozen = electronicInvoiceOf(issued, { receiver, corrections: {} });
  const corrections = correctionsFrom(asked, frozen);
  const corrected = electronicInvoiceOf(issued, { receiver, corrections });
  requireExpressible(corrected, customer.format, issued);
  const changed = buyerReferences.filter((field) => corrections[field] !== undefined);
  const moved = receiver !== customer.address;
  if (!moved && changed.length === 0) return { receiver, corrections: null, differs: null };
  const values = (invoice: typeof frozen, to: string | null): Differing => ({
    ...(moved ? { receiver: to } : {}),
    ...Object.fromEntries(changed.map((field) => [field, invoice[field]])),
  });
  return {
    receiver,
    corrections: changed.length === 0 ? null : JSON.stringify(corrections),
    differs: { before: values(frozen, customer.address), after: values(corrected, receiver) },
  };
}

/** A sending that is in progress, or has arrived. */
interface UnderWay {
  readonly id: string;
  readonly state: string;
}

/** Returns the refusal that names the e-invoice. */
export function einvoiceUnderWay({ id, state }: UnderWay): Problem {
  const message = "The document was handed over as an e-invoice: `again` sends another one.";
  return new Problem("EINVOICE_UNDER_WAY", { message, details: { delivery_id: id, state } });
}

function findUnderWay(cx: Reader, document_id: string): Promise<UnderWay | undefined> {
  return cx.row<UnderWay>(sql`select id, state from deliveries
    where account_id = ${cx.caller.account_id} and document_id = ${document_id} and channel = 'einvoice'
      and state = any(${STATES_UNDER_WAY}) order by id desc limit 1`);
}
