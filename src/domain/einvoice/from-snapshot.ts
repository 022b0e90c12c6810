/**
 * Makes the content of an e-invoice from the frozen document. Every amount is the booked one: rows whose net is not quantity × price −
 * discount become one unit of their net, because the rules compute that again.
 */
import { round, WHOLE } from "../base/money.ts";
import type { DocumentLine, DocumentRow, DocumentSnapshot } from "../sales/document.ts";
import { termsSentence, vatSentences } from "../sales/document-sentences.ts";
import { type FlatRow, flatRows } from "../sales/flat-document.ts";
import type { VatCode } from "../sales/vat-code.ts";
import type {
  Days,
  ElectronicAddress,
  ElectronicAttachment,
  ElectronicInvoice,
  ElectronicLine,
  ElectronicVat,
  VatCategory,
} from "./electronic-invoice.ts";
import { asOneUnit } from "./one-unit.ts";
import { buyerOf, sellerOf } from "./parties-from-snapshot.ts";
import { paymentMeansOf } from "./payment-means.ts";
import { xmlText } from "./xml-element.ts";

/** What a sending may correct: the references of the buyer. An absent field stays as it is frozen. */
export interface Corrections {
  readonly buyer_reference?: string;
  readonly order_reference?: string;
  readonly accounting_cost?: string;
}

/** What the frozen document does not say of itself. */
interface ElectronicFacts {
  /** The number as buyers know it; `buyersNumber` returns it. */
  readonly number: string;
  /** The year of the credited invoice's number; null where numbers do not restart by year. */
  readonly preceding_year: number | null;
  /** Where it goes; null where there is no address. */
  readonly receiver: ElectronicAddress | null;
  readonly corrections: Corrections;
  readonly attachments: readonly ElectronicAttachment[];
}

/** Returns a document's number as buyers know it, with its year where numbers restart by year: `2026-47`. */
export function buyersNumber(number: bigint, year: number | null): string {
  return year === null ? `${number}` : `${year}-${number}`;
}

/** Returns the content of the e-invoice of a document. What it lacks, `missingOf` finds. */
export function electronicInvoiceFrom(
  snapshot: DocumentSnapshot,
  { number, preceding_year, receiver, corrections, attachments }: ElectronicFacts,
): ElectronicInvoice {
  const { kind, document_id, issue_date, payment, language, currency, currency_digits } = snapshot;
  const is_invoice = kind === "invoice";
  const lines = linesOf(snapshot);
  const days = lines.flatMap(({ period }) => period ?? []);
  const period = spanOf(days);
  const supply_date = period?.to ?? issue_date;
  const buyer = buyerOf(snapshot, receiver);
  const is_within_union = lines.some(({ category }) => category === "K");
  const text = (field: string | undefined, frozen: string | null | undefined) =>
    xmlText(field === undefined ? frozen : field);
  return {
    kind,
    document_id,
    number,
    issue_date,
    due_date: is_invoice ? payment.due_date : null,
    payment_terms: is_invoice ? termsSentence(payment, language) : null,
    notes: [snapshot.title, snapshot.footer].flatMap((note) => xmlText(note) ?? []),
    language,
    currency,
    currency_digits,
    functional: functionalOf(snapshot),
    buyer_reference:
      text(
        corrections.buyer_reference,
        snapshot.buyer_reference ?? snapshot.customer.external_reference,
      ) ?? xmlText(snapshot.customer.att_person),
    order_reference: text(corrections.order_reference, snapshot.order_reference),
    accounting_cost: text(corrections.accounting_cost, snapshot.accounting_cost),
    preceding: precedingOf(snapshot, preceding_year),
    period,
    delivery:
      is_within_union && buyer.country_key !== null
        ? { date: supply_date, country_key: buyer.country_key }
        : null,
    supply_date,
    seller: sellerOf(snapshot),
    buyer,
    lines,
    vat: vatOf(snapshot, lines),
    totals: snapshot.totals,
    payment: paymentMeansOf(snapshot, number),
    attachments,
  };
}

/** By code: its category, and the code of the reason why no VAT is charged. */
const CATEGORIES: Readonly<Record<VatCode, readonly [VatCategory, string | null]>> = {
  DK25: ["S", null],
  DK0: ["E", null],
  DK_RC: ["AE", "VATEX-EU-AE"],
  EU_SERVICES_RC: ["AE", "VATEX-EU-AE"],
  EU_GOODS_RC: ["K", "VATEX-EU-IC"],
  EXPORT_GOODS: ["G", "VATEX-EU-G"],
  EXPORT_SERVICES: ["O", "VATEX-EU-O"],
};

function precedingOf({ credits }: DocumentSnapshot, year: number | null) {
  if (credits === null) return null;
  const { invoice_number, invoice_year = year, invoice_date } = credits;
  return { number: buyersNumber(invoice_number, invoice_year), date: invoice_date };
}

