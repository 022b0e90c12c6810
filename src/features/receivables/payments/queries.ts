/** The SQL queries of payments and refunds. The stored text changes whenever an allocation of the payment begins or ends. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledToNumber } from "../../../domain/base/money.ts";
import { notFound } from "../../../domain/base/problem.ts";
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import { openAtLast } from "../../../domain/receivables/open-item.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import type { Selectable } from "../../../platform/database/columns.ts";
import type { Condition } from "../../../platform/database/page.ts";
import {
  columnOfRef,
  getStored,
  refersTo,
  stampedAnew,
} from "../../../platform/database/resources.ts";
import { sql, tableOf, update } from "../../../platform/database/sql.ts";
import { readPage, type StoredRead } from "../../../platform/database/stored-read.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { type AllocationRow, allocationFields, findAllocations } from "../allocations/queries.ts";
import { findItems } from "../open-items/queries.ts";
import { type PaymentQuery, PaymentResource } from "./schemas.ts";

/** The fields of a payment, without its account, stored text, time of change and request hash. */
export type PaymentRow = Omit<
  Selectable<Tables["payments"]>,
  "account_id" | "document" | "updated_at" | "request_hash"
>;

/** A payment with its open item and all its allocations. */
export interface Payment {
  readonly row: PaymentRow;
  readonly item: NumberedItem;
  readonly allocations: readonly AllocationRow[];
}

/** Presents a payment as the API shows it. */
export function presentPayment(
  { row, item, allocations }: Payment,
  functional_currency: string,
): JsonText {
  const digits = currencyDigits(row.currency);
  const books = (amount: Money): number =>
    scaledToNumber(amount, currencyDigits(functional_currency));
  const effective = allocations.filter(({ reversed_on }) => reversed_on === null);
  return jsonText(
    PaymentResource.parse({
      object: "payment",
      id: row.id,
      external_id: row.external_id,
      kind: row.kind,
      number: Number(row.number),
      status: row.reversed_on === null ? "booked" : "reversed",
      customer_id: row.customer_id,
      date: row.date,
      currency: row.currency,
      amount: scaledToNumber(row.amount, digits),
      bank_account_id: row.bank_account_id,
      bank_amount: books(row.bank_amount),
      fee: books(row.fee),
      functional_amount: books(item.functional),
      exchange_difference: books(effective.reduce((sum, one) => sum + one.exchange_difference, 0n)),
      unallocated: scaledToNumber(openAtLast(item).open, digits),
      allocations: allocations.map((one) => allocationFields(one, functional_currency)),
      reference: row.reference,
      bank_line_id: row.bank_line_id,
      entry_nos: row.entry_nos,
      reversed_on: row.reversed_on,
      reversal_reason: row.reversal_reason,
      created_at: row.created_at,
    }),
  );
}

/** Returns the read of a page of payments, the newest first. */
export function readPayments(page: PaymentQuery): StoredRead {
  return readPage("payments", paymentConditions(page), page);
}

/** Returns the SQL conditions of the filters of a list of payments. */
export function paymentConditions(filters: Omit<PaymentQuery, "limit" | "cursor">): Condition[] {
  const { external_id, customer, invoice, kind, status, bank_account, from, to } = filters;
  const conditions: Condition[] = [];
  if (external_id !== undefined) conditions.push(["external_id =", external_id]);
  if (customer !== undefined) conditions.push(refersTo("customer_id", "customers", customer));
  if (invoice !== undefined) conditions.push(ofInvoice(invoice));
  if (kind !== undefined) conditions.push(["kind =", kind]);
  if (status !== undefined)
    conditions.push([`reversed_on is ${status === "booked" ? "" : "not "}null`]);
  if (bank_account !== undefined) {
    conditions.push(refersTo("bank_account_id", "bank_accounts", bank_account));
  }
  if (from !== undefined) conditions.push(["date >=", from]);
  if (to !== undefined) conditions.push(["date <=", to]);
  return conditions;
}

function ofInvoice(ref: string): Condition {
  const [column, value] = columnOfRef(ref);
  return [
    `id in (select a.credit_id from allocations a join invoices i on i.account_id = $1 and i.id = a.debit_id
      where a.account_id = $1 and i.${column} = $value)`,
    value,
  ];
}

