/** The usual texts of the e-mail that carries a document, in each language of documents, with placeholders of the domain. */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { MailFacts } from "../../../domain/sales/mail-text.ts";
import type { PrintLanguage } from "../printing/texts.ts";

type Kind = DocumentSnapshot["kind"];

interface UsualTexts {
  readonly subject: Readonly<Record<Kind, string>>;
  readonly body: Readonly<Record<Kind, string>>;
  /** The parts of the HTML, around the amount. */
  readonly html: {
    readonly note: Readonly<Record<Kind, (facts: MailFacts) => string | null>>;
    readonly attached: Readonly<Record<Kind, string>>;
    readonly button: Readonly<Record<Kind, string>>;
    readonly regards: (facts: Pick<MailFacts, "sender">) => string;
  };
}

const danish: UsualTexts = {
  subject: {
    invoice: "Faktura {number} fra {sender}",
    credit_note: "Kreditnota {number} fra {sender}",
  },
  body: {
    invoice:
      "Hej\n\nVedhæftet er faktura {number} på {amount}, som forfalder den {due_date}.\n\nVenlig hilsen\n{sender}\n",
    credit_note:
      "Hej\n\nVedhæftet er kreditnota {number} på {amount}.\n\nVenlig hilsen\n{sender}\n",
  },
  html: {
    note: {
      invoice: ({ due_date }) => `Forfalder den ${due_date}`,
      credit_note: () => null,
    },
    attached: {
      invoice: "Fakturaen er vedhæftet som PDF.",
      credit_note: "Kreditnotaen er vedhæftet som PDF.",
    },
    button: { invoice: "Se fakturaen", credit_note: "Se kreditnotaen" },
    regards: ({ sender }) => `Venlig hilsen\n${sender}`,
  },
};

const english: UsualTexts = {
  subject: {
    invoice: "Invoice {number} from {sender}",
    credit_note: "Credit note {number} from {sender}",
  },
  body: {
    invoice:
      "Hello,\n\nPlease find attached invoice {number} for {amount}, due on {due_date}.\n\nKind regards\n{sender}\n",
    credit_note:
      "Hello,\n\nPlease find attached credit note {number} for {amount}.\n\nKind regards\n{sender}\n",
  },
  html: {
    note: {
      invoice: ({ due_date }) => `Due on ${due_date}`,
      credit_note: () => null,
    },
    attached: {
      invoice: "The invoice is attached as a PDF.",
      credit_note: "The credit note is attached as a PDF.",
    },
    button: { invoice: "View the invoice", credit_note: "View the credit note" },
    regards: ({ sender }) => `Kind regards\n${sender}`,
  },
};

export const mailTexts: Readonly<Record<PrintLanguage, UsualTexts>> = { da: danish, en: english };

interface StatementFacts {
  readonly sender: string;
  /** The closing balance with its currency. */
  readonly amount: string;
  readonly period: string;
}

interface StatementMail {
  readonly subject: (facts: StatementFacts) => string;
  readonly body: (facts: StatementFacts) => string;
  /** Beside the amount; `day` is the last of the period. */
  readonly note: (day: string) => string;
  readonly attached: string;
}

/** The texts of the e-mail that carries a statement of account. */
export const statementMailTexts: Readonly<Record<PrintLanguage, StatementMail>> = {
  da: {
    subject: ({ sender }) => `Kontoudtog fra ${sender}`,
    body: ({ sender, amount, period }) =>
      `Hej\n\nVedhæftet er et kontoudtog for ${period}. Saldoen er ${amount}.\n\nVenlig hilsen\n${sender}\n`,
    note: (day) => `Saldo pr. ${day}`,
    attached: "Kontoudtoget er vedhæftet som PDF.",
  },
  en: {
    subject: ({ sender }) => `Statement of account from ${sender}`,
    body: ({ sender, amount, period }) =>
      `Hello,\n\nPlease find attached a statement of account for ${period}. The balance is ${amount}.\n\nKind regards\n${sender}\n`,
    note: (day) => `Balance as of ${day}`,
    attached: "The statement is attached as a PDF.",
  },
};

interface ReminderFacts {
  readonly sender: string;
  /** What is to be paid, with its currency. */
  readonly amount: string;
  readonly due_date: string;
}

interface ReminderMail {
  /** `heading` is that of the letter. */
  readonly subject: (heading: string, facts: ReminderFacts) => string;
  readonly body: (intro: string, facts: ReminderFacts) => string;
  readonly note: (facts: ReminderFacts) => string;
  readonly attached: string;
}

/** The texts of the e-mail that carries a reminder. */
export const reminderMailTexts: Readonly<Record<PrintLanguage, ReminderMail>> = {
  da: {
    subject: (heading, { sender }) => `${heading} fra ${sender}`,
    body: (intro, { sender, amount, due_date }) =>
      `Hej\n\n${intro}\n\nBeløbet er ${amount} og bedes betalt senest den ${due_date}. Brevet er vedhæftet som PDF.\n\nVenlig hilsen\n${sender}\n`,
    note: ({ due_date }) => `Betales senest den ${due_date}`,
    attached: "Brevet med de enkelte beløb er vedhæftet som PDF.",
  },
  en: {
    subject: (heading, { sender }) => `${heading} from ${sender}`,
    body: (intro, { sender, amount, due_date }) =>
      `Hello,\n\n${intro}\n\nThe amount is ${amount}. Please pay it by ${due_date}. The letter is attached as a PDF.\n\nKind regards\n${sender}\n`,
    note: ({ due_date }) => `Please pay by ${due_date}`,
    attached: "The letter with each amount is attached as a PDF.",
  },
};
