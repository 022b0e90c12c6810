/** The form of a rule of e-invoices, which a document of ours holds or breaks. */
import type { ElectronicInvoice } from "./electronic-invoice.ts";

/** A sentence that says what is missing and what cures it. */
export interface Sentences {
  readonly en: string;
  readonly da: string;
}

/** A rule, by what it finds in a document. */
export interface ElectronicRule {
  readonly rule: string;
  readonly message: Sentences;
  /** Returns the fields of ours that break the rule; empty when it holds. */
  broken(invoice: ElectronicInvoice): readonly string[];
}
