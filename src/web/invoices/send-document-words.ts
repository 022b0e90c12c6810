/** The texts of the page that sends a document again, in both languages. Only the server has them. */
import type { Language } from "../words/words.ts";

const enSendAgain = {
  title: "Send again",
  lead: "A new sending of the document. Amounts and parties stay as they were issued.",
  channel: "Send by",
  email: "E-mail, with the PDF",
  einvoice: "E-invoice",
  of_email: "By e-mail",
  address: "To",
  address_hint: "If empty: the customer's usual address.",
  of_einvoice: "As an e-invoice",
  receiver: "Receiver",
  receiver_hint: "For example 0088:5798009811578. If empty: the customer's address.",
  references_hint: "What you change is stated in this sending alone.",
  send: "Send it",
  send_another: "Send another e-invoice",
  under_way:
    "An e-invoice of this document is in progress, or has arrived. The buyer may refuse a second one.",
  state: "State",
  history: "What happened to it",
  missing: "The e-invoice lacks",
};

const daSendAgain: typeof enSendAgain = {
  title: "Send igen",
  lead: "En ny afsendelse af dokumentet. Beløb og parter er som ved udstedelsen.",
  channel: "Send som",
  email: "E-mail med PDF",
  einvoice: "E-faktura",
  of_email: "Som e-mail",
  address: "Til",
  address_hint: "Tom: kundens sædvanlige adresse.",
  of_einvoice: "Som e-faktura",
  receiver: "Modtager",
  receiver_hint: "For eksempel 0088:5798009811578. Tom: kundens adresse.",
  references_hint: "Det, du ændrer, står kun i denne afsendelse.",
  send: "Send den",
  send_another: "Send en e-faktura mere",
  under_way:
    "En e-faktura for dette dokument er undervejs eller er nået frem. Køber kan afvise endnu en.",
  state: "Tilstand",
  history: "Hvad der er sket med den",
  missing: "E-fakturaen mangler",
};

/** Returns the texts of the page in a language. */
export function sendAgainWords(language: Language): typeof enSendAgain {
  return language === "da" ? daSendAgain : enSendAgain;
}
