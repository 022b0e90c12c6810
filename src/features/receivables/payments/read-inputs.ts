/** Locks and reads everything that decides a payment, and finds the faults of its request (spec 13.3). */
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { type Money, scaledFromNumber } from "../../../domain/base/money.ts";
import { type FieldError, Problem, requireValid } from "../../../domain/base/problem.ts";
import type { BankAccount } from "../../../domain/receivables/bank-account.ts";
import { bankAmountFaults, bankAmountOf } from "../../../domain/receivables/bank-amount.ts";
import type { NumberedItem } from "../../../domain/receivables/item-of-document.ts";
import {
  type AskedPart,
  type AskedPayment,
  partFaults,
  type RecordFacts,
  requireRecordable,
} from "../../../domain/receivables/record-payment.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import {
  type Configuration,
  findRates,
  getConfiguration,
  holdConfiguration,
  type Rate,
  ROUNDING_LIMIT_DECIMALS,
} from "../../settings/configuration/queries.ts";
import { listBankAccounts } from "../bank-accounts/queries.ts";
import { findItems, lockItems, mayRecord } from "../open-items/queries.ts";
import { lookUp, namesOf } from "./find-named.ts";
import { type FoundParts, findParts, refsOfParts } from "./find-parts.ts";
import type { PaymentPreviewBody } from "./schemas.ts";

/** A payment that may be decided: its request has no fault. */
export interface PaymentInputs {
  readonly asked: AskedPayment;
  readonly facts: RecordFacts;
  readonly configuration: Configuration;
  readonly bank: BankAccount;
  readonly customer_name: string;
  /** In minor units of the functional currency. */
  readonly bank_amount: Money;
  readonly fee: Money;
  /** All items that are named, by id. */
  readonly items: ReadonlyMap<string, NumberedItem>;
}

/** A payment as it is asked for: by a request, or for a bank line, whose money it is. */
export type SentPayment = Omit<PaymentPreviewBody, "amount"> & {
  readonly external_id?: string;
  /** Null for what the bank line says. */
  readonly amount: number | null;
  readonly line?: LineMoney;
};

/** The money of a bank line, in minor units. */
interface LineMoney {
  readonly id: string;
  /** Above 0, in the currency of the bank account. */
  readonly amount: Money;
  readonly currency: string;
  /** What the payer instructed in another currency; null where the bank does not tell it. */
  readonly instructed: { readonly amount: Money; readonly currency: string } | null;
}

/** Everything that decides payments, read under the locks of their items. */
export interface ReadInputs {
  readonly configuration: Configuration;
  readonly today: CalendarDate;
  readonly may_record: boolean;
  readonly is_built_in: boolean;
  /** What each payment names. */
  readonly parts: ReadonlyMap<SentPayment, FoundParts>;
  readonly items: ReadonlyMap<string, NumberedItem>;
  readonly banks: readonly BankAccount[];
  /** By id, and by `ext:` and external id. */
  readonly customers: ReadonlyMap<string, NamedCustomer>;
  /** The latest rates by currency and day. */
  readonly rates: ReadonlyMap<string, Rate>;
}

interface NamedCustomer {
  readonly id: string;
  readonly external_id: string | null;
  readonly name: string;
}

/** Locks and reads what decides any number of payments, in as many statements as for one. Locks `also` with their items. */
export async function readInputs(
  tx: Tx,
  sent: readonly SentPayment[],
  also: readonly string[],
): Promise<ReadInputs> {
  const refs = sent.flatMap(({ allocations }) => refsOfParts(allocations));
  const named = await lookUp(tx, refs);
  const ids = [...new Set([...named.values()].map(({ id }) => id))];
  lockItems(tx, [...ids, ...also]);
  holdConfiguration(tx);
  const [configuration, items, banks, may_record] = await Promise.all([
    getConfiguration(tx),
    findItems(tx, sql`i.id = any(${ids})`),
    listBankAccounts(tx),
    mayRecord(tx),
  ]);
  const parts = new Map(sent.map((one) => [one, findParts(named, one.kind, one.allocations)]));
  const foreign = [...parts].flatMap(([one, found]) => {
    const currency = currencyOf(one, found, items, configuration);
    return currency === configuration.functional_currency ? [] : [{ currency, day: one.date }];
  });
  const [customers, rates] = await Promise.all([
    customersOf(tx, sent, [...items.values()]),
    findRates(tx, foreign),
  ]);
  return {
    configuration,
    today: todayIn(tx.clock, configuration.time_zone),
    may_record,
    is_built_in: tx.ledger?.transactional ?? false,
    parts,
    items,
    banks,
    customers: new Map(customers.flatMap((one) => namesOf(one).map((name) => [name, one]))),
    rates: new Map(
      rates.flatMap((rate, at) => {
        const asked = foreign[at];
        return rate === null || asked === undefined
          ? []
          : [[`${asked.currency} ${asked.day}`, rate]];
      }),
    ),
  };
}

