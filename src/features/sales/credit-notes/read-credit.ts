/**
 * Locks the invoice that is to be credited, and reads everything that decides a new credit note, in one trip. The locks are one
 * function of the database (`lock_credit`), and what is read under them is one statement.
 */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import type { BookedCredits, CreditableLine } from "../../../domain/sales/credit-note.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { asOneStatement } from "../../../platform/database/one-statement.ts";
import { columnOfRef } from "../../../platform/database/resources.ts";
import { raw, type Sql, sql } from "../../../platform/database/sql.ts";
import { findRecipients, type Recipient } from "../../documents/deliveries/queue.ts";
import { findIssuedBy, type IssuedDocument } from "../../documents/issued/issued-documents.ts";
import { findItems } from "../../receivables/open-items/queries.ts";
import { type Configuration, getConfiguration } from "../../settings/configuration/queries.ts";
import { findPartsBy, type PartOfInvoice } from "../invoices/queries.ts";
import {
  bookedCreditsBy,
  creditableLinesBy,
  findByExternalId,
  type RepeatedCreditNote,
} from "./queries.ts";
import { lastNumberDate } from "./warnings.ts";

/** What decides whether a request is a repetition, and what may be credited. */
interface CreditTarget {
  /** The invoice without its lines; undefined when the account has no such invoice. */
  readonly invoice: PartOfInvoice["invoice"] | undefined;
  readonly lines: readonly CreditableLine[];
  /** The credit note that has the external id already. */
  readonly earlier: RepeatedCreditNote | undefined;
}

/** The facts of a new credit note that were read together with its invoice. */
export interface CreditBasis {
  readonly configuration: Configuration;
  /** The invoice as issued; null when it is not issued. */
  readonly issued: IssuedDocument | null;
  /** The credits of the invoice that are booked or being booked. */
  readonly earlier: BookedCredits;
  /** The open item of the invoice; null when it has none. */
  readonly item: NumberedItem | null;
  /** The date of the credit note with the last number; null when there is none. */
  readonly last_number_date: CalendarDate | null;
  /** How the customer of the invoice gets documents, by the customer's id. */
  readonly recipients: ReadonlyMap<string, Recipient>;
}

interface CreditAhead {
  readonly target: Promise<CreditTarget>;
  /** Of no use where the target is refused already: that refusal is answered first. */
  readonly basis: Promise<CreditBasis>;
}

/** Locks and reads an invoice by its reference, and the credit note with an external id. */
export function readCredit(tx: Tx, ref: string, external_id: string): CreditAhead {
  const [column, value] = columnOfRef(ref);
  const [by_id, by_external_id] = column === "id" ? [value, null] : [null, value];
  tx.lock(
    sql`select lock_credit(${tx.caller.account_id}, ${by_id}, ${by_external_id}, ${external_id})`,
  );
  const which = sql`i.${raw(column)} = ${value}`;
  const reads = asOneStatement(tx);
  const target = readTarget(reads, which, external_id);
  const basis = readBasis(reads, which);
  basis.catch(() => {});
  return { target, basis };
}

async function readTarget(reads: Reader, which: Sql, external_id: string): Promise<CreditTarget> {
  const [parts, lines, earlier] = await Promise.all([
    findPartsBy(reads, which, sql`false`),
    creditableLinesBy(reads, sql`l.invoice_id = ${idOf(reads, which)}`),
    findByExternalId(reads, external_id),
  ]);
  const [part] = parts.values();
  return { invoice: part?.invoice, lines, earlier };
}

async function readBasis(reads: Reader, which: Sql): Promise<CreditBasis> {
  const [configuration, documents, earlier, items, last_number_date, recipients] =
    await Promise.all([
      getConfiguration(reads),
      findIssuedBy(reads, sql`d.document_id = ${idOf(reads, which)}`),
      bookedCreditsBy(reads, sql`n.invoice_id = ${idOf(reads, which)}`),
      findItems(reads, sql`i.id = ${idOf(reads, which)}`),
      lastNumberDate(reads),
      findRecipients(reads, sql`c.id = ${idOf(reads, which, "customer_id")}`),
    ]);
  const [issued = null] = documents.values();
  const [item = null] = items.values();
  return { configuration, issued, earlier, item, last_number_date, recipients };
}

/** Returns SQL for an id of the invoice (alias `i`) of a condition. */
function idOf(cx: Reader, which: Sql, column: "id" | "customer_id" = "id"): Sql {
  return sql`(select i.${raw(column)} from invoices i where i.account_id = ${cx.caller.account_id} and ${which})`;
}
