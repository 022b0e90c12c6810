/** The form of a rule of e-invoices, which a document of ours holds or breaks, and what rules of several formats share. */
import { round, WHOLE } from "../base/money.ts";
import type { ElectronicInvoice, ElectronicLine, ElectronicVat } from "./electronic-invoice.ts";

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

/** Returns a rule by its official id. */
export function rule(
  id: string,
  broken: ElectronicRule["broken"],
  message: Sentences,
): ElectronicRule {
  return { rule: id, message, broken };
}

/** What cures a seller without a CVR number. */
export const SELLER_CVR: Sentences = {
  en: "The seller's CVR number is missing: set it in the configuration.",
  da: "Sælgers CVR-nummer mangler: Angiv det under indstillinger.",
};

/** What cures a line without a name. */
export const LINE_TEXT: Sentences = {
  en: "The line has no text.",
  da: "Linjen har ingen tekst.",
};

/** Returns the fields with the texts of lines, each once: a line by hours has several rows. */
export function textsOf(lines: readonly ElectronicLine[]): string[] {
  return [...new Set(lines.map(({ line_index }) => `lines[${line_index}].description_override`))];
}

export type Taxed = Pick<ElectronicVat, "category" | "rate" | "base" | "vat">;

/** The decimals in which rules compare amounts. */
const DECIMALS = 2;

/**
 * Returns Danish VAT by its rate and as booked, in minor units of two decimals; null where no rule compares them. `digits` are
 * the decimals of the amounts.
 */
export function vatByRate(
  { category, rate, base, vat }: Taxed,
  digits: number,
): { readonly by_rate: bigint; readonly booked: bigint } | null {
  if (category !== "S" || rate === 0 || digits > DECIMALS) return null;
  const scale = 10n ** BigInt(DECIMALS - digits);
  return { by_rate: round(base * scale * BigInt(rate), BigInt(WHOLE)), booked: vat * scale };
}