/**
 * Returns the inputs of one payment. `items` are all items as earlier payments of the same call leave them. Throws what comes before the
 * decision: see `create.ts`.
 */
export function inputsOf(
  read: ReadInputs,
  sent: SentPayment,
  items: ReadonlyMap<string, NumberedItem>,
): PaymentInputs {
  const { configuration, today, rates } = read;
  const parts = read.parts.get(sent);
  if (parts === undefined) throw new Error("a payment was not read");
  const own = parts.ids.flatMap((id) => items.get(id) ?? []);
  const bank = bankOf(read, sent);
  const faults: FieldError[] = [...parts.faults, ...faultsOfBank(sent, bank)];
  const customer = customerOf(read, sent, own, faults);
  const { functional_currency } = configuration;
  const currency = currencyOf(sent, parts, items, configuration);
  const amounts = amountsOf(sent, currency, functional_currency, faults);
  const { kind, date } = sent;
  const money = { kind, date, currency, ...amounts };
  const money_facts = {
    functional_currency,
    bank_currency: bank?.currency ?? functional_currency,
    rate: rates.get(`${currency} ${date}`) ?? null,
    rate_max_age_days: configuration.rate_max_age_days,
  };
  const { amount } = amounts;
  const asked = {
    item: itemOf(sent, { currency, customer_id: customer?.id ?? "", amount, functional: amount }),
    parts: partsOf(parts, sent, items, currency, faults),
    remainder: sent.remainder,
  };
  const limit = roundingLimit(configuration, currency);
  faults.push(...partFaults(asked, limit), ...bankAmountFaults(money, money_facts));
  requireValid(faults);
  if (bank === undefined || customer === undefined) throw new Error("a fault was not found");
  parts.requireOwn(read.is_built_in);
  if (!read.may_record) throw new Problem("RECEIVABLES_NOT_BEGUN");
  parts.requireIssued();
  const facts = { today, lock: configuration };
  requireRecordable(date, facts);
  const bank_amount = bankAmountOf(money, money_facts);
  const { fee } = amounts;
  const functional = kind === "payment" ? bank_amount + fee : bank_amount - fee;
  return {
    asked: { ...asked, item: { ...asked.item, functional } },
    facts,
    configuration,
    bank,
    customer_name: customer.name,
    bank_amount,
    fee,
    items,
  };
}

/** Returns the currency of a payment: the one named, that of its first item, or the functional one. */
function currencyOf(
  { currency }: SentPayment,
  { parts }: FoundParts,
  items: ReadonlyMap<string, NumberedItem>,
  { functional_currency }: Configuration,
): string {
  if (currency != null) return currency;
  const [first] = parts.flatMap(({ item, credit }) => items.get(item ?? credit ?? "") ?? []);
  return first?.currency ?? functional_currency;
}

function bankOf(
  { banks }: ReadInputs,
  { bank_account: ref }: SentPayment,
): BankAccount | undefined {
  if (ref == null) return banks.find(({ is_default }) => is_default);
  return banks.find((bank) => namesOf(bank).includes(ref));
}

function faultsOfBank({ bank_account }: SentPayment, bank: BankAccount | undefined): FieldError[] {
  const field = "bank_account";
  if (bank === undefined) {
    const message = "There is no such bank account.";
    return [{ field, code: bank_account == null ? "required" : "unknown_reference", message }];
  }
  return bank.active ? [] : [{ field, code: "not_allowed", message: "It is inactive." }];
}

/** Returns the customer that is named, or that all items share. */
function customerOf(
  { customers }: ReadInputs,
  { customer: ref }: SentPayment,
  items: readonly NumberedItem[],
  faults: FieldError[],
): NamedCustomer | undefined {
  const [shared, ...others] = new Set(items.map(({ customer_id }) => customer_id));
  const named = ref ?? (others.length === 0 ? shared : undefined);
  if (named === undefined) {
    const message = "Required where the items do not all have the same customer.";
    faults.push({ field: "customer", code: "required", message });
    return undefined;
  }
  const found = customers.get(named);
  if (found === undefined) {
    const message = "There is no such customer.";
    faults.push({ field: "customer", code: "unknown_reference", message });
  }
  return found;
}

