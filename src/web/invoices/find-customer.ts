/** Finds the customer of a filter: by the id in the address, or by the name that a person without scripts has typed. */
import * as z from "zod";
import { customerNames, listSortedCustomers } from "../../features/catalogue/customers/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { type Action, defineAction } from "../frame/action.ts";
import type { PageRequest } from "../frame/page.tsx";
import { isId } from "../frame/reference.ts";
import { isSeen, seenBy } from "../frame/seen.ts";
import type { ComboboxOption } from "../parts/combobox.tsx";

/** The customer that an address asks for. */
export interface CustomerAsked {
  /** Undefined without a filter, and for a text that names no customer. */
  readonly id: string | undefined;
  /** The name, or the text that names none; empty without a filter. */
  readonly name: string;
  /** Whether the text names no customer, or several. */
  readonly is_unknown: boolean;
}

const MOST_FOUND = 8;

/** Returns the customer that the address names by id or by name, among those that the person sees, active or not. */
export async function customerAsked({ cx, query }: PageRequest): Promise<CustomerAsked> {
  const text = (query.customer ?? "").trim().slice(0, 200);
  if (text === "") return { id: undefined, name: "", is_unknown: false };
  const wanted = text.toLowerCase();
  if (isId(text)) {
    const names = (await isSeen(cx, "customer", text)) ? await customerNames(cx, [text]) : null;
    return { id: text, name: names?.get(text) ?? "–", is_unknown: false };
  }
  const found = await findByName(cx, wanted);
  const same = found.find(({ label }) => label.toLowerCase() === wanted);
  const [only, ...others] = same === undefined ? found : [same];
  return only === undefined || others.length > 0
    ? { id: undefined, name: text, is_unknown: true }
    : { id: only.id, name: only.label, is_unknown: false };
}

/** Returns the first customers by name that contain the text, as options of a field. */
async function findByName(cx: PersonReader, search: string): Promise<readonly ComboboxOption[]> {
  const asked = { search: search || undefined, active: "all", is_descending: false } as const;
  const page = { limit: MOST_FOUND, cursor: undefined };
  const { data } = await listSortedCustomers(cx, asked, page, seenBy(cx, "customer"));
  return data.map(({ id, name }) => ({ id, label: name }));
}

export const findCustomerActions: readonly Action[] = [
  defineAction(
    "/app/invoices/customers",
    "person",
    z.object({ q: z.string().max(200) }),
    (cx, { q }) => findByName(cx, q.trim()),
  ),
];
