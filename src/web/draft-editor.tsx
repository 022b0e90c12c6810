/** The editor of a draft: its page, and what its island asks for while somebody types. */
import * as z from "zod";
import { Problem } from "../domain/base/problem.ts";
import { listCustomers } from "../features/customers/queries.ts";
import { changeInvoice, createInvoice, deleteInvoice } from "../features/invoices/draft.ts";
import { InvoiceUpdate } from "../features/invoices/schemas.ts";
import { listProducts } from "../features/products/queries.ts";
import { createProduct } from "../features/products/save.ts";
import { run } from "../platform/command.ts";
import { pageFrom } from "../platform/database/page.ts";
import { problemFromDatabase } from "../platform/http/problems.ts";
import { text, Uuid } from "../platform/http/schemas.ts";
import { assignable, draftStored, productsFor } from "./draft-facts.ts";
import { type Action, defineAction } from "./frame/action.ts";
import { asSeen, Version } from "./frame/as-seen.ts";
import { Form } from "./frame/form.tsx";
import { Island } from "./frame/island.tsx";
import { definePage, type Page, type PageAnswer, type PageRequest } from "./frame/page.tsx";
import { isId } from "./frame/reference.ts";
import { island } from "./islands/draft-editor.tsx";
import { List, Searched } from "./parts/list.tsx";
import { rehearseBeside } from "./rehearse-issue.ts";
import { refusalOf } from "./words/refusal.ts";
import { wordsOf } from "./words/words.ts";

const MOST_FOUND = 8;
/** Where a draft begins: with its customer. */
export const NEW_DRAFT = "/invoices/new";

const saveDraft = asSeen(changeInvoice, "invoices");

const Spoken = z.enum(["en", "da"]);

const Find = z.strictObject({ q: text(200) });
const FindFor = Find.extend({ id: Uuid });

export const draftActions: readonly Action[] = [
  defineAction(
    "/app/drafts/save",
    "admin",
    z.strictObject({ ...InvoiceUpdate.shape, id: Uuid, seen: Version, language: Spoken }),
    async (cx, { id, seen, language, ...changes }) => {
      const { version } = await run(saveDraft, cx, { ref: id, seen, changes });
      const stored = await draftStored(cx, id, { language, words: wordsOf(language) });
      // Read after the change: where somebody else has changed it in between, that is noticed with the next one.
      return { ...stored, version };
    },
  ),
  defineAction(
    "/app/drafts/read",
    "admin",
    z.strictObject({ id: Uuid, language: Spoken }),
    (cx, { id, language }) => draftStored(cx, id, { language, words: wordsOf(language) }),
  ),
  defineAction("/app/drafts/ahead", "admin", z.strictObject({ id: Uuid }), async (cx, { id }) => {
    try {
      return await rehearseBeside(cx, id);
    } catch (thrown) {
      const refused = problemFromDatabase(thrown);
      if (!(refused instanceof Problem) || refused.kind === "absent") throw thrown;
      return { refused: refusalOf(refused) };
    }
  }),
  defineAction("/app/drafts/products", "admin", FindFor, async (cx, { id: draft, q }) => {
    const found = await listProducts(cx, {
      search: q || undefined,
      limit: MOST_FOUND,
      cursor: undefined,
    });
    const ids = pageFrom<{ readonly id: string }>(found).data.map(({ id }) => id);
    return { data: await productsFor(cx, draft, ids) };
  }),
  defineAction("/app/drafts/customers", "admin", Find, async (cx, { q }) => {
    const page = {
      search: q || undefined,
      limit: MOST_FOUND,
      cursor: undefined,
      active: "true",
    } as const;
    const { data } = pageFrom<{ readonly id: string; readonly name: string }>(
      await listCustomers(cx, page),
    );
    return { data: data.map(({ id, name }) => ({ id, name })) };
  }),
  defineAction(
    "/app/drafts/new-product",
    "admin",
    z.strictObject({ name: text(255, 1), id: Uuid }),
    async (cx, { name, id: draft }) => {
      const { document } = await run(createProduct, cx, { name });
      const { id } = JSON.parse(document) as { readonly id: string };
      const [product] = await productsFor(cx, draft, [id]);
      return product;
    },
  ),
];

export const draftPages: readonly Page[] = [
  definePage(`GET ${NEW_DRAFT}`, "admin", choice),
  definePage(`POST ${NEW_DRAFT}`, "admin", async ({ cx, form }) => {
    const customer_id = form.customer ?? "";
    if (!isId(customer_id)) throw new Problem("NOT_FOUND");
    const { document } = await run(createInvoice, cx, { customer_id, lines: [] });
    const { id } = JSON.parse(document) as { readonly id: string };
    return { redirect: `/invoices/${id}` };
  }),
  definePage("POST /invoices/:id/delete", "admin", async ({ cx, id: ref }) => {
    await run(deleteInvoice, cx, { ref });
    return { redirect: "/invoices" };
  }),
];

/** Whom a new draft is for. */
async function choice({ cx, query, reader, csrf }: PageRequest): Promise<PageAnswer> {
  const { words: all } = reader;
  const words = all.draft;
  const search = query.q?.trim().slice(0, 200) || undefined;
  const page = { limit: 25, cursor: undefined, search, active: "true" } as const;
  const { data } = pageFrom<{
    readonly id: string;
    readonly name: string;
    readonly city: string | null;
  }>(await listCustomers(cx, page));
  const content = (
    <>
      <Searched action={NEW_DRAFT} value={search ?? ""} label={all.customers.search} />
      <List
        label={words.for_whom}
        rows={data}
        empty={<p>{search === undefined ? all.customers.none : all.customers.none_found}</p>}
        columns={[
          { head: all.customers.name, cell: ({ name }) => name },
          {
            head: "",
            cell: ({ id, name }) => (
              <Form action={NEW_DRAFT} csrf={csrf(NEW_DRAFT)}>
                <input type="hidden" name="customer" value={id} />
                <button type="submit" class="button small" aria-label={words.start_for(name)}>
                  {words.start}
                </button>
              </Form>
            ),
          },
        ]}
      />
    </>
  );
  const actions = (
    <a class="button" href="/customers/new">
      {all.customers.add}
    </a>
  );
  return { title: words.for_whom, content, actions };
}

/** The page of a draft. */
export async function draftPage(request: PageRequest): Promise<PageAnswer> {
  const { cx, reader, id, csrf } = request;
  const [stored, people] = await Promise.all([draftStored(cx, id, reader), assignable(cx)]);
  const words = reader.words.draft;
  const remove = `/invoices/${id}/delete`;
  const content = (
    <>
      <Island of={island} with={{ stored, people, person: cx.caller.person.user_id }} />
      <details class="delete">
        <summary>{words.delete}</summary>
        <Form action={remove} csrf={csrf(remove)}>
          <p>{words.delete_means}</p>
          <button type="submit" class="button">
            {words.delete_now}
          </button>
        </Form>
      </details>
    </>
  );
  const title = stored.typed.title || reader.words.invoice.draft_for(stored.facts.customer.name);
  return { title, content };
}
