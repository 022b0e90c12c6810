/** The filters of the lists of documents: chips that act when they are chosen, and without scripts a form with a button. */
import { readUsers } from "../../features/access/people/queries.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { Island } from "../frame/island.tsx";
import type { PageRequest } from "../frame/page.tsx";
import { useReader } from "../frame/reader.ts";
import { isAdmin } from "../frame/seen.ts";
import { Chip, type ChipOption, chipClass } from "../parts/chip.tsx";
import { island as dayField } from "../parts/day-field.tsx";
import { island as customerChip } from "./customer-chip.tsx";
import type { CustomerAsked } from "./find-customer.ts";
import {
  addressOf,
  DELIVERIES,
  type Filters,
  INVOICES,
  isFiltered,
  PAYMENT_FILTERS,
} from "./invoice-filters.ts";

/** The most people that the filter offers. */
const MOST_PEOPLE = 100;

/** Returns the active people of the account, by name; none for a person who sees only their own documents. */
export async function peopleOf({ cx }: PageRequest): Promise<readonly ChipOption[]> {
  if (!isAdmin(cx)) return [];
  const page = { limit: MOST_PEOPLE, active: true, cursor: undefined };
  const { data } = pageFrom<{ id: string; name: string }>(await readUsers(page).answer(cx));
  return data
    .map(({ id, name }) => ({ value: id, text: name }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** The currencies that the filter always offers; the functional one and the chosen one are added. */
const CURRENCIES = ["DKK", "EUR", "GBP", "NOK", "SEK", "USD"];

/** Shows the filters of a list, and whose documents it shows. */
export function Filtering(props: {
  filters: Filters;
  customer: CustomerAsked;
  people: readonly ChipOption[];
  functional: string;
  today: string;
  /** Whether the list can be filtered by what is paid. */
  knows_payment: boolean;
  /** Whether payments are recorded in a connected ledger. */
  is_in_ledger: boolean;
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
        {sort !== undefined && <input type="hidden" name="sort" value={sort} />}
        <label class="field">
          <span>{words.search}</span>
          <input class="input" type="search" name="q" value={filters.q ?? ""} maxLength={200} />
        </label>
        {is_issued && (
          <DayChip name="issued_from" label={words.from} filters={filters} today={today} />
        )}
        {is_issued && <DayChip name="issued_to" label={words.to} filters={filters} today={today} />}
        <CustomerField asked={customer} />
        {people.length > 0 && (
          <Chip name="user" label={words.person} chosen={filters.user} options={people} />
        )}
        {is_issued && (
          <Chip
            name="delivery_state"
            label={words.delivery}
            chosen={filters.delivery_state}
            options={DELIVERIES.map((value) => ({ value, text: all.delivery[value] }))}
          />
        )}
        {props.knows_payment && (
          <PaymentChip chosen={filters.payment_state} is_in_ledger={props.is_in_ledger} />
        )}
        <Chip
          name="currency"
          label={words.currency}
          chosen={currency}
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
      {customer.is_unknown && (
        <p class="small" role="status">
          {words.no_customer(customer.name)}
        </p>
      )}
      {id !== undefined && <OfCustomer filters={filters} id={id} name={customer.name} />}
    </search>
  );
}

/** Chooses by what is paid. Only a connected ledger reports what is overpaid, and it reports no credits. */
function PaymentChip(props: { chosen: Filters["payment_state"]; is_in_ledger: boolean }) {
  const { card, states } = useReader().words.payments;
  const never = props.is_in_ledger ? "credited" : "overpaid";
  return (
    <Chip
      name="payment_state"
      label={card}
      chosen={props.chosen}
      options={PAYMENT_FILTERS.filter((value) => value !== never).map((value) => ({
        value,
        text: states[value],
      }))}
    />
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

function CustomerField({ asked }: { asked: CustomerAsked }) {
  const { invoices: words } = useReader().words;
  return (
    <div class={chipClass(asked.id !== undefined)}>
      <span>{words.customer}</span>
      <Island of={customerChip} with={{ ...asked, id: asked.id ?? "" }} />
    </div>
  );
}

function DayChip(props: {
  name: "issued_from" | "issued_to";
  label: string;
  filters: Filters;
  today: string;
}) {
  const { name, label, filters, today } = props;
  const { days } = useReader().words;
  const value = filters[name] ?? "";
  const field = { name, label, value, today, empty: days.any, is_named: true };
  return (
    <div class={chipClass(value !== "")}>
      <span>{label}</span>
      <Island of={dayField} with={field} />
    </div>
  );
}
