/** Finds the items that the parts of a payment or refund name. */
import type { Reader } from "../../../platform/commands/context.ts";
import { type FoundDocuments, findNamed, type NamedRef } from "./find-named.ts";
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

/** Looks up what the parts of a payment or refund name. */
export async function findParts(
  cx: Reader,
  kind: "payment" | "refund",
  sent: readonly PartInput[],
): Promise<FoundParts> {
  const found = await findNamed(
    cx,
    sent.flatMap((part, at) => refsOf(part, `allocations[${at}]`)),
  );
  const parts = sent.map((_, at): FoundPart => {
    const field = `allocations[${at}]`;
    const credit_note = found.idAt(`${field}.credit_note`);
    const item =
      found.idAt(`${field}.invoice`) ??
      found.idAt(`${field}.opening`) ??
      found.idAt(`${field}.payment`);
    if (kind === "refund") return { field, item: item ?? credit_note, credit: null };
    return { field, item, credit: credit_note };
  });
  return { ...found, parts };
}

function refsOf(part: PartInput, field: string): NamedRef[] {
  return (["invoice", "credit_note", "payment", "opening"] as const).flatMap((kind) => {
    const ref = part[kind];
    return ref == null ? [] : [{ kind, ref, field: `${field}.${kind}` }];
  });
}
