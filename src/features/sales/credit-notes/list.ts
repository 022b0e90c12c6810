/** Lists credit notes: stored texts are passed on unparsed, or with the additions that `include` asks for. */

import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import type { Condition } from "../../../platform/database/page.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { customerLabels } from "../../catalogue/customers/queries.ts";
import {
  documentsOf,
  lastDeliveries,
  madeEach,
  rowTotalsOf,
} from "../../documents/issued/include.ts";
import { documentFor } from "./documents.ts";
import { creditNoteConditions } from "./queries.ts";
import type {
  CreditNoteInclude,
  CreditNoteQuery,
  CreditNoteResource,
  CreditNoteRow,
} from "./schemas.ts";

/**
 * Returns the read of a page of credit notes, the newest first; an unknown customer or invoice gives an empty list. `seen` are
 * the conditions that restrict a caller who does not see the whole account.
 */
export function readCreditNotes(
  page: CreditNoteQuery,
  seen: readonly Condition[] = [],
): StoredRead {
  const { include } = page;
  const additions =
    include &&
    ((cx: Reader, resources: readonly JsonText[]) => withIncluded(cx, resources, include));
  return readPage("credit_notes", [...creditNoteConditions(page), ...seen], page, additions);
}

/** Makes rows of credit notes, with the requested additions. A queued note that has been deleted in the meantime is left out. */
function withIncluded(
  cx: Reader,
  resources: readonly JsonText[],
  include: readonly CreditNoteInclude[],
): Promise<JsonText[]> {
  return reading(cx, async (inside) => {
    const notes = resources.map((text) => JSON.parse(text) as CreditNoteResource);
    const ids = notes.map(({ id }) => id);
    const has_totals = include.includes("totals");
    const documents = has_totals ? await documentsOfNotes(inside, ids) : undefined;
    const deliveries = has_totals ? await lastDeliveries(inside, ids) : undefined;
    const customers = include.includes("customer")
      ? await customerLabels(
          inside,
          notes.map(({ customer_id }) => customer_id),
        )
      : undefined;
    return notes.flatMap((note) => {
      const document = documents?.get(note.id);
      if (has_totals && document === undefined) return [];
      const customer = customers?.get(note.customer_id);
      const row: CreditNoteRow = {
        ...note,
        ...(document && {
          totals: rowTotalsOf(document),
          delivery_state: deliveries?.get(note.id) ?? null,
        }),
        ...(customer && { customer }),
      };
      return [jsonText(row)];
    });
  });
}

/** Returns the documents of credit notes: frozen for issued notes, as of now for queued ones. */
export function documentsOfNotes(
  cx: Reader,
  ids: readonly string[],
): Promise<Map<string, DocumentSnapshot>> {
  return documentsOf(cx, ids, (queued) =>
    madeEach(queued, async (id) => (await documentFor(cx, id)).snapshot),
  );
}
