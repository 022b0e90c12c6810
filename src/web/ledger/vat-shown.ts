/** A VAT return in the form that travels to the browser. Amounts are those of the API, in functional currency. */
import type { VatBox } from "../../domain/sales/vat-report.ts";

interface VatDocument {
  readonly kind: "invoice" | "credit_note";
  readonly number: number;
  readonly date: string;
  readonly document_id: string;
  readonly customer: string | null;
  readonly amount: number;
}

export interface VatBoxShown {
  readonly box: VatBox;
  readonly amount: number;
  /** The first documents by date, and the number of all. */
  readonly documents: readonly VatDocument[];
  readonly count: number;
}

export interface EuSaleShown {
  readonly vat_number: string | null;
  readonly customer_id: string;
  readonly customer: string | null;
  readonly goods: number;
  readonly services: number;
  /** Why the number cannot be reported. */
  readonly fault: "wrong_form" | "missing" | null;
}

export interface VatShown {
  readonly boxes: readonly VatBoxShown[];
  readonly eu_sales: readonly EuSaleShown[];
}
