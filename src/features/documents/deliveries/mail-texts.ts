/** The texts of the e-mail that carries a document, in each language of documents. */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { PrintLanguage } from "../printing/texts.ts";

type Kind = DocumentSnapshot["kind"];

/** Already formatted for the language. */
export interface MailFacts {
  readonly number: string;
  readonly sender: string;
  readonly gross: string;
  readonly due_date: string;
}

interface MailTexts {
  readonly subject: Readonly<Record<Kind, (facts: MailFacts) => string>>;
  readonly body: Readonly<Record<Kind, (facts: MailFacts) => string>>;
  /** The parts of the HTML, around the amount. */
  readonly html: {
    readonly note: Readonly<Record<Kind, (facts: MailFacts) => string | null>>;
    readonly attached: Readonly<Record<Kind, string>>;
    readonly button: Readonly<Record<Kind, string>>;
    readonly regards: (facts: MailFacts) => string;
  };
}

const danish: MailTexts = {
  subject: {
    invoice: ({ number, sender }) => `Faktura ${number} fra ${sender}`,
    credit_note: ({ number, sender }) => `Kreditnota ${number} fra ${sender}`,
  },
  body: {
    invoice: ({ number, gross, due_date, sender }) =>
      `Hej\n\nVedhæftet er faktura ${number} på ${gross}, som forfalder den ${due_date}.\n\nVenlig hilsen\n${sender}\n`,
    credit_note: ({ number, gross, sender }) =>
      `Hej\n\nVedhæftet er kreditnota ${number} på ${gross}.\n\nVenlig hilsen\n${sender}\n`,
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

const english: MailTexts = {
  subject: {
    invoice: ({ number, sender }) => `Invoice ${number} from ${sender}`,
    credit_note: ({ number, sender }) => `Credit note ${number} from ${sender}`,
  },
  body: {
    invoice: ({ number, gross, due_date, sender }) =>
      `Hello,\n\nPlease find attached invoice ${number} for ${gross}, due on ${due_date}.\n\nKind regards\n${sender}\n`,
    credit_note: ({ number, gross, sender }) =>
      `Hello,\n\nPlease find attached credit note ${number} for ${gross}.\n\nKind regards\n${sender}\n`,
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

export const mailTexts: Readonly<Record<PrintLanguage, MailTexts>> = { da: danish, en: english };
