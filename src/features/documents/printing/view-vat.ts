/** The VAT on a document: by code, in the functional currency, and the statutory sentences of the codes (spec 9.2). */
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import { vatSentences } from "../../../domain/sales/document-sentences.ts";
import { formatAmount, formatMoney, formatPercent, formatRate } from "./format.ts";
import { fullVatNumber } from "./parties.ts";
import { texts } from "./texts.ts";
import type { FactView, VatTableView } from "./view-parts.ts";

/** The table of VAT: name, rate, base and amount of each code. */
export function vatTableOf(snapshot: DocumentSnapshot): VatTableView {
  const words = texts[snapshot.language];
  return {
    head: [words.vat, words.vatRate, words.vatBase, words.vatAmount],
    rows: snapshot.vat.map((entry) => [
      words.vatNames[entry.vat_code],
      formatPercent(entry.rate, snapshot.language),
      formatAmount(snapshot, entry.base),
      formatAmount(snapshot, entry.vat),
    ]),
    sum:
      snapshot.vat.length < 2
        ? null
        : { label: words.vatSum, value: formatAmount(snapshot, snapshot.totals.vat) },
  };
}

/** Danish law requires the VAT in Danish kroner on a document in another currency. */
export function functionalOf(snapshot: DocumentSnapshot): FactView[] {
  const { language, currency, functional_currency, rate_micro } = snapshot;
  if (currency === functional_currency || rate_micro === null) return [];
  const words = texts[language];
  const vat = snapshot.vat.reduce((sum, entry) => sum + entry.vat_functional, 0n);
  const rate = `1 ${currency} = ${formatRate(rate_micro, language)} ${functional_currency}`;
  const facts = [{ label: words.exchangeRate, value: rate }];
  if (vat === 0n) return facts;
  const value = formatMoney(vat, snapshot.functional_digits, language);
  return [{ label: words.vatIn(functional_currency), value }, ...facts];
}

/** One sentence for each VAT code that needs one, and both VAT numbers when the customer pays the VAT. */
export function statutoryOf(snapshot: DocumentSnapshot): string[] {
  const words = texts[snapshot.language];
  const { seller, customer } = snapshot;
  const codes = snapshot.vat.map((entry) => entry.vat_code);
  const sentences = codes.flatMap((code) => vatSentences[snapshot.language][code] ?? []);
  const shifted = codes.some((code) => code === "DK_RC" || code.startsWith("EU_"));
  const seller_number = fullVatNumber(seller?.vat_number ?? null, seller?.country_key ?? "DK");
  const customer_number = fullVatNumber(customer.vat_number, customer.country_key);
  if (shifted && seller_number !== null && customer_number !== null) {
    sentences.push(words.bothVatNumbers(seller_number, customer_number));
  }
  return sentences;
}
