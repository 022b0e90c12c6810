/** The texts of the customer pages, in both languages. */
import type { VatGround } from "../../domain/sales/vat-reasoning.ts";

/** The values in a sentence about VAT: the country in the reader's language, the customer's number, and the rate as `25 %`. */
interface VatNames {
  readonly country: string;
  readonly number: string;
  readonly rate: string;
}

type VatSentences = Readonly<Record<VatGround, (names: VatNames) => string>>;

const VAT_IN_ENGLISH: VatSentences = {
  at_home: ({ country, rate }) =>
    `${country}, the seller's country: Danish VAT, ${rate}, for businesses and private persons.`,
  private_person: ({ country, rate }) =>
    `${country}, a private person: Danish VAT, ${rate}. Only a business can account for the VAT itself.`,
  absent: ({ country, rate }) =>
    `${country}, without a VAT number: Danish VAT, ${rate}. With a VAT number it would be reverse charge.`,
  form: ({ country, number, rate }) =>
    `${country}, but ${number} does not have the format of its VAT numbers: Danish VAT, ${rate}, until it is corrected.`,
  country: ({ country, number, rate }) =>
    `${country}, but ${number} is a VAT number of another country: Danish VAT, ${rate}, until it is corrected.`,
  check_digit: ({ country, number, rate }) =>
    `${country}, but a digit of the VAT number ${number} is wrong: Danish VAT, ${rate}, until it is corrected.`,
  DK0: () => "Sales on this account are exempt: no VAT for any customer.",
  DK_RC: ({ number }) =>
    `Domestic reverse charge, as set on the account: no VAT. The customer, with VAT number ${number}, accounts for it.`,
  EU_SERVICES_RC: ({ country, number }) =>
    `${country}, a business with VAT number ${number}: reverse charge. We charge no VAT; the customer accounts for it at home.`,
  EU_GOODS_RC: ({ country, number }) =>
    `${country}, a business with VAT number ${number}: goods within the EU are sold without VAT; the customer accounts for it at home.`,
  EXPORT_SERVICES: ({ country }) =>
    `${country}, outside the EU: services are outside the scope of Danish VAT, and none is charged.`,
  EXPORT_GOODS: ({ country }) =>
    `${country}, outside the EU: goods are an export, and no VAT is charged.`,
};

const VAT_IN_DANISH: VatSentences = {
  at_home: ({ country, rate }) =>
    `${country}, sælgers land: dansk moms, ${rate}, for både virksomheder og privatpersoner.`,
  private_person: ({ country, rate }) =>
    `${country}, privatperson: dansk moms, ${rate}. Kun en virksomhed kan selv afregne momsen.`,
  absent: ({ country, rate }) =>
    `${country}, uden momsnummer: dansk moms, ${rate}. Med et momsnummer ville det være omvendt betalingspligt.`,
  form: ({ country, number, rate }) =>
    `${country}, men ${number} ligner ikke et momsnummer derfra: dansk moms, ${rate}, indtil det er rettet.`,
  country: ({ country, number, rate }) =>
    `${country}, men ${number} er et momsnummer fra et andet land: dansk moms, ${rate}, indtil det er rettet.`,
  check_digit: ({ country, number, rate }) =>
    `${country}, men et ciffer i momsnummeret ${number} er forkert: dansk moms, ${rate}, indtil det er rettet.`,
  DK0: () => "Salg på denne konto er momsfrit: ingen moms, uanset kunden.",
  DK_RC: ({ number }) =>
    `Indenlandsk omvendt betalingspligt, som angivet på kontoen: ingen moms. Kunden, med momsnummer ${number}, afregner den.`,
  EU_SERVICES_RC: ({ country, number }) =>
    `${country}, virksomhed med momsnummer ${number}: omvendt betalingspligt. Vi opkræver ingen moms; kunden afregner den i sit eget land.`,
  EU_GOODS_RC: ({ country, number }) =>
    `${country}, virksomhed med momsnummer ${number}: varer inden for EU sælges uden moms; kunden afregner den i sit eget land.`,
  EXPORT_SERVICES: ({ country }) =>
    `${country}, uden for EU: ydelser er uden for dansk momspligt, og der opkræves ingen moms.`,
  EXPORT_GOODS: ({ country }) =>
    `${country}, uden for EU: varer er eksport, og der opkræves ingen moms.`,
};

