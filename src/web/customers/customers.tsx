/** The list of customers, and the actions of a customer's forms and buttons. */

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
import { backWithCustomer, newCustomerFrom } from "../draft/back-to-draft.ts";
import { defineSheetPage } from "../frame/define-sheet.ts";
import type { Notice } from "../frame/notice.ts";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isAdmin, ofSeen } from "../frame/seen.ts";
import { type Faults, submitted } from "../frame/submitted.ts";
import { ListActions, NoneYet } from "../imports/import-links.tsx";
import type { TypedFields } from "../parts/fields.tsx";
import { List, Older, Searched, Tabs } from "../parts/list.tsx";
import { customerCard } from "./customer-card.tsx";
import { customerColumns } from "./customer-columns.tsx";
import {
  customerForm,
  FIELDS,
  NEW_CUSTOMER,
  requireAddressed,
  sentBy,
  typedOf,
} from "./customer-form.tsx";
import { customerFilters, readCustomerRows } from "./customer-rows.ts";
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

/** Leads to the customer that a command has returned, or back to their invoice, with a notice of what it did. */
function doneTo(customer: string, done: Notice["done"], back?: string): PageAnswer {
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
  customer: { readonly id: string; readonly name: string },
  typed: TypedFields,
  faults?: Faults,
): Promise<PageAnswer> {
  const { functional_currency: currency } = await getConfiguration(request.cx);
  const shown = { action: `${cardOf(customer)}/edit`, title: customer.name, currency };
  return customerForm(request, shown, typed, faults);
}

async function list(request: PageRequest): Promise<PageAnswer> {
  const { cx, query, reader } = request;
  const { words: all } = reader;
  const words = all.customers;
  const filters = customerFilters(request);
  const { search, active, sort } = filters;
  const { data, next_cursor } = await readCustomerRows(cx, filters, {
    limit: 50,
    cursor: query.cursor,
  });
  const found = {
    ...(search === undefined ? {} : { q: search }),
    ...(sort === "name" ? {} : { sort }),
  };
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
      <div data-list>
        <List
          label={all.nav.customers}
          rows={data}
          empty={
            search === undefined ? (
              <NoneYet
                text={nothing}
                kind={isAdmin(cx) && active === "true" ? "customers" : null}
              />
            ) : (
              <p>{words.none_found}</p>
            )
          }
          columns={customerColumns(reader, isAdmin(cx), {
            href: `${CUSTOMERS}?${new URLSearchParams({ ...found, active, sort: sort === "name" ? "-name" : "name" })}`,
            is: sort === "name" ? "ascending" : "descending",
          })}
        />
      </div>
      <Older address={addressOf(active)} cursor={next_cursor} text={all.older} />
    </>
  );
  const actions = <ListActions kind="customers" add={words.add} filters={{ ...found, active }} />;
  return { title: all.nav.customers, content, ...(isAdmin(cx) ? { actions } : {}) };
}
