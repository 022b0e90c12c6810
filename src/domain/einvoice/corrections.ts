/**
 * What a sending of an e-invoice may correct: the references of the buyer. Amounts and parties stay as they were frozen, and so does
 * a reference that is given as it stands.
 */
import type { Corrections } from "./from-snapshot.ts";
import { xmlText } from "./xml-element.ts";

/** The references, in the order of BT-10, BT-13 and BT-19. */
export const correctableReferences = [
  "buyer_reference",
  "order_reference",
  "accounting_cost",
] as const satisfies readonly (keyof Corrections)[];

type Reference = (typeof correctableReferences)[number];

/** The references of an e-invoice as its bytes state them; null for one that is left out. */
type References = Readonly<Record<Reference, string | null>>;

/** References to state instead: null leaves one out, and an absent one stays. */
export type GivenReferences = { readonly [Field in Reference]?: string | null | undefined };

/** Returns the given references that differ from the frozen ones. An empty text leaves the reference out. */
export function correctionsFrom(given: GivenReferences, frozen: References): Corrections {
  const changed = correctableReferences.flatMap((field) => {
    const value = given[field];
    if (value === undefined || xmlText(value) === frozen[field]) return [];
    return [[field, xmlText(value) ?? ""] as const];
  });
  return Object.fromEntries(changed);
}
