/** What was billed and what is about to be: drafts, issued invoices and credit notes, each a list of its own. */
import { calendarDate } from "../domain/base/calendar.ts";
import { getConfiguration } from "../features/configuration/queries.ts";
import { listCreditNotes } from "../features/credit-notes/list.ts";
import type { CreditNoteRow } from "../features/credit-notes/schemas.ts";
import { customerNames } from "../features/customers/queries.ts";
import { listInvoices } from "../features/invoices/list.ts";
import type { InvoiceRow } from "../features/invoices/schemas.ts";
import { type Page as Listed, pageFrom } from "../platform/database/page.ts";
import { definePage, type Page, type PageAnswer, type PageRequest } from "./frame/page.tsx";
import { isId } from "./frame/reference.ts";
import { draftColumns, issuedColumns, noteColumns } from "./invoice-columns.tsx";
import { ISSUE_MANY, MOST_PICKED } from "./issue-many.tsx";
import { type Column, List, Older, Tabs } from "./parts/list.tsx";
import { isSeen, seenBy } from "./seen.ts";

const INVOICES = "/invoices";
const TABS = ["drafts", "issued", "credit-notes"] as const;
type Tab = (typeof TABS)[number];

/** Drafts are computed as they are shown, so there are fewer of them on a page. */
const MOST = { drafts: MOST_PICKED, issued: 50, "credit-notes": 50 } as const satisfies Record<
  Tab,
  number
>;

export const invoicePages: readonly Page[] = [definePage(`GET ${INVOICES}`, "person", list)];

/** What the address says of the list; what cannot be read is left out. */
interface Filters {
  readonly tab: Tab;
  readonly q?: string;
  readonly customer?: string;
  readonly issued_from?: string;
  readonly issued_to?: string;
}

async function list(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader } = request;
  const { words } = reader;
  const filters = filtersOf(request);
  const { functional_currency } = await getConfiguration(cx);
  const customer =
    filters.customer === undefined || !(await isSeen(cx, "customer", filters.customer))
      ? undefined
      : (await customerNames(cx, [filters.customer])).get(filters.customer);
  const tabs = TABS.map((one) => ({
    href: addressOf({ ...filters, tab: one }),
    word: words.invoices.tabs[one],
  }));
  const here = addressOf(filters);
  const content = (
    <>
      <Tabs label={words.nav.invoices} tabs={tabs} current={here} />
      <Filtering request={request} filters={filters} customer={customer} />
      {await rowsOf(request, filters, functional_currency)}
    </>
  );
  const actions = (
    <a class="button main" href="/invoices/new">
      {words.draft.new_invoice}
    </a>
  );
  return { title: words.nav.invoices, content, actions };
}

function filtersOf({ query }: PageRequest): Filters {
  const tab = TABS.find((one) => one === query.tab) ?? "drafts";
  const q = query.q?.trim().slice(0, 200);
  const { customer, issued_from, issued_to } = query;
  const isDay = (day: string | undefined): day is string =>
    day !== undefined && calendarDate(day) !== undefined;
  return {
    tab,
    ...(q ? { q } : {}),
    ...(isId(customer) ? { customer } : {}),
    ...(isDay(issued_from) ? { issued_from } : {}),
    ...(isDay(issued_to) ? { issued_to } : {}),
  };
}

function addressOf({ tab, ...filters }: Filters): string {
  return `${INVOICES}?${new URLSearchParams({ tab, ...filters })}`;
}

/** The form of the filters; a customer is chosen on their own page, and let go of here. */
function Filtering(props: {
  request: PageRequest;
  filters: Filters;
  customer: string | undefined;
}) {
  const { filters, customer } = props;
  const { words } = props.request.reader;
  const { customer: id, ...others } = filters;
  const is_filtered = Object.keys(filters).length > 1;
  const day = (name: "issued_from" | "issued_to", label: string) => (
    <label class="field">
      <span>{label}</span>
      <input class="input" type="date" name={name} value={filters[name] ?? ""} />
    </label>
  );
  return (
    <search>
      <form method="get" action={INVOICES} class="filters">
        <input type="hidden" name="tab" value={filters.tab} />
        {id !== undefined && <input type="hidden" name="customer" value={id} />}
        <label class="field">
          <span>{words.invoices.search}</span>
          <input class="input" type="search" name="q" value={filters.q ?? ""} maxLength={200} />
        </label>
        {filters.tab !== "drafts" && day("issued_from", words.invoices.from)}
        {filters.tab !== "drafts" && day("issued_to", words.invoices.to)}
        <button type="submit" class="button">
          {words.invoices.filter}
        </button>
        {is_filtered && (
          <a class="button bare" href={addressOf({ tab: filters.tab })}>
            {words.invoices.all}
          </a>
        )}
      </form>
      {id !== undefined && (
        <p class="small">
          {words.invoices.only_of} <a href={`/customers/${id}`}>{customer ?? "–"}</a>.{" "}
          <a href={addressOf(others)}>{words.invoices.of_everybody}</a>
        </p>
      )}
    </search>
  );
}

async function rowsOf(request: PageRequest, filters: Filters, functional: string) {
  const { cx, query, reader } = request;
  const { words } = reader;
  const { tab, q: search, customer, issued_from, issued_to } = filters;
  const period =
    tab === "drafts"
      ? {}
      : {
          issued_from: calendarDate(issued_from ?? ""),
          issued_to: calendarDate(issued_to ?? ""),
        };
  const page = { limit: MOST[tab], cursor: query.cursor, search, customer, ...period };
  const columns = { words: words.invoices, functional };
  const is_filtered = Object.keys(filters).length > 1;
  const empty = <p>{is_filtered ? words.invoices.none_found : words.invoices.none[tab]}</p>;
  const label = words.invoices.tabs[tab];
  const shown = <Row extends InvoiceRow | CreditNoteRow>(
    { data, next_cursor }: Listed<Row>,
    row_columns: readonly Column<Row>[],
  ) => (
    <>
      <List label={label} rows={data} empty={empty} columns={row_columns} />
      <Older address={addressOf(filters)} cursor={next_cursor} text={words.older} />
    </>
  );
  if (tab === "credit-notes") {
    const notes = await listCreditNotes(
      cx,
      { ...page, include: ["totals", "customer"] },
      seenBy(cx, "credit_note"),
    );
    return shown(pageFrom<CreditNoteRow>(notes), noteColumns(columns));
  }
  const invoices = await listInvoices(
    cx,
    {
      ...page,
      origin: "all",
      status: tab === "drafts" ? "draft" : "issued",
      include: ["totals", "customer"],
    },
    seenBy(cx, "invoice"),
  );
  const found = pageFrom<InvoiceRow>(invoices);
  if (tab === "issued") return shown(found, issuedColumns(columns));
  return (
    <form method="get" action={ISSUE_MANY}>
      {shown(found, draftColumns(columns, words.issue_many.pick))}
      {found.data.length > 0 && (
        <p>
          <button type="submit" class="button">
            {words.issue_many.issue_picked}
          </button>
        </p>
      )}
    </form>
  );
}