/** The VAT in the books' currency, which the seller owes; without VAT there is nothing to state. */
function functionalOf(snapshot: DocumentSnapshot): ElectronicInvoice["functional"] {
  const { currency, functional_currency, functional_digits: digits, vat } = snapshot;
  if (currency === functional_currency) return null;
  const amount = vat.reduce((sum, { vat_functional }) => sum + vat_functional, 0n);
  return amount === 0n ? null : { currency: functional_currency, digits, vat: amount };
}

/** One breakdown for each category and rate. A code of lines without rows, which have no amount, has none. */
function vatOf(
  { vat, language, lines: booked }: DocumentSnapshot,
  lines: readonly ElectronicLine[],
): ElectronicVat[] {
  const groups = new Map<string, ElectronicVat>();
  for (const { vat_code, rate, base, vat: amount } of vat) {
    const [category, code] = CATEGORIES[vat_code];
    const is_printed = lines.some(({ line_index }) => booked[line_index]?.vat_code === vat_code);
    if (!is_printed && base === 0n && amount === 0n) continue;
    const key = `${category} ${rate}`;
    const before = groups.get(key);
    const text = vatSentences[language][vat_code];
    groups.set(key, {
      category,
      rate,
      base: base + (before?.base ?? 0n),
      vat: amount + (before?.vat ?? 0n),
      reason:
        text === null
          ? null
          : { text: before?.reason ? `${before.reason.text} ${text}` : text, code },
    });
  }
  return [...groups.values()];
}

function linesOf(snapshot: DocumentSnapshot): ElectronicLine[] {
  const indexes = new Map(snapshot.lines.map((line, index) => [line, index]));
  return flatRows(snapshot).flatMap(({ line, row, net, vat }) => {
    if (row === null) return [];
    const made = lineOf(snapshot, { line, row, net, vat }, indexes.get(line) ?? 0);
    return [made];
  });
}

type BookedRow = Pick<FlatRow, "line" | "net" | "vat"> & {
  readonly row: NonNullable<FlatRow["row"]>;
};

/** The longest name of an item; what is longer is its description. */
const LONGEST_NAME = 100;

function lineOf(
  snapshot: DocumentSnapshot,
  { line, row, net, vat }: BookedRow,
  line_index: number,
): ElectronicLine {
  const text = xmlText(line.text) ?? "";
  const [first = ""] = text.split("\n");
  const name = [...first].slice(0, LONGEST_NAME).join("").trim();
  const base = grossOf(row, snapshot.currency_digits);
  const made: ElectronicLine = {
    line_index,
    name,
    description: text === name ? null : text,
    product_number: xmlText(line.product_number),
    quantity: row.quantity,
    unit: line.unit,
    unit_price_scaled: row.unit_price_scaled,
    discount: row.discount === 0 ? null : { percent: row.discount, base, amount: base - net },
    net,
    vat,
    period: periodOf(line),
    category: CATEGORIES[line.vat_code][0],
    rate: line.vat_rate,
  };
  return isComputable(made, row, snapshot.currency_digits) ? made : asOneUnit(made, snapshot);
}

/** The price of a row before its discount, in minor units. */
function grossOf(row: Pick<DocumentRow, "quantity" | "unit_price_scaled">, digits: number): bigint {
  const numerator = BigInt(row.quantity) * row.unit_price_scaled * 10n ** BigInt(digits);
  return round(numerator, 10n ** 6n);
}

/** Quantity in hundredths by price in ten-thousandths. */
const EXACT_DECIMALS = 6;
/** 0.02, by which the rules let a net differ. */
const SLACK = 20_000n;

/** Whether the rules compute the booked net from quantity, price and discount, and the discount from its percentage. */
function isComputable(
  { net, discount, quantity, unit_price_scaled }: ElectronicLine,
  row: Pick<DocumentRow, "discount">,
  digits: number,
): boolean {
  if (digits > EXACT_DECIMALS) return true;
  const exact = (amount: bigint) => amount * 10n ** BigInt(EXACT_DECIMALS - digits);
  const amount = discount?.amount ?? 0n;
  const off = BigInt(quantity) * unit_price_scaled - exact(amount) - exact(net);
  if (amount < 0n || off > SLACK || off < -SLACK) return false;
  if (discount === null) return true;
  const whole = BigInt(WHOLE);
  const rest = exact(discount.base) * BigInt(row.discount) - exact(amount) * whole;
  return rest <= SLACK * whole && rest >= -SLACK * whole;
}

/** The charged or credited days of the service, or those on which the hours were worked. */
function periodOf(line: DocumentLine): Days | null {
  const service = { from: line.service_from, to: line.service_to };
  const { from, to } = line.credited_service ?? line.worked ?? service;
  return from === null || to === null ? null : { from, to };
}

function spanOf(days: readonly Days[]): Days | null {
  const [first, ...rest] = days;
  if (first === undefined) return null;
  return rest.reduce(
    (span, { from, to }) => ({
      from: from < span.from ? from : span.from,
      to: to > span.to ? to : span.to,
    }),
    first,
  );
}
