/** The lists of drafts, issued invoices and credit notes. */
import type { VNode } from "preact";
import { isPaidInLedger } from "../../features/receivables/open-items/require-begun.ts";
import type { CreditNoteRow } from "../../features/sales/credit-notes/schemas.ts";
import type { InvoiceSort } from "../../features/sales/invoices/list-sorted.ts";
import {
  type Configuration,
  getConfiguration,
} from "../../features/settings/configuration/queries.ts";
import type { Page as Listed } from "../../platform/database/page.ts";
import { todayFor } from "../frame/day-asked.ts";
import { Submit } from "../frame/form.tsx";
import { Icon } from "../frame/icon.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin } from "../frame/seen.ts";
import { type Column, List, Older, Picked, Tabs } from "../parts/list.tsx";
import type { Words } from "../words/en.ts";
import { customerAsked } from "./find-customer.ts";
import { draftColumns, issuedColumns, noteColumns } from "./invoice-columns.tsx";
import { EXPORT_PATH, PICKED_PATH } from "./invoice-files.ts";
import { Filtering, peopleOf } from "./invoice-filtering.tsx";
import {
  addressOf,
  type Filters,
  filtersOf,
  INVOICES,
  isFiltered,
  sortLink,
  sortOf,
  TABS,
  type Tab,
} from "./invoice-filters.ts";
import {
  type InvoiceWithEarned,
  readInvoiceRows,
  readNoteRows,
  withKnownPayment,
} from "./invoice-rows.ts";
import { ISSUE_MANY, MOST_PICKED } from "./issue-many.tsx";
import { SEND_MANY } from "./send-many.tsx";

/** The number of rows on a page. Drafts are computed when they are shown, so a page has fewer of them. */
const MOST = { drafts: MOST_PICKED, issued: 50, "credit-notes": 50 } as const satisfies Record<
  Tab,
  number
>;

export const invoicePages: readonly WebPage[] = [definePage(`GET ${INVOICES}`, "person", list)];

async function list(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader } = request;
  const { words } = reader;
  const customer = await customerAsked(request);
  const { customer: _named, ...found } = filtersOf(request);
  const named = customer.id === undefined ? found : { ...found, customer: customer.id };
  const configuration = await getConfiguration(cx);
  const { filters, knows_payment } = withKnownPayment(cx, configuration, named);
  const { sort: _, ...others } = filters;
  const tabs = TABS.map((one) => ({
    href: addressOf(one === filters.tab ? filters : { ...others, tab: one }),
    word: words.invoices.tabs[one],
  }));
  const here = addressOf(filters);
  const content = (
    <>
      <Tabs label={words.nav.invoices} tabs={tabs} current={here} />
      <Filtering
        filters={filters}
        customer={customer}
        people={await peopleOf(request)}
        functional={configuration.functional_currency}
        today={todayFor(request)}
        knows_payment={knows_payment}
        is_in_ledger={isPaidInLedger(cx)}
      />
      {await rowsOf(request, filters, configuration, knows_payment)}
      {sortOf(filters).by === "amount" && filters.currency === undefined && (
        <p class="tiny quiet">{words.invoices.by_amount}</p>
      )}
    </>
  );
  const actions = (
    <>
      {isAdmin(cx) && (
        <a class="button" href={addressOf(filters, EXPORT_PATH)} data-no-prefetch data-export>
          <Icon name="download" />
          {words.files.export}
        </a>
      )}
      <a class="button main" href="/invoices/new">
        <Icon name="plus" />
        {words.draft.new_invoice}
      </a>
    </>
  );
  return { title: words.nav.invoices, content, actions };
}

async function rowsOf(
  request: PageRequest,
  filters: Filters,
  configuration: Configuration,
  knows_payment: boolean,
) {
  const { cx, query, reader } = request;
  const { words } = reader;
  const { tab } = filters;
  const page = { limit: MOST[tab], cursor: query.cursor };
  const columns = {
    words: words.invoices,
    deliveries: words.delivery,
    select_all: words.lists.all,
    functional: configuration.functional_currency,
    language: reader.language,
    shows_earned: isAdmin(cx),
    payments: knows_payment ? words.payments : null,
    sortBy: (by: InvoiceSort) => sortLink(filters, by),
  };
  const is_filtered = isFiltered(filters);
  const empty = <p>{is_filtered ? words.invoices.none_found : words.invoices.none[tab]}</p>;
  const label = words.invoices.tabs[tab];
  const shown = <Row extends InvoiceWithEarned | CreditNoteRow>(
    { data, next_cursor }: Listed<Row>,
    row_columns: readonly Column<Row>[],
  ) => (
    <>
      <List label={label} rows={data} empty={empty} columns={row_columns} />
      <Older address={addressOf(filters)} cursor={next_cursor} text={words.older} />
    </>
  );
  if (tab === "credit-notes") {
    const found = await readNoteRows(cx, filters, page);
    const list = shown(found, noteColumns(columns, words.issue_many.pick));
    return <Picking tab={tab} words={words} rows={found.data} list={list} is_admin={isAdmin(cx)} />;
  }
  const found = await readInvoiceRows(cx, configuration, filters, page);
  if (tab === "issued") {
    const list = shown(found, issuedColumns(columns, words.issue_many.pick));
    return <Picking tab={tab} words={words} rows={found.data} list={list} is_admin={isAdmin(cx)} />;
  }
  return (
    <form method="get" action={ISSUE_MANY} data-list>
      {shown(found, draftColumns(columns, words.issue_many.pick))}
      {found.data.length > 0 && (
        <Picked>
          <button type="submit" class="button main">
            {words.issue_many.issue_picked}
          </button>
        </Picked>
      )}
    </form>
  );
}

/** Shows a list whose selected documents are downloaded as one file, and sent again by an admin. */
function Picking(props: {
  tab: Tab;
  words: Words;
  rows: readonly unknown[];
  list: VNode;
  is_admin: boolean;
}) {
  const { tab, words, rows, list, is_admin } = props;
  if (rows.length === 0) return list;
  return (
    <form method="get" action={PICKED_PATH} data-list>
      <input type="hidden" name="tab" value={tab} />
      {list}
      <Picked>
        {is_admin && (
          <button type="submit" class="button" formaction={SEND_MANY}>
            {words.send_many.send_picked}
          </button>
        )}
        <Submit text={words.files.pdfs} is_secondary />
        <span class="tiny quiet">{words.files.pdfs_hint}</span>
      </Picked>
    </form>
  );
}
