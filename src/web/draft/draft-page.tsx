/** The page of the draft editor, and the actions that its island calls while a person types. */
import * as z from "zod";
import { customerNames, readCustomers } from "../../features/catalogue/customers/queries.ts";
import { readProducts } from "../../features/catalogue/products/queries.ts";
import { createProduct } from "../../features/catalogue/products/save.ts";
import { changeInvoice, deleteInvoice } from "../../features/sales/invoices/draft.ts";
import { getInvoice, type LoadedInvoice } from "../../features/sales/invoices/queries.ts";
import { InvoiceUpdate } from "../../features/sales/invoices/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { asOneStatement } from "../../platform/database/one-statement.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { text, Uuid } from "../../platform/http/schemas.ts";
import { MOST_LINES } from "../../platform/threads/takes-long.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { Form } from "../frame/form.tsx";
import { Island } from "../frame/island.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { isAdmin, isSeen, ofSeen, requireSeen, seenBy } from "../frame/seen.ts";
import { refusedBy } from "../frame/submitted.ts";
import { Version, withVersion } from "../frame/with-version.ts";
import { cureOfRefusal } from "../parts/cures.ts";
import { refusalOf } from "../words/refusal.ts";
import { wordsOf } from "../words/words.ts";
import { island } from "./draft-editor.tsx";
import { assignable, curedDraft, draftStored, isLongDraft, productsFor } from "./draft-facts.ts";
import type { Named } from "./draft-stored.ts";
import { issueEffectsDryRun } from "./issue-dry-run.ts";
import { madeBy } from "./made-by.ts";
import { newDraftPages } from "./new-draft.tsx";
import { registeredHoursPage } from "./registered-hours.tsx";

const MOST_FOUND = 8;
const saveDraft = withVersion(changeInvoice, "invoices");

const Spoken = z.enum(["en", "da"]);

const Find = z.strictObject({ q: text(200) });
const FindFor = Find.extend({ id: Uuid });

export const draftActions: readonly Action[] = [
  defineAction(
    "/app/drafts/save",
    "person",
    z.strictObject({ ...InvoiceUpdate.shape, id: Uuid, seen: Version, language: Spoken }),
    async (cx, { id, seen, language, ...changes }) => {
      await requireSeen(cx, "invoice", id);
      if (changes.customer_id !== undefined) {
        await requireSeen(cx, "customer", changes.customer_id);
      }
      const { version } = await run(saveDraft, cx, { ref: id, seen, changes });
      // The person may have removed their own lines: then the draft is as absent for them as one that never existed.
      await requireSeen(cx, "invoice", id);
      const stored = await draftStored(cx, id, { language, words: wordsOf(language) });
      // The version of this change: if another person has changed the draft since, the next save notices.
      return { ...stored, version };
    },
    async (cx, { id, lines = [] }) => lines.length > MOST_LINES || isLongDraft(cx, id),
  ),
  defineAction(
    "/app/drafts/read",
    "person",
    z.strictObject({ id: Uuid, language: Spoken }),
    async (cx, { id, language }) => {
      await requireSeen(cx, "invoice", id);
      return draftStored(cx, id, { language, words: wordsOf(language) });
    },
    (cx, { id }) => isLongDraft(cx, id),
  ),
  defineAction(
    "/app/drafts/ahead",
    "person",
    z.strictObject({ id: Uuid }),
    async (cx, { id }, { runLong }) => {
      await requireSeen(cx, "invoice", id);
      try {
        const ahead = await runLong(issueEffectsDryRun, id);
        return isAdmin(cx) ? ahead : { ...ahead, entry: null };
      } catch (thrown) {
        const refused = refusedBy(thrown);
        const { invoice } = await getInvoice(cx, id);
        const cure = cureOfRefusal(refused, curedDraft(cx, invoice));
        return { refused: refusalOf(refused), cure };
      }
    },
    (cx, { id }) => isLongDraft(cx, id),
  ),
  defineAction("/app/drafts/products", "person", FindFor, async (cx, { id: draft, q }) => {
    await requireSeen(cx, "invoice", draft);
    const found = await readProducts({
      search: q || undefined,
      limit: MOST_FOUND,
      cursor: undefined,
    }).answer(cx);
    const ids = pageFrom<{ readonly id: string }>(found).data.map(({ id }) => id);
    return { data: await productsFor(cx, draft, ids) };
  }),
  defineAction("/app/drafts/customers", "person", Find, async (cx, { q }) => {
    const page = {
      search: q || undefined,
      limit: MOST_FOUND,
      cursor: undefined,
      active: "true",
    } as const;
    const { data } = pageFrom<{ readonly id: string; readonly name: string }>(
      await readCustomers(page, seenBy(cx, "customer")).answer(cx),
    );
    return { data: data.map(({ id, name }) => ({ id, name })) };
  }),
  defineAction(
    "/app/drafts/new-product",
    "person",
    z.strictObject({ name: text(255, 1), id: Uuid }),
    async (cx, { name, id: draft }) => {
      await requireSeen(cx, "invoice", draft);
      const { document } = await run(createProduct, cx, { name });
      const { id } = JSON.parse(document) as { readonly id: string };
      const [product] = await productsFor(cx, draft, [id]);
      return product;
    },
  ),
];

export const draftPages: readonly WebPage[] = [
  ...newDraftPages,
  registeredHoursPage,
  definePage(
    "POST /invoices/:id/delete",
    "person",
    ofSeen("invoice", async ({ cx, id: ref }) => {
      await run(deleteInvoice, cx, { ref });
      return { redirect: "/invoices", notice: { done: "draft_deleted" } };
    }),
  ),
];

/** Returns the page of a draft. `version` was read before the draft. */
export async function draftPage(
  request: PageRequest,
  loaded: LoadedInvoice,
  version: string | undefined,
): Promise<PageAnswer> {
  const { cx, reader, id, csrf, query } = request;
  const reads = asOneStatement(cx);
  const [stored, people, chosen, made_by] = await Promise.all([
    draftStored(reads, id, reader, { loaded, version }),
    assignable(cx),
    chosenCustomer(cx, query.customer),
    madeBy(reads, id, reader),
  ]);
  const words = reader.words.draft;
  const remove = `/invoices/${id}/delete`;
  const content = (
    <>
      <Island of={island} with={{ stored, people, person: cx.caller.person.user_id, chosen }} />
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
  return { title, content, stores_itself: true, ...(made_by !== null && { lead: made_by }) };
}

/** Returns the customer that the address chooses for the draft; null where it names none that the person sees. */
async function chosenCustomer(cx: PersonReader, id: string | undefined): Promise<Named | null> {
  if (!isId(id) || !(await isSeen(cx, "customer", id))) return null;
  const name = (await customerNames(cx, [id])).get(id);
  return name === undefined ? null : { id, name };
}
