/**
 * Applies a credit to what is owed, after both were recorded (spec 13.2). Throws, in this order, VALIDATION_FAILED,
 * PAYMENTS_IN_LEDGER, RECEIVABLES_NOT_BEGUN, INVOICE_NOT_ISSUED, CREDIT_NOTE_NOT_ISSUED, PAYMENT_DATE_IN_FUTURE, PERIOD_LOCKED,
 * PAYMENT_EXCEEDS_OPEN, CREDIT_EXCEEDS_OPEN and ACCOUNT_ROLE_MISSING.
 */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledFromNumber } from "../../../domain/base/money.ts";
import { type FieldError, Problem, requireValid } from "../../../domain/base/problem.ts";
import { decideAllocation } from "../../../domain/receivables/decide-allocation.ts";
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import { entryOfAllocation, postedFrom } from "../../../domain/receivables/receivable-postings.ts";
import { defineCreation, type Saved } from "../../../platform/commands/creation.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { jsonText } from "../../../platform/runtime/json.ts";
import { customerNames } from "../../catalogue/customers/queries.ts";
import {
  type Configuration,
  getConfiguration,
  holdConfiguration,
} from "../../settings/configuration/queries.ts";
import {
  bookEntries,
  type NewEntry,
  postedEntry,
  postingAccounts,
} from "../allocations/book-entries.ts";
import { findAllocations, presentAllocation } from "../allocations/queries.ts";
import { type NewAllocation, storeAllocations } from "../allocations/store-allocations.ts";
import { findItems, lockItems, mayRecord } from "../open-items/queries.ts";
import { type FoundDocuments, foundIn, lookUp, type NamedRef } from "./find-named.ts";
import { restorePayment } from "./queries.ts";
import { roundingLimit } from "./read-inputs.ts";
import { AllocationCreate } from "./schemas.ts";

interface AllocationPlan {
  readonly allocation: NewAllocation;
  readonly entry: NewEntry;
  readonly functional_currency: string;
  readonly customer_id: string;
}

export const createAllocation = defineCreation({
  name: "create_allocation",
  input: AllocationCreate,
  table: "allocations",

  async plan(tx, sent, request_hash): Promise<AllocationPlan> {
    const refs = refsOf(sent);
    const named = foundIn(await lookUp(tx, refs), refs);
    lockItems(tx, named.ids);
    holdConfiguration(tx);
    const [configuration, items, may_record] = await Promise.all([
      getConfiguration(tx),
      findItems(tx, sql`i.id = any(${named.ids})`),
      mayRecord(tx),
    ]);
    const found = [...items.values()];
    const debit = found.find(({ is_credit }) => !is_credit);
    const credit = found.find(({ is_credit }) => is_credit);
    const faults = [...named.faults, ...sideFaults(sent, named, items)];
    const amounts = amountsOf(sent, debit, configuration, faults);
    requireValid(faults);
    named.requireOwn(tx.ledger?.transactional ?? false);
    if (!may_record) throw new Problem("RECEIVABLES_NOT_BEGUN");
    named.requireIssued();
    if (debit === undefined || credit === undefined) throw new Error("an item has one side");
    const facts = { today: todayIn(tx.clock, configuration.time_zone), lock: configuration };
    const decided = decideAllocation({ debit, credit, ...amounts, date: sent.date ?? null }, facts);
    const id = newId<string>();
    const allocation = {
      ...decided,
      id,
      external_id: sent.external_id,
      entry_no: null,
      request_hash,
    };
    const accounts = postingAccounts(tx, configuration, {});
    const posted = postedEntry(entryOfAllocation(postedFrom(decided)), accounts);
    const names = await customerNames(tx, [debit.customer_id]);
    const text = `Applied to ${debit.number} ${names.get(debit.customer_id) ?? ""}`;
    const { currency } = debit;
    const entry = {
      kind: "payment",
      guid: id,
      text,
      currency,
      posted,
      reverses_guid: null,
    } as const;
    const { functional_currency } = configuration;
    return { allocation, entry, functional_currency, customer_id: debit.customer_id };
  },

  async commit(tx, { allocation, entry, functional_currency, customer_id }): Promise<Saved> {
    const booked = await bookEntries(tx, [entry]);
    const entry_no = booked.get(allocation.id)?.entry_no ?? null;
    storeAllocations(tx, [{ ...allocation, entry_no }]);
    const document = await shownAllocation(tx, allocation.id, functional_currency);
    tx.audit("allocation", allocation.id, "created", {
      before: null,
      after: document,
      customer_id,
    });
    await restorePayments(tx, [allocation.debit, allocation.credit], entry_no, "allocated");
    return { created: true, document };
  },

  async repeated(tx, id): Promise<Saved> {
    const { functional_currency } = await getConfiguration(tx);
    return { created: false, document: await shownAllocation(tx, id, functional_currency) };
  },
});

