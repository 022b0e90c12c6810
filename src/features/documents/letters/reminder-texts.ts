/** The texts of reminders in the languages of documents. */
import type { ListedItem } from "../../../domain/receivables/reminder-snapshot.ts";
import type { PrintLanguage } from "../printing/texts.ts";

const danish = {
  first: "Betalingspåmindelse",
  later: (level: number) => `${level}. rykker`,
  interest_only: "Opgørelse af renter",
  file: "rykker",
  to: "Til",
  number: "Rykkernr.",
  date: "Dato",
  due: "Betales senest",
  text: "Tekst",
  due_date: "Forfaldt",
  days: "Dage",
  amount: "Beløb",
  items: { invoice: "Faktura", opening: "Faktura" } satisfies Record<ListedItem["kind"], string>,
  paid_late: "Betalt efter forfald",
  fee: "Rykkergebyr",
  interest: "Rente efter forfald",
  compensation: "Kompensation for inddrivelse",
  total: (currency: string) => `I alt at betale ${currency}`,
  /** By level, the last one for all later ones. */
  intros: [
    "Vi kan ikke se, at vi har modtaget jeres betaling af nedenstående. Har I betalt inden for de seneste dage, kan I se bort fra dette brev.",
    "Vi har tidligere mindet om betalingen, men har fortsat ikke modtaget beløbet. Vi beder jer betale senest den dag, der står i brevet.",
    "Trods tidligere påmindelser har vi ikke modtaget jeres betaling. Betal beløbet senest den dag, der står i brevet, så undgår I yderligere omkostninger.",
  ],
  interest_intro:
    "Betalingen kom efter forfaldsdagen. Der er derfor løbet renter på som opgjort nedenfor.",
  none_charged: "Brevet indeholder hverken gebyr eller renter.",
  questions: "Kontakt os, hvis der er noget, vi har misforstået.",
  references: "Skriv fakturanummeret ved betalingen",
};

type Texts = typeof danish;

const english: Texts = {
  first: "Payment reminder",
  later: (level) => `Reminder ${level}`,
  interest_only: "Statement of interest",
  file: "reminder",
  to: "To",
  number: "Reminder no.",
  date: "Date",
  due: "Please pay by",
  text: "Text",
  due_date: "Was due",
  days: "Days",
  amount: "Amount",
  items: { invoice: "Invoice", opening: "Invoice" },
  paid_late: "Paid after its due date",
  fee: "Reminder fee",
  interest: "Interest on late payment",
  compensation: "Compensation for recovery costs",
  total: (currency) => `Total to pay ${currency}`,
  intros: [
    "We have no record of your payment of the following. If you have paid during the last few days, please ignore this letter.",
    "We have reminded you of this payment before and have still not received it. Please pay by the day that this letter names.",
    "In spite of earlier reminders we have not received your payment. Please pay by the day that this letter names, to avoid further costs.",
  ],
  interest_intro: "The payment came after its due date. It therefore bears interest, as follows.",
  none_charged: "This letter charges neither a fee nor interest.",
  questions: "Please contact us if there is a misunderstanding.",
  references: "Please name the invoice with your payment",
};

export const reminderTexts: Readonly<Record<PrintLanguage, Texts>> = {
  da: danish,
  en: english,
};
