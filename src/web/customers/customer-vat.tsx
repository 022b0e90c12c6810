/** Explains, in sentences, which VAT applies to a customer and why. */
import type { VatCode } from "../../domain/sales/vat-code.ts";
import { vatNumberWithCountry } from "../../domain/sales/vat-prefix.ts";
import { explainVat, type VatReasoning } from "../../domain/sales/vat-reasoning.ts";
import type { CustomerRow } from "../../features/catalogue/customers/present.ts";
import { formatCountry, formatPercent } from "../../features/documents/printing/format.ts";
import { chartOf } from "../../features/settings/configuration/accounts.ts";
import type { Configuration } from "../../features/settings/configuration/queries.ts";
import { vatSettings } from "../../features/settings/configuration/queries.ts";
import type { Context } from "../../platform/commands/context.ts";
import type { PageReader } from "../frame/reader.ts";

/** Returns the VAT on the customer's documents, and for each rate the fact that decides it. */
export async function vatSection(
  cx: Context,
  reader: PageReader,
  customer: CustomerRow,
  configuration: Configuration,
) {
  const { customers: words } = reader.words;
  const sales = await vatOf(cx, words, customer, configuration);
  return (
    <section class="card pad">
      <h2>{words.why_vat}</h2>
      <dl class="reasons">
        {sales.map(({ label, reasoning }) => (
          <div>
            <dt>{label}</dt>
            <dd>{sentenceOf(reasoning, customer, reader)}</dd>
            <dd class="tiny quiet">{words.code(reasoning.vat_code)}</dd>
          </div>
        ))}
      </dl>
      <p class="tiny quiet">{words.by_product}</p>
    </section>
  );
}

interface VatOfSale {
  readonly label: string;
  readonly reasoning: VatReasoning;
}

/** Returns the VAT of the default sales account, and of services and goods where that differs. */
async function vatOf(
  cx: Context,
  words: PageReader["words"]["customers"],
  customer: CustomerRow,
  configuration: Configuration,
): Promise<VatOfSale[]> {
  const account = configuration.default_revenue_account;
  const codes = account === null ? undefined : await chartOf(cx)?.vatCodes([account]);
  const code = account === null ? null : (codes?.get(account) ?? null);
  const settings = vatSettings(configuration);
  const explained = (label: string, account_code: VatCode | null): VatOfSale => ({
    label,
    reasoning: explainVat(account_code, customer, settings),
  });
  const sales = [
    explained(words.as_a_rule(account), code),
    explained(words.services, null),
    explained(words.goods, "EU_GOODS_RC"),
  ];
  const shown = new Set<VatCode>();
  return sales.filter(({ reasoning: { vat_code } }) => {
    const is_new = !shown.has(vat_code);
    shown.add(vat_code);
    return is_new;
  });
}

function sentenceOf({ ground, rate }: VatReasoning, customer: CustomerRow, reader: PageReader) {
  const { words, language } = reader;
  const { country_key, vat_number } = customer;
  return words.customers.vat[ground]({
    country: formatCountry(country_key, language),
    // A number that does not fit the country is shown as typed.
    number: (ground === "form" ? vat_number : vatNumberWithCountry(vat_number, country_key)) ?? "–",
    rate: formatPercent(rate, language),
  });
}
