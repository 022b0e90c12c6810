/** Currencies by ISO 4217 with their minor units. Node's Intl differs from ISO for 17 of them, so the table is our own. */

const WITHOUT_MINOR_UNIT = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
const WITH_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND";
const WITH_FOUR_DECIMALS = "CLF UYW";
const WITH_TWO_DECIMALS =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF " +
  "CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL " +
  "HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT " +
  "MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB " +
  "SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH " +
  "USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG";

const digitsByCurrency = new Map<string, number>(
  [
    [WITHOUT_MINOR_UNIT, 0],
    [WITH_TWO_DECIMALS, 2],
    [WITH_THREE_DECIMALS, 3],
    [WITH_FOUR_DECIMALS, 4],
  ].flatMap(([codes, digits]) =>
    String(codes)
      .split(" ")
      .map((code) => [code, Number(digits)] as const),
  ),
);

/** Every currency, in the order of its code. */
export const currencies: readonly string[] = [...digitsByCurrency.keys()].sort();

/** Whether the text is an active ISO 4217 code in upper case. */
export function isCurrency(code: string): boolean {
  return digitsByCurrency.has(code);
}

/** Decimals of the currency's minor unit: 2 for DKK, 0 for JPY, 3 for KWD. */
export function currencyDigits(code: string): number {
  const digits = digitsByCurrency.get(code);
  if (digits === undefined) throw new RangeError(`${code} is not a currency of ISO 4217`);
  return digits;
}
