/** The check digits of VAT numbers. Only this file uses `stdnum` (docs/decisions/0035). `vat-number.ts` checks form. */
import { validate as at } from "stdnum/lib/cjs/at/uid.js";
import { validate as be } from "stdnum/lib/cjs/be/vat.js";
import { validate as bg } from "stdnum/lib/cjs/bg/vat.js";
import { validate as cy } from "stdnum/lib/cjs/cy/vat.js";
import { validate as cz } from "stdnum/lib/cjs/cz/dic.js";
import { validate as de } from "stdnum/lib/cjs/de/vat.js";
import { validate as dk } from "stdnum/lib/cjs/dk/cvr.js";
import { validate as ee } from "stdnum/lib/cjs/ee/kmkr.js";
import { validate as es } from "stdnum/lib/cjs/es/nif.js";
import { validate as fi } from "stdnum/lib/cjs/fi/alv.js";
import { validate as fr } from "stdnum/lib/cjs/fr/tva.js";
import { validate as gb } from "stdnum/lib/cjs/gb/vat.js";
import { validate as el } from "stdnum/lib/cjs/gr/vat.js";
import { validate as hr } from "stdnum/lib/cjs/hr/oib.js";
import { validate as hu } from "stdnum/lib/cjs/hu/anum.js";
import { validate as ie } from "stdnum/lib/cjs/ie/vat.js";
import { validate as it } from "stdnum/lib/cjs/it/iva.js";
import { validate as lt } from "stdnum/lib/cjs/lt/pvm.js";
import { validate as lu } from "stdnum/lib/cjs/lu/tva.js";
import { validate as lv } from "stdnum/lib/cjs/lv/pvn.js";
import { validate as mt } from "stdnum/lib/cjs/mt/vat.js";
import { validate as nl } from "stdnum/lib/cjs/nl/btw.js";
import { validate as pl } from "stdnum/lib/cjs/pl/nip.js";
import { validate as pt } from "stdnum/lib/cjs/pt/nif.js";
import { validate as ro } from "stdnum/lib/cjs/ro/cif.js";
import { validate as se } from "stdnum/lib/cjs/se/vat.js";
import { validate as si } from "stdnum/lib/cjs/si/ddv.js";
import { validate as sk } from "stdnum/lib/cjs/sk/dph.js";

type Validate = (number: string) => { readonly isValid: boolean; readonly error?: Error };

const VALIDATES: Readonly<Record<string, Validate>> = {
  AT: at,
  BE: be,
  BG: bg,
  CY: cy,
  CZ: cz,
  DE: de,
  DK: dk,
  EE: ee,
  EL: el,
  ES: es,
  FI: fi,
  FR: fr,
  HR: hr,
  HU: hu,
  IE: ie,
  IT: it,
  LT: lt,
  LU: lu,
  LV: lv,
  MT: mt,
  NL: nl,
  PL: pl,
  PT: pt,
  RO: ro,
  // The last two digits distinguish businesses of one owner; the check digit covers the first ten.
  SE: (number) => se(`${number.slice(0, 10)}01`),
  SI: si,
  SK: sk,
  XI: gb,
};

/** Numbers of these forms, of persons without a birth number, which the package checks wrongly. */
const WITHOUT_CHECK_DIGITS: Readonly<Record<string, RegExp>> = { BG: /^\d{10}$/, CZ: /^6\d{8}$/ };

/**
 * Whether the digits of a number with its country's form contradict each other. Takes the letters with which the country's
 * numbers begin, and the rest of the number. An unknown number counts as correct.
 */
export function hasWrongCheckDigit(prefix: string, number: string): boolean {
  if (WITHOUT_CHECK_DIGITS[prefix]?.test(number)) return false;
  const is_valid = VALIDATES[prefix]?.(number);
  if (is_valid === undefined || is_valid.isValid) return false;
  // A form that the package does not know is not a contradiction: `vat-number.ts` checks forms.
  return ["InvalidChecksum", "InvalidComponent"].includes(is_valid.error?.name ?? "");
}
