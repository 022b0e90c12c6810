/** The texts of statements of account in the languages of documents. */
import type { BalanceChange } from "../../../domain/receivables/account-statement.ts";
import type { PrintLanguage } from "../printing/texts.ts";

type ItemKind = BalanceChange["of"];

const danish = {
  heading: "Kontoudtog",
  file: "kontoudtog",
  to: "Til",
  period: "Periode",
  date: "Dato",
  text: "Tekst",
  due: "Forfalder",
  debit: "Debet",
  credit: "Kredit",
  balance: "Saldo",
  opening: "Saldo fra tidligere",
  closing: (currency: string) => `Saldo ${currency}`,
  items: {
    invoice: "Faktura",
    credit_note: "Kreditnota",
    payment: "Betaling",
    refund: "Tilbagebetaling",
    reminder: "Rykker",
    opening: "Åbningspost",
  } satisfies Record<ItemKind, string>,
  undone: {
    invoice: (name: string) => `${name} er afregnet tidligere`,
    credit_note: (name: string) => `${name} er afregnet tidligere`,
    payment: (name: string) => `${name} er tilbageført`,
    refund: (name: string) => `${name} er tilbageført`,
    reminder: (name: string) => `${name} er annulleret`,
    opening: (name: string) => `${name} er tilbageført`,
  } satisfies Record<ItemKind, (name: string) => string>,
  rounding: (name: string) => `Afrunding af ${name}`,
  settled_by_other: (name: string, other: string) =>
    `${name} udlignet med en anden kundes ${other}`,
  used_for_other: (name: string, other: string) => `${name} brugt på en anden kundes ${other}`,
  reversed: (text: string) => `${text}, tilbageført`,
  aging: (day: string) => `Forfald pr. ${day}`,
  ages: {
    not_due: "Ikke forfaldent",
    days_1_30: "1–30 dage forfaldent",
    days_31_60: "31–60 dage forfaldent",
    days_61_90: "61–90 dage forfaldent",
    over_90: "Over 90 dage forfaldent",
  },
  unapplied: "Til gode",
  minus: "Et minus betyder, at I har beløbet til gode.",
};

type Texts = typeof danish;

const english: Texts = {
  heading: "Statement of account",
  file: "statement",
  to: "To",
  period: "Period",
  date: "Date",
  text: "Text",
  due: "Due",
  debit: "Debit",
  credit: "Credit",
  balance: "Balance",
  opening: "Opening balance",
  closing: (currency) => `Balance ${currency}`,
  items: {
    invoice: "Invoice",
    credit_note: "Credit note",
    payment: "Payment",
    refund: "Refund",
    reminder: "Reminder",
    opening: "Opening item",
  },
  undone: {
    invoice: (name) => `${name} was settled earlier`,
    credit_note: (name) => `${name} was settled earlier`,
    payment: (name) => `${name} was reversed`,
    refund: (name) => `${name} was reversed`,
    reminder: (name) => `${name} was cancelled`,
    opening: (name) => `${name} was reversed`,
  },
  rounding: (name) => `Rounding of ${name}`,
  settled_by_other: (name, other) => `${name} settled by another customer's ${other}`,
  used_for_other: (name, other) => `${name} used for another customer's ${other}`,
  reversed: (text) => `${text}, reversed`,
  aging: (day) => `Due as of ${day}`,
  ages: {
    not_due: "Not due",
    days_1_30: "1–30 days late",
    days_31_60: "31–60 days late",
    days_61_90: "61–90 days late",
    over_90: "Over 90 days late",
  },
  unapplied: "Your credit",
  minus: "A minus means that we owe you the amount.",
};

export const statementTexts: Readonly<Record<PrintLanguage, Texts>> = {
  da: danish,
  en: english,
};
