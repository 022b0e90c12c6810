/** Creates an opening contract (spec 3.13): what was invoiced elsewhere and is not yet earned. */
import type { LineId } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import {
  RATE_DECIMALS as EXCHANGE_DECIMALS,
  type Money,
  scaledFromChecked,
  scaledFromNumber,
} from "../../../domain/base/money.ts";
import { type FieldError, invalidField, requireValid } from "../../../domain/base/problem.ts";
import { openingFaults } from "../../../domain/revenue/opening-contract.ts";
import { requireRate } from "../../../domain/sales/invoice.ts";
import { type LineInput, lineFaults } from "../../../domain/sales/line.ts";
import { lineFrom } from "../../../domain/sales/line-from.ts";
import { saleOf } from "../../../domain/sales/sales-account.ts";
import { functional } from "../../../domain/sales/totals.ts";
import { determineVat } from "../../../domain/sales/vat.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { defineCreation, type Saved, storedAgain } from "../../../platform/commands/creation.ts";
import { dryRun, type Tx } from "../../../platform/commands/tx.ts";
import { findStored } from "../../../platform/database/resources.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import type { CustomerRow } from "../../catalogue/customers/present.ts";
import { findCustomer } from "../../catalogue/customers/queries.ts";
import type { SoldProduct } from "../../catalogue/products/queries.ts";
import { referencesOf, vatCodesOf } from "../../sales/invoices/lines.ts";
import { chartOf } from "../../settings/configuration/accounts.ts";
import {
  type Configuration,
  findRates,
  getConfiguration,
  holdConfiguration,
  vatSettings,
} from "../../settings/configuration/queries.ts";
import { lockCustomers } from "../accruals/book-accrual.ts";
import { postOpening, requireOpeningCounter, requirePostable } from "./book-entry.ts";
import {
  insertOpeningContract,
  type OpeningContractRow,
  presentOpeningContract,
} from "./queries.ts";
import { OpeningContractCreate } from "./schemas.ts";

interface ContractPlan {
  readonly contract: OpeningContractRow;
  readonly configuration: Configuration;
  /** The text of the entry. */
  readonly text: string;
  readonly request_hash: Buffer;
}

/**
 * Takes the body of POST /opening-contracts. Throws VALIDATION_FAILED, EXTERNAL_ID_CONFLICT, LEDGER_MOVING, PERIOD_LOCKED,
 * LATER_PERIOD_CLOSED, LATER_ACCRUAL_BOOKED, EXCHANGE_RATE_MISSING or ACCOUNT_ROLE_MISSING.
 */
export const createOpeningContract = defineCreation({
  name: "create_opening_contract",
  input: OpeningContractCreate,
  table: "opening_contracts",

  async lock(tx, sent): Promise<void> {
    const customer = await findStored(tx, "customers", sent.customer);
    if (customer !== undefined) lockCustomers(tx, [customer.id]);
  },

  async plan(tx, sent, request_hash): Promise<ContractPlan> {
    holdConfiguration(tx);
    const configuration = await getConfiguration(tx);
    const { customer, product, users, vat_codes } = await referredTo(tx, sent);
    const counter_account = sent.counter_account ?? null;
    await requireOpeningCounter(tx, counter_account, configuration);
    const currency = sent.currency ?? configuration.functional_currency;
    const amounts = amountsOf(sent, currency, configuration);
    const [service_from, { service_to, cutover }] = [sent.service_from ?? null, sent];
    const terms = { ...amounts, service_from, service_to, cutover };
    const today = todayIn(tx.clock, configuration.time_zone);
    requireValid([...openingFaults(terms, today), ...assigneeFaults(sent, users)]);
    const rate_micro = await rateOf(tx, sent, currency, configuration, customer.id);
    const amount = amounts.invoiced - amounts.earned;
    const [from_digits, to_digits] = [
      currencyDigits(currency),
      currencyDigits(configuration.functional_currency),
    ];
    const conversion = rate_micro === null ? null : { rate_micro, from_digits, to_digits };
    const line = lineOf(sent, product, currency);
    const sold = soldTo(tx, line, { customer, configuration, vat_codes });
    const contract: OpeningContractRow = {
      id: newId(),
      external_id: sent.external_id,
      customer_id: customer.id,
      product_id: product.id,
      line_id: line.id,
      currency,
      ...amounts,
      amount,
      rate_micro,
      amount_functional: functional(amount, conversion),
      service_from,
      service_to,
      cutover,
      counter_account,
      assignees: line.assignees.map((one) => ({
        ...one,
        hourly_rate_override: one.hourly_rate_override?.toString() ?? null,
      })),
      product_name: product.name,
      product_number: product.product_number,
      unit: product.unit,
      ...sold,
      entry_no: null,
      ended_on: null,
      returned: null,
      returned_functional: null,
      end_guid: null,
      created_at: tx.clock.now(),
    };
    const text = `Opening contract ${sent.external_id} ${customer.name}`;
    return { contract, configuration, text, request_hash };
  },

  async commit(tx, { contract: planned, configuration, text, request_hash }): Promise<Saved> {
    const { counter_account } = planned;
    const entry_no =
      counter_account === null
        ? null
        : await postOpening(tx, configuration, {
            ...planned,
            guid: planned.id,
            date: planned.cutover,
            text,
            counter_account,
            functional: planned.amount_functional,
            reverses_guid: null,
          });
    const contract = { ...planned, entry_no };
    insertOpeningContract(tx, contract, request_hash);
    const document = presentOpeningContract(contract);
    tx.audit("opening_contract", contract.id, "created", { before: null, after: document });
    return { created: true, document };
  },

  repeated: (tx, id) => storedAgain(tx, "opening_contracts", id),
});

