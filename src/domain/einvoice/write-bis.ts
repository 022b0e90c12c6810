/** Writes an e-invoice as Peppol BIS Billing 3: an invoice or a credit note of UBL 2.1 by the rules of EN 16931. */
import { decimalText } from "../base/money.ts";
import { base64 } from "./base64.ts";
import { bisBuyer, bisSeller } from "./bis-parties.ts";
import type {
  ElectronicAttachment,
  ElectronicInvoice,
  ElectronicLine,
  ElectronicPayment,
  VatCategory,
} from "./electronic-invoice.ts";
import { shortDecimal } from "./one-unit.ts";
import { BILLING_CUSTOMIZATION, BILLING_PROCESS } from "./peppol-identifiers.ts";
import { billingReference, invoicePeriod, ublDocument } from "./ubl-parts.ts";
import { unitCodeOf } from "./unit-codes.ts";
import { aggregate, element } from "./xml-element.ts";

/** Returns the document, to be encoded as UTF-8. What `missingOf` finds is left out of it, so it is valid only without. */
export function writeBis(invoice: ElectronicInvoice): string {
  const is_credit = invoice.kind === "credit_note";
  return ublDocument(
    invoice.kind,
    element("cbc:CustomizationID", BILLING_CUSTOMIZATION),
    element("cbc:ProfileID", BILLING_PROCESS),
    element("cbc:ID", invoice.number),
    element("cbc:IssueDate", invoice.issue_date),
    is_credit ? "" : element("cbc:DueDate", invoice.due_date),
    is_credit ? element("cbc:CreditNoteTypeCode", "381") : element("cbc:InvoiceTypeCode", "380"),
    // Peppol takes one note on a document.
    element("cbc:Note", invoice.notes.join("\n")),
    element("cbc:DocumentCurrencyCode", invoice.currency),
    element("cbc:TaxCurrencyCode", invoice.functional?.currency ?? null),
    element("cbc:AccountingCost", invoice.accounting_cost),
    element("cbc:BuyerReference", invoice.buyer_reference),
    invoicePeriod(invoice.period),
    aggregate("cac:OrderReference", element("cbc:ID", invoice.order_reference)),
    billingReference(invoice),
    ...invoice.attachments.map((attachment) => attachmentOf(attachment, invoice)),
    aggregate("cac:AccountingSupplierParty", bisSeller(invoice.seller)),
    aggregate("cac:AccountingCustomerParty", bisBuyer(invoice.buyer)),
    deliveryOf(invoice),
    invoice.payment === null ? "" : paymentOf(invoice.payment),
    aggregate("cac:PaymentTerms", element("cbc:Note", invoice.payment_terms)),
    taxesOf(invoice),
    totalsOf(invoice),
    ...invoice.lines.map((line, index) => lineOf(invoice, line, index + 1)),
  );
}

type Priced = Pick<ElectronicInvoice, "currency" | "currency_digits">;

function amount({ currency, currency_digits }: Priced, name: string, value: bigint): string {
  return element(`cbc:${name}`, decimalText(value, currency_digits), { currencyID: currency });
}

function attachmentOf(
  { filename, content }: ElectronicAttachment,
  { language }: ElectronicInvoice,
): string {
  const type = { mimeCode: "application/pdf", filename };
  return aggregate(
    "cac:AdditionalDocumentReference",
    element("cbc:ID", filename),
    element(
      "cbc:DocumentDescription",
      language === "da" ? "Specifikation af timer" : "Specification of hours",
    ),
    aggregate("cac:Attachment", element("cbc:EmbeddedDocumentBinaryObject", base64(content), type)),
  );
}

function deliveryOf({ delivery }: ElectronicInvoice): string {
  if (delivery === null) return "";
  const country = element("cbc:IdentificationCode", delivery.country_key);
  return aggregate(
    "cac:Delivery",
    element("cbc:ActualDeliveryDate", delivery.date),
    aggregate("cac:DeliveryLocation", aggregate("cac:Address", aggregate("cac:Country", country))),
  );
}

