/**
 * Writes an e-invoice as a Cross Industry Invoice (CII) of EN 16931, which Factur-X carries inside of the PDF. It goes by mail, so
 * electronic addresses may be absent; the pages of hours are left out, because the PDF around it has them.
 */
import { decimalText } from "../base/money.ts";
import type {
  Days,
  ElectronicBuyer,
  ElectronicInvoice,
  ElectronicLine,
  ElectronicPayment,
  ElectronicSeller,
  ElectronicVat,
} from "./electronic-invoice.ts";
import { shortDecimal } from "./one-unit.ts";
import { unitCodeOf } from "./unit-codes.ts";
import { aggregate, element, xmlDocument } from "./xml-element.ts";

const STANDARD = "urn:un:unece:uncefact:data:standard";

const NAMESPACES = {
  "xmlns:rsm": `${STANDARD}:CrossIndustryInvoice:100`,
  "xmlns:ram": `${STANDARD}:ReusableAggregateBusinessInformationEntity:100`,
  "xmlns:udt": `${STANDARD}:UnqualifiedDataType:100`,
  "xmlns:qdt": `${STANDARD}:QualifiedDataType:100`,
};

/** The profile: EN 16931 without additions (BT-24). */
const GUIDELINE = "urn:cen.eu:en16931:2017";

/** Why an amount is deducted: a discount (UNCL 5189). */
const DISCOUNT = "95";

/** Returns the document, to be encoded as UTF-8. */
export function writeCii(invoice: ElectronicInvoice): string {
  return xmlDocument(
    "rsm:CrossIndustryInvoice",
    NAMESPACES,
    aggregate(
      "rsm:ExchangedDocumentContext",
      aggregate("ram:GuidelineSpecifiedDocumentContextParameter", element("ram:ID", GUIDELINE)),
    ),
    aggregate(
      "rsm:ExchangedDocument",
      element("ram:ID", invoice.number),
      element("ram:TypeCode", invoice.kind === "invoice" ? "380" : "381"),
      dateTime("ram:IssueDateTime", invoice.issue_date),
      ...invoice.notes.map((note) => aggregate("ram:IncludedNote", element("ram:Content", note))),
    ),
    aggregate(
      "rsm:SupplyChainTradeTransaction",
      ...invoice.lines.map((line, index) => lineOf(invoice, line, index + 1)),
      agreementOf(invoice),
      deliveryOf(invoice),
      settlementOf(invoice),
    ),
  );
}

function lineOf(invoice: ElectronicInvoice, line: ElectronicLine, number: number): string {
  const { currency_digits: digits } = invoice;
  const { discount } = line;
  return aggregate(
    "ram:IncludedSupplyChainTradeLineItem",
    aggregate("ram:AssociatedDocumentLineDocument", element("ram:LineID", String(number))),
    aggregate(
      "ram:SpecifiedTradeProduct",
      element("ram:SellerAssignedID", line.product_number),
      element("ram:Name", line.name),
      element("ram:Description", line.description),
    ),
    aggregate(
      "ram:SpecifiedLineTradeAgreement",
      aggregate(
        "ram:NetPriceProductTradePrice",
        element("ram:ChargeAmount", shortDecimal(line.unit_price_scaled, 4, 2)),
      ),
    ),
    aggregate(
      "ram:SpecifiedLineTradeDelivery",
      element("ram:BilledQuantity", shortDecimal(BigInt(line.quantity), 2, 0), {
        unitCode: unitCodeOf(line.unit),
      }),
    ),
    aggregate(
      "ram:SpecifiedLineTradeSettlement",
      aggregate(
        "ram:ApplicableTradeTax",
        element("ram:TypeCode", "VAT"),
        element("ram:CategoryCode", line.category),
        rateOf(line),
      ),
      periodOf(line.period),
      discount === null
        ? ""
        : aggregate(
            "ram:SpecifiedTradeAllowanceCharge",
            aggregate("ram:ChargeIndicator", element("udt:Indicator", "false")),
            element("ram:CalculationPercent", shortDecimal(BigInt(discount.percent), 2, 0)),
            element("ram:BasisAmount", decimalText(discount.base, digits)),
            element("ram:ActualAmount", decimalText(discount.amount, digits)),
            element("ram:ReasonCode", DISCOUNT),
          ),
      aggregate(
        "ram:SpecifiedTradeSettlementLineMonetarySummation",
        element("ram:LineTotalAmount", decimalText(line.net, digits)),
      ),
    ),
  );
}

