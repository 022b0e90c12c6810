/** The contents of the parts of a page: texts and numbers as printed. */

export interface PartyView {
  readonly label: string;
  readonly name: string;
  readonly lines: readonly string[];
}

export interface FactView {
  readonly label: string;
  readonly value: string;
}

export interface VatTableView {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The sum of the VAT amounts, when there are several. */
  readonly sum: FactView | null;
}

/** What every paper has: its head with both parties, and the foot of each page. */
export interface PaperView {
  /** BCP 47 tag */
  readonly language: string;
  /** YYYY-MM-DD: the file has the date of the document, so that the same document gives the same bytes. */
  readonly dated: string;
  /** The title of the file, for the title bar of a viewer. */
  readonly file_title: string;
  readonly author: string;
  /** The large mark of a draft, also printed across each page; null for an issued document. */
  readonly draft_mark: string | null;
  readonly draft_note: string | null;
  readonly heading: string;
  /** For a credit note: the invoice that it credits. */
  readonly credits: string | null;
  readonly title: string | null;
  readonly seller: PartyView;
  readonly customer: PartyView;
  readonly meta: readonly FactView[];
  /** The colour of headings, readable on white; null for black. */
  readonly accent: string | null;
  /** In pixels; null when there is none. */
  readonly logo: { readonly width: number; readonly height: number } | null;
  readonly footer: string;
  /** With `{page}` and `{pages}` as placeholders of the numbers. */
  readonly page_number: string;
}

/** A tinted box with a heading and facts, such as the payment details. */
export interface BoxView {
  readonly heading: string;
  readonly facts: readonly FactView[];
}

/** The first column is the text, after `lead` where there is one; the cells of a row belong to the following columns. */
export interface TableView {
  /** The head of a narrow column in front of the text; absent without one. */
  readonly lead?: string;
  readonly columns: readonly { readonly label: string; readonly numeric: boolean }[];
  readonly lines: readonly {
    readonly lead?: string;
    readonly text: string;
    /** A smaller line under the text: the service period. */
    readonly note: string | null;
    /** Empty for a text-only line. */
    readonly rows: readonly (readonly string[])[];
  }[];
}

/** A letter to a customer with a table of amounts: a statement of account, or a reminder. */
export interface LetterView extends PaperView {
  /** Text above the table; null when there is none. */
  readonly intro: string | null;
  readonly table: TableView;
  readonly total: FactView;
  readonly boxes: readonly BoxView[];
  /** Text under the boxes; null when there is none. */
  readonly notes: string | null;
}
