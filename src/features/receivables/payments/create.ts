/**
 * Records a payment or refund (spec 13.3): its open item, what it is applied to, and its entries, in one transaction under the locks
 * of all items. Throws, in this order, VALIDATION_FAILED, PAYMENTS_IN_LEDGER, RECEIVABLES_NOT_BEGUN, INVOICE_NOT_ISSUED,
 * CREDIT_NOTE_NOT_ISSUED, PAYMENT_DATE_IN_FUTURE, PERIOD_LOCKED, EXCHANGE_RATE_MISSING, ACCOUNT_ROLE_MISSING,
 * PAYMENT_EXCEEDS_OPEN and CREDIT_EXCEEDS_OPEN.
 */
import { Problem } from "../../../domain/base/problem.ts";
import type { Allocated } from "../../../domain/receivables/allocation.ts";
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import {
  type DatedPostings,
  entryOfAllocation,
  entryOfPayment,
  postedFrom,
} from "../../../domain/receivables/receivable-postings.ts";
import { decidePayment } from "../../../domain/receivables/record-payment.ts";
import { defineCreation, type Saved } from "../../../platform/commands/creation.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { getStored } from "../../../platform/database/resources.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { handOver } from "../../../platform/runtime/slices.ts";
import {
  bookEntries,
  type NewEntry,
  type PostingAccounts,
  postedEntry,
  postingAccounts,
} from "../allocations/book-entries.ts";
import { type AllocationRow, allocationRow, auditAllocation } from "../allocations/queries.ts";
import { type NewAllocation, storeAllocations } from "../allocations/store-allocations.ts";
import { storeItems } from "../open-items/queries.ts";
import { insertPayments, type Payment, presentPayment, restorePayment } from "./queries.ts";
import {
  inputsOf,
  type PaymentInputs,
  type ReadInputs,
  readInputs,
  type SentPayment,
} from "./read-inputs.ts";
import { PaymentCreate } from "./schemas.ts";

/** A decided payment with the entries that it makes. */
export interface PaymentPlan {
  readonly inputs: PaymentInputs;
  readonly allocations: readonly NewAllocation[];
  readonly entries: readonly NewEntry[];
  readonly sent: SentPayment;
  readonly request_hash: Buffer | null;
}

export const createPayment = defineCreation({
  name: "create_payment",
  input: PaymentCreate,
  table: "payments",
  plan: (tx, sent, request_hash) => planPayment(tx, sent, request_hash),
  commit: (tx, plan) => commitPayment(tx, plan),
  repeated: async (tx, id): Promise<Saved> => {
    const { document } = await getStored(tx, "payments", id);
    return { created: false, document: withWarnings(document) };
  },
});

/** Decides one payment, under the locks of its items. Throws the refusals of `createPayment`. */
export async function planPayment(
  tx: Tx,
  sent: SentPayment,
  request_hash: Buffer | null,
): Promise<PaymentPlan> {
  const [plan] = await planPayments(tx, [{ sent, request_hash }]);
  if (plan === undefined || plan instanceof Problem) throw plan ?? new Error("a plan is missing");
  return plan;
}

/** A payment to plan, and what a repetition is compared with. */
interface ToPlan {
  readonly sent: SentPayment;
  readonly request_hash: Buffer | null;
}

/**
 * Decides payments one after the other, under the locks of all their items: each sees what those before it leave. A refusal of one is
 * its result, and concerns no other. `also` are items that the caller changes later.
 */
