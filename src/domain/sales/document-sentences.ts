/**
 * The sentences that a document states in each language, on paper and in its e-invoice: why no VAT is charged, by the VAT act
 * (momsloven) and Directive 2006/112/EC, and the terms of payment.
 */
import type { DocumentSnapshot, PaymentTerms } from "./document.ts";
import type { VatCode } from "./vat-code.ts";

type Language = DocumentSnapshot["language"];

/** By language and code: the sentence that the law requires when no VAT is charged; null when it requires none. */
export const vatSentences: Readonly<Record<Language, Readonly<Record<VatCode, string | null>>>> = {
  da: {
    DK25: null,
    DK0: "Fritaget for moms efter momslovens § 13, stk. 1.",
    DK_RC: "Omvendt betalingspligt: køber afregner momsen, jf. momslovens § 46, stk. 1.",
    EU_SERVICES_RC:
      "Omvendt betalingspligt / Reverse charge: køber afregner momsen, jf. momsdirektivets artikel 44 og 196.",
    EU_GOODS_RC:
      "Momsfrit EU-varesalg / Intra-Community supply, jf. momslovens § 34, stk. 1, nr. 1, og momsdirektivets artikel 138.",
    EXPORT_SERVICES:
      "Uden for dansk momspligt / Outside the scope of Danish VAT, jf. momslovens § 16, stk. 1.",
    EXPORT_GOODS: "Momsfri eksport / Export, jf. momslovens § 34, stk. 1, nr. 5.",
  },
  en: {
    DK25: null,
    DK0: "Exempt from VAT under section 13(1) of the Danish VAT Act.",
    DK_RC:
      "Reverse charge / Omvendt betalingspligt: the customer accounts for the VAT, section 46(1) of the Danish VAT Act.",
    EU_SERVICES_RC:
      "Reverse charge / Omvendt betalingspligt: the customer accounts for the VAT, Articles 44 and 196 of Directive 2006/112/EC.",
    EU_GOODS_RC:
      "Intra-Community supply, exempt from VAT under Article 138 of Directive 2006/112/EC and section 34(1)(1) of the Danish VAT Act.",
    EXPORT_SERVICES: "Outside the scope of Danish VAT, section 16(1) of the Danish VAT Act.",
    EXPORT_GOODS: "Export, exempt from VAT under section 34(1)(5) of the Danish VAT Act.",
  },
};

/** Returns the terms of payment: `Netto 14 dage`, `End of month + 30 days`. */
export function termsSentence(
  { type, days }: Pick<PaymentTerms, "type" | "days">,
  language: Language,
): string {
  return language === "da" ? danishTerms(type, days) : englishTerms(type, days);
}

function danishTerms(type: PaymentTerms["type"], days: number): string {
  if (type === "NettoCash") return "Netto kontant";
  const after = `${days} ${days === 1 ? "dag" : "dage"}`;
  if (type === "Netto") return `Netto ${after}`;
  return days === 0 ? "Løbende måned" : `Løbende måned + ${after}`;
}

function englishTerms(type: PaymentTerms["type"], days: number): string {
  if (type === "NettoCash") return "Net cash";
  const after = `${days} ${days === 1 ? "day" : "days"}`;
  if (type === "Netto") return `Net ${after}`;
  return days === 0 ? "End of month" : `End of month + ${after}`;
}
