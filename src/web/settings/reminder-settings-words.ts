/** The texts of the settings of reminders, in both languages. Only the server has them. */
import type { Language } from "../words/words.ts";

const enReminderSettings = {
  title: "Reminders",
  lead: "When customers are reminded, and what a reminder charges.",
  levels: "The reminders of an invoice",
  levels_hint: "A reminder without days is not sent.",
  danish:
    "The law allows at most 100 kr. for a reminder, three charged reminders of an invoice, and ten days between them.",
  days: (number: number) => `Reminder ${number}, days after the due date`,
  fee: (number: number, currency: string) => `Reminder ${number}, fee in ${currency}`,
  terms: "Interest and payment",
  interest: "Interest",
  interests: {
    none: "None",
    statutory: (margin: string) => `By law: the reference rate and ${margin} %`,
    own: (rate: string) => `${rate} % a year`,
  },
  payment_days: "Days to pay a reminder",
  minimum_amount: "Smallest amount that is reminded of",
  sending: "Sending",
  by_hand: "By hand, on the page of reminders",
  automatic: "Every day automatically, while the bank statements are recent",
  to_reminders: "See the reminders",
};

const daReminderSettings: typeof enReminderSettings = {
  title: "Rykkere",
  lead: "Hvornår kunder rykkes, og hvad en rykker koster.",
  levels: "En fakturas rykkere",
  levels_hint: "En rykker uden dage sendes ikke.",
  danish:
    "Loven tillader højst 100 kr. for en rykker, tre rykkere med gebyr for en faktura og mindst ti dage mellem dem.",
  days: (number) => `Rykker ${number}, dage efter forfald`,
  fee: (number, currency) => `Rykker ${number}, gebyr i ${currency}`,
  terms: "Renter og betaling",
  interest: "Renter",
  interests: {
    none: "Ingen",
    statutory: (margin) => `Efter renteloven: referencesatsen og ${margin} %`,
    own: (rate) => `${rate} % om året`,
  },
  payment_days: "Dage til at betale en rykker",
  minimum_amount: "Mindste beløb, der rykkes for",
  sending: "Afsendelse",
  by_hand: "Manuelt på siden med rykkere",
  automatic: "Automatisk hver dag, når kontoudtogene er nye nok",
  to_reminders: "Se rykkerne",
};

/** Returns the texts of the page in a language. */
export function reminderSettingsWords(language: Language): typeof enReminderSettings {
  return language === "da" ? daReminderSettings : enReminderSettings;
}
