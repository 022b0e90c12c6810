/** The list of customers, and the actions of a customer's forms and buttons. */

import type { CustomerRow } from "../../features/catalogue/customers/present.ts";
import { getCustomer } from "../../features/catalogue/customers/queries.ts";
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
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { run } from "../../platform/commands/command.ts";
import { backToDraft, backWithCustomer, newCustomerFrom } from "../draft/back-to-draft.ts";
import { defineSheetPage } from "../frame/define-sheet.ts";
import type { Notice } from "../frame/notice.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin, ofSeen } from "../frame/seen.ts";
import { type Faults, submitted } from "../frame/submitted.ts";
import { ListActions, NoneYet } from "../imports/import-links.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { List, Older, Tabs } from "../parts/list.tsx";
import { customerCard } from "./customer-card.tsx";
import { customerColumns } from "./customer-columns.tsx";
import { CustomerFiltering, countryOptions } from "./customer-filtering.tsx";
import {
  customerForm,
  FIELDS,
  hiddenOf,
  NEW_CUSTOMER,
  requireAddressed,
  sentBy,
  typedOf,
} from "./customer-form.tsx";
import {
  type CustomerFilters,
  customerFilters,
  customerQuery,
  readCustomerRows,
  showsBalances,
} from "./customer-rows.ts";
import { customerSheet } from "./customer-sheet.ts";

const CUSTOMERS = "/customers";

export const customerPages: readonly WebPage[] = [
  definePage(`GET ${CUSTOMERS}`, "person", list),
  defineSheetPage(`${CUSTOMERS}/export`, "hidden", customerSheet, customerFilters),
  definePage(`GET ${CUSTOMERS}/new`, "hidden", (request) =>
    newForm(request, { ...NEW_CUSTOMER, name: request.query.name }),
  ),
  definePage(`POST ${CUSTOMERS}/new`, "hidden", async (request) => {
    const { cx, form, query } = request;
    const outcome = await submitted(CustomerCreate, sentBy(request), FIELDS, {}, (customer) => {
      requireAddressed(customer);
      return run(saveCustomer, cx, customer);
    });
    if ("done" in outcome) return doneTo(outcome.done, "customer_saved", query.back);
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
    const { cx, form, query } = request;
    const { id: ref } = request;
    const outcome = await submitted(CustomerUpdate, sentBy(request), FIELDS, {}, (changes) => {
      requireAddressed(changes);
      return run(changeCustomer, cx, { ref, changes });
    });
    if ("done" in outcome) {
      const done = doneTo(outcome.done, "customer_saved");
      return { ...done, redirect: backToDraft(query.back) ?? done.redirect };
    }
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

/** Leads to the customer that a command has returned, or back to their invoice, with a notice of what it did. */
function doneTo(customer: string, done: Notice["done"], back?: string) {
  const saved = JSON.parse(customer) as CustomerResource;
  const redirect = backWithCustomer(back, saved) ?? cardOf(saved);
  return { redirect, notice: { done, of: saved.name } };
}

async function newForm(
  request: PageRequest,
  typed: TypedFields,
  faults?: Faults,
): Promise<PageAnswer> {
  const { functional_currency: currency } = await getConfiguration(request.cx);
  const title = request.reader.words.customers.add;
  const { back } = request.query;
  const action = back === undefined ? `${CUSTOMERS}/new` : newCustomerFrom(back);
  return customerForm(request, { action, title, currency }, typed, faults);
}

async function editForm(
  request: PageRequest,
  customer: CustomerRow,
  typed: TypedFields,
  faults?: Faults,
): Promise<PageAnswer> {
  const { functional_currency: currency } = await getConfiguration(request.cx);
  const { back } = request.query;
  const kept = back === undefined ? "" : `?${new URLSearchParams({ back })}`;
  const shown = { action: `${cardOf(customer)}/edit${kept}`, title: customer.name, currency };
  return customerForm(request, shown, { ...hiddenOf(customer), ...typed }, faults);
}

async function list(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const { words: all } = reader;
  const words = all.customers;
  const filters = customerFilters(request);
  const { search, active, sort, country_key, send_method } = filters;
  const configuration = await getConfiguration(cx);
  if (filters.is_with_balances && isAdmin(cx)) await request.takeHeavyPlace();
  const has_balances = await showsBalances(cx, configuration, filters);
  const balances_of = has_balances ? configuration : null;
  const page = { limit: 50, cursor: query.cursor };
  const { data, next_cursor } = await readCustomerRows(cx, balances_of, filters, page);
  const addressOf = (changed: Partial<CustomerFilters>) =>
    `${CUSTOMERS}?${new URLSearchParams(customerQuery({ ...filters, ...changed }))}`;
  const tabs = [
    { href: addressOf({ active: "true" }), word: words.tabs.active },
    { href: addressOf({ active: "false" }), word: words.tabs.inactive },
  ];
  const is_filtered = (search ?? country_key ?? send_method) !== undefined;
  const none = isAdmin(cx) ? words.none : words.none_yours;
  const nothing = active === "true" ? none : words.none_inactive;
  const shown = {
    is_admin: isAdmin(cx),
    has_balances,
    functional: configuration.functional_currency,
  };
  const content = (
    <>
      <Tabs label={all.nav.customers} tabs={tabs} current={addressOf({})} />
      <CustomerFiltering
        action={CUSTOMERS}
        filters={filters}
        countries={await countryOptions(request)}
      />
      <div data-list>
        <List
          label={all.nav.customers}
          rows={data}
          empty={
            is_filtered ? (
              <p>{words.none_found}</p>
            ) : (
              <NoneYet
                text={nothing}
                kind={isAdmin(cx) && active === "true" ? "customers" : null}
              />
            )
          }
          columns={customerColumns(reader, shown, {
            href: addressOf({ sort: sort === "name" ? "-name" : "name" }),
            is: sort === "name" ? "ascending" : "descending",
          })}
        />
      </div>
      {isAdmin(cx) && !has_balances && data.length > 0 && (
        <p class="small">
          <a href={addressOf({ is_with_balances: true })}>{words.show_balances}</a>
        </p>
      )}
      <Older address={addressOf({})} cursor={next_cursor} text={all.older} />
    </>
  );
  const actions = <ListActions kind="customers" add={words.add} filters={customerQuery(filters)} />;
  return { title: all.nav.customers, content, ...(isAdmin(cx) ? { actions } : {}) };
}