export const enCustomers = {
  add: "New customer",
  edit: "Edit",
  search: "Search customers",
  none: "No customers yet. Add the first one: a name and a billing method are enough to start.",
  none_yours: "You see customers as soon as you work for them. An admin can assign you to a draft.",
  none_found: "No customers match your search.",
  show_balances: "Show what is earned and not invoiced, and invoiced and not earned",
  none_inactive: "There are no inactive customers.",
  inactive: "Inactive",
  tabs: { active: "Active", inactive: "Inactive" },
  name: "Name",
  country: "Country",
  billed: "Billed by",
  last_invoice: "Last invoice",
  open_drafts: "Drafts",
  retainers: "Retainers",
  by_email: "E-mail",
  by_einvoice: "E-invoice",
  no_address: "No e-mail address yet",
  no_number: "No EAN or CVR number yet",
  who: "Who",
  where: "Where",
  how: "Billing details",
  kind: "Kind",
  business: "Business",
  person: "Private person",
  vat_number: "CVR or VAT number",
  vat_hint: "A Danish CVR number has 8 digits. The country prefix is optional.",
  att_person: "Attention",
  email: "E-mail address",
  phone: "Telephone",
  webpage: "Website",
  street: "Street",
  zip_code: "Postal code",
  city: "City",
  send_method: "Send invoices by",
  ean_number: "EAN number",
  ean_hint: "13 digits. An e-invoice needs it, a CVR number or an e-invoice address.",
  einvoice_address: "E-invoice address",
  einvoice_address_hint:
    "Scheme and value, such as 0192:123456785. Empty: the EAN or CVR number of a Danish customer.",
  einvoice_format: "Format of e-invoices",
  einvoice_format_own: "Peppol BIS 3, as usual",
  einvoice_format_oioubl: "OIOUBL 2.1, which many Danish businesses take",
  einvoice_by_mail: "E-invoice by e-mail",
  einvoice_by_mail_no: "PDF alone",
  einvoice_by_mail_yes: "PDF that programs can read too (Factur-X)",
  accounting_cost_hint: "Their own account or cost centre.",
  terms: "Payment terms",
  days: "Days",
  days_hint: "After the invoice date, or after the end of its month.",
  terms_own: "Our usual terms",
  terms_net: "Net, days",
  terms_cash: "Net cash",
  terms_month: "End of month, and days",
  terms_of: (type: string, days: number) => {
    if (type === "NettoCash") return "Net cash";
    const after = `${days} ${days === 1 ? "day" : "days"}`;
    if (type === "Netto") return `Net ${after}`;
    return days === 0 ? "End of month" : `End of month + ${after}`;
  },
  usual: "as usual",
  language: "Language of documents",
  language_own: "Our usual language",
  danish: "Danish",
  english: "English",
  currency: "Currency",
  currency_hint: (own_currency: string) => `Three letters, such as EUR. Empty: ${own_currency}.`,
  printed_hint: "Printed on documents.",
  hours: "Hours on invoices",
  hours_no: "Not specified",
  hours_yes: "On separate pages",
  reminders: "Reminders",
  reminders_yes: "When an invoice is overdue",
  reminders_no: "Never",
  address: "Address",
  contact: "Contact",
  sent_to: "Sent by",
  why_vat: "Reason for the VAT treatment",
  as_a_rule: (account: number | null) =>
    account === null ? "As a rule" : `As a rule, on account ${account}`,
  services: "Services",
  goods: "Goods",
  code: (code: string) => `VAT code ${code}`,
  by_product: "If a product's account has its own VAT code, that code applies.",
  vat: VAT_IN_ENGLISH,
  card_tabs: {
    overview: "Overview",
    documents: "Documents",
    account: "Account",
    hours: "Hours",
    revenue: "Revenue",
    accruals: "Accruals",
    changes: "Changes",
  },
  balances: "Customer balances",
  unearned_since: (day: string | null) =>
    day === null ? "Nothing waits to be earned" : `Oldest invoice of it: ${day}`,
  no_retainers: "No retainer is active or a draft.",
  all_retainers: "All retainers of the customer",
  day: "Day",
  worker: "Who",
  note: "Note",
  state: "State",
  work_states: { open: "Waits", invoiced: "Invoiced", dropped: "Dropped" },
  not_billable: "Not billable",
  no_hours: "No hours have been registered for this customer.",
  documents: "Latest documents",
  no_documents: "There are no invoices or drafts yet.",
  draft: "Draft",
  all_issued: "All issued invoices",
  deactivate_head: "Stop invoicing this customer",
  activate_head: "Invoice this customer again",
  activate_means: (name: string) => `${name} is offered for new documents again.`,
  deactivate_means: (name: string, drafts: number | null) => {
    const stays =
      drafts === 0
        ? ""
        : drafts === 1
          ? " Its draft is kept, but cannot be issued."
          : ` Its ${drafts === null ? "" : `${drafts} `}drafts are kept, but cannot be issued.`;
    return `${name} will not be offered for new documents.${stays} You can activate it again.`;
  },
};

