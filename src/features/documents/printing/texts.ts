/**
 * Every text that documents print, in each language. The English dictionary has the type of the Danish one, so a
 * missing text does not compile. The statutory sentences follow the VAT act (momsloven) and Directive 2006/112/EC.
 */
import type { DocumentSnapshot, PaymentTerms } from "../../../domain/sales/document.ts";
import type { VatCode } from "../../../domain/sales/vat-code.ts";

export type PrintLanguage = DocumentSnapshot["language"];

export type UnitKey = "hour" | "day" | "week" | "month" | "year" | "piece" | "kilometre" | "none";

const danish = {
  invoice: "Faktura",
  creditNote: "Kreditnota",
  /** Printed large in place of a number, and across the page. */
  draft: "UDKAST",
  draftInvoiceNote: "Udkast til faktura. Uden nummer og ikke gyldig som faktura.",
  draftCreditNoteNote: "Udkast til kreditnota. Uden nummer og ikke gyldig som kreditnota.",
  credits: (invoiceNumber: string, invoiceDate: string) =>
    `Krediterer faktura ${invoiceNumber} af ${invoiceDate}`,
  invoiceTo: "Faktureres til",
  creditTo: "Krediteres til",
  attention: "Att.",
  companyNumber: "CVR-nr.",
  vatNumber: "Momsnr.",
  locationNumber: "EAN",
  phone: "Tlf.",
  invoiceDate: "Fakturadato",
  creditDate: "Dato",
  dueDate: "Forfaldsdato",
  paymentTerms: "Betaling",
  reference: "Deres reference",
  orderReference: "Deres ordrenr.",
  currency: "Valuta",
  terms: (type: PaymentTerms["type"], days: number) => {
    if (type === "NettoCash") return "Netto kontant";
    const after = `${days} ${days === 1 ? "dag" : "dage"}`;
    if (type === "Netto") return `Netto ${after}`;
    return days === 0 ? "Løbende måned" : `Løbende måned + ${after}`;
  },
  description: "Beskrivelse",
  quantity: "Antal",
  unit: "Enhed",
  unitPrice: "Enhedspris",
  discount: "Rabat",
  amount: "Beløb",
  units: {
    hour: { one: "time", many: "timer" },
    day: { one: "dag", many: "dage" },
    week: { one: "uge", many: "uger" },
    month: { one: "måned", many: "måneder" },
    year: { one: "år", many: "år" },
    piece: { one: "stk.", many: "stk." },
    kilometre: { one: "km", many: "km" },
    none: null,
  } satisfies Record<UnitKey, { one: string; many: string } | null>,
  subtotal: "Subtotal uden moms",
  vat: "Moms",
  vatRate: "Sats",
  vatBase: "Grundlag",
  vatAmount: "Momsbeløb",
  vatSum: "Moms i alt",
  vatNames: {
    DK25: "Dansk moms",
    DK0: "Momsfri",
    DK_RC: "Omvendt betalingspligt",
    EU_SERVICES_RC: "Omvendt betalingspligt, EU",
    EU_GOODS_RC: "Varesalg til EU",
    EXPORT_SERVICES: "Ydelser uden for dansk moms",
    EXPORT_GOODS: "Eksport",
  } satisfies Record<VatCode, string>,
  invoiceTotal: (currency: string) => `I alt ${currency}`,
  creditTotal: (currency: string) => `I alt krediteret ${currency}`,
  vatIn: (currency: string) => `Moms i ${currency}`,
  exchangeRate: "Kurs",
  /** The sentence that the law requires when no VAT is charged; null when it requires none. */
  statutory: {
    DK25: null,
    DK0: "Fritaget for moms efter momslovens § 13, stk. 1.",
    DK_RC: "Omvendt betalingspligt: køber afregner momsen, jf. momslovens § 46, stk. 1.",
    EU_SERVICES_RC:
      "Omvendt betalingspligt / Reverse charge: køber afregner momsen, jf. momsdirektivets artikel 44 og 196.",
    EU_GOODS_RC:
      "Momsfrit EU-varesalg / Intra-Community supply, jf. momslovens § 34, stk. 1, nr. 1, og momsdirektivets artikel 138.",
    EXPORT_SERVICES:
      "Uden for dansk momspligt / Outside the scope of Danish VAT, jf. momslovens § 16, stk. 1.",
    EXPORT_GOODS: "Momsfri eksport / Export, jf. momslovens § 34, stk. 1, nr. 5.",
  } satisfies Record<VatCode, string | null>,
  bothVatNumbers: (seller: string, customer: string) =>
    `Sælgers momsnr. ${seller}. Købers momsnr. ${customer}.`,
  payment: "Betaling",
  payable: "Til betaling",
  bankAccount: "Reg.nr. og kontonr.",
  iban: "IBAN",
  swift: "SWIFT/BIC",
  fik: "Indbetalingskort (FIK)",
  paymentReference: "Betalingsreference",
  /** The digits of a payment slip. */
  paymentId: "Betalings-id",
  payBy: "Betales senest",
  hoursHeading: "Specifikation af timer",
  /** Below the heading, when sums are printed in place of registrations. */
  hoursSummed:
    "Der er mange registreringer. De er lagt sammen pr. dag og medarbejder, og deres tekster er udeladt.",
  hoursOwn: "Her står kun dine egne timer. Kunden får specifikationen med alles.",
  hoursDate: "Dato",
  hoursUser: "Medarbejder",
  hoursNote: "Tekst",
  hours: "Timer",
  hoursSum: "I alt",
  hoursTotal: "Timer i alt",
  continued: "fortsat",
  page: (page: string, pages: string) => `Side ${page} af ${pages}`,
};

