/**
 * What a sending of an e-invoice may correct: the references of the buyer. Amounts and parties stay as they were frozen, and so does
 * a reference that is given as it stands.
 */
import { type BuyerReference, buyerReferences } from "../sales/printed.ts";
import type { Corrections } from "./from-snapshot.ts";
import { xmlText } from "./xml-element.ts";

/** The references of an e-invoice as its bytes state them; null for one that is left out. */
type References = Readonly<Record<BuyerReference, string | null>>;

/** References to state instead: null leaves one out, and an absent one stays. */
export type GivenReferences = { readonly [Field in BuyerReference]?: string | null | undefined };

/** Returns the given references that differ from the frozen ones. An empty text leaves the reference out. */
export function correctionsFrom(given: GivenReferences, frozen: References): Corrections {
  const changed = buyerReferences.flatMap((field) => {
    const value = given[field];
    if (value === undefined || xmlText(value) === frozen[field]) return [];
    return [[field, xmlText(value) ?? ""] as const];
  });
  return Object.fromEntries(changed);
}
