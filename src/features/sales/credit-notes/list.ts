/** Lists credit notes: stored texts are passed on unparsed, or with the additions that `include` asks for. */

import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { reading } from "../../../platform/commands/tx.ts";
import {
  listSorted,
  type SortedPage,
  type SortOrder,
} from "../../../platform/database/list-sorted.ts";
import type { Condition, Page } from "../../../platform/database/page.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { customerLabels } from "../../catalogue/customers/queries.ts";
import {
  amountKey,
  deliveryCondition,
  foundCondition,
} from "../../documents/issued/find-documents.ts";
import {
  documentsOf,
  lastDeliveries,
  lastSendings,
  madeEach,
  presentSending,
  rowTotalsOf,
} from "../../documents/issued/include.ts";
import type { DocumentFilters, InvoiceSort } from "../invoices/list-sorted.ts";
import { documentFor } from "./documents.ts";
import { creditNoteConditions, SEARCHED } from "./queries.ts";
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

/** The key of a credit note that waits for its booking. */
const BEFORE_ALL = "9000000000000000000";
const NUMBER_KEY = `coalesce(ledger_year::bigint * 1000000000000 + ledger_credit_note_number, ledger_credit_note_number, ${BEFORE_ALL})`;

const KEYED: Readonly<Record<InvoiceSort, Pick<SortOrder, "type" | "keyed">>> = {
  number: {
    type: "bigint",
    keyed: (where) => `select id, ${NUMBER_KEY} as key from credit_notes where ${where}`,
  },
  day: {
    type: "date",
    keyed: (where) => `select id, credit_date as key from credit_notes where ${where}`,
  },
  customer: {
    type: "text",
    keyed: (where) => `select n.id, lower(c.name) as key from customers c
      join (select id, customer_id from credit_notes where ${where}) n on n.customer_id = c.id where c.account_id = $1`,
  },
  // A credit note that waits for its booking has no amount yet: it comes before the others. No currency has the code ZZZ.
  amount: {
    type: "text",
    keyed: (where) => `select n.id, coalesce(${amountKey("d")}, 'ZZZ') as key
      from (select id from credit_notes where ${where}) n
      left join issued_documents d on d.account_id = $1 and d.document_id = n.id`,
  },
};

/**
 * Returns a page of credit notes with totals and customer, in the order that a person chooses. `seen` are the conditions of the
 * caller's view. Throws VALIDATION_FAILED for a cursor of another order.
 */
export async function listSortedNotes(
  cx: Reader,
  asked: DocumentFilters & { readonly sort: InvoiceSort; readonly is_descending: boolean },
  page: SortedPage,
  seen: readonly Condition[],
): Promise<Page<CreditNoteRow>> {
  const { sort: name, is_descending, search, amounts = [], currency, delivery_state } = asked;
  const { customer, issued_from, issued_to } = asked;
  const conditions = creditNoteConditions({ customer, issued_from, issued_to });
  if (currency !== undefined) {
    conditions.push([
      "invoice_id in (select i.id from invoices i where i.account_id = $1 and i.currency = $value)",
      currency,
    ]);
  }
  if (delivery_state !== undefined) {
    conditions.push(deliveryCondition("credit_notes", [delivery_state]));
  }
  if (search !== undefined) {
    conditions.push(foundCondition("credit_notes", SEARCHED, search, amounts));
  }
  const order = { ...KEYED[name], name, is_descending };
  const asked_for = [...conditions, ...seen];
  const { texts, next_cursor } = await listSorted(cx, "credit_notes", order, asked_for, page);
  const rows = await withIncluded(cx, texts, ["totals", "customer"]);
  const data = rows.map((text) => JSON.parse(text) as CreditNoteRow);
  return { data, has_more: next_cursor !== null, next_cursor };
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
    const sendings = include.includes("delivery") ? await lastSendings(inside, ids) : undefined;
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
        ...(sendings && { delivery: presentSending(sendings.get(note.id)) }),
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