type Texts = typeof danish;

const english: Texts = {
  invoice: "Invoice",
  creditNote: "Credit note",
  draft: "DRAFT",
  draftInvoiceNote: "Draft of an invoice. It has no number and is not valid as an invoice.",
  draftCreditNoteNote:
    "Draft of a credit note. It has no number and is not valid as a credit note.",
  credits: (invoiceNumber, invoiceDate) => `Credits invoice ${invoiceNumber} of ${invoiceDate}`,
  invoiceTo: "Invoice to",
  creditTo: "Credit to",
  attention: "Attn.",
  companyNumber: "CVR no.",
  vatNumber: "VAT no.",
  locationNumber: "EAN/GLN",
  phone: "Tel.",
  invoiceDate: "Invoice date",
  creditDate: "Date",
  dueDate: "Due date",
  paymentTerms: "Terms",
  reference: "Your reference",
  orderReference: "Your order no.",
  currency: "Currency",
  terms: (type, days) => {
    if (type === "NettoCash") return "Net cash";
    const after = `${days} ${days === 1 ? "day" : "days"}`;
    if (type === "Netto") return `Net ${after}`;
    return days === 0 ? "End of month" : `End of month + ${after}`;
  },
  description: "Description",
  quantity: "Quantity",
  unit: "Unit",
  unitPrice: "Unit price",
  discount: "Discount",
  amount: "Amount",
  units: {
    hour: { one: "hour", many: "hours" },
    day: { one: "day", many: "days" },
    week: { one: "week", many: "weeks" },
    month: { one: "month", many: "months" },
    year: { one: "year", many: "years" },
    piece: { one: "pc.", many: "pcs." },
    kilometre: { one: "km", many: "km" },
    none: null,
  },
  subtotal: "Subtotal excluding VAT",
  vat: "VAT",
  vatRate: "Rate",
  vatBase: "Base",
  vatAmount: "VAT amount",
  vatSum: "Total VAT",
  vatNames: {
    DK25: "Danish VAT",
    DK0: "Exempt from VAT",
    DK_RC: "Domestic reverse charge",
    EU_SERVICES_RC: "Reverse charge, EU",
    EU_GOODS_RC: "Intra-Community supply",
    EXPORT_SERVICES: "Outside Danish VAT",
    EXPORT_GOODS: "Export",
  },
  invoiceTotal: (currency) => `Total ${currency}`,
  creditTotal: (currency) => `Total credited ${currency}`,
  vatIn: (currency) => `VAT in ${currency}`,
  exchangeRate: "Exchange rate",
  statutory: {
    DK25: null,
    DK0: "Exempt from VAT under section 13(1) of the Danish VAT Act.",
    DK_RC:
      "Reverse charge / Omvendt betalingspligt: the customer accounts for the VAT, section 46(1) of the Danish VAT Act.",
    EU_SERVICES_RC:
      "Reverse charge / Omvendt betalingspligt: the customer accounts for the VAT, Articles 44 and 196 of Directive 2006/112/EC.",
    EU_GOODS_RC:
      "Intra-Community supply, exempt from VAT under Article 138 of Directive 2006/112/EC and section 34(1)(1) of the Danish VAT Act.",
    EXPORT_SERVICES: "Outside the scope of Danish VAT, section 16(1) of the Danish VAT Act.",
    EXPORT_GOODS: "Export, exempt from VAT under section 34(1)(5) of the Danish VAT Act.",
  },
  bothVatNumbers: (seller, customer) =>
    `Seller's VAT no. ${seller}. Customer's VAT no. ${customer}.`,
  payment: "Payment",
  payable: "Amount due",
  bankAccount: "Bank reg. and account no.",
  iban: "IBAN",
  swift: "SWIFT/BIC",
  fik: "Payment slip (FIK)",
  paymentReference: "Payment reference",
  paymentId: "Payment reference",
  payBy: "Pay by",
  hoursHeading: "Specification of hours",
  hoursSummed:
    "There are many registrations. They are summed by day and person, and their texts are left out.",
  hoursOwn: "Only your own hours stand here. The customer gets everybody's.",
  hoursDate: "Date",
  hoursUser: "Person",
  hoursNote: "Text",
  hours: "Hours",
  hoursSum: "Sum",
  hoursTotal: "Total hours",
  continued: "continued",
  page: (page, pages) => `Page ${page} of ${pages}`,
};

export const texts: Readonly<Record<PrintLanguage, Texts>> = { da: danish, en: english };