/** Returns an allocation as the API shows it. */
export async function shownAllocation(tx: Tx, id: string, functional_currency: string) {
  const [row] = await findAllocations(tx, sql`a.id = ${id}`);
  if (row === undefined) throw new Error("an allocation was not stored");
  return jsonText(presentAllocation(row, functional_currency));
}

/** Stores the payments among items again, with the entry that was made. */
export async function restorePayments(
  tx: Tx,
  items: readonly { readonly id: string; readonly kind: string }[],
  entry_no: bigint | null,
  action: "allocated" | "released",
  reason?: string,
): Promise<void> {
  const entry_nos = entry_no === null ? [] : [entry_no];
  for (const { id, kind } of items) {
    if (kind !== "payment" && kind !== "refund") continue;
    await restorePayment(tx, id, { action, entry_nos, ...(reason !== undefined && { reason }) });
  }
}

function refsOf(sent: AllocationCreate): NamedRef[] {
  return SIDES.flatMap((field) => {
    const ref = sent[field];
    const kind = field === "opening_credit" ? "opening" : field;
    return ref == null ? [] : [{ kind, ref, field }];
  });
}

const SIDES = [
  "invoice",
  "credit_note",
  "payment",
  "reminder",
  "opening",
  "opening_credit",
] as const;

/** Returns the faults of what is named: one debit item and one credit item of one currency. A draft is refused later. */
function sideFaults(
  sent: AllocationCreate,
  named: FoundDocuments,
  items: ReadonlyMap<string, NumberedItem>,
): FieldError[] {
  const credit = items.get(named.idAt("opening_credit") ?? "");
  if (credit?.is_credit === false) {
    const message = "This opening item is owed, it is no credit.";
    return [{ field: "opening_credit", code: "not_allowed", message }];
  }
  const is_same = credit !== undefined && named.idAt("opening") === credit.id;
  const [one, other = is_same ? one : undefined] = items.values();
  if (one === undefined || other === undefined) return [];
  const field = sent.opening == null ? "credit_note" : "opening";
  if (one.is_credit === other.is_credit) {
    const message = "One side owes, the other side is a credit.";
    return [{ field, code: "not_allowed", message }];
  }
  if (one.currency === other.currency) return [];
  return [{ field, code: "invalid_value", message: "The currencies differ." }];
}

function amountsOf(
  sent: AllocationCreate,
  item: NumberedItem | undefined,
  configuration: Configuration,
  faults: FieldError[],
) {
  const currency = item?.currency ?? configuration.functional_currency;
  const digits = currencyDigits(currency);
  const read = (field: "amount" | "rounding", value: number): bigint => {
    const scaled = scaledFromNumber(value, digits);
    if (typeof scaled !== "string") return scaled;
    faults.push({ field, code: scaled, message: `${currency} has ${digits} decimals.` });
    return 0n;
  };
  const rounding = read("rounding", sent.rounding);
  const limit = roundingLimit(configuration, currency);
  if (rounding > limit || rounding < -limit) {
    const message = "More than the rounding limit of the configuration.";
    faults.push({ field: "rounding", code: "too_large", message });
  }
  return { amount: sent.amount == null ? null : read("amount", sent.amount), rounding };
}