function agreementOf(invoice: ElectronicInvoice): string {
  return aggregate(
    "ram:ApplicableHeaderTradeAgreement",
    element("ram:BuyerReference", invoice.buyer_reference),
    aggregate("ram:SellerTradeParty", ...sellerOf(invoice.seller)),
    aggregate("ram:BuyerTradeParty", ...buyerOf(invoice.buyer)),
    aggregate(
      "ram:BuyerOrderReferencedDocument",
      element("ram:IssuerAssignedID", invoice.order_reference),
    ),
  );
}

function sellerOf(seller: ElectronicSeller): string[] {
  const { registration_number: value } = seller;
  return partyOf(seller, [], value === null ? null : { scheme: "0184", value });
}

function buyerOf(buyer: ElectronicBuyer): string[] {
  // EN 16931 allows one identifier of the buyer.
  return partyOf(buyer, buyer.identifiers.slice(0, 1), buyer.registration);
}

function partyOf(
  party: ElectronicSeller | ElectronicBuyer,
  identifiers: ElectronicBuyer["identifiers"],
  registration: ElectronicBuyer["registration"],
): string[] {
  const { contact, endpoint } = party;
  return [
    ...identifiers.map(({ scheme, value }) => element("ram:GlobalID", value, { schemeID: scheme })),
    element("ram:Name", party.name),
    aggregate(
      "ram:SpecifiedLegalOrganization",
      element(
        "ram:ID",
        registration?.value ?? null,
        registration?.scheme == null ? {} : { schemeID: registration.scheme },
      ),
    ),
    aggregate(
      "ram:DefinedTradeContact",
      element("ram:PersonName", contact.name),
      aggregate(
        "ram:TelephoneUniversalCommunication",
        element("ram:CompleteNumber", contact.phone),
      ),
      aggregate("ram:EmailURIUniversalCommunication", element("ram:URIID", contact.email)),
    ),
    aggregate(
      "ram:PostalTradeAddress",
      element("ram:PostcodeCode", party.zip_code),
      element("ram:LineOne", party.street),
      element("ram:CityName", party.city),
      element("ram:CountryID", party.country_key),
    ),
    aggregate(
      "ram:URIUniversalCommunication",
      endpoint === null ? "" : element("ram:URIID", endpoint.value, { schemeID: endpoint.scheme }),
    ),
    aggregate(
      "ram:SpecifiedTaxRegistration",
      element("ram:ID", party.vat_number, { schemeID: "VA" }),
    ),
  ];
}

/** A date is always there, because readers warn of an empty delivery; the country where goods go to another country of the EU. */
function deliveryOf({ delivery, supply_date }: ElectronicInvoice): string {
  return aggregate(
    "ram:ApplicableHeaderTradeDelivery",
    delivery === null
      ? ""
      : aggregate(
          "ram:ShipToTradeParty",
          aggregate("ram:PostalTradeAddress", element("ram:CountryID", delivery.country_key)),
        ),
    aggregate(
      "ram:ActualDeliverySupplyChainEvent",
      dateTime("ram:OccurrenceDateTime", delivery?.date ?? supply_date),
    ),
  );
}

