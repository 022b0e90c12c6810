/** The start of a draft: the choice of its customer, and for people who are not admins its first line, assigned to themselves. */
import type * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import { readCustomers } from "../../features/catalogue/customers/queries.ts";
import { getProduct, readProducts } from "../../features/catalogue/products/queries.ts";
import { createInvoice } from "../../features/sales/invoices/draft.ts";
import type { InvoiceCreate } from "../../features/sales/invoices/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { Form } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { isAdmin, isSeen, seenBy } from "../frame/seen.ts";
import { List, Searched, searchIn } from "../parts/list.tsx";
import { newCustomerFrom } from "./back-to-draft.ts";

export const NEW_DRAFT = "/invoices/new";
const MOST_CUSTOMERS = 25;
const MOST_PRODUCTS = 200;

type Lines = z.output<typeof InvoiceCreate>["lines"];

export const newDraftPages: readonly WebPage[] = [
  definePage(`GET ${NEW_DRAFT}`, "person", choice),
  definePage(`POST ${NEW_DRAFT}`, "person", begin),
];

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Shows the choice of the customer, and for people who are not admins of the product on the first line. */
async function choice({ cx, query, reader, csrf }: PageRequest): Promise<PageAnswer> {
  const { words: all } = reader;
  const words = all.draft;
  const search = searchIn(query);
  const page = { limit: MOST_CUSTOMERS, cursor: undefined, search, active: "true" } as const;
  const { data } = pageFrom<Named>(await readCustomers(page, seenBy(cx, "customer")).answer(cx));
  const products = isAdmin(cx) ? null : await productsOf(cx);
  const none = isAdmin(cx) ? all.customers.none : words.no_customers;
  const content = (
    <>
      <Searched action={NEW_DRAFT} value={search ?? ""} label={all.customers.search} />
      <Form action={NEW_DRAFT} csrf={csrf(NEW_DRAFT)}>
        {products?.length === 0 && <p>{words.no_products}</p>}
        {products !== null && products.length > 0 && (
          <label class="field first-product">
            <span>{words.what}</span>
            <select class="input" name="product">
              {products.map(({ id, name }) => (
                <option value={id}>{name}</option>
              ))}
            </select>
          </label>
        )}
        <List
          label={words.for_whom}
          rows={products?.length === 0 ? [] : data}
          empty={<p>{search === undefined ? none : all.customers.none_found}</p>}
          columns={[
            {
              head: all.customers.name,
              fold: "lead",
              // A press on the name is one on its button.
              cell: ({ id, name }) => <label for={`start-${id}`}>{name}</label>,
            },
            {
              head: "",
              fold: "end",
              cell: ({ id, name }) => (
                <button
                  type="submit"
                  class="button small"
                  id={`start-${id}`}
                  name="customer"
                  value={id}
                  aria-label={words.start_for(name)}
                >
                  {words.start}
                </button>
              ),
            },
          ]}
        />
      </Form>
    </>
  );
  const actions = (
    <a class="button" href={newCustomerFrom(NEW_DRAFT)}>
      {all.customers.add}
    </a>
  );
  return { title: words.for_whom, content, ...(isAdmin(cx) ? { actions } : {}) };
}

async function productsOf(cx: PersonContext): Promise<Named[]> {
  const page = { limit: MOST_PRODUCTS, cursor: undefined } as const;
  const { data } = pageFrom<Named>(await readProducts(page).answer(cx));
  return [...data].sort((a, b) => a.name.localeCompare(b.name));
}

async function begin({ cx, form }: PageRequest): Promise<PageAnswer> {
  const { customer: customer_id, product } = form;
  if (!isId(customer_id) || !(await isSeen(cx, "customer", customer_id))) {
    throw new Problem("NOT_FOUND");
  }
  const lines = isAdmin(cx) ? [] : [await ownLine(cx, product)];
  const { document } = await run(createInvoice, cx, { customer_id, lines });
  const { id } = JSON.parse(document) as { readonly id: string };
  return { redirect: `/invoices/${id}`, notice: { done: "draft_made" } };
}

/** Returns the first line of a non-admin, who could not see a draft without a line of their own. Throws NOT_FOUND. */
async function ownLine(cx: PersonContext, product_id: string | undefined): Promise<Lines[number]> {
  if (!isId(product_id)) throw new Problem("NOT_FOUND");
  const { unit, default_price } = await getProduct(cx, product_id);
  const { user_id } = cx.caller.person;
  const is_by_hours = unit === "hours" && default_price > 0n;
  return {
    product_id,
    recognition_method: is_by_hours ? "hours" : "on_issue",
    // A product without a price gets one in the editor.
    ...(default_price > 0n ? {} : { agreed_value: 0 }),
    assignees: [{ user_id }],
  };
}
