/** Locks and reads everything that decides a payment, and finds the faults of its request (spec 13.3). */
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
import { columnOfRef } from "../../../platform/database/resources.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import {
  type Configuration,
  findRates,
  getConfiguration,
  holdConfiguration,
  ROUNDING_LIMIT_DECIMALS,
} from "../../settings/configuration/queries.ts";
import { findBankAccount } from "../bank-accounts/queries.ts";
import { findItems, lockItems, mayRecord } from "../open-items/queries.ts";
import { type FoundParts, findParts } from "./find-parts.ts";
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

/** Reads the inputs. Throws what comes before the decision: see `create.ts`. */
export async function readInputs(tx: Tx, sent: PaymentPreviewBody): Promise<PaymentInputs> {
  const parts = await findParts(tx, sent.kind, sent.allocations);
  lockItems(tx, parts.ids);
  holdConfiguration(tx);
  const [configuration, items, bank, may_record] = await Promise.all([
    getConfiguration(tx),
    findItems(tx, sql`i.id = any(${parts.ids})`),
    findBankAccount(tx, sent.bank_account ?? undefined),
    mayRecord(tx),
  ]);
  const faults: FieldError[] = [...parts.faults, ...faultsOfBank(sent, bank)];
  const customer = await customerOf(tx, sent, [...items.values()], faults);
  const { functional_currency } = configuration;
  const [first] = items.values();
  const currency = sent.currency ?? first?.currency ?? functional_currency;
  const read = amountsOf(sent, currency, functional_currency, faults);
  const [rate = null] =
    currency === functional_currency ? [] : await findRates(tx, [{ currency, day: sent.date }]);
  const { kind, date } = sent;
  const money = { kind, date, currency, ...read };
  const money_facts = {
    functional_currency,
    bank_currency: bank?.currency ?? functional_currency,
    rate,
    rate_max_age_days: configuration.rate_max_age_days,
  };
  const asked = (functional: Money): AskedPayment => ({
    item: itemOf(sent, {
      currency,
      customer_id: customer?.id ?? "",
      amount: read.amount,
      functional,
    }),
    parts: partsOf(parts, sent, items, currency, faults),
    remainder: sent.remainder,
  });
  const limit = roundingLimit(configuration, currency);
  faults.push(...partFaults(asked(read.amount), limit), ...bankAmountFaults(money, money_facts));
  requireValid(faults);
  if (bank === undefined || customer === undefined) throw new Error("a fault was not found");
  if (!tx.ledger?.transactional) throw new Problem("PAYMENTS_IN_LEDGER");
  parts.requireOwn();
  if (!may_record) throw new Problem("RECEIVABLES_NOT_BEGUN");
  parts.requireIssued();
  const facts = { today: todayIn(tx.clock, configuration.time_zone), lock: configuration };
  requireRecordable(date, facts);
  const bank_amount = bankAmountOf(money, money_facts);
  const functional = kind === "payment" ? bank_amount + read.fee : bank_amount - read.fee;
  return {
    asked: asked(functional),
    facts,
    configuration,
    bank,
    customer_name: customer.name,
    bank_amount,
    fee: read.fee,
    items,
  };
}

function faultsOfBank(
  { bank_account }: PaymentPreviewBody,
  bank: BankAccount | undefined,
): FieldError[] {
  const field = "bank_account";
  if (bank === undefined) {
    const message = "There is no such bank account.";
    return [{ field, code: bank_account == null ? "required" : "unknown_reference", message }];
  }
  return bank.active ? [] : [{ field, code: "not_allowed", message: "It is inactive." }];
}

interface NamedCustomer {
  readonly id: string;
  readonly name: string;
}

/** Returns the customer that is named, or that all items share. */
async function customerOf(
  tx: Tx,
  { customer: ref }: PaymentPreviewBody,
  items: readonly NumberedItem[],
  faults: FieldError[],
): Promise<NamedCustomer | undefined> {
  const [shared, ...others] = new Set(items.map(({ customer_id }) => customer_id));
  const named = ref ?? (others.length === 0 ? shared : undefined);
  if (named === undefined) {
    const message = "Required where the items do not all have the same customer.";
    faults.push({ field: "customer", code: "required", message });
    return undefined;
  }
  const [column, value] = columnOfRef(named);
  const found = await tx.row<NamedCustomer>(
    sql`select id, name from customers where account_id = ${tx.caller.account_id} and ${raw(column)} = ${value}`,
  );
  if (found === undefined) {
    faults.push({
      field: "customer",
      code: "unknown_reference",
      message: "There is no such customer.",
    });
  }
  return found;
}

function amountsOf(
  sent: PaymentPreviewBody,
  currency: string,
  functional_currency: string,
  faults: FieldError[],
) {
  const { bank_amount } = sent;
  return {
    amount: minorUnits(sent.amount, currency, "amount", faults),
    bank_amount:
      bank_amount == null
        ? null
        : minorUnits(bank_amount, functional_currency, "bank_amount", faults),
    fee: minorUnits(sent.fee, functional_currency, "fee", faults),
  };
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
  { kind, date }: PaymentPreviewBody,
  fields: Pick<NumberedItem, "currency" | "customer_id" | "amount" | "functional">,
): AskedPayment["item"] {
  const state = { ended_on: null, takes: [] };
  return { id: newId<string>(), kind, is_credit: kind === "payment", date, ...fields, ...state };
}

/** Returns the parts whose items are open items; of the others, a draft is refused later. */
function partsOf(
  { parts }: FoundParts,
  sent: PaymentPreviewBody,
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
