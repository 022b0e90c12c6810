/** The explanation of a line's month, as the panel shows it: the resource of the API with the names of what it refers to. */
import type * as z from "zod";
import type { Explanation } from "../../features/revenue/reports/explain-schemas.ts";

export interface ExplanationShown extends z.output<typeof Explanation> {
  /** The printed text of the line; null for a removed line. */
  readonly text: string | null;
  readonly customer: string;
  /** The number and customer of the invoice, or the customer of the retainer. */
  readonly document: string | null;
  /** The invoice; null for a period of a retainer that has none. */
  readonly invoice_id: string | null;
  /** Whether the vouchers are entries of the built-in ledger, with pages of their own. */
  readonly has_books: boolean;
  readonly people: Readonly<Record<string, string>>;
}