/** Returns the customers that are named, and those of items. */
function customersOf(
  tx: Tx,
  sent: readonly SentPayment[],
  items: readonly NumberedItem[],
): Promise<NamedCustomer[]> {
  const refs = sent.flatMap(({ customer }) => customer ?? []);
  const external = refs.flatMap((ref) => (ref.startsWith("ext:") ? [ref.slice(4)] : []));
  const named = refs.filter((ref) => !ref.startsWith("ext:"));
  const ids = [...new Set([...named, ...items.map(({ customer_id }) => customer_id)])];
  return tx.rows<NamedCustomer>(sql`select id, external_id, name from customers
    where account_id = ${tx.caller.account_id} and (id = any(${ids}) or external_id = any(${external}))`);
}

function amountsOf(
  sent: SentPayment,
  currency: string,
  functional_currency: string,
  faults: FieldError[],
) {
  const fee = minorUnits(sent.fee, functional_currency, "fee", faults);
  if (sent.line !== undefined)
    return amountsOfLine(sent, sent.line, currency, functional_currency, fee, faults);
  const { bank_amount } = sent;
  return {
    amount: minorUnits(sent.amount ?? 0, currency, "amount", faults),
    bank_amount:
      bank_amount == null
        ? null
        : minorUnits(bank_amount, functional_currency, "bank_amount", faults),
    fee,
  };
}

/**
 * Returns the amounts of a payment for a bank line: the line is what the bank moved, less or plus the fee. Items in another currency are
 * paid by the instructed amount, or by one that is named.
 */
function amountsOfLine(
  { kind, amount: named }: SentPayment,
  line: LineMoney,
  currency: string,
  functional_currency: string,
  fee: Money,
  faults: FieldError[],
) {
  const bank_amount = line.currency === functional_currency ? line.amount : null;
  const kept = currency === functional_currency ? fee : 0n;
  const usual = kind === "payment" ? line.amount + kept : line.amount - kept;
  if (named !== null) {
    return { amount: minorUnits(named, currency, "amount", faults), bank_amount, fee };
  }
  if (currency === line.currency) return { amount: usual, bank_amount, fee };
  if (currency === line.instructed?.currency) {
    return { amount: line.instructed.amount, bank_amount, fee };
  }
  const message = `The line does not say how much it is in ${currency}.`;
  faults.push({ field: "amount", code: "required", message });
  return { amount: 1n, bank_amount, fee };
}

/** Reads an amount; one with too many decimals is a fault, and counts as 1. */
function minorUnits(value: number, currency: string, field: string, faults: FieldError[]): Money {
  const digits = currencyDigits(currency);
  const scaled = scaledFromNumber(value, digits);
  if (typeof scaled !== "string") return scaled;
  faults.push({ field, code: scaled, message: `${currency} has ${digits} decimals.` });
  return 1n;
}

function itemOf(
  { kind, date }: SentPayment,
  fields: Pick<NumberedItem, "currency" | "customer_id" | "amount" | "functional">,
): AskedPayment["item"] {
  const state = { ended_on: null, takes: [] };
  return { id: newId<string>(), kind, is_credit: kind === "payment", date, ...fields, ...state };
}

/** Returns the parts whose items are open items; of the others, a draft is refused later. */
function partsOf(
  { parts }: FoundParts,
  sent: SentPayment,
  items: ReadonlyMap<string, NumberedItem>,
  currency: string,
  faults: FieldError[],
): AskedPart[] {
  return parts.flatMap(({ field, item, credit }, at): AskedPart[] => {
    const { amount, rounding = 0 } = sent.allocations[at] ?? {};
    const named = item === null ? undefined : items.get(item);
    const credited = credit === null ? null : items.get(credit);
    if (named === undefined || credited === undefined) return [];
    return [
      {
        field,
        item: named,
        credit: credited,
        amount: amount == null ? null : minorUnits(amount, currency, `${field}.amount`, faults),
        rounding: minorUnits(rounding, currency, `${field}.rounding`, faults),
      },
    ];
  });
}

/** Returns the limit of roundings in minor units of a currency. */
export function roundingLimit(
  { payments_rounding_limit: limit }: Configuration,
  currency: string,
): Money {
  return (limit * 10n ** BigInt(currencyDigits(currency))) / 10n ** BigInt(ROUNDING_LIMIT_DECIMALS);
}
