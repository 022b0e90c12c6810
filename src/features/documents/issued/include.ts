/** Reads the totals and last sendings that lists of documents show on request, each with one query for a page. */
import * as z from "zod";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { DocumentSnapshot } from "../../../domain/sales/document.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { DeliveryState } from "../../../platform/database/tables.ts";
import { thaw } from "../../../platform/runtime/json.ts";
import { Delivery, Totals } from "./schemas.ts";
import { presentTotals } from "./totals.ts";

/** The totals of a document in a list, without lines. */
export const RowTotals = z.strictObject({
  currency: z.string(),
  net: z.number(),
  vat: z.number(),
  gross: z.number(),
  vat_breakdown: Totals.shape.vat_breakdown,
});

/** The state of the last attempt to send a document; null when there was none. */
export const DeliveryOfRow = Delivery.shape.state.nullable();

/** The last attempt to send a document, as a row of a list shows it. */
export const SendingOfRow = z.strictObject({
  channel: Delivery.shape.channel,
  state: Delivery.shape.state,
  address: Delivery.shape.address,
  send_error: Delivery.shape.send_error,
});

/** Presents the last attempt to send a document; null when there was none. */
export function presentSending(
  sending: LastSending | undefined,
): z.output<typeof SendingOfRow> | null {
  if (sending === undefined) return null;
  const { channel, state, address, send_error } = sending;
  return { channel, state, address, send_error };
}

export function rowTotalsOf(snapshot: DocumentSnapshot): z.output<typeof RowTotals> {
  const { currency, net, vat, gross, vat_breakdown } = presentTotals(snapshot, []);
  return { currency, net, vat, gross, vat_breakdown };
}

/** Returns documents: the frozen ones, and for the others the result of `make`. A document that no longer exists has no entry. */
export async function documentsOf(
  cx: Reader,
  ids: readonly string[],
  make: (ids: readonly string[]) => Promise<ReadonlyMap<string, DocumentSnapshot>>,
): Promise<Map<string, DocumentSnapshot>> {
  const documents = await issuedSnapshots(cx, ids);
  const others = ids.filter((id) => !documents.has(id));
  if (others.length === 0) return documents;
  return new Map([...documents, ...(await make(others))]);
}

/** Returns the result of `make` for each id; an id that no longer exists has no entry. */
export async function madeEach(
  ids: readonly string[],
  make: (id: string) => Promise<DocumentSnapshot>,
): Promise<Map<string, DocumentSnapshot>> {
  const made = await Promise.all(ids.map((id) => unlessGone(make(id))));
  return new Map(
    ids.flatMap((id, index) => {
      const document = made[index];
      return document === undefined ? [] : [[id, document] as const];
    }),
  );
}

async function unlessGone<Result>(made: Promise<Result>): Promise<Result | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof Problem && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

/** Returns the frozen documents of some ids; documents that are not issued have no entry. */
async function issuedSnapshots(
  cx: Reader,
  ids: readonly string[],
): Promise<Map<string, DocumentSnapshot>> {
  if (ids.length === 0) return new Map();
  const rows = await cx.rows<{ document_id: string; snapshot: string }>(sql`
    select document_id, snapshot from issued_documents
     where account_id = ${cx.caller.account_id} and document_id = any(${ids})`);
  return new Map(rows.map((row) => [row.document_id, thaw<DocumentSnapshot>(row.snapshot)]));
}

/** The last attempt to send a document. */
export interface LastSending {
  readonly document_id: string;
  readonly channel: "email" | "einvoice";
  readonly state: DeliveryState;
  readonly address: string | null;
  readonly send_error: string | null;
  /** The code of what its buyer answered (`RE`); null without an answer. */
  readonly response_code: string | null;
}

/** Returns the last attempt to send each document; documents never sent have no entry. */
export async function lastSendings(
  cx: Reader,
  document_ids: readonly string[],
): Promise<Map<string, LastSending>> {
  if (document_ids.length === 0) return new Map();
  const rows = await cx.rows<LastSending>(sql`
    select distinct on (document_id) document_id, channel, state, address, send_error, response_code from deliveries
     where account_id = ${cx.caller.account_id} and document_id = any(${document_ids}) order by document_id, id desc`);
  return new Map(rows.map((row) => [row.document_id, row]));
}

/** Returns the state of the last attempt to send each document; documents never sent have no entry. */
export async function lastDeliveries(
  cx: Reader,
  document_ids: readonly string[],
): Promise<Map<string, DeliveryState>> {
  const sendings = await lastSendings(cx, document_ids);
  return new Map([...sendings].map(([id, { state }]) => [id, state]));
}

/** The credits of an invoice, in minor units. */
export interface Credited {
  readonly net: bigint;
  readonly gross: bigint;
}

/** Returns the issued credits of invoices; invoices without credits have no entry. */
export async function creditedOf(
  cx: Reader,
  invoice_ids: readonly string[],
): Promise<Map<string, Credited>> {
  if (invoice_ids.length === 0) return new Map();
  const rows = await cx.rows<{ invoice_id: string; snapshot: string }>(sql`
    select n.invoice_id, d.snapshot from credit_notes n
     join issued_documents d on d.account_id = n.account_id and d.document_id = n.id
     where n.account_id = ${cx.caller.account_id} and n.invoice_id = any(${invoice_ids})`);
  const credited = new Map<string, Credited>();
  for (const { invoice_id, snapshot } of rows) {
    const { totals } = thaw<DocumentSnapshot>(snapshot);
    const { net, gross } = credited.get(invoice_id) ?? { net: 0n, gross: 0n };
    credited.set(invoice_id, { net: net + totals.net, gross: gross + totals.gross });
  }
  return credited;
}

/** Presents the credited amounts as JSON numbers, net and with VAT; 0 without credits. */
export function presentCredited(credited: Credited | undefined, digits: number) {
  return {
    credited: scaledToNumber(credited?.net ?? 0n, digits),
    credited_gross: scaledToNumber(credited?.gross ?? 0n, digits),
  };
}
