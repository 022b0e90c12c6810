/** Reads what a payment or refund is about: the customer, what they owe, and the document that the address names. */
import { notFound, Problem } from "../../domain/base/problem.ts";
import {
  findOwed,
  listOpenCredits,
  listOwed,
  type OwedItem,
} from "../../features/receivables/open-items/find-owed.ts";
import { recordsPayments, requireOwn } from "../../features/receivables/open-items/find-own.ts";
import { mayRecord } from "../../features/receivables/open-items/queries.ts";
import type { Configuration } from "../../features/settings/configuration/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import type { Fields } from "../../platform/http/form.ts";
import { isId } from "../frame/reference.ts";
import type { PaidItem } from "./payment-draft.ts";

/** The documents from which a payment or refund begins, by the names of their fields in the address. */
const DOCUMENTS = ["invoice", "reminder", "opening", "credit_note", "payment"] as const;

/** The kinds of items that a payment may name. */
const PAID_KINDS: readonly string[] = [
  "invoice",
  "reminder",
  "opening",
] satisfies readonly PaidItem["kind"][];

/** The most items and credit notes that are offered: a request has 100 parts, and each part uses up an item or a credit note. */
const MOST_ITEMS = 80;
const MOST_CREDITS = 20;
/** The most items of a customer that are read, in all currencies. */
const MOST_READ = 300;

export interface PaymentSource {
  readonly kind: "payment" | "refund";
  /** The field of the address by which the source is named. */
  readonly field: "customer" | (typeof DOCUMENTS)[number];
  readonly id: string;
  readonly customer: { readonly id: string; readonly name: string };
  readonly currency: string;
  /** What may be paid, the earliest due date first; of a refund, the credit that is given back. */
  readonly items: readonly OwedItem[];
  /** The credit notes that may be applied to them first, the earliest first; none of a refund. */
  readonly credits: readonly OwedItem[];
  /** Whether the person is asked about all items of the customer: then all are chosen at first. */
  readonly is_of_all: boolean;
  /** The currencies, other than this one, in which the customer owes something. */
  readonly other_currencies: readonly string[];
}

/** Returns the document that fields name; null where they name none. */
export function documentNamed(
  fields: Fields,
): (Pick<PaymentSource, "id"> & { readonly field: (typeof DOCUMENTS)[number] }) | null {
  for (const field of DOCUMENTS) {
    const id = fields[field];
    if (isId(id)) return { field, id };
  }
  return null;
}

/** Throws PAYMENTS_IN_LEDGER or RECEIVABLES_NOT_BEGUN where no payment can be recorded. */
export async function requireRecording(cx: PersonReader): Promise<void> {
  if (!(await recordsPayments(cx))) throw new Problem("PAYMENTS_IN_LEDGER");
  if (!(await mayRecord(cx))) throw new Problem("RECEIVABLES_NOT_BEGUN");
}

/**
 * Reads the source of a payment that begins from a document. Throws NOT_FOUND, and PAYMENTS_IN_LEDGER for one that a connected ledger
 * booked.
 */
export async function sourceOfDocument(
  cx: PersonReader,
  { field, id }: { readonly field: (typeof DOCUMENTS)[number]; readonly id: string },
): Promise<PaymentSource> {
  const item = await findOwed(cx, id);
  if (item === undefined) await requireOwn(cx, id);
  if (item === undefined || item.kind !== field) throw notFound(field, id);
  const { customer_id, customer_name, currency } = item;
  const customer = { id: customer_id, name: customer_name };
  const fixed = { field, id, customer, currency, is_of_all: false };
  if (item.is_credit) {
    return { ...fixed, kind: "refund", items: [item], credits: [], other_currencies: [] };
  }
  const [all, credits] = await Promise.all([
    listOwed(cx, customer_id, MOST_READ),
    listOpenCredits(cx, item, MOST_CREDITS),
  ]);
  const items = payable(all, currency);
  const is_listed = items.some((one) => one.id === id);
  const others = is_listed || item.open === 0n ? items : [item, ...items];
  const listed = others.slice(0, MOST_ITEMS);
  return { ...fixed, kind: "payment", items: listed, credits, other_currencies: [] };
}

/** Reads the source of a payment of a customer: all that they owe in a currency, by default that of the books. */
export async function sourceOfCustomer(
  cx: PersonReader,
  customer: PaymentSource["customer"],
  wanted: string | undefined,
  { functional_currency }: Configuration,
): Promise<PaymentSource> {
  const all = await listOwed(cx, customer.id, MOST_READ);
  const currencies = [...new Set(all.map((one) => one.currency))];
  const usual = currencies.includes(functional_currency) ? functional_currency : currencies[0];
  const named = currencies.find((one) => one === wanted);
  const currency = named ?? usual ?? functional_currency;
  return {
    kind: "payment",
    field: "customer",
    id: customer.id,
    customer,
    currency,
    items: payable(all, currency).slice(0, MOST_ITEMS),
    credits: await listOpenCredits(cx, { customer_id: customer.id, currency }, MOST_CREDITS),
    is_of_all: true,
    other_currencies: currencies.filter((one) => one !== currency),
  };
}

function payable(all: readonly OwedItem[], currency: string): OwedItem[] {
  return all.filter((one) => one.currency === currency && PAID_KINDS.includes(one.kind));
}
