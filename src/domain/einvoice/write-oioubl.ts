/**
 * Writes an e-invoice as OIOUBL 2.1, which Danish businesses take until mid-2029. It is UBL with rules of its own: amounts have
 * two decimals, `TaxExclusiveAmount` is the VAT, each line carries its VAT, and lines have no discounts.
 */
import { base64 } from "./base64.ts";
import type {
  ElectronicAttachment,
  ElectronicInvoice,
  ElectronicLine,
  ElectronicPayment,
} from "./electronic-invoice.ts";
import { oioublBuyer, oioublSeller } from "./oioubl-parties.ts";
import { oioublAmount, oioublLineTax, oioublTaxes, saysFunctionalVat } from "./oioubl-tax.ts";
import { asOneUnit, shortDecimal } from "./one-unit.ts";
import { billingReference, invoicePeriod, ublDocument } from "./ubl-parts.ts";
import { unitCodeOf } from "./unit-codes.ts";
import { aggregate, element } from "./xml-element.ts";

/** The exchange in which the receiver takes part: simple billing. */
const PROFILE = "Procurement-BilSim-1.0";

/** The longest text that a Danish bank transfer carries to the payee. */
const LONGEST_NOTE = 20;

/** Returns the document, to be encoded as UTF-8. `missingInOioubl` says beforehand what it lacks. */
export function writeOioubl(invoice: ElectronicInvoice): string {
  const is_credit = invoice.kind === "credit_note";
  const { seller, buyer } = invoice;
  return ublDocument(
    invoice.kind,
    element("cbc:UBLVersionID", "2.1"),
    element("cbc:CustomizationID", "OIOUBL-2.1"),
    element("cbc:ProfileID", PROFILE, {
      schemeAgencyID: "320",
      schemeID: "urn:oioubl:id:profileid-1.2",
    }),
    element("cbc:ID", invoice.number),
    element("cbc:CopyIndicator", "false"),
    element("cbc:UUID", invoice.document_id),
    element("cbc:IssueDate", invoice.issue_date),
    is_credit ? "" : typeCode("InvoiceTypeCode", "380", "invoicetypecode-1.1"),
    element("cbc:Note", notesOf(invoice)),
    element("cbc:DocumentCurrencyCode", invoice.currency),
    element("cbc:TaxCurrencyCode", saysFunctionalVat(invoice)?.currency ?? null),
    element("cbc:AccountingCost", invoice.accounting_cost),
    invoicePeriod(invoice.period),
    aggregate("cac:OrderReference", element("cbc:ID", invoice.order_reference)),
    billingReference(invoice),
    ...invoice.attachments.map((attachment) => attachmentOf(attachment, invoice.language)),
    aggregate("cac:AccountingSupplierParty", oioublSeller(seller)),
    aggregate("cac:AccountingCustomerParty", oioublBuyer(buyer, invoice.buyer_reference)),
    ...(invoice.payment === null ? [] : [paymentMeansOf(invoice, invoice.payment)]),
    paymentTermsOf(invoice),
    oioublTaxes(invoice),
    totalsOf(invoice),
    ...invoice.lines.map((line, index) => lineOf(invoice, line, index + 1)),
  );
}

function typeCode(name: string, code: string, list: string): string {
  return element(`cbc:${name}`, code, {
    listAgencyID: "320",
    listID: `urn:oioubl:codelist:${list}`,
  });
}

/** One note, because several would each need a language of their own; also why no VAT is charged, which no element says. */
function notesOf({ notes, vat }: ElectronicInvoice): string {
  return [...notes, ...vat.map(({ reason }) => reason?.text ?? "")]
    .filter((text) => text.trim() !== "")
    .join("\n");
}

function attachmentOf(
  { filename, content }: ElectronicAttachment,
  language: ElectronicInvoice["language"],
): string {
  return aggregate(
    "cac:AdditionalDocumentReference",
    element("cbc:ID", filename),
    element("cbc:DocumentType", language === "da" ? "Timer" : "Hours"),
    aggregate(
      "cac:Attachment",
      element("cbc:EmbeddedDocumentBinaryObject", base64(content), {
        mimeCode: "application/pdf",
        filename,
      }),
    ),
  );
}