/** Returns the contract as it would be; nothing is stored. Throws the refusals of creating it. */
export function previewOpeningContract(
  cx: Context,
  sent: OpeningContractCreate,
): Promise<JsonText> {
  return dryRun(cx, async (tx) => {
    const plan = await createOpeningContract.plan(tx, sent);
    return (await createOpeningContract.commit(tx, plan)).document;
  });
}

interface ReferredTo {
  readonly customer: CustomerRow;
  readonly product: SoldProduct;
  readonly users: ReadonlySet<string>;
  readonly vat_codes: ReturnType<typeof vatCodesOf>;
}

/** Returns what the contract refers to, active or not. Throws VALIDATION_FAILED for unknown references. */
async function referredTo(tx: Tx, sent: OpeningContractCreate): Promise<ReferredTo> {
  const [customer, stored] = await Promise.all([
    findCustomer(tx, sent.customer),
    findStored(tx, "products", sent.product),
  ]);
  const references = await referencesOf(
    tx,
    [{ product_id: stored?.id ?? sent.product, assignees: sent.assignees }].filter(
      () => stored !== undefined,
    ),
  );
  const product = stored && references.products.get(stored.id);
  if (customer === undefined || product === undefined) {
    const unknown = (field: string): FieldError => {
      const message = `There is no such ${field}.`;
      return { field, code: "unknown_reference", message };
    };
    requireValid([
      ...(customer === undefined ? [unknown("customer")] : []),
      ...(product === undefined ? [unknown("product")] : []),
    ]);
    throw new Error("a fault was lost");
  }
  return { customer, product, users: references.users, vat_codes: vatCodesOf(references) };
}

interface Amounts {
  readonly invoiced: Money;
  readonly earned: Money;
}

/** Reads the amounts. Throws VALIDATION_FAILED for decimals that the currency does not have, and for a rate without another currency. */
function amountsOf(
  sent: OpeningContractCreate,
  currency: string,
  { functional_currency }: Configuration,
): Amounts {
  const digits = currencyDigits(currency);
  const invoiced = scaledFromNumber(sent.invoiced, digits);
  const earned = scaledFromNumber(sent.earned, digits);
  requireValid(
    Object.entries({ invoiced, earned }).flatMap(([field, read]) =>
      typeof read === "string"
        ? [{ field, code: read, message: `The currency has ${digits} decimals.` }]
        : [],
    ),
  );
  if (typeof invoiced === "string" || typeof earned === "string")
    throw new Error("a fault was lost");
  if (sent.rate != null && currency === functional_currency) {
    throw invalidField("rate", "not_allowed", "The contract is in functional currency.");
  }
  return { invoiced, earned };
}

function assigneeFaults(
  { assignees }: OpeningContractCreate,
  users: ReadonlySet<string>,
): FieldError[] {
  const line = { product_id: "", recognition_method: "value", assignees } as LineInput;
  const shares = lineFaults([line], () => "").map((one) => ({
    ...one,
    field: one.field.replace(/^\./, ""),
  }));
  return [
    ...shares,
    ...assignees.flatMap(({ user_id }, place): FieldError[] => {
      if (users.has(user_id)) return [];
      const field = `assignees[${place}].user_id`;
      return [{ field, code: "unknown_reference", message: "There is no such active user." }];
    }),
  ];
}

/** Requires that the entry may be booked, and returns the rate of a contract in another currency: as sent, else of the cutover. */
async function rateOf(
  tx: Tx,
  sent: OpeningContractCreate,
  currency: string,
  configuration: Configuration,
  customer_id: string,
): Promise<bigint | null> {
  const { functional_currency, rate_max_age_days } = configuration;
  const date: CalendarDate = sent.cutover;
  const is_foreign = currency !== functional_currency;
  const given = sent.rate == null ? null : scaledFromChecked(sent.rate, EXCHANGE_DECIMALS);
  const [known = null] =
    is_foreign && given === null ? await findRates(tx, [{ currency, day: date }]) : [];
  await requirePostable(tx, configuration, customer_id, date, () => {
    if (!is_foreign || given !== null) return;
    requireRate({ currency }, date, { rate_date: known?.date ?? null, rate_max_age_days });
  });
  return is_foreign ? (given ?? known?.rate_micro ?? null) : null;
}

function lineOf(sent: OpeningContractCreate, product: SoldProduct, currency: string) {
  const input: LineInput = {
    product_id: product.id,
    recognition_method: "value",
    agreed_value: 0,
    assignees: sent.assignees,
  };
  const line = lineFrom(input, newId<LineId>(), 0, product, currency);
  if (Array.isArray(line)) throw new Error("a line without a price has a fault");
  return line as Exclude<typeof line, readonly FieldError[]>;
}

/** Returns the account and the VAT code of a sale to the customer, as on a draft. */
function soldTo(
  tx: Tx,
  line: ReturnType<typeof lineOf>,
  {
    customer,
    configuration,
    vat_codes,
  }: Pick<ReferredTo, "customer" | "vat_codes"> & { readonly configuration: Configuration },
): Pick<OpeningContractRow, "account_number" | "vat_code"> {
  const chart = chartOf(tx);
  const vat = vatSettings(configuration);
  if (chart !== undefined) {
    return saleOf(line, { customer, vat, vat_codes, sales_accounts: chart.sales_accounts });
  }
  const { account_number } = line;
  const vat_code = determineVat(vat_codes.get(account_number) ?? null, customer, vat);
  return { account_number, vat_code };
}