function settlementOf(invoice: ElectronicInvoice): string {
  const { totals, currency_digits: digits, functional, preceding, payment } = invoice;
  return aggregate(
    "ram:ApplicableHeaderTradeSettlement",
    element("ram:PaymentReference", payment === null ? null : referenceOf(payment)),
    element("ram:TaxCurrencyCode", functional?.currency ?? null),
    element("ram:InvoiceCurrencyCode", invoice.currency),
    payment === null ? "" : meansOf(payment),
    ...invoice.vat.map((vat) => taxOf(vat, digits)),
    periodOf(invoice.period),
    aggregate(
      "ram:SpecifiedTradePaymentTerms",
      element("ram:Description", invoice.payment_terms),
      invoice.due_date === null ? "" : dateTime("ram:DueDateDateTime", invoice.due_date),
    ),
    aggregate(
      "ram:SpecifiedTradeSettlementHeaderMonetarySummation",
      element("ram:LineTotalAmount", decimalText(totals.net, digits)),
      element("ram:TaxBasisTotalAmount", decimalText(totals.net, digits)),
      element("ram:TaxTotalAmount", decimalText(totals.vat, digits), {
        currencyID: invoice.currency,
      }),
      functional === null
        ? ""
        : element("ram:TaxTotalAmount", decimalText(functional.vat, functional.digits), {
            currencyID: functional.currency,
          }),
      element("ram:GrandTotalAmount", decimalText(totals.gross, digits)),
      element("ram:DuePayableAmount", decimalText(totals.gross, digits)),
    ),
    preceding === null
      ? ""
      : aggregate(
          "ram:InvoiceReferencedDocument",
          element("ram:IssuerAssignedID", preceding.number),
          dateTime("ram:FormattedIssueDateTime", preceding.date, "qdt"),
        ),
    aggregate(
      "ram:ReceivableSpecifiedTradeAccountingAccount",
      element("ram:ID", invoice.accounting_cost),
    ),
  );
}

function referenceOf(payment: ElectronicPayment): string | null {
  return payment.code === "93"
    ? `${payment.card_type}#${payment.payment_id ?? ""}`
    : payment.reference;
}

function meansOf(payment: ElectronicPayment): string {
  const account = (name: string, number: string) =>
    aggregate("ram:PayeePartyCreditorFinancialAccount", element(`ram:${name}`, number));
  return aggregate(
    "ram:SpecifiedTradeSettlementPaymentMeans",
    element("ram:TypeCode", payment.code),
    ...(payment.code === "93"
      ? [account("ProprietaryID", payment.creditor)]
      : payment.code === "42"
        ? [account("ProprietaryID", payment.registration_number + payment.account_number)]
        : [
            account("IBANID", payment.iban),
            aggregate(
              "ram:PayeeSpecifiedCreditorFinancialInstitution",
              element("ram:BICID", payment.swift),
            ),
          ]),
  );
}

function taxOf(vat: ElectronicVat, digits: number): string {
  return aggregate(
    "ram:ApplicableTradeTax",
    element("ram:CalculatedAmount", decimalText(vat.vat, digits)),
    element("ram:TypeCode", "VAT"),
    element("ram:ExemptionReason", vat.reason?.text ?? null),
    element("ram:BasisAmount", decimalText(vat.base, digits)),
    element("ram:CategoryCode", vat.category),
    element("ram:ExemptionReasonCode", vat.reason?.code ?? null),
    rateOf(vat),
  );
}

/** Sales outside the scope of VAT have no rate, not even 0. */
function rateOf({ category, rate }: Pick<ElectronicLine, "category" | "rate">): string {
  if (category === "O") return "";
  return element("ram:RateApplicablePercent", shortDecimal(BigInt(rate), 2, 0));
}

function periodOf(days: Days | null): string {
  if (days === null) return "";
  return aggregate(
    "ram:BillingSpecifiedPeriod",
    dateTime("ram:StartDateTime", days.from),
    dateTime("ram:EndDateTime", days.to),
  );
}

/** Format 102 is a day without separators. */
function dateTime(name: string, day: string, prefix = "udt"): string {
  return aggregate(
    name,
    element(`${prefix}:DateTimeString`, day.replaceAll("-", ""), { format: "102" }),
  );
}
