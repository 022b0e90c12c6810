/** The way from the form of a customer back to the invoice that is made for it. */

const DRAFT = /^\/invoices\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NEW_INVOICE = "/invoices/new";

/** The address of the form of a new customer, from a draft or the choice of a customer. `name` is what was typed there. */
export function newCustomerFrom(back: string, name = ""): string {
  return `/customers/new?${new URLSearchParams({ ...(name === "" ? {} : { name }), back })}`;
}

/**
 * Returns the page to which a new customer leads: its draft with the customer chosen, or the choice of a customer with the new
 * one found. Null for any other address: a form leads nowhere else.
 */
export function backWithCustomer(
  back: string | undefined,
  customer: { readonly id: string; readonly name: string },
): string | null {
  if (back === undefined) return null;
  if (DRAFT.test(back)) return `${back}?${new URLSearchParams({ customer: customer.id })}`;
  return back === NEW_INVOICE ? `${back}?${new URLSearchParams({ q: customer.name })}` : null;
}

/** Returns the draft to which a changed customer leads back; null for any other address. */
export function backToDraft(back: string | undefined): string | null {
  return back !== undefined && DRAFT.test(back) ? back : null;
}
