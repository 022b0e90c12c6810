/** Turns the lines that a client sends into lines of an invoice: looks up the references, then applies the rules of lines. */
import type { LineId } from "../../../domain/base/brand.ts";
import { type FieldError, Problem, requireValid } from "../../../domain/base/problem.ts";
import type { Line, LineInput } from "../../../domain/sales/line.ts";
import { lineFrom } from "../../../domain/sales/line-from.ts";
import type { VatCode } from "../../../domain/sales/vat-code.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { activeUsers } from "../../access/people/queries.ts";
import { pricedProducts, type SoldProduct } from "../../catalogue/products/queries.ts";
import type { InvoiceLineInput } from "./schemas.ts";

/** The current products, users and accounts that lines refer to. */
export interface LineReferences {
  readonly products: ReadonlyMap<string, SoldProduct>;
  /** Ids of active users. */
  readonly users: ReadonlySet<string>;
}

/** The references that a sent or stored line has. */
interface Referring {
  readonly product_id: string;
  readonly assignees?: readonly { readonly user_id: string }[] | undefined;
}

export async function referencesOf(
  cx: Reader,
  lines: readonly Referring[],
): Promise<LineReferences> {
  const product_ids = lines.map((line) => line.product_id);
  const user_ids = lines.flatMap((line) =>
    (line.assignees ?? []).map((assignee) => assignee.user_id),
  );
  const [products, users] = await Promise.all([
    pricedProducts(cx, product_ids),
    activeUsers(cx, user_ids),
  ]);
  return { products, users };
}

/** Returns the VAT codes of the products' accounts in our own chart, by account number. */
export function vatCodesOf({ products }: LineReferences): Map<number, VatCode | null> {
  return new Map([...products.values()].map((one) => [one.account_number, one.vat_code]));
}

/** Returns sent lines without ids, with defaults that need no stored data, to recognise repetitions (spec 11.2). */
export function linesWithDefaults(sent: readonly InvoiceLineInput[]): InvoiceLineInput[] {
  return sent.map(({ id: _, ...line }, index) => ({
    ...line,
    discount: line.discount ?? 0,
    position: line.position ?? index + 1,
    assignees: line.assignees ?? [],
  }));
}

/**
 * Returns the sent lines in the document's currency. A line replaces the one of `existing`, in `existing_currency`,
 * that its id names, or else the one at its position (spec 5.2). Throws VALIDATION_FAILED, PRODUCT_INACTIVE.
 */
export function linesFrom(
  sent: readonly InvoiceLineInput[],
  { products, users }: LineReferences,
  currency: string,
  existing: readonly Line[],
  existing_currency = currency,
): Line[] {
  const ids = lineIds(sent, existing);
  const faults: FieldError[] = [];
  const lines = sent.flatMap((line, index): Line[] => {
    // A deactivated user stays assigned, but gets no new assignments (spec 7.1).
    const replaced = existing.find((candidate) => candidate.id === ids[index]);
    const kept = replaced?.assignees ?? [];
    const assignable = new Set([...users, ...kept.map((assignee): string => assignee.user_id)]);
    faults.push(...unknownUsers(line, index, assignable));
    const product = products.get(line.product_id);
    if (product === undefined) {
      faults.push({
        field: `lines[${index}].product_id`,
        code: "unknown_reference",
        message: "There is no such product.",
      });
      return [];
    }
    const id = ids[index] ?? newId<LineId>();
    const is_named = replaced !== undefined && line.id?.toLowerCase() === replaced.id;
    const named = is_named ? { line: replaced, currency: existing_currency } : undefined;
    const decided = lineFrom(line as LineInput, id, index, product, currency, named);
    if (!Array.isArray(decided)) return [decided as Line];
    faults.push(...(decided as FieldError[]));
    return [];
  });
  requireValid(faults);
  requireSold(sent, products, existing);
  return lines;
}

/** Requires that sent products are active, except those that existing lines already have. Throws PRODUCT_INACTIVE. */
function requireSold(
  sent: readonly InvoiceLineInput[],
  products: LineReferences["products"],
  existing: readonly Line[],
): void {
  const kept = new Set(existing.map((line): string => line.product_id));
  for (const [index, { product_id }] of sent.entries()) {
    if (kept.has(product_id) || products.get(product_id)?.active !== false) continue;
    const details = { field: `lines[${index}].product_id`, product_id };
    throw new Problem("PRODUCT_INACTIVE", { details });
  }
}

/** Returns the id of the existing line that each sent line replaces; undefined for a new line. */
function lineIds(
  sent: readonly InvoiceLineInput[],
  existing: readonly Line[],
): (LineId | undefined)[] {
  const free = new Map(existing.map((line) => [line.id as string, line]));
  const ids = sent.map((line) => {
    const named = line.id === undefined ? undefined : free.get(line.id.toLowerCase());
    if (named) free.delete(named.id);
    return named?.id;
  });
  return sent.map((line, index) => {
    if (ids[index] !== undefined) return ids[index];
    const position = line.position ?? index + 1;
    const there = [...free.values()].find((candidate) => candidate.position === position);
    if (there) free.delete(there.id);
    return there?.id;
  });
}

function unknownUsers(
  line: InvoiceLineInput,
  index: number,
  users: ReadonlySet<string>,
): FieldError[] {
  return (line.assignees ?? []).flatMap((assignee, place): FieldError[] =>
    users.has(assignee.user_id)
      ? []
      : [
          {
            field: `lines[${index}].assignees[${place}].user_id`,
            code: "unknown_reference",
            message: "There is no such active user.",
          },
        ],
  );
}
