/** Finds the items that the parts of a payment or refund name. */
import { type FoundDocuments, foundIn, type LookedUp, type NamedRef } from "./find-named.ts";
import type { PartInput } from "./schemas.ts";

/** A part with the ids of its items; null for one that does not exist, and for a credit that the part does not name. */
interface FoundPart {
  readonly field: string;
  readonly item: string | null;
  readonly credit: string | null;
}

export interface FoundParts extends FoundDocuments {
  readonly parts: readonly FoundPart[];
}

/** Returns what the parts of a payment or refund name, with their paths in the request. */
export function refsOfParts(sent: readonly PartInput[]): NamedRef[] {
  return sent.flatMap((part, at) => refsOf(part, fieldOf(at)));
}

/** Returns the items of the parts among those that were looked up. */
export function findParts(
  known: LookedUp,
  kind: "payment" | "refund",
  sent: readonly PartInput[],
): FoundParts {
  const found = foundIn(known, refsOfParts(sent));
  const parts = sent.map((_, at): FoundPart => {
    const field = fieldOf(at);
    const credit_note = found.idAt(`${field}.credit_note`);
    const item =
      found.idAt(`${field}.invoice`) ??
      found.idAt(`${field}.reminder`) ??
      found.idAt(`${field}.opening`) ??
      found.idAt(`${field}.payment`);
    if (kind === "refund") return { field, item: item ?? credit_note, credit: null };
    return { field, item, credit: credit_note };
  });
  return { ...found, parts };
}

const fieldOf = (at: number): string => `allocations[${at}]`;

function refsOf(part: PartInput, field: string): NamedRef[] {
  return (["invoice", "credit_note", "payment", "reminder", "opening"] as const).flatMap((kind) => {
    const ref = part[kind];
    return ref == null ? [] : [{ kind, ref, field: `${field}.${kind}` }];
  });
}