function paymentOf(payment: ElectronicPayment): string {
  const means = (payment_id: string | null, account: string, branch: string | null) =>
    aggregate(
      "cac:PaymentMeans",
      element("cbc:PaymentMeansCode", payment.code),
      element("cbc:PaymentID", payment_id),
      aggregate(
        "cac:PayeeFinancialAccount",
        element("cbc:ID", account),
        aggregate("cac:FinancialInstitutionBranch", element("cbc:ID", branch)),
      ),
    );
  switch (payment.code) {
    case "93":
      return means(`${payment.card_type}#${payment.payment_id ?? ""}`, payment.creditor, null);
    case "42":
      return means(payment.reference, payment.account_number, payment.registration_number);
    default:
      return means(payment.reference, payment.iban, payment.swift);
  }
}

function taxesOf(invoice: ElectronicInvoice): string {
  const { functional } = invoice;
  const subtotals = invoice.vat.map(({ category, rate, base, vat, reason }) =>
    aggregate(
      "cac:TaxSubtotal",
      amount(invoice, "TaxableAmount", base),
      amount(invoice, "TaxAmount", vat),
      categoryOf("cac:TaxCategory", category, rate, reason),
    ),
  );
  const own = aggregate(
    "cac:TaxTotal",
    amount(invoice, "TaxAmount", invoice.totals.vat),
    ...subtotals,
  );
  if (functional === null) return own;
  const books = { currency: functional.currency, currency_digits: functional.digits };
  return own + aggregate("cac:TaxTotal", amount(books, "TaxAmount", functional.vat));
}

function categoryOf(
  name: string,
  category: VatCategory,
  rate: number,
  reason: ElectronicInvoice["vat"][number]["reason"],
): string {
  return aggregate(
    name,
    element("cbc:ID", category),
    // What is outside the scope of VAT has no rate, not even 0.
    element("cbc:Percent", category === "O" ? null : shortDecimal(BigInt(rate), 2, 0)),
    element("cbc:TaxExemptionReasonCode", reason?.code ?? null),
    element("cbc:TaxExemptionReason", reason?.text ?? null),
    aggregate("cac:TaxScheme", element("cbc:ID", "VAT")),
  );
}

function totalsOf(invoice: ElectronicInvoice): string {
  const { net, gross } = invoice.totals;
  return aggregate(
    "cac:LegalMonetaryTotal",
    amount(invoice, "LineExtensionAmount", net),
    amount(invoice, "TaxExclusiveAmount", net),
    amount(invoice, "TaxInclusiveAmount", gross),
    amount(invoice, "PayableAmount", gross),
  );
}

function lineOf(invoice: ElectronicInvoice, line: ElectronicLine, number: number): string {
  const is_credit = invoice.kind === "credit_note";
  const unit = { unitCode: unitCodeOf(line.unit) };
  const digits = Math.min(invoice.currency_digits, 2);
  return aggregate(
    is_credit ? "cac:CreditNoteLine" : "cac:InvoiceLine",
    element("cbc:ID", `${number}`),
    element(
      is_credit ? "cbc:CreditedQuantity" : "cbc:InvoicedQuantity",
      shortDecimal(BigInt(line.quantity), 2, 0),
      unit,
    ),
    amount(invoice, "LineExtensionAmount", line.net),
    invoicePeriod(line.period),
    discountOf(invoice, line),
    aggregate(
      "cac:Item",
      element("cbc:Description", line.description),
      element("cbc:Name", line.name),
      aggregate("cac:SellersItemIdentification", element("cbc:ID", line.product_number)),
      categoryOf("cac:ClassifiedTaxCategory", line.category, line.rate, null),
    ),
    aggregate(
      "cac:Price",
      element("cbc:PriceAmount", shortDecimal(line.unit_price_scaled, 4, digits), {
        currencyID: invoice.currency,
      }),
    ),
  );
}

/** Reason 95 is a discount. */
function discountOf(invoice: ElectronicInvoice, { discount }: ElectronicLine): string {
  if (discount === null) return "";
  return aggregate(
    "cac:AllowanceCharge",
    element("cbc:ChargeIndicator", "false"),
    element("cbc:AllowanceChargeReasonCode", "95"),
    element("cbc:AllowanceChargeReason", invoice.language === "da" ? "Rabat" : "Discount"),
    element("cbc:MultiplierFactorNumeric", shortDecimal(BigInt(discount.percent), 2, 0)),
    amount(invoice, "Amount", discount.amount),
    amount(invoice, "BaseAmount", discount.base),
  );
}