function paymentMeansOf({ kind, due_date }: ElectronicInvoice, payment: ElectronicPayment): string {
  const channel = (code: string) => typeCode("PaymentChannelCode", code, "paymentchannelcode-1.1");
  const means = (code: string, ...rest: readonly string[]) =>
    aggregate(
      "cac:PaymentMeans",
      element("cbc:ID", "1"),
      element("cbc:PaymentMeansCode", code),
      element("cbc:PaymentDueDate", kind === "invoice" ? due_date : null),
      ...rest,
    );
  const { reference } = payment;
  const note = element(
    "cbc:PaymentNote",
    reference !== null && reference.length <= LONGEST_NOTE ? reference : null,
  );
  switch (payment.code) {
    case "93":
      return means(
        "93",
        channel("DK:FIK"),
        element("cbc:InstructionID", payment.payment_id),
        element("cbc:PaymentID", payment.card_type, {
          schemeAgencyID: "320",
          schemeID: "urn:oioubl:id:paymentid-1.1",
        }),
        aggregate("cac:CreditAccount", element("cbc:AccountID", payment.creditor)),
      );
    case "42":
      return means(
        "42",
        channel("DK:BANK"),
        aggregate(
          "cac:PayeeFinancialAccount",
          element("cbc:ID", payment.account_number),
          note,
          aggregate(
            "cac:FinancialInstitutionBranch",
            element("cbc:ID", payment.registration_number),
          ),
        ),
      );
    default:
      // OIOUBL has no code for transfers outside SEPA that needs no BIC; the channel tells what the number is.
      return means(
        "58",
        channel("IBAN"),
        aggregate(
          "cac:PayeeFinancialAccount",
          element("cbc:ID", payment.iban),
          note,
          aggregate(
            "cac:FinancialInstitutionBranch",
            aggregate("cac:FinancialInstitution", element("cbc:ID", payment.swift)),
          ),
        ),
      );
  }
}

/** The terms always say the whole amount, which the rules compare. */
function paymentTermsOf(invoice: ElectronicInvoice): string {
  if (invoice.payment_terms === null) return "";
  return aggregate(
    "cac:PaymentTerms",
    element("cbc:ID", "1"),
    element("cbc:PaymentMeansID", invoice.payment === null ? null : "1"),
    element("cbc:Note", invoice.payment_terms),
    oioublAmount(invoice, "Amount", invoice.totals.gross),
  );
}

function totalsOf(invoice: ElectronicInvoice): string {
  const { net, vat, gross } = invoice.totals;
  return aggregate(
    "cac:LegalMonetaryTotal",
    oioublAmount(invoice, "LineExtensionAmount", net),
    oioublAmount(invoice, "TaxExclusiveAmount", vat),
    oioublAmount(invoice, "TaxInclusiveAmount", gross),
    oioublAmount(invoice, "PayableAmount", gross),
  );
}

function lineOf(invoice: ElectronicInvoice, booked: ElectronicLine, number: number): string {
  const is_credit = invoice.kind === "credit_note";
  // A line has no discount and cannot be of nothing; its price is then the net, and its text says the rest.
  const is_plain = booked.discount === null && booked.quantity !== 0;
  const line = is_plain ? booked : asOneUnit(booked, invoice);
  const unit = { unitCode: unitOf(line.unit) };
  return aggregate(
    is_credit ? "cac:CreditNoteLine" : "cac:InvoiceLine",
    element("cbc:ID", String(number)),
    element(
      is_credit ? "cbc:CreditedQuantity" : "cbc:InvoicedQuantity",
      shortDecimal(BigInt(line.quantity), 2, 0),
      unit,
    ),
    oioublAmount(invoice, "LineExtensionAmount", line.net),
    invoicePeriod(line.period),
    oioublLineTax(invoice, line),
    aggregate(
      "cac:Item",
      element("cbc:Description", line.description),
      element("cbc:Name", line.name),
      aggregate("cac:SellersItemIdentification", element("cbc:ID", line.product_number)),
    ),
    aggregate(
      "cac:Price",
      element("cbc:PriceAmount", shortDecimal(line.unit_price_scaled, 4, 2), {
        currencyID: invoice.currency,
      }),
      element("cbc:BaseQuantity", "1", unit),
    ),
  );
}

/** OIOUBL has an older list of units, in which a kilometre has another code. */
function unitOf(unit: string): string {
  const code = unitCodeOf(unit);
  return code === "KMT" ? "KTM" : code;
}
