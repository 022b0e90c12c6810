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
