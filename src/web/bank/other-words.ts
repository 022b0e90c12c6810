/** The texts of the page on which a person says what a bank line is, in both languages. Only the server has them. */
import { useReader } from "../frame/reader.ts";
import type { Language } from "../words/words.ts";

const enOther = {
  title: (amount: string) => `What is ${amount}?`,
  something_else: "Something else …",
  choose: "Choose the customer and the invoice …",
  whose_in: "Who paid?",
  whose_out: "Who got the money?",
  next: "Next",
  paid: "What is paid",
  given_back: "What is given back",
  returned_in: "A refund that came back",
  returned_out: "A payment that came back",
  owes_nothing: "Nothing is open that the line could pay.",
  has_nothing: "The customer has no credit that could be given back.",
  items: {
    invoice: (number: string) => `Invoice ${number}`,
    opening: (number: string) => `Opening item ${number}`,
    reminder: (number: string) => `Reminder ${number}`,
    credit_note: (number: string) => `Credit note ${number}`,
    payment: (number: string) => `Payment ${number}`,
  },
  payment: (number: string, day: string) => `Payment ${number} of ${day}`,
  refund: (number: string, day: string) => `Refund ${number} of ${day}`,
  due: (day: string) => `due ${day}`,
  of: (day: string) => `of ${day}`,
  none_returned: "None",
  nothing_chosen: "With nothing selected, the money is kept as the customer's credit.",
  nothing_out: "Select what is given back, or the payment that came back.",
  other_currency: "Also open in",
  named: (currency: string) => `What the customer paid, in ${currency}`,
  difference: "If the amounts differ",
  missing: {
    owed: "the rest is still owed",
    fee: "the bank kept the difference",
    rounding: "it is a rounding",
  },
  missing_out: { fee: "the bank took the difference", owed: "the rest stays a credit" },
  show: "Show what it books",
  entries: "What it books",
  book: (amount: string) => `Book ${amount}`,
  changed: "Something has changed since this was shown. Look at the entries again.",
};

const daOther: typeof enOther = {
  title: (amount) => `Hvad er ${amount}?`,
  something_else: "Noget andet …",
  choose: "Vælg kunde og faktura …",
  whose_in: "Hvem har betalt?",
  whose_out: "Hvem fik pengene?",
  next: "Næste",
  paid: "Det betales",
  given_back: "Det betales tilbage",
  returned_in: "En tilbagebetaling, der kom retur",
  returned_out: "En betaling, der kom retur",
  owes_nothing: "Der er intet åbent, som linjen kan betale.",
  has_nothing: "Kunden har intet tilgodehavende, der kan betales tilbage.",
  items: {
    invoice: (number) => `Faktura ${number}`,
    opening: (number) => `Åbningspost ${number}`,
    reminder: (number) => `Rykker ${number}`,
    credit_note: (number) => `Kreditnota ${number}`,
    payment: (number) => `Betaling ${number}`,
  },
  payment: (number, day) => `Betaling ${number} fra ${day}`,
  refund: (number, day) => `Tilbagebetaling ${number} fra ${day}`,
  due: (day) => `forfald ${day}`,
  of: (day) => `fra ${day}`,
  none_returned: "Ingen",
  nothing_chosen: "Er intet valgt, bliver pengene stående som kundens tilgodehavende.",
  nothing_out: "Vælg det, der betales tilbage, eller den betaling, der kom retur.",
  other_currency: "Også åbent i",
  named: (currency) => `Hvad kunden betalte, i ${currency}`,
  difference: "Hvis beløbene er forskellige",
  missing: {
    owed: "resten skyldes stadig",
    fee: "banken har beholdt forskellen",
    rounding: "er det en afrunding",
  },
  missing_out: { fee: "banken har taget forskellen", owed: "resten er stadig et tilgodehavende" },
  show: "Vis, hvad den bogfører",
  entries: "Det bogføres",
  book: (amount) => `Bogfør ${amount}`,
  changed: "Noget har ændret sig, siden det blev vist. Se på posteringerne igen.",
};

const LANGUAGES: Readonly<Record<Language, typeof enOther>> = { en: enOther, da: daOther };

/** Returns the texts of the page in a language. */
export function otherWords(language: Language): typeof enOther {
  return LANGUAGES[language];
}

/** Returns the texts in the language of the reader. */
export function useOtherWords(): typeof enOther {
  return otherWords(useReader().language);
}
