/** The filters of the lists of documents: chips that act when they are chosen, and without scripts a form with a button. */
import { readUsers } from "../../features/access/people/queries.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { Island } from "../frame/island.tsx";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { island as dayField } from "../parts/day-field.tsx";
import { addressOf, DELIVERIES, type Filters, INVOICES, isFiltered } from "./invoice-filters.ts";

interface FilterOption {
  readonly value: string;
  readonly text: string;
}

/** The most people that the filter offers. */
const MOST_PEOPLE = 100;

/** Returns the active people of the account, by name; none for a person who sees only their own documents. */
export async function peopleOf({ cx }: PageRequest): Promise<readonly FilterOption[]> {
  if (!isAdmin(cx)) return [];
  const page = { limit: MOST_PEOPLE, active: true, cursor: undefined };
  const { data } = pageFrom<{ id: string; name: string }>(await readUsers(page).answer(cx));
  return data
    .map(({ id, name }) => ({ value: id, text: name }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** The currencies that the filter always offers; the functional one and the chosen one are added. */
const CURRENCIES = ["DKK", "EUR", "GBP", "NOK", "SEK", "USD"];

/** Shows the filters. A customer is chosen on the customer's page or by the search, and removed here. */
export function Filtering(props: {
  filters: Filters;
  /** The name of the customer of the filter. */
  customer: string | undefined;
  people: readonly FilterOption[];
  functional: string;
  today: string;
}) {
  const { filters, customer, people, functional, today } = props;
  const { words: all } = useReader();
  const words = all.invoices;
  const { customer: id, tab, sort, currency } = filters;
  const is_issued = tab !== "drafts";
  const currencies = [...new Set([functional, ...CURRENCIES, ...(currency ? [currency] : [])])];
  return (
    <search>
      <form method="get" action={INVOICES} class="filters" data-acts>
        <input type="hidden" name="tab" value={tab} />
        {id !== undefined && <input type="hidden" name="customer" value={id} />}
        {sort !== undefined && <input type="hidden" name="sort" value={sort} />}
        <label class="field">
          <span>{words.search}</span>
          <input class="input" type="search" name="q" value={filters.q ?? ""} maxLength={200} />
        </label>
        {is_issued && (
          <DayChip name="issued_from" label={words.from} filters={filters} today={today} />
        )}
        {is_issued && <DayChip name="issued_to" label={words.to} filters={filters} today={today} />}
        {people.length > 0 && (
          <Chip name="user" label={words.person} filters={filters} options={people} />
        )}
        {is_issued && (
          <Chip
            name="delivery_state"
            label={words.delivery}
            filters={filters}
            options={DELIVERIES.map((value) => ({ value, text: all.delivery[value] }))}
          />
        )}
        <Chip
          name="currency"
          label={words.currency}
          filters={filters}
          options={currencies.map((value) => ({ value, text: value }))}
        />
        <button type="submit" class="button">
          {words.filter}
        </button>
        {isFiltered(filters) && (
          <a class="button bare" href={addressOf({ tab })}>
            {words.all}
          </a>
        )}
      </form>
      {id !== undefined && <OfCustomer filters={filters} id={id} name={customer ?? "–"} />}
    </search>
  );
}

function OfCustomer({ filters, id, name }: { filters: Filters; id: string; name: string }) {
  const { invoices: words } = useReader().words;
  const { customer: _, ...others } = filters;
  return (
    <p class="small">
      {words.only_of} <a href={`/customers/${id}`}>{name}</a>.{" "}
      <a href={addressOf(others)}>{words.of_all_people}</a>
    </p>
  );
}

interface ChipProps {
  readonly label: string;
  readonly filters: Filters;
}

function Chip(
  props: ChipProps & {
    name: "user" | "delivery_state" | "currency";
    options: readonly FilterOption[];
  },
) {
  const { name, label, filters, options } = props;
  const { invoices: words } = useReader().words;
  const chosen = filters[name] ?? "";
  return (
    <label class={chosen === "" ? "field chip" : "field chip on"}>
      <span>{label}</span>
      <select class="input" name={name}>
        <option value="">{words.any}</option>
        {options.map(({ value, text }) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function DayChip(props: ChipProps & { name: "issued_from" | "issued_to"; today: string }) {
  const { name, label, filters, today } = props;
  const { days } = useReader().words;
  const value = filters[name] ?? "";
  const field = { name, label, value, today, empty: days.any, is_named: true };
  return (
    <div class={value === "" ? "field chip" : "field chip on"}>
      <span>{label}</span>
      <Island of={dayField} with={field} />
    </div>
  );
}