export async function planPayments(
  tx: Tx,
  wanted: readonly ToPlan[],
  also: readonly string[] = [],
): Promise<(PaymentPlan | Problem)[]> {
  const read = await readInputs(
    tx,
    wanted.map(({ sent }) => sent),
    also,
  );
  const items = new Map(read.items);
  const accountsOf = accountsByBank(tx, read);
  return wanted.map((one) => {
    try {
      const plan = planOne(read, one, items, accountsOf);
      for (const { debit, credit } of plan.allocations) {
        for (const { id, takes } of [debit, credit]) {
          const item = items.get(id);
          if (item !== undefined) items.set(id, { ...item, takes });
        }
      }
      return plan;
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  });
}

/** Returns the posting accounts of a payment by the account of its bank; they are the same for all payments of one bank. */
function accountsByBank(tx: Tx, { configuration, banks }: ReadInputs) {
  const of_banks = new Map(
    banks.map(({ ledger_account: bank }) => [bank, postingAccounts(tx, configuration, { bank })]),
  );
  return (bank: number): PostingAccounts => of_banks.get(bank) ?? new Map();
}

function planOne(
  read: ReadInputs,
  { sent, request_hash }: ToPlan,
  items: ReadonlyMap<string, NumberedItem>,
  accountsOf: (bank: number) => PostingAccounts,
): PaymentPlan {
  const inputs = inputsOf(read, sent, items);
  const decided = decidePayment(inputs.asked, inputs.facts);
  const made = [
    ...decided.applied.map((one) => madeFrom(one)),
    ...decided.own.map((one) => madeFrom(one)),
  ];
  const entries = entriesOf(inputs, made, accountsOf(inputs.bank.ledger_account));
  return { inputs, allocations: made, entries, sent, request_hash };
}

function madeFrom(allocated: Allocated): NewAllocation {
  const { allocation, debit, credit } = allocated;
  const id = newId<string>();
  return { id, external_id: null, allocation, debit, credit, entry_no: null, request_hash: null };
}

/** Returns the entries of a payment: those of credits that are applied, its own, and those of allocations that begin later. */
function entriesOf(
  inputs: PaymentInputs,
  made: readonly NewAllocation[],
  accounts: PostingAccounts,
): NewEntry[] {
  const { asked, bank_amount, fee, configuration } = inputs;
  const { id, kind, currency, date, customer_id, amount } = asked.item;
  const isOfItsDay = (one: NewAllocation): boolean =>
    isOwn(one, id) && one.allocation.date === date;
  const own = entryOfPayment({
    kind: kind === "refund" ? "refund" : "payment",
    date,
    customer_id,
    amount,
    is_foreign: currency !== configuration.functional_currency,
    bank_amount,
    fee,
    allocations: made.filter(isOfItsDay).map(postedFrom),
  });
  const entryOf = (guid: string, text: string, dated: DatedPostings): NewEntry => ({
    kind: "payment",
    guid,
    text,
    currency,
    posted: postedEntry(dated, accounts),
    reverses_guid: null,
  });
  const alone = made
    .filter((one) => !isOfItsDay(one))
    .map((one) =>
      entryOf(one.id, textOfAllocation(inputs, one), entryOfAllocation(postedFrom(one))),
    );
  return [entryOf(id, textOfPayment(inputs, made), own), ...alone];
}

function isOwn({ debit, credit }: NewAllocation, payment_id: string): boolean {
  return debit.id === payment_id || credit.id === payment_id;
}

/** Stores and books one decided payment. Returns it as the API shows it, with its warnings. */
export async function commitPayment(tx: Tx, plan: PaymentPlan): Promise<Saved> {
  const [document] = await commitPayments(tx, [plan]);
  if (document === undefined) throw new Error("a payment was not stored");
  return { created: true, document: withWarnings(document) };
}

/** As many payments are written at a time, so that the database writes them while the next ones are made ready. */
const PORTION = 100;

/** Stores and books decided payments, in the order in which they were decided. Returns them in the same order, as the API shows them. */
export async function commitPayments(tx: Tx, plans: readonly PaymentPlan[]): Promise<JsonText[]> {
  const booked = await bookEntries(
    tx,
    plans.flatMap(({ entries }) => entries),
  );
  const documents: JsonText[] = [];
  const others = new Set<string>();
  for (let at = 0; at < plans.length; at += PORTION) {
    if (at > 0) await handOver();
    const stored = plans.slice(at, at + PORTION).map((plan) => storedFrom(tx, plan, booked));
    for (const id of store(tx, stored)) others.add(id);
    documents.push(...stored.map(({ document }) => document));
  }
  for (const id of others) await restorePayment(tx, id, { action: "allocated" });
  return documents;
}

/** Writes new payments with their items, allocations and audit events. Returns the earlier payments that they take of. */
function store(tx: Tx, stored: readonly StoredPayment[]): Set<string> {
  const own = new Set(stored.map(({ payment }) => payment.row.id));
  const allocations = stored.flatMap((one) => one.allocations);
  storeItems(
    tx,
    stored.map(({ payment }) => payment.item),
  );
  storeAllocations(tx, allocations, own);
  insertPayments(tx, stored);
  for (const { payment, document, applied, functional_currency } of stored) {
    tx.audit("payment", payment.row.id, "created", { before: null, after: document });
    for (const row of applied) {
      auditAllocation(tx, row, functional_currency, payment.row.customer_id);
    }
  }
  return otherPayments(allocations, own);
}

/** A payment in the form in which it is stored. */
interface StoredPayment {
  readonly payment: Payment;
  readonly allocations: readonly NewAllocation[];
  /** Credits that it applies, by allocations of their own. */
  readonly applied: readonly AllocationRow[];
  readonly document: JsonText;
  readonly functional_currency: string;
  readonly request_hash: Buffer | null;
}

function storedFrom(
  tx: Tx,
  plan: PaymentPlan,
  booked: Awaited<ReturnType<typeof bookEntries>>,
): StoredPayment {
  const { inputs, request_hash } = plan;
  const { id } = inputs.asked.item;
  const own = booked.get(id);
  if (own === undefined) throw new Error("a payment has no entry");
  const item: NumberedItem = { ...inputs.asked.item, number: `${own.number}`, due_date: null };
  const allocations = plan.allocations.map((one): NewAllocation => {
    const is_of_payment = isOwn(one, id) && one.allocation.date === item.date;
    const entry = is_of_payment ? own : booked.get(one.id);
    return { ...one, entry_no: entry?.entry_no ?? null };
  });
  const entries = plan.entries.flatMap(({ guid }) => booked.get(guid) ?? []);
  const payment = paymentFrom(tx, plan, item, allocations, entries);
  const { functional_currency } = inputs.configuration;
  const applied = allocations
    .filter((one) => !isOwn(one, id))
    .map((one) => allocationRow(one, itemIn(inputs, one.debit.id), itemIn(inputs, one.credit.id)));
  const document = presentPayment(payment, functional_currency);
  return { payment, allocations, applied, document, functional_currency, request_hash };
}

/** Returns the payments, other than the new ones, that allocations take of. */
function otherPayments(
  allocations: readonly NewAllocation[],
  own: ReadonlySet<string>,
): Set<string> {
  const items = allocations.flatMap(({ debit, credit }) => [debit, credit]);
  const money = items.filter(({ kind }) => kind === "payment" || kind === "refund");
  return new Set(money.map((item) => item.id).filter((id) => !own.has(id)));
}

function paymentFrom(
  tx: Tx,
  { inputs, sent }: PaymentPlan,
  item: NumberedItem,
  allocations: readonly NewAllocation[],
  entries: readonly { readonly entry_no: bigint }[],
): Payment {
  const { bank, bank_amount, fee } = inputs;
  const own = allocations.filter((one) => isOwn(one, item.id));
  const last = own.at(-1);
  const after = last?.debit.id === item.id ? last.debit : (last?.credit ?? item);
  const named = (id: string): NumberedItem => (id === item.id ? item : itemIn(inputs, id));
  return {
    row: {
      id: item.id,
      external_id: sent.external_id ?? null,
      kind: sent.kind,
      number: BigInt(item.number),
      date: item.date,
      customer_id: item.customer_id,
      currency: item.currency,
      amount: item.amount,
      bank_account_id: bank.id,
      bank_amount,
      fee,
      reference: sent.reference ?? null,
      bank_line_id: sent.line?.id ?? null,
      entry_nos: entries.map(({ entry_no }) => Number(entry_no)),
      reversed_on: null,
      reversal_reason: null,
      created_at: tx.clock.now(),
    },
    item: { ...item, takes: after.takes },
    allocations: own.map((one) => allocationRow(one, named(one.debit.id), named(one.credit.id))),
  };
}

function itemIn({ items }: PaymentInputs, id: string): NumberedItem {
  const found = items.get(id);
  if (found === undefined) throw new Error("an item of an allocation was not read");
  return found;
}

/** Adds the warnings of the answer: VAT may be due on money without an invoice. */
function withWarnings(document: JsonText): JsonText {
  const payment = JSON.parse(document);
  const is_on_account = payment.kind === "payment" && payment.unallocated > 0;
  const warnings = is_on_account ? [ON_ACCOUNT] : [];
  return JSON.stringify({ ...payment, warnings }) as JsonText;
}

const ON_ACCOUNT = {
  code: "PAYMENT_ON_ACCOUNT",
  message:
    "A part of the payment has no invoice. VAT on it may be due already (Danish VAT act, section 23): issue an invoice for it.",
};

/** As many numbers as a text names. */
const MOST_NAMED = 5;

function textOfPayment(
  { asked, customer_name, items }: PaymentInputs,
  made: readonly NewAllocation[],
): string {
  const { id, kind } = asked.item;
  const numbers = made
    .filter((one) => isOwn(one, id))
    .map(({ debit, credit }) => items.get(debit.id === id ? credit.id : debit.id)?.number ?? "");
  const named =
    numbers.slice(0, MOST_NAMED).join(", ") + (numbers.length > MOST_NAMED ? ", …" : "");
  const title = kind === "refund" ? `Refund to ${customer_name}` : `Payment from ${customer_name}`;
  return named === "" ? title : `${title}: ${named}`;
}

function textOfAllocation(
  { customer_name, items }: PaymentInputs,
  { debit }: NewAllocation,
): string {
  return `Applied to ${items.get(debit.id)?.number ?? ""} ${customer_name}`;
}
