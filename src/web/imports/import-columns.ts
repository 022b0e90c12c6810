/** Import columns of customers, products, hours and opening items: API, English and Danish names, and how the cells are read. */
import type { Language } from "../words/words.ts";

export type ImportKind = "customers" | "products" | "hours" | "opening-items";

/** How a cell is read: `hours` accepts `7:30`, `prices` is `EUR 160.00; USD 175.00`. */
type CellKind =
  | "text"
  | "number"
  | "whole"
  | "hours"
  | "flag"
  | "day"
  | "country"
  | "send_method"
  | "currency_of_books"
  | "terms"
  | "prices";

export interface ImportColumn {
  readonly field: string;
  readonly kind: CellKind;
  /** The first name is shown; the others are recognised as well. */
  readonly en: readonly string[];
  readonly da: readonly string[];
  readonly is_required?: boolean;
}

const column = (
  field: string,
  kind: CellKind,
  en: string,
  da: string,
  is_required = false,
): ImportColumn => ({ field, kind, en: en.split("|"), da: da.split("|"), is_required });

const CUSTOMERS: readonly ImportColumn[] = [
  column(
    "name",
    "text",
    "Name|Customer|Customer name|Company",
    "Navn|Kunde|Kundenavn|Firma|Virksomhed",
    true,
  ),
  column(
    "external_id",
    "text",
    "Number|Customer number|Customer no|No|External id",
    "Nummer|Kundenummer|Kundenr|Nr|Eksternt id",
  ),
  column(
    "vat_number",
    "text",
    "VAT number|VAT no|VAT|CVR",
    "Momsnummer|Momsnr|CVR-nummer|CVR-nr|CVR",
  ),
  column("country_key", "country", "Country|Country code", "Land|Landekode"),
  column("is_person", "flag", "Private person|Person", "Privatperson|Privat"),
  column("email", "text", "E-mail|E-mail address|Mail", "E-mail|E-mailadresse|Mail|Mailadresse"),
  column("street", "text", "Street|Address", "Vej|Adresse|Gade"),
  column("zip_code", "text", "Postal code|Postcode|ZIP", "Postnummer|Postnr"),
  column("city", "text", "City|Town", "By"),
  column("phone", "text", "Telephone|Phone", "Telefon|Tlf|Mobil"),
  column("webpage", "text", "Website|Web", "Hjemmeside|Webside|Web"),
  column("att_person", "text", "Attention|Contact|Contact person", "Att|Kontakt|Kontaktperson"),
  column("ean_number", "text", "EAN number|EAN|GLN", "EAN-nummer|EAN-nr|EAN|GLN"),
  column("send_method", "send_method", "Send invoices by|Sent by", "Send fakturaer med|Sendes med"),
  column("payment_condition_type", "terms", "Payment terms", "Betalingsbetingelser"),
  column(
    "payment_condition_number_of_days",
    "whole",
    "Payment days|Days",
    "Betalingsfrist|Dage|Kreditdage",
  ),
  column("preferred_invoice_currency_key", "text", "Currency", "Valuta"),
  column("preferred_invoice_language_key", "text", "Language", "Sprog"),
  column("buyer_reference", "text", "Their reference", "Deres reference"),
  column("order_reference", "text", "Their order number", "Deres ordrenummer|Rekvisition"),
  column("hours_specification", "flag", "Hours on invoices", "Timer på fakturaer"),
  column("reminders", "flag", "Reminders", "Rykkere"),
  column("external_reference", "text", "External reference", "Ekstern reference"),
  column("se_number", "text", "SE number", "SE-nummer"),
  column("p_number", "text", "P number", "P-nummer"),
  column("use_cvr", "flag", "Use CVR", "Brug CVR"),
  column("company_type_key", "text", "Company type", "Virksomhedstype"),
  column("invoice_mail_out_option_key", "text", "Mail option", "Mailvalg"),
  column("payment_mean", "text", "Payment means", "Betalingsmåde"),
  column("einvoice_address", "text", "E-invoice address", "E-fakturaadresse"),
  column("einvoice_format", "text", "E-invoice format", "E-fakturaformat"),
  column("einvoice_by_mail", "flag", "E-invoice by mail", "E-faktura med mail"),
  column("accounting_cost", "text", "Accounting cost|Cost account", "Kontering|Kontostreng"),
];

