/**
 * Reads whether a document, or any document for a customer, could be sent as an e-invoice now. The customer decides as of now where it
 * goes and in which format. Of the receiver only what is stored is read: nothing is looked up.
 */
import { formatToSend } from "../../../domain/einvoice/einvoice-format.ts";
import type { ElectronicInvoice } from "../../../domain/einvoice/electronic-invoice.ts";
import { electronicInvoiceFrom } from "../../../domain/einvoice/from-snapshot.ts";
import { addressFrom } from "../../../domain/einvoice/parties-from-snapshot.ts";
import {
  partiesAlone,
  readinessOf,
  readinessOfParties,
  type StoredLookup,
} from "../../../domain/einvoice/readiness.ts";
import { receiverAddress } from "../../../domain/einvoice/receiver-address.ts";
import type { DocumentSnapshot, Seller } from "../../../domain/sales/document.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import type { CustomerRow } from "../../catalogue/customers/present.ts";
import { getCustomer } from "../../catalogue/customers/queries.ts";
import { einvoiceTerms, getConfiguration } from "../../settings/configuration/queries.ts";
import { requireOwnEinvoices } from "../einvoice-connections/require-own-einvoices.ts";
import { findLookup } from "../einvoice-receivers/queries.ts";
import { inItsLedger } from "../issued/find-booked-by.ts";
import type { ShownDocument } from "../issued/issued-documents.ts";
import { EinvoiceReadiness } from "./schemas.ts";

/** Stands for the number, which a draft does not have yet: no rule depends on it. */
const ANY_NUMBER = "1";

/** Returns the content of a document's e-invoice to a receiver, `scheme:value`, for the rules. */
export function contentForRules(
  snapshot: DocumentSnapshot,
  receiver: string | null,
): ElectronicInvoice {
  return electronicInvoiceFrom(snapshot, {
    number: ANY_NUMBER,
    preceding_year: null,
    receiver: addressFrom(receiver),
    corrections: {},
    attachments: [],
  });
}

/**
 * Returns the readiness of a document, issued or as its issue now would freeze it. Throws EINVOICE_BY_LEDGER where a connected ledger
 * sends it.
 */
export async function readinessOfDocument(
  cx: Context,
  { id, snapshot, number }: ShownDocument,
): Promise<JsonText> {
  requireOwnEinvoices(number === null ? cx : await inItsLedger(cx, id));
  const customer = await getCustomer(cx, snapshot.customer.id);
  const facts = await readFacts(cx, customer, (address) => contentForRules(snapshot, address));
  return presentReadiness(facts, readinessOf(facts));
}

/** Returns the readiness of a customer: its own fields, those of the seller, and the receiver. Throws NOT_FOUND, EINVOICE_BY_LEDGER. */
export async function readinessOfCustomer(cx: Context, ref: string): Promise<JsonText> {
  const customer = await getCustomer(cx, ref);
  requireOwnEinvoices(cx);
  const facts = await readParties(cx, customer);
  return presentReadiness(facts, readinessOfParties(facts));
}

/** Returns the rules that a customer's fields or the seller's break, for a page that has read the customer. */
export async function missingOfCustomer(cx: Asking, customer: CustomerRow) {
  return readinessOfParties(await readParties(cx, customer)).missing;
}

function readParties(cx: Asking, customer: CustomerRow): Promise<Facts> {
  return readFacts(cx, customer, (address, seller) => partiesAlone(seller, customer, address));
}

/** What a caller who has read a draft already knows. */
interface KnownDraft {
  readonly document: DocumentSnapshot;
  readonly customer: CustomerRow;
}

/** Returns what a draft lacks, for a page that has read it; `address` is null where the customer has none. */
export async function readinessOfDraft(cx: Asking, { document, customer }: KnownDraft) {
  const facts = await readFacts(cx, customer, (to) => contentForRules(document, to));
  const { format, address, terms } = facts;
  const is_connected = terms.carried_formats !== null;
  return { format, address, is_connected, ...readinessOf(facts) };
}

type Facts = Parameters<typeof readinessOf>[0] & { readonly address: string | null };
type Asking = Reader & Pick<Context, "receivers">;

/** Reads the facts of content that is made for the customer's address and the seller as of now. */
async function readFacts(
  cx: Asking,
  customer: CustomerRow,
  contentFor: (address: string | null, seller: Seller | null) => ElectronicInvoice,
): Promise<Facts> {
  const configuration = await getConfiguration(cx);
  const address = receiverAddress(customer);
  return {
    invoice: contentFor(address, configuration.seller),
    address,
    format: formatToSend(customer),
    terms: einvoiceTerms(configuration),
    looks_up: cx.receivers !== null,
    lookup: await readLookup(cx, address),
  };
}

/** Returns what is stored of an address and new enough. */
async function readLookup(cx: Asking, address: string | null): Promise<StoredLookup> {
  const { receivers } = cx;
  const found =
    receivers === null || address === null
      ? undefined
      : await findLookup(cx, address, receivers.source);
  return found ?? { registered: "unknown", formats: [], looked_up_at: null };
}

function presentReadiness(
  { format, address, lookup }: Facts,
  { missing, warnings }: ReturnType<typeof readinessOf>,
): JsonText {
  const { registered, formats, looked_up_at } = lookup;
  return jsonText(
    EinvoiceReadiness.parse({
      object: "einvoice_readiness",
      ready: missing.length === 0,
      format,
      receiver: address === null ? null : { address, registered, formats, looked_up_at },
      missing: missing.map((one) => ({ ...one, message: one.message.en })),
      warnings: warnings.map((one) => ({ ...one, message: one.message.en })),
    }),
  );
}
