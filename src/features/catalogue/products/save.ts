/** Creates and changes products (spec 7.2). */

import * as z from "zod";
import { given } from "../../../domain/base/given.ts";
import { scaledFromChecked } from "../../../domain/base/money.ts";
import { invalidField, requireValid } from "../../../domain/base/problem.ts";
import { HOURS_DECIMALS, RATE_DECIMALS } from "../../../domain/sales/line.ts";
import { type Price, priceFaults } from "../../../domain/sales/price.ts";
import { earningFaults } from "../../../domain/sales/proposed-earning.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { defineCreation, type Saved, storedAgain } from "../../../platform/commands/creation.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { requireSalesAccount } from "../../settings/configuration/accounts.ts";
import {
  type Configuration,
  getConfiguration,
  holdConfiguration,
} from "../../settings/configuration/queries.ts";
import { ledgerNotifier, notifyLedger } from "../links/notify-ledger.ts";
import {
  insertProduct,
  lockProduct,
  type ProductRow,
  presentProduct,
  updateProduct,
} from "./queries.ts";
import { ProductCreate, ProductUpdate } from "./schemas.ts";

/** Defaults that depend on no stored data; repetitions are recognised by the content with these defaults (spec 11.2). */
const defaults = { unit: "parts", default_price: 0, quantity: 1 };

/** Sends the product to a connected ledger too, if the ledger responds in time (spec 9.9). */
const afterChange = ledgerNotifier("product");

/** Creates a product. Throws EXTERNAL_ID_CONFLICT, PRODUCT_NUMBER_TAKEN, LEDGER_REJECTED. */
export const createProduct = defineCreation({
  name: "create_product",
  input: ProductCreate,
  table: "products",
  contentOf: productContent,

  async plan(tx, sent, request_hash) {
    const account = await accountFrom(tx, sent.account_number ?? null);
    return { row: productFrom(sent, account, await currencyOfBooks(tx, sent)), request_hash };
  },

  async commit(tx, { row, request_hash }): Promise<Saved> {
    await requireSalesAccount(tx, row.account_number, "account_number");
    insertProduct(tx, row, request_hash);
    const document = presentProduct(row);
    tx.audit("product", row.id, "created", { before: null, after: document });
    return { created: true, document };
  },

  repeated: (tx, id) => storedAgain(tx, "products", id),

  async after(cx, saved): Promise<Saved> {
    if (saved.created) await notifyLedger(cx, "product", saved.document);
    return saved;
  },
});

/**
 * Returns a new product, of an account and for books in a currency, which counts only for products with prices. Throws
 * VALIDATION_FAILED.
 */
export function productFrom(
  sent: ProductCreate,
  account: ProductAccount,
  functional_currency: string,
): ProductRow {
  requireValid(priceFaults(sent.prices ?? [], functional_currency, []));
  const row: ProductRow = {
    id: newId(),
    external_id: null,
    product_number: null,
    unit: "parts",
    default_price: 0n,
    quantity: 100n,
    comments: null,
    external_reference: null,
    active: true,
    prices: [],
    default_recognition_method: null,
    default_months: null,
    ...fieldsOf(sent),
    name: sent.name,
    ...account,
  };
  requireValid(earningFaults(row));
  return row;
}

/**
 * Changes the given fields of a product; existing lines keep their copies. Throws NOT_FOUND, PRODUCT_NUMBER_TAKEN,
 * EXTERNAL_ID_CONFLICT, LEDGER_REJECTED.
 */
export const changeProduct = defineCommand({
  name: "change_product",
  access: "write",
  input: z.object({ ref: Ref, changes: ProductUpdate }),

  async plan(tx, { ref, changes }) {
    const functional_currency = await currencyOfBooks(tx, changes);
    const before = await lockProduct(tx, ref);
    requireValid(priceFaults(changes.prices ?? [], functional_currency, before.prices));
    const { account_number } = changes;
    // A request with the current number does not name the account; null removes a named account.
    const is_new = account_number !== undefined && account_number !== before.account_number;
    const account = is_new ? await accountFrom(tx, account_number) : {};
    const after: ProductRow = { ...before, ...fieldsOf(changes), ...account };
    requireValid(earningFaults(after));
    return { before, after };
  },

  async commit(tx, { before, after }): Promise<JsonText> {
    const [was, is] = [presentProduct(before), presentProduct(after)];
    if (was === is && before.names_account === after.names_account) return is;
    if (before.account_number !== after.account_number) {
      await requireSalesAccount(tx, after.account_number, "account_number");
    }
    await updateProduct(tx, after);
    tx.audit("product", after.id, "updated", { before: was, after: is });
    return is;
  },

  after: afterChange,
});

/** Sets whether a product is listed and available for new lines. Throws NOT_FOUND, LEDGER_REJECTED. */
export const setProductActive = defineCommand({
  name: "set_product_active",
  access: "write",
  input: z.object({ ref: Ref, active: z.boolean() }),

  async plan(tx, { ref, active }) {
    const before = await lockProduct(tx, ref);
    return { before, after: { ...before, active } };
  },

  async commit(tx, { before, after }): Promise<JsonText> {
    const document = presentProduct(after);
    if (before.active === after.active) return document;
    await updateProduct(tx, after);
    tx.audit("product", after.id, after.active ? "activated" : "deactivated", {
      before: document,
      after: document,
    });
    return document;
  },

  after: afterChange,
});

function fieldsOf({
  default_price,
  quantity,
  prices,
  account_number: _,
  ...sent
}: ProductUpdate): Partial<ProductRow> {
  return given({
    ...sent,
    default_price: scaled(default_price, RATE_DECIMALS),
    quantity: scaled(quantity, HOURS_DECIMALS),
    prices: prices === undefined ? undefined : pricesFrom(prices ?? []),
  }) as Partial<ProductRow>;
}

function scaled(value: number | undefined, decimals: number): bigint | undefined {
  return value === undefined ? undefined : scaledFromChecked(value, decimals);
}

function pricesFrom(sent: NonNullable<ProductUpdate["prices"]>): Price[] {
  return sent.map(({ currency, amount }) => ({
    currency,
    amount: scaledFromChecked(amount, RATE_DECIMALS),
  }));
}

/** Returns the content that identifies a repetition. An empty list of prices equals none, for older requests. */
export function productContent({ prices, ...sent }: ProductCreate): unknown {
  return { ...defaults, ...sent, ...(prices?.length ? { prices } : {}) };
}

/** Returns and locks the functional currency, so that it cannot become that of a sent price; empty without prices. */
async function currencyOfBooks(tx: Tx, { prices }: Pick<ProductUpdate, "prices">): Promise<string> {
  if (!prices?.length) return "";
  holdConfiguration(tx);
  return (await getConfiguration(tx)).functional_currency;
}

type ProductAccount = Pick<ProductRow, "account_number" | "names_account">;

/** Returns the named account; null names none and gives the default account. Throws VALIDATION_FAILED. */
async function accountFrom(cx: Reader, sent: number | null): Promise<ProductAccount> {
  return sent === null
    ? accountOf(sent, await getConfiguration(cx))
    : { account_number: sent, names_account: true };
}

/** As `accountFrom`, for a caller that has read the configuration. */
export function accountOf(
  sent: number | null,
  { default_revenue_account }: Pick<Configuration, "default_revenue_account">,
): ProductAccount {
  const account_number = sent ?? default_revenue_account;
  if (account_number !== null) return { account_number, names_account: sent !== null };
  const message = "Give an account, or set default_revenue_account in the configuration.";
  throw invalidField("account_number", "required", message);
}