const PRODUCTS: readonly ImportColumn[] = [
  column(
    "name",
    "text",
    "Name|Product|Product name",
    "Navn|Ydelse|Vare|Varenavn|Ydelsesnavn",
    true,
  ),
  column(
    "product_number",
    "text",
    "Number|Product number|Item number|SKU|No",
    "Nummer|Varenummer|Varenr|Ydelsesnummer|Nr",
  ),
  column("unit", "text", "Unit", "Enhed"),
  column(
    "default_price",
    "number",
    "Price|Unit price|Sales price",
    "Pris|Stykpris|Salgspris|Enhedspris",
  ),
  column("currency", "currency_of_books", "Currency", "Valuta"),
  column("account_number", "whole", "Revenue account|Account", "Omsætningskonto|Konto|Kontonummer"),
  column("quantity", "number", "Quantity", "Antal"),
  column(
    "comments",
    "text",
    "Text on the document|Comments|Text",
    "Tekst på dokumentet|Bemærkning|Tekst",
  ),
  column("prices", "prices", "Prices in other currencies", "Priser i andre valutaer"),
  column("external_id", "text", "External id", "Eksternt id"),
  column("external_reference", "text", "External reference", "Ekstern reference"),
];

const HOURS: readonly ImportColumn[] = [
  column("date", "day", "Date|Day", "Dato|Dag", true),
  column("hours", "hours", "Hours|Time", "Timer|Tid|Timeantal", true),
  column("customer", "text", "Customer|Customer name|Client", "Kunde|Kundenavn"),
  column("line", "text", "Line|Task|Product|Activity", "Linje|Opgave|Ydelse|Aktivitet"),
  column("title", "text", "Title|Project|Invoice title", "Titel|Projekt|Sag"),
  column("note", "text", "Note|Comment|Description", "Note|Notat|Bemærkning|Beskrivelse"),
  column("billable", "flag", "Billable", "Fakturerbar|Kan faktureres"),
  column("user", "text", "Person|User name|Employee|Colleague", "Medarbejder|Person|Bruger"),
  column("project", "text", "Title or line", "Titel eller linje"),
  column("task", "text", "Line if there are several", "Linje, hvis der er flere"),
  column("line_id", "text", "Line id", "Linje-id"),
  column("user_id", "text", "User id", "Bruger-id"),
];

const OPENING_ITEMS: readonly ImportColumn[] = [
  column(
    "number",
    "text",
    "Number|Invoice number|Invoice no|Invoice|Document",
    "Nummer|Fakturanummer|Fakturanr|Faktura|Bilag|Bilagsnr",
    true,
  ),
  column(
    "customer",
    "text",
    "Customer|Customer number|Customer no|Customer name",
    "Kunde|Kundenummer|Kundenr|Kundenavn|Debitor",
    true,
  ),
  column("due_date", "day", "Due date|Due", "Forfaldsdato|Forfald|Forfalder", true),
  column(
    "amount",
    "number",
    "Open amount|Amount|Open|Balance|Remainder",
    "Restbeløb|Beløb|Rest|Åbent beløb|Saldo|Udestående",
    true,
  ),
  column("currency", "text", "Currency", "Valuta"),
  column("is_credit", "flag", "Credit|Credit note", "Kredit|Kreditnota"),
  column(
    "functional_amount",
    "number",
    "Amount in the books|In the books",
    "Beløb i bøgerne|Bogført beløb|Beløb DKK|Beløb i DKK",
  ),
  column("date", "day", "Entry date|Posting date", "Posteringsdato|Bogføringsdato"),
  column("counter_account", "whole", "Counter account|Account", "Modkonto|Konto", true),
  column("external_id", "text", "External id", "Eksternt id"),
];

const COLUMNS: Readonly<Record<ImportKind, readonly ImportColumn[]>> = {
  customers: CUSTOMERS,
  products: PRODUCTS,
  hours: HOURS,
  "opening-items": OPENING_ITEMS,
};

export function columnsOf(kind: ImportKind): readonly ImportColumn[] {
  return COLUMNS[kind];
}

export function labelOf(column: ImportColumn, language: Language): string {
  return column[language][0] ?? column.field;
}

/** The columns that a person has given to heads, by head: a field, or an empty text for a head that is left out. */
export type Assigned = Readonly<Record<string, string>>;

/**
 * Returns the columns that a file's heads mean, in order; null for an unknown head and for a repeated column. `assigned` comes
 * before what the names mean.
 */
export function columnsFor(
  kind: ImportKind,
  heads: readonly string[],
  assigned: Assigned = {},
): readonly (ImportColumn | null)[] {
  const taken = new Set<string>();
  return heads.map((head) => {
    const field = assigned[head];
    const found =
      field === undefined
        ? columnFor(kind, head)
        : COLUMNS[kind].find((one) => one.field === field);
    if (found === undefined || taken.has(found.field)) return null;
    taken.add(found.field);
    return found;
  });
}

/** Returns the column of a head. API names precede names for people, so that an exported file is read as written. */
function columnFor(kind: ImportKind, head: string): ImportColumn | undefined {
  const wanted = bare(head);
  if (wanted === "") return undefined;
  const all = COLUMNS[kind];
  return (
    all.find(({ field }) => field === head.trim().toLowerCase()) ??
    all.find(({ field, en, da }) => [field, ...en, ...da].some((name) => bare(name) === wanted))
  );
}

/** Only letters and digits, so that `Kunde-nr.` is `kundenr`. */
function bare(head: string): string {
  return head
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
