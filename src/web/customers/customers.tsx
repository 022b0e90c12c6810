/** The list of customers, and the actions of a customer's forms and buttons. */

import { getCustomer, readCustomers } from "../../features/catalogue/customers/queries.ts";
import {
  changeCustomer,
  saveCustomer,
  setCustomerActive,
} from "../../features/catalogue/customers/save.ts";
import {
  CustomerCreate,
  type CustomerResource,
  CustomerUpdate,
} from "../../features/catalogue/customers/schemas.ts";
import { formatCountry } from "../../features/documents/printing/format.ts";
import { type UnderWay, underWayOf } from "../../features/overview/today/read-customer-summary.ts";
import { lastInvoices } from "../../features/sales/invoices/list.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import type { Reader } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import type { Notice } from "../frame/notice.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin, ofSeen, seenBy } from "../frame/seen.ts";
import { type Faults, submitted } from "../frame/submitted.ts";
import { ListActions, NoneYet } from "../imports/import-links.tsx";
import { Billed } from "../parts/billed.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { type Column, List, Older, Searched, searchIn, Tabs } from "../parts/list.tsx";
import { Day } from "../parts/values.tsx";
import type { Words } from "../words/en.ts";
import { customerCard } from "./customer-card.tsx";
import {
  customerForm,
  FIELDS,
  NEW_CUSTOMER,
  requireAddressed,
  sentBy,
  typedOf,
} from "./customer-form.tsx";

const CUSTOMERS = "/customers";

export const customerPages: readonly WebPage[] = [
  definePage(`GET ${CUSTOMERS}`, "person", list),
  definePage(`GET ${CUSTOMERS}/new`, "admin", (request) => newForm(request, NEW_CUSTOMER)),
  definePage(`POST ${CUSTOMERS}/new`, "admin", async (request) => {
    const { cx, form } = request;
    const outcome = await submitted(CustomerCreate, sentBy(request), FIELDS, {}, (customer) => {
      requireAddressed(customer);
      return run(saveCustomer, cx, customer);
    });
    if ("done" in outcome) return doneTo(outcome.done, "customer_saved");
    return { ...(await newForm(request, form, outcome.faults)), status: outcome.status };
  }),
  definePage(
    `GET ${CUSTOMERS}/:id`,
    "person",
    ofSeen("customer", (request) => customerCard(request, request.id, CUSTOMERS)),
  ),
  definePage(`GET ${CUSTOMERS}/:id/edit`, "admin", async (request) => {
    const customer = await getCustomer(request.cx, request.id);
    return editForm(request, customer, typedOf(customer));
  }),
  definePage(`POST ${CUSTOMERS}/:id/edit`, "admin", async (request) => {
    const { cx, form } = request;
    const { id: ref } = request;
    const outcome = await submitted(CustomerUpdate, sentBy(request), FIELDS, {}, (changes) => {
      requireAddressed(changes);
      return run(changeCustomer, cx, { ref, changes });
    });
    if ("done" in outcome) return doneTo(outcome.done, "customer_saved");
    const shown = await editForm(request, await getCustomer(cx, ref), form, outcome.faults);
    return { ...shown, status: outcome.status };
  }),
  ...(["activate", "deactivate"] as const).map((verb) =>
    definePage(`POST ${CUSTOMERS}/:id/${verb}`, "admin", async (request) => {
      const { id: ref } = request;
      const active = verb === "activate";
      const done = await run(setCustomerActive, request.cx, { ref, active });
      return doneTo(done, active ? "customer_active" : "customer_inactive");
    }),
  ),
];

function cardOf({ id }: { readonly id: string }): string {
  return `${CUSTOMERS}/${id}`;
}

/** Leads to the card of a customer that a command has returned, with a notice of what it did. */
function doneTo(customer: string, done: Notice["done"]): PageAnswer {
  const saved = JSON.parse(customer) as CustomerResource;
  return { redirect: cardOf(saved), notice: { done, of: saved.name } };
}

async function newForm(
  request: PageRequest,
  typed: TypedFields,
  faults?: Faults,
): Promise<PageAnswer> {
  const { functional_currency: currency } = await getConfiguration(request.cx);
  const title = request.reader.words.customers.add;
  return customerForm(request, { action: `${CUSTOMERS}/new`, title, currency }, typed, faults);
}

async function editForm(
  request: PageRequest,
  customer: { readonly id: string; readonly name: string },
  typed: TypedFields,
  faults?: Faults,
): Promise<PageAnswer> {
  const { functional_currency: currency } = await getConfiguration(request.cx);
  const shown = { action: `${cardOf(customer)}/edit`, title: customer.name, currency };
  return customerForm(request, shown, typed, faults);
}

async function list({ cx, query, reader }: PageRequest): Promise<PageAnswer> {
  const { words: all, language } = reader;
  const words = all.customers;
  const search = searchIn(query);
  const active = query.active === "false" ? "false" : "true";
  const page = { limit: 50, cursor: query.cursor, search, active } as const;
  const { data, next_cursor } = pageFrom<CustomerResource>(
    await readCustomers(page, seenBy(cx, "customer")).answer(cx),
  );
  const more = isAdmin(cx) ? await columnsForAdmins(cx, data, words) : [];
  const found = search === undefined ? {} : { q: search };
  const nothing = active === "true" ? words.none : words.none_inactive;
  const addressOf = (which: string) =>
    `${CUSTOMERS}?${new URLSearchParams({ ...found, active: which })}`;
  const tabs = [
    { href: addressOf("true"), word: words.tabs.active },
    { href: addressOf("false"), word: words.tabs.inactive },
  ];
  const content = (
    <>
      <Tabs label={all.nav.customers} tabs={tabs} current={addressOf(active)} />
      <Searched action={CUSTOMERS} value={search ?? ""} label={words.search} />
      <List
        label={all.nav.customers}
        rows={data}
        empty={
          search === undefined ? (
            <NoneYet text={nothing} kind={isAdmin(cx) && active === "true" ? "customers" : null} />
          ) : (
            <p>{words.none_found}</p>
          )
        }
        columns={[
          {
            head: words.name,
            fold: "lead",
            cell: (row) => <a href={cardOf(row)}>{row.name}</a>,
          },
          { head: words.billed, cell: (row) => <Billed customer={row} /> },
          { head: words.country, cell: (row) => formatCountry(row.country_key, language) },
          ...more,
        ]}
      />
      <Older address={addressOf(active)} cursor={next_cursor} text={all.older} />
    </>
  );
  const actions = <ListActions kind="customers" add={words.add} filters={{ ...found, active }} />;
  return { title: all.nav.customers, content, ...(isAdmin(cx) ? { actions } : {}) };
}

/** Returns counts for each customer, for admins only: other people may not see everything that is counted. */
async function columnsForAdmins(
  cx: Reader,
  customers: readonly CustomerResource[],
  words: Words["customers"],
): Promise<readonly Column<CustomerResource>[]> {
  const ids = customers.map(({ id }) => id);
  const [last, under_way] = await Promise.all([lastInvoices(cx, ids), underWayOf(cx, ids)]);
  const count = (which: keyof UnderWay) => (row: CustomerResource) =>
    under_way.get(row.id)?.[which] || "–";
  return [
    { head: words.open_drafts, kind: "number", fold: "none", cell: count("drafts") },
    { head: words.retainers, kind: "number", fold: "none", cell: count("retainers") },
    {
      head: words.last_invoice,
      kind: "number",
      cell: (row) => <Day day={last.get(row.id)?.issue_date} />,
    },
  ];
}
