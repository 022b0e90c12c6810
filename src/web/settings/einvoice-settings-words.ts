/** The texts of the settings of e-invoices, in both languages. Only the server has them. */
import type { Language } from "../words/words.ts";

const enEinvoiceSettings = {
  title: "E-invoices",
  lead: "Who sends them, and how they leave.",
  by_ledger: (ledger: string) => `${ledger} makes and sends the e-invoices of this account.`,
  sender: "Sender",
  no_sender: "None yet: the company has no CVR or VAT number.",
  missing: "No e-invoice can be made until this is set:",
  to_company: "Change the company's address and numbers",
  connection: "Connection",
  not_connected:
    "E-invoices are not sent from this account. They can be made, read and downloaded on each invoice.",
  connect_by: "The operator of this service connects the account on the command line:",
  kind: "How they leave",
  kinds: {
    folder: "As files in a folder",
    sftp: "As files over SFTP",
    "phoss-ap": "Through the access point phoss-ap",
  },
  state: "State",
  states: {
    none: "None",
    connected: "Connected",
    unauthorized: "Refused",
    unavailable: "Unavailable",
  },
  meanings: {
    unauthorized:
      "The credentials were refused. E-invoices wait until the operator has entered new ones.",
    unavailable:
      "There is no answer, or the other side takes no e-invoices now. E-invoices wait and are tried again.",
  },
  formats: "Formats",
  envelope: "Envelope",
  sbd: "Standard Business Document",
  checked: "Last checked",
  reason: "Reason",
  check_now: "Check now",
  rules: "Tested against",
  rules_hint:
    "These releases of the official rules are the ones that this version was tested against. New releases come in May and November and are mandatory three months later.",
};

const daEinvoiceSettings: typeof enEinvoiceSettings = {
  title: "E-fakturaer",
  lead: "Hvem der sender dem, og hvordan de sendes.",
  by_ledger: (ledger) => `${ledger} danner og sender e-fakturaer for denne konto.`,
  sender: "Afsender",
  no_sender: "Ingen endnu: Firmaet har hverken CVR- eller momsnummer.",
  missing: "Der kan ikke dannes e-fakturaer, før dette er angivet:",
  to_company: "Ret firmaets adresse og numre",
  connection: "Forbindelse",
  not_connected:
    "Der sendes ikke e-fakturaer fra denne konto. De kan dannes, læses og hentes på hver faktura.",
  connect_by: "Tjenestens driftsansvarlige forbinder kontoen på kommandolinjen:",
  kind: "Sendes",
  kinds: {
    folder: "Som filer i en mappe",
    sftp: "Som filer over SFTP",
    "phoss-ap": "Gennem adgangspunktet phoss-ap",
  },
  state: "Tilstand",
  states: {
    none: "Ingen",
    connected: "Forbundet",
    unauthorized: "Afvist",
    unavailable: "Utilgængelig",
  },
  meanings: {
    unauthorized:
      "Adgangsoplysningerne blev afvist. E-fakturaer venter, til den driftsansvarlige har angivet nye.",
    unavailable:
      "Der er intet svar, eller modparten tager ikke imod e-fakturaer lige nu. E-fakturaer venter og forsøges igen.",
  },
  formats: "Formater",
  envelope: "Kuvert",
  sbd: "Standard Business Document",
  checked: "Sidst kontrolleret",
  reason: "Årsag",
  check_now: "Kontrollér nu",
  rules: "Afprøvet mod",
  rules_hint:
    "Denne version er afprøvet mod disse udgaver af de officielle regler. Nye udgaver kommer i maj og november og er obligatoriske tre måneder senere.",
};

/** Returns the texts of the page in the reader's language. */
export function einvoiceSettingsWords(language: Language): typeof enEinvoiceSettings {
  return language === "da" ? daEinvoiceSettings : enEinvoiceSettings;
}
