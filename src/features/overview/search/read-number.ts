/** Reads a search text as the number of a document and as an amount. */
import { currencyDigits } from "../../../domain/base/currency.ts";

/** The digits of a document or account number; null for any other text. */
export function readNumber(text: string): bigint | null {
  const digits = /^#?(\d{1,15})$/.exec(text.trim())?.[1];
  return digits === undefined ? null : BigInt(digits);
}

/** A typed amount, without thousands separators: `71531` and `25`. */
interface Typed {
  readonly whole: string;
  readonly part: string;
}

/** The numbers of decimals that currencies have. */
const DIGITS = [0, 2, 3, 4];

/**
 * Reads the amounts that a text may mean, in minor units, by decimals of a currency. `71.531,25` and `71531.25` are
 * the same; `1.500` is fifteen hundred, or one and a half with three decimals. Any other text gives none.
 */
export class TypedAmounts {
  readonly #typed: readonly Typed[];

  constructor(text: string) {
    const amount = text
      .replaceAll(/[\s\u00a0\u202f']/gu, "")
      .replace(/^([a-z]{3}|kr\.?)(?=\d)/i, "")
      .replace(/(?<=\d)([a-z]{3}|kr\.?)$/i, "");
    this.#typed = [typedWith(amount, "."), typedWith(amount, ",")].filter((one) => one !== null);
  }

  /** The amounts in minor units for all numbers of decimals; `means` decides by the currency. */
  get minor(): readonly bigint[] {
    return [...new Set(DIGITS.flatMap((digits) => this.#inMinor(digits)))];
  }

  /** Whether the text means the amount, in minor units of the currency. */
  means(amount: bigint | null, currency: string): boolean {
    return amount !== null && this.#inMinor(currencyDigits(currency)).includes(amount);
  }

  #inMinor(digits: number): bigint[] {
    return this.#typed
      .filter(({ part }) => part.length <= digits)
      .map(({ whole, part }) => BigInt(whole + part.padEnd(digits, "0")));
  }
}

/** Reads an amount with `point` before the decimals, and optionally the other separator between thousands. */
function typedWith(text: string, point: "." | ","): Typed | null {
  const form = point === "." ? /^(\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,4}))?$/ : COMMA;
  const [, whole, part = ""] = form.exec(text) ?? [];
  if (whole === undefined) return null;
  return { whole: whole.replaceAll(/[.,]/g, ""), part: part.replace(/0+$/, "") };
}

const COMMA = /^(\d{1,15}|\d{1,3}(?:\.\d{3}){1,4})(?:,(\d{1,4}))?$/;
