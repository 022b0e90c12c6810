/**
 * Bank account numbers by ISO 13616: the length of the country and two check digits. What is inside is left to the banks. Browsers run the
 * same rule.
 */

/** The countries by the lengths of their numbers. */
const COUNTRIES: Readonly<Record<number, string>> = {
  15: "NO",
  16: "BE",
  18: "AX DK FI FK FO GL NL SD",
  19: "MK SI",
  20: "AT BA EE KZ LT LU MN XK",
  21: "CH HR LI LV",
  22: "BG BH CR DE GB GE IE ME RS VA",
  23: "AE GI IL IQ OM SO TL",
  24: "AD CZ ES MD PK RO SA SE SK TN VG",
  25: "AO CV GW LY MZ PT ST",
  26: "DZ IR IS TR",
  27: "BI BL CF CG CM DJ FR GA GF GP GQ GR IT KM MC MF MG MQ MR NC PF PM RE SM TD TF WF YT",
  28: "AL AZ BF BJ BY CI CY DO GT HN HU LB MA ML NE NI PL SN SV TG",
  29: "BR EG PS QA UA",
  30: "JO KW MU YE",
  31: "MT SC",
  32: "LC",
  33: "RU",
};

/** Returns an IBAN without blanks and in upper case; undefined where its length or its check digits are wrong. */
export function ibanFrom(text: string): string | undefined {
  const iban = text.replace(/\s/g, "").toUpperCase();
  const [, country] = /^([A-Z]{2})\d\d[A-Z\d]+$/.exec(iban) ?? [];
  if (country === undefined || !COUNTRIES[iban.length]?.includes(country)) return undefined;
  const moved = iban.slice(4) + iban.slice(0, 4);
  const digits = moved.replace(/[A-Z]/g, (letter) => `${letter.charCodeAt(0) - 55}`);
  return BigInt(digits) % 97n === 1n ? iban : undefined;
}
