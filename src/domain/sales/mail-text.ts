/**
 * The account's own texts of mails of documents. They are plain text with placeholders in braces, which the facts of the document
 * replace once: braces in a fact are text. A text without a known placeholder in its braces is refused, so that no customer sees
 * the braces.
 */

export const mailLanguages = ["da", "en"] as const;
export const mailKinds = ["invoice", "credit_note"] as const;
export const mailParts = ["subject", "body"] as const;

export type MailLanguage = (typeof mailLanguages)[number];
export type MailKind = (typeof mailKinds)[number];

/** Null takes the usual text. */
export interface MailText {
  readonly subject: string | null;
  readonly body: string | null;
}

export type MailTexts = Readonly<Record<MailLanguage, Readonly<Record<MailKind, MailText>>>>;

const USUAL: MailText = { subject: null, body: null };
const USUAL_KINDS = { invoice: USUAL, credit_note: USUAL };
/** The texts of an account that has set none. */
export const USUAL_MAIL_TEXTS: MailTexts = { da: USUAL_KINDS, en: USUAL_KINDS };

/** What a text may name, by kind: a credit note is not due. */
export const placeholdersOf = {
  invoice: ["number", "customer", "amount", "due_date", "sender"],
  credit_note: ["number", "customer", "amount", "sender"],
} as const satisfies Record<MailKind, readonly string[]>;

type Placeholder = (typeof placeholdersOf)["invoice"][number];

/** The facts of a document, formatted for its language; a credit note has no due date. */
export type MailFacts = Readonly<Record<Placeholder, string>>;

const BRACES = /\{([^{}\n]*)\}/g;

/** Returns the first text in braces that is no placeholder of the kind, without its braces; null when there is none. */
export function unknownPlaceholder(kind: MailKind, text: string): string | null {
  const known: readonly string[] = placeholdersOf[kind];
  const names = [...text.matchAll(BRACES)].map(([, name = ""]) => name);
  return names.find((name) => !known.includes(name)) ?? null;
}

/** Returns the text with the facts in place of its placeholders. */
export function filledMailText(kind: MailKind, text: string, facts: MailFacts): string {
  const known: readonly string[] = placeholdersOf[kind];
  return text.replace(BRACES, (braces, name: string) =>
    known.includes(name) ? facts[name as Placeholder] : braces,
  );
}
