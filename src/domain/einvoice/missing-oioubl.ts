/**
 * The rules of OIOUBL 2.1 (release 1.17.2) that documents of ours can break. Credit notes have ids of their own for some of them;
 * `XSD` is the schema, which numbers nothing.
 */
import type { ElectronicAddress, ElectronicInvoice, ElectronicLine } from "./electronic-invoice.ts";
import {
  type ElectronicRule,
  LINE_TEXT,
  rule,
  SELLER_CVR,
  type Sentences,
  type Taxed,
  textsOf,
  vatByRate,
} from "./electronic-rule.ts";
import { SELLER_COUNTRY } from "./missing-en16931.ts";
import { oioublSchemes } from "./oioubl-parties.ts";
import { OIOUBL_DECIMALS, oioublCategories } from "./oioubl-tax.ts";

/** Currencies that are younger than the list of OIOUBL. */
const YOUNG_CURRENCIES = new Set(["SLE", "VED", "VES", "XCG", "ZWG"]);

/** The most digits of the account that a Danish transfer goes to. */
const REGISTRATION_DIGITS = 4;
const ACCOUNT_DIGITS = 10;

/** 1.00, by which VAT may differ from its rate. */
const SLACK = 100n;

const SELLER_ADDRESS: Sentences = {
  en: "OIOUBL requires the seller's electronic address to be a CVR, SE, P or GLN number: set it in the configuration.",
  da: "OIOUBL kræver, at sælgers elektroniske adresse er et CVR-, SE-, P- eller GLN-nummer: Angiv den under indstillinger.",
};

const BUYER_ADDRESS: Sentences = {
  en: "OIOUBL requires the customer's electronic address to be a CVR, SE, P or GLN number.",
  da: "OIOUBL kræver, at kundens elektroniske adresse er et CVR-, SE-, P- eller GLN-nummer.",
};

const REFERENCE: Sentences = {
  en: "OIOUBL requires the buyer's reference: set it.",
  da: "OIOUBL kræver købers reference: Angiv den.",
};

const VAT_OF_LINE: Sentences = {
  en: "OIOUBL requires the VAT on each line, and the booked VAT of this line does not match its rate: join it with another line, or send Peppol BIS 3.",
  da: "OIOUBL kræver momsen på hver linje, og linjens bogførte moms passer ikke med satsen: Læg linjen sammen med en anden, eller send Peppol BIS 3.",
};

const BANK_ACCOUNT: Sentences = {
  en: "A Danish bank account has a registration number of four digits and at most ten more: correct it in the configuration.",
  da: "En dansk bankkonto har et registreringsnummer på fire cifre og højst ti cifre mere: Ret den under indstillinger.",
};