export const daCustomers: typeof enCustomers = {
  add: "Ny kunde",
  edit: "Redigér",
  search: "Søg i kunder",
  none: "Ingen kunder endnu. Opret den første: navn og faktureringsform er nok til at begynde med.",
  none_yours:
    "Du ser kunder, så snart du arbejder for dem. En administrator kan tilknytte dig en kladde.",
  none_found: "Ingen kunder matcher søgningen.",
  show_balances: "Vis, hvad der er optjent og ikke faktureret, og faktureret og ikke optjent",
  none_inactive: "Der er ingen inaktive kunder.",
  inactive: "Inaktiv",
  tabs: { active: "Aktive", inactive: "Inaktive" },
  name: "Navn",
  country: "Land",
  billed: "Faktureres via",
  last_invoice: "Seneste faktura",
  open_drafts: "Kladder",
  retainers: "Faste aftaler",
  by_email: "E-mail",
  by_einvoice: "E-faktura",
  no_address: "Ingen e-mailadresse endnu",
  no_number: "Intet EAN- eller CVR-nummer endnu",
  who: "Hvem",
  where: "Hvor",
  how: "Fakturering",
  kind: "Type",
  business: "Virksomhed",
  person: "Privatperson",
  vat_number: "CVR- eller momsnummer",
  vat_hint: "Et dansk CVR-nummer har 8 cifre. Landekoden kan udelades.",
  att_person: "Att.",
  email: "E-mailadresse",
  phone: "Telefon",
  webpage: "Hjemmeside",
  street: "Adresse",
  zip_code: "Postnummer",
  city: "By",
  send_method: "Fakturaer sendes via",
  ean_number: "EAN-nummer",
  ean_hint: "13 cifre. En e-faktura skal have det, et CVR-nummer eller en e-fakturaadresse.",
  einvoice_address: "E-fakturaadresse",
  einvoice_address_hint:
    "Skema og værdi, for eksempel 0192:123456785. Tom: en dansk kundes EAN- eller CVR-nummer.",
  einvoice_format: "Format af e-fakturaer",
  einvoice_format_own: "Peppol BIS 3, som sædvanligt",
  einvoice_format_oioubl: "OIOUBL 2.1, som mange danske virksomheder tager imod",
  einvoice_by_mail: "E-faktura pr. e-mail",
  einvoice_by_mail_no: "Kun PDF",
  einvoice_by_mail_yes: "PDF, som også programmer kan læse (Factur-X)",
  accounting_cost_hint: "Deres egen konto eller deres eget omkostningssted.",
  terms: "Betalingsbetingelser",
  days: "Dage",
  days_hint: "Efter fakturadatoen eller efter månedens udgang.",
  terms_own: "Vores sædvanlige",
  terms_net: "Netto, dage",
  terms_cash: "Netto kontant",
  terms_month: "Løbende måned og dage",
  terms_of: (type: string, days: number) => {
    if (type === "NettoCash") return "Netto kontant";
    const after = `${days} ${days === 1 ? "dag" : "dage"}`;
    if (type === "Netto") return `Netto ${after}`;
    return days === 0 ? "Løbende måned" : `Løbende måned + ${after}`;
  },
  usual: "som sædvanligt",
  language: "Dokumenternes sprog",
  language_own: "Vores sædvanlige sprog",
  danish: "Dansk",
  english: "Engelsk",
  currency: "Valuta",
  currency_hint: (own_currency: string) => `Tre bogstaver, for eksempel EUR. Tom: ${own_currency}.`,
  printed_hint: "Trykkes på dokumenterne.",
  hours: "Timer på fakturaer",
  hours_no: "Specificeres ikke",
  hours_yes: "På separate sider",
  reminders: "Rykkere",
  reminders_yes: "Når en faktura er forfalden",
  reminders_no: "Aldrig",
  address: "Adresse",
  contact: "Kontakt",
  sent_to: "Sendes via",
  why_vat: "Begrundelse for momsen",
  as_a_rule: (account: number | null) =>
    account === null ? "Som regel" : `Som regel, på konto ${account}`,
  services: "Ydelser",
  goods: "Varer",
  code: (code: string) => `Momskode ${code}`,
  by_product: "Har ydelsens konto sin egen momskode, gælder den.",
  vat: VAT_IN_DANISH,
  card_tabs: {
    overview: "Overblik",
    documents: "Dokumenter",
    account: "Mellemværende",
    hours: "Timer",
    revenue: "Omsætning",
    accruals: "Periodiseringer",
    changes: "Ændringer",
  },
  balances: "Kundens saldi",
  unearned_since: (day) =>
    day === null ? "Intet venter på at blive optjent" : `Ældste faktura heri: ${day}`,
  no_retainers: "Ingen faste aftaler er aktive eller kladder.",
  all_retainers: "Alle kundens faste aftaler",
  day: "Dag",
  worker: "Hvem",
  note: "Note",
  state: "Status",
  work_states: { open: "Venter", invoiced: "Faktureret", dropped: "Bortfaldet" },
  not_billable: "Ikke fakturerbar",
  no_hours: "Der er ikke registreret timer for denne kunde.",
  documents: "Seneste dokumenter",
  no_documents: "Der er ingen fakturaer eller kladder endnu.",
  draft: "Kladde",
  all_issued: "Alle udstedte fakturaer",
  deactivate_head: "Stop med at fakturere kunden",
  activate_head: "Fakturér kunden igen",
  activate_means: (name: string) => `${name} tilbydes igen til nye dokumenter.`,
  deactivate_means: (name: string, drafts: number | null) => {
    const stays =
      drafts === 0
        ? ""
        : drafts === 1
          ? " Dens kladde bevares, men kan ikke udstedes."
          : ` Dens ${drafts === null ? "" : `${drafts} `}kladder bevares, men kan ikke udstedes.`;
    return `${name} tilbydes ikke længere til nye dokumenter.${stays} Du kan aktivere den igen.`;
  },
};
