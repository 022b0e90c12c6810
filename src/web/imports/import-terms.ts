/** Reads payment terms as other programs write them: "Netto 30 dage", "Lb. md. + 15 dage", "30 days net". */

/** The terms as the fields of a customer. */
interface TermsRead {
  readonly payment_condition_type: "Netto" | "NettoCash" | "CurrentMonthOut";
  readonly payment_condition_number_of_days?: number;
}

const CASH =
  /^(netto\s*cash|kontant|netto kontant|straks|cash|immediately|due (on|upon) receipt|forfald straks)$/;
const MONTH =
  /(l[øo]b(ende)?\.?\s*m(å?ne?d|d)|lbm|lb\.?\s*md|current\s*month|end of month|eom|currentmonthout)/;
const NET = /^(netto|net|nettodage)?\s*(\d{1,3})\s*(dage?|days?|d\.?)?\s*(netto|net)?$/;

/** Returns the terms that a cell means; undefined for a text that means none. A type without days has none of its own. */
export function readTerms(cell: string): TermsRead | undefined {
  const text = cell.toLowerCase().replaceAll(/\s+/g, " ").trim();
  if (CASH.test(text)) return { payment_condition_type: "NettoCash" };
  if (text === "netto" || text === "net") return { payment_condition_type: "Netto" };
  if (MONTH.test(text)) {
    const days = /(\d{1,3})\s*(dage?|days?|d\.?)?$/.exec(text)?.[1];
    return {
      payment_condition_type: "CurrentMonthOut",
      ...(days === undefined ? {} : { payment_condition_number_of_days: Number(days) }),
    };
  }
  const days = NET.exec(text)?.[2];
  if (days === undefined) return undefined;
  return { payment_condition_type: "Netto", payment_condition_number_of_days: Number(days) };
}
