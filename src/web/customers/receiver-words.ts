/** The texts about addresses of e-invoices. Only the server shows them: browsers do not load this file. */
import type { AddressFault } from "../../domain/einvoice/electronic-address.ts";
import type { AddressKind } from "../../domain/einvoice/propose-address.ts";
import type { Language } from "../words/words.ts";

const english = {
  kinds: {
    gln: "an EAN number (GLN)",
    cvr: "a Danish CVR number",
    se_number: "a Danish SE number",
    p_number: "a Danish P number",
    norwegian: "a Norwegian organisation number",
    swedish: "a Swedish organisation number",
    belgian: "a Belgian enterprise number",
    dutch: "a Dutch KVK number",
    australian: "an Australian business number",
    vat_number: "a VAT number",
    other: "a number whose form is not checked here",
  } satisfies Readonly<Record<AddressKind, string>>,
  is: (kind: string) => `This is ${kind}.`,
  is_right: (kind: string) => `This is ${kind}. The check digit is right.`,
  faults: {
    address_form: () =>
      "An address is a scheme of four digits, a colon and a value without spaces, such as 0192:123456785.",
    scheme: () => "Peppol has no addresses of this scheme.",
    value: (kind: string) => `The value does not have the form of ${kind}.`,
    check_digit: (kind: string) => `This looks like ${kind}, but the check digit is wrong.`,
  } satisfies Readonly<Record<AddressFault, (kind: string) => string>>,
  follows: (address: string) => `The address of e-invoices follows: ${address}.`,
  as_address: "Its address as a receiver of e-invoices:",
  proposed:
    "In other countries the customer says which address is registered. It follows from the VAT number that it may be:",
  use: "Use",
  by_email: (email: string) => `Invoices go to ${email} by e-mail.`,
  by_email_with_data: (email: string) =>
    `Invoices go to ${email} by e-mail, as PDFs that programs can read too.`,
  no_email: "There is no e-mail address for invoices yet.",
  by_einvoice: (format: string, address: string, kind: string) =>
    `Invoices go to ${address}, ${kind}, as e-invoices (${format}).`,
  by_ledger: (ledger: string) => `${ledger} sends the invoices as e-invoices.`,
  no_receiver: "There is no address for e-invoices yet.",
  registered: "It is registered in Peppol for BIS 3.",
  registered_otherwise: "It is registered in Peppol, but not for invoices in BIS 3.",
  not_in_peppol_danish:
    "It is not registered in Peppol. A Danish business may take OIOUBL instead; otherwise invoices can go by e-mail.",
  not_in_peppol: "It is not registered in Peppol. Invoices can go by e-mail instead.",
};

type ReceiverWords = typeof english;

const danish: ReceiverWords = {
  kinds: {
    gln: "et EAN-nummer (GLN)",
    cvr: "et dansk CVR-nummer",
    se_number: "et dansk SE-nummer",
    p_number: "et dansk P-nummer",
    norwegian: "et norsk organisationsnummer",
    swedish: "et svensk organisationsnummer",
    belgian: "et belgisk virksomhedsnummer",
    dutch: "et hollandsk KVK-nummer",
    australian: "et australsk virksomhedsnummer",
    vat_number: "et momsnummer",
    other: "et nummer, hvis form ikke kontrolleres her",
  },
  is: (kind) => `Det er ${kind}.`,
  is_right: (kind) => `Det er ${kind}. Kontrolcifferet passer.`,
  faults: {
    address_form: () =>
      "En adresse er et skema på fire cifre, et kolon og en værdi uden mellemrum, for eksempel 0192:123456785.",
    scheme: () => "Peppol har ingen adresser i dette skema.",
    value: (kind) => `Værdien har ikke form som ${kind}.`,
    check_digit: (kind) => `Det ligner ${kind}, men kontrolcifferet passer ikke.`,
  },
  follows: (address) => `E-fakturaer får adressen ${address}.`,
  as_address: "Adressen som modtager af e-fakturaer:",
  proposed:
    "I andre lande oplyser kunden selv, hvilken adresse der er registreret. Efter momsnummeret kan den være:",
  use: "Brug",
  by_email: (email) => `Fakturaer sendes til ${email} med e-mail.`,
  by_email_with_data: (email) =>
    `Fakturaer sendes til ${email} med e-mail, som PDF, der også kan læses af programmer.`,
  no_email: "Der er endnu ingen mailadresse til fakturaer.",
  by_einvoice: (format, address, kind) =>
    `Fakturaer sendes til ${address}, ${kind}, som e-fakturaer (${format}).`,
  by_ledger: (ledger) => `${ledger} sender fakturaerne som e-fakturaer.`,
  no_receiver: "Der er endnu ingen adresse til e-fakturaer.",
  registered: "Adressen er registreret i Peppol til BIS 3.",
  registered_otherwise: "Adressen er registreret i Peppol, men ikke til fakturaer i BIS 3.",
  not_in_peppol_danish:
    "Adressen er ikke registreret i Peppol. En dansk virksomhed tager måske imod OIOUBL; ellers kan fakturaer sendes med e-mail.",
  not_in_peppol: "Adressen er ikke registreret i Peppol. Fakturaer kan sendes med e-mail i stedet.",
};

const LANGUAGES: Readonly<Record<Language, ReceiverWords>> = { en: english, da: danish };

/** Returns the texts about addresses of e-invoices in a language. */
export function receiverWords(language: Language): ReceiverWords {
  return LANGUAGES[language];
}