export const OIOUBL_RULES: readonly ElectronicRule[] = [
  SELLER_COUNTRY,
  ...both(
    ["F-INV031", "F-CRN028"],
    ({ seller }) => (isSaid(seller.endpoint) ? [] : ["seller.einvoice_address"]),
    SELLER_ADDRESS,
  ),
  rule("F-LIB022", ({ seller }) => (seller.name === null ? ["seller.name"] : []), {
    en: "The seller's name is missing: set it in the configuration.",
    da: "Sælgers navn mangler: Angiv det under indstillinger.",
  }),
  rule("F-LIB187", ({ seller }) => (seller.name === null ? [] : cvrOf(seller)), SELLER_CVR),
  ...both(
    ["F-INV034", "F-CRN031"],
    ({ seller }) => (seller.name === null ? cvrOf(seller) : []),
    SELLER_CVR,
  ),
  ...both(
    ["F-INV044", "F-CRN040"],
    ({ buyer }) => (isSaid(buyer.endpoint) ? [] : ["customer.einvoice_address"]),
    BUYER_ADDRESS,
  ),
  rule(
    "F-LIB022",
    ({ buyer }) => (buyer.name === null && buyer.identifiers.length === 0 ? ["customer.name"] : []),
    { en: "The customer's name is missing.", da: "Kundens navn mangler." },
  ),
  // The reference is the id of a contact: the contact lacks its id, or is not there at all.
  ...both(
    ["F-INV051", "F-CRN047"],
    (invoice) => (hasContact(invoice) ? referenceOf(invoice) : []),
    REFERENCE,
  ),
  ...both(
    ["F-INV046", "F-CRN042"],
    (invoice) => (hasContact(invoice) ? [] : referenceOf(invoice)),
    REFERENCE,
  ),
  rule("XSD", ({ lines }) => (lines.length === 0 ? ["lines"] : []), {
    en: "No line has an amount.",
    da: "Ingen linje har et beløb.",
  }),
  ...both(
    ["F-INV163", "F-CRN110"],
    ({ lines }) => textsOf(lines.filter((line) => line.name === "" && hasItem(line))),
    LINE_TEXT,
  ),
  ...both(
    ["XSD", "F-CRN082"],
    ({ lines }) => textsOf(lines.filter((line) => line.name === "" && !hasItem(line))),
    LINE_TEXT,
  ),
  rule(
    "F-LIB309",
    ({ lines }) =>
      lines.some(({ category }) => oioublCategories[category] === undefined)
        ? ["customer.einvoice_format"]
        : [],
    {
      en: "OIOUBL cannot state sales to other countries except with reverse charge: choose Peppol BIS 3.",
      da: "OIOUBL kan ikke angive salg til andre lande undtagen med omvendt betalingspligt: Vælg Peppol BIS 3.",
    },
  ),
  rule(
    "F-LIB382",
    ({ vat }) =>
      vat.some(({ category, rate }) => category === "S" && rate === 0)
        ? ["configuration.vat.domestic_rate"]
        : [],
    {
      en: "A sale with Danish VAT needs a rate above 0: correct the rate in the configuration.",
      da: "Et salg med dansk moms kræver en sats over 0: Ret satsen under indstillinger.",
    },
  ),
  rule("F-LIB381", (invoice) => linesWhere(invoice, isUntaxed), VAT_OF_LINE),
  rule("F-LIB401", (invoice) => linesWhere(invoice, isFarOff), VAT_OF_LINE),
  rule(
    "F-LIB250",
    ({ currency_digits: digits }) => (digits > OIOUBL_DECIMALS ? ["currency"] : []),
    {
      en: "E-invoices have at most two decimals: choose another currency, or send a PDF.",
      da: "E-fakturaer har højst to decimaler: Vælg en anden valuta, eller send en PDF.",
    },
  ),
  rule("F-LIB298", ({ currency }) => (YOUNG_CURRENCIES.has(currency) ? ["currency"] : []), {
    en: "OIOUBL does not know this currency: choose Peppol BIS 3.",
    da: "OIOUBL kender ikke denne valuta: Vælg Peppol BIS 3.",
  }),
  rule(
    "F-LIB132",
    ({ payment }) =>
      payment?.code === "42" && payment.registration_number.length > REGISTRATION_DIGITS
        ? ["seller.bank_registration_number"]
        : [],
    BANK_ACCOUNT,
  ),
  rule(
    "F-LIB311",
    ({ payment }) =>
      payment?.code === "42" && !/[1-9]/.test(digitsOf(payment.registration_number))
        ? ["seller.bank_registration_number"]
        : [],
    BANK_ACCOUNT,
  ),
  rule(
    "F-LIB131",
    ({ payment }) =>
      payment?.code === "42" && payment.account_number.length > ACCOUNT_DIGITS
        ? ["seller.bank_account_number"]
        : [],
    BANK_ACCOUNT,
  ),
];

/** A rule that has one id for invoices and one for credit notes. */
function both(
  [of_invoices, of_credit_notes]: readonly [string, string],
  broken: ElectronicRule["broken"],
  message: Sentences,
): ElectronicRule[] {
  const only = (kind: ElectronicInvoice["kind"]): ElectronicRule["broken"] => {
    return (invoice) => (invoice.kind === kind ? broken(invoice) : []);
  };
  return [
    rule(of_invoices, only("invoice"), message),
    rule(of_credit_notes, only("credit_note"), message),
  ];
}

function isSaid(address: ElectronicAddress | null): boolean {
  return address !== null && oioublSchemes[address.scheme] !== undefined;
}

function cvrOf({ registration_number }: ElectronicInvoice["seller"]): string[] {
  return registration_number === null ? ["seller.registration_number"] : [];
}

function hasContact({ buyer: { contact } }: ElectronicInvoice): boolean {
  return contact.name !== null || contact.phone !== null || contact.email !== null;
}

function referenceOf({ buyer_reference }: ElectronicInvoice): string[] {
  return buyer_reference === null ? ["buyer_reference"] : [];
}

/** Whether a line without a name says anything of what was sold; a discount becomes words. */
function hasItem({ description, product_number, discount, quantity }: ElectronicLine): boolean {
  return description !== null || product_number !== null || discount !== null || quantity === 0;
}

function linesWhere(
  { lines, currency_digits: digits }: ElectronicInvoice,
  is_broken: (taxed: Taxed, digits: number) => boolean,
): string[] {
  const found = lines.filter(({ net, ...line }) => is_broken({ ...line, base: net }, digits));
  return [...new Set(found.map(({ line_index }) => `lines[${line_index}]`))];
}

/** Whether there is no VAT although the rate gives some. */
function isUntaxed(taxed: Taxed, digits: number): boolean {
  const compared = vatByRate(taxed, digits);
  return compared !== null && compared.booked === 0n && compared.by_rate > 0n;
}

function isFarOff(taxed: Taxed, digits: number): boolean {
  const compared = vatByRate(taxed, digits);
  if (compared === null) return false;
  const off = compared.booked - compared.by_rate;
  return off > SLACK || off < -SLACK;
}

/** A text that is a number; else nothing. */
function digitsOf(text: string): string {
  return /^\d+$/.test(text) ? text : "";
}
