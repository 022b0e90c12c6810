/** The filters of the list of customers: chips that act when they are chosen, and without scripts a form with a button. */
import { countriesOf } from "../../features/catalogue/customers/queries.ts";
import { formatCountry } from "../../features/documents/printing/format.ts";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { Chip, type ChipOption } from "../parts/chip.tsx";
import { LONGEST_SEARCH } from "../parts/list.tsx";
import { type CustomerFilters, customerQuery, SEND_METHODS } from "./customer-rows.ts";

/** Returns the countries of the customers in the reader's language; none for a person who sees only their own customers. */
export async function countryOptions({
  cx,
  reader: { language },
}: PageRequest): Promise<readonly ChipOption[]> {
  if (!isAdmin(cx)) return [];
  return (await countriesOf(cx))
    .map((value) => ({ value, text: formatCountry(value, language) }))
    .sort((a, b) => a.text.localeCompare(b.text, language));
}

export function CustomerFiltering(props: {
  action: string;
  filters: CustomerFilters;
  countries: readonly ChipOption[];
}) {
  const { action, filters, countries } = props;
  const { words: all } = useReader();
  const words = all.customers;
  const { search, country_key, send_method, active, sort, is_with_balances } = filters;
  const is_filtered = (search ?? country_key ?? send_method) !== undefined;
  const without = { ...filters, search: undefined, country_key: undefined, send_method: undefined };
  const methods = { email: words.by_email, einvoice: words.by_einvoice };
  return (
    <search>
      <form method="get" action={action} class="filters" data-acts>
        <input type="hidden" name="active" value={active} />
        {sort !== "name" && <input type="hidden" name="sort" value={sort} />}
        {is_with_balances && <input type="hidden" name="balances" value="1" />}
        <label class="field">
          <span>{words.search}</span>
          <input
            class="input"
            type="search"
            name="q"
            value={search ?? ""}
            maxLength={LONGEST_SEARCH}
          />
        </label>
        {countries.length > 0 && (
          <Chip name="country_key" label={words.country} chosen={country_key} options={countries} />
        )}
        <Chip
          name="send_method"
          label={words.billed}
          chosen={send_method}
          options={SEND_METHODS.map((value) => ({ value, text: methods[value] }))}
        />
        <button type="submit" class="button">
          {all.invoices.filter}
        </button>
        {is_filtered && (
          <a class="button bare" href={`${action}?${new URLSearchParams(customerQuery(without))}`}>
            {all.invoices.all}
          </a>
        )}
      </form>
    </search>
  );
}