/** Returns the id of the payment that a reference names. Its open item has the same id. Throws NOT_FOUND. */
export async function getPaymentId(cx: Reader, ref: string): Promise<string> {
  return (await getStored(cx, "payments", ref)).id;
}

/** Returns the payment with an id. Throws NOT_FOUND. */
export async function getPayment(cx: Reader, id: string): Promise<Payment> {
  const [row, items, allocations] = await Promise.all([
    cx.row<Selectable<Tables["payments"]>>(
      sql`select * from payments where account_id = ${cx.caller.account_id} and id = ${id}`,
    ),
    findItems(cx, sql`i.id = ${id}`),
    findAllocations(cx, sql`(a.debit_id = ${id} or a.credit_id = ${id})`),
  ]);
  const item = items.get(id);
  if (row === undefined || item === undefined) throw notFound("payment", id);
  const { account_id: _, document: __, updated_at: ___, request_hash: ____, ...fields } = row;
  return { row: fields, item, allocations };
}

/** Stores new payments, whose open items are stored. */
export function insertPayments(
  tx: Tx,
  payments: readonly {
    readonly payment: Payment;
    readonly document: JsonText;
    readonly request_hash: Buffer | null;
  }[],
): void {
  const { account_id } = tx.caller;
  const { columns, table } = tableOf(payments, {
    id: ["uuid", ({ payment }) => payment.row.id],
    external_id: ["text", ({ payment }) => payment.row.external_id],
    kind: ["text", ({ payment }) => payment.row.kind],
    number: ["bigint", ({ payment }) => payment.row.number],
    date: ["date", ({ payment }) => payment.row.date],
    customer_id: ["uuid", ({ payment }) => payment.row.customer_id],
    currency: ["text", ({ payment }) => payment.row.currency],
    amount: ["bigint", ({ payment }) => payment.row.amount],
    bank_account_id: ["uuid", ({ payment }) => payment.row.bank_account_id],
    bank_amount: ["bigint", ({ payment }) => payment.row.bank_amount],
    fee: ["bigint", ({ payment }) => payment.row.fee],
    reference: ["text", ({ payment }) => payment.row.reference],
    bank_line_id: ["uuid", ({ payment }) => payment.row.bank_line_id],
    created_at: ["timestamptz", ({ payment }) => payment.row.created_at],
    request_hash: ["bytea", ({ request_hash }) => request_hash],
    document: ["lines", ({ document }) => document],
    // An array of arrays would be flattened.
    entry_nos: ["text", ({ payment }) => payment.row.entry_nos.join(" ")],
  });
  tx.write(sql`insert into payments (account_id, updated_at, ${columns})
    select ${account_id}, stamp(${account_id}), p.id, p.external_id, p.kind, p.number, p.date, p.customer_id, p.currency,
      p.amount, p.bank_account_id, p.bank_amount, p.fee, p.reference, p.bank_line_id, p.created_at, p.request_hash,
      p.document, string_to_array(p.entry_nos, ' ')::integer[]
    from ${table} as p (${columns})`);
}

/** What of a payment's own row changes with its allocations. */
interface PaymentChanges {
  readonly action: "allocated" | "reversed" | "released";
  readonly reason?: string;
  readonly reversed_on?: PaymentRow["reversed_on"];
  readonly entry_nos?: readonly bigint[];
}

/**
 * Stores a payment again whose allocations have changed, or that was reversed, with an audit event. Its open item is locked, and
 * stored as it is now, like its allocations. Returns it as the API shows it.
 */
export async function restorePayment(
  tx: Tx,
  id: string,
  { action, reason, reversed_on, entry_nos = [] }: PaymentChanges,
): Promise<JsonText> {
  const { account_id } = tx.caller;
  const { functional_currency } = await getConfiguration(tx);
  const { document: before } = await getStored(tx, "payments", id);
  const payment = await getPayment(tx, id);
  const changes = {
    entry_nos: [...payment.row.entry_nos, ...entry_nos.map(Number)],
    ...(reversed_on != null && { reversed_on, reversal_reason: reason ?? null }),
  };
  const row = { ...payment.row, ...changes };
  const document = presentPayment({ ...payment, row }, functional_currency);
  const stored = { ...changes, document, updated_at: stampedAnew(account_id) };
  tx.write(sql`${update("payments", stored)} where account_id = ${account_id} and id = ${id}`);
  tx.audit("payment", id, action, { before, after: document, ...(reason && { reason }) });
  return document;
}
