/** Creates an opening item (spec 13.4): what is still owed of an invoice of the old system, or held for a customer. */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { convert, type Money, scaledFromNumber } from "../../../domain/base/money.ts";
import { invalidField, Problem, requireValid } from "../../../domain/base/problem.ts";
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import { entryOfOpening } from "../../../domain/receivables/receivable-postings.ts";
import { requireRecordable } from "../../../domain/receivables/record-payment.ts";
import { requireRate } from "../../../domain/sales/invoice.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { defineCreation, type Saved } from "../../../platform/commands/creation.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { columnOfRef } from "../../../platform/database/resources.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import {
  type Configuration,
  findRates,
  getConfiguration,
  holdConfiguration,
} from "../../settings/configuration/queries.ts";
import {
  bookEntries,
  type NewEntry,
  postedEntry,
  postingAccounts,
} from "../allocations/book-entries.ts";
import { findItemsOn } from "../open-items/find-open.ts";
import { presentItem } from "../open-items/list-items.ts";
import { mayRecord, storeItems } from "../open-items/queries.ts";
import { requireCounter } from "./require-counter.ts";
import { OpeningItemCreate } from "./schemas.ts";

interface OpeningPlan {
  readonly item: NumberedItem;
  readonly external_id: string;
  readonly request_hash: Buffer;
  readonly entry: NewEntry;
}

/**
 * Takes the body of POST /opening-items. Throws VALIDATION_FAILED, EXTERNAL_ID_CONFLICT, PAYMENTS_IN_LEDGER,
 * RECEIVABLES_NOT_BEGUN, PAYMENT_DATE_IN_FUTURE, PERIOD_LOCKED or EXCHANGE_RATE_MISSING.
 */
export const createOpeningItem = defineCreation({
  name: "create_opening_item",
  input: OpeningItemCreate,
  table: "open_items",

  async plan(tx, sent, request_hash): Promise<OpeningPlan> {
    holdConfiguration(tx);
    const configuration = await getConfiguration(tx);
    const customer = await findCustomer(tx, sent.customer);
    if (customer === undefined) {
      throw invalidField("customer", "unknown_reference", "There is no such customer.");
    }
    if (!tx.ledger?.transactional) throw new Problem("PAYMENTS_IN_LEDGER");
    await requireCounter(tx, sent.counter_account, configuration);
    const today = todayIn(tx.clock, configuration.time_zone);
    const date = sent.date ?? today;
    const amounts = amountsOf(sent, configuration);
    if (!(await mayRecord(tx))) throw new Problem("RECEIVABLES_NOT_BEGUN");
    requireRecordable(date, { today, lock: configuration });
    const functional = await functionalOf(tx, amounts, date, configuration);
    const { currency, amount } = amounts;
    const item: NumberedItem = {
      id: newId(),
      kind: "opening",
      is_credit: sent.is_credit,
      customer_id: customer.id,
      number: sent.number,
      currency,
      date,
      due_date: sent.due_date,
      ended_on: null,
      amount,
      functional,
      takes: [],
    };
    const accounts = postingAccounts(tx, configuration, { counter_account: sent.counter_account });
    const dated = entryOfOpening({ ...item, amount: { functional, currency: amount } });
    const entry: NewEntry = {
      kind: "opening",
      guid: item.id,
      text: `Opening item ${sent.number} ${customer.name}`,
      currency,
      posted: postedEntry(dated, accounts),
      reverses_guid: null,
    };
    return { item, external_id: sent.external_id, request_hash, entry };
  },

  async commit(tx, { item, external_id, request_hash, entry }): Promise<Saved> {
    await bookEntries(tx, [entry]);
    storeItems(tx, [item]);
    tx.write(sql`update open_items set external_id = ${external_id}, request_hash = ${request_hash}
      where account_id = ${tx.caller.account_id} and id = ${item.id}`);
    const document = await shownItem(tx, item.id);
    tx.audit("opening_item", item.id, "created", { before: null, after: document });
    return { created: true, document };
  },

  repeated: async (tx, id): Promise<Saved> => ({
    created: false,
    document: await shownItem(tx, id),
  }),
});

/** Returns an item as the API shows it today. */
export async function shownItem(cx: Reader, id: string): Promise<JsonText> {
  const { functional_currency, time_zone } = await getConfiguration(cx);
  const today = todayIn(cx.clock, time_zone);
  const [row] = await findItemsOn(cx, [id], today);
  if (row === undefined) throw new Error("an opening item was not stored");
  return jsonText(presentItem(row, today, functional_currency));
}

interface Amounts {
  readonly currency: string;
  readonly amount: Money;
  /** Null for the amount at the rate of the date. */
  readonly functional: Money | null;
}

/** Reads the amounts. Throws VALIDATION_FAILED for decimals that the currency does not have, and for another functional amount. */
function amountsOf(sent: OpeningItemCreate, { functional_currency }: Configuration): Amounts {
  const currency = sent.currency ?? functional_currency;
  const amount = scaledFromNumber(sent.amount, currencyDigits(currency));
  const functional = sent.functional_amount ?? null;
  const books =
    functional === null ? null : scaledFromNumber(functional, currencyDigits(functional_currency));
  const faults = [
    { field: "amount", read: amount },
    { field: "functional_amount", read: books },
  ].flatMap(({ field, read }) =>
    typeof read === "string" ? [{ field, code: read, message: "Too many decimals." }] : [],
  );
  requireValid(faults);
  if (typeof amount === "string" || typeof books === "string") throw new Error("a fault was lost");
  if (currency === functional_currency && books !== null && books !== amount) {
    const message = "In functional currency it is the amount.";
    throw invalidField("functional_amount", "invalid_value", message);
  }
  return { currency, amount, functional: books };
}

async function functionalOf(
  tx: Tx,
  { currency, amount, functional }: Amounts,
  date: CalendarDate,
  { functional_currency, rate_max_age_days }: Configuration,
): Promise<Money> {
  if (currency === functional_currency) return amount;
  if (functional !== null) return functional;
  const [rate = null] = await findRates(tx, [{ currency, day: date }]);
  requireRate({ currency }, date, { rate_date: rate?.date ?? null, rate_max_age_days });
  const [from, to] = [currencyDigits(currency), currencyDigits(functional_currency)];
  return convert(amount, rate?.rate_micro ?? 0n, from, to);
}

function findCustomer(tx: Tx, ref: string): Promise<{ id: string; name: string } | undefined> {
  const [column, value] = columnOfRef(ref);
  return tx.row<{ id: string; name: string }>(
    sql`select id, name from customers where account_id = ${tx.caller.account_id} and ${raw(column)} = ${value}`,
  );
}
