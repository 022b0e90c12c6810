/** The requests and responses of products (spec 7.2). */
import * as z from "zod";
import { recognitionMethods } from "../../../domain/sales/line.ts";
import { MOST_PROPOSED_MONTHS } from "../../../domain/sales/proposed-earning.ts";
import {
  activeFilter,
  Currency,
  component,
  decimal,
  ExternalId,
  externalIdFilter,
  input,
  listOf,
  manyOf,
  pageParameters,
  searchFilter,
  shownText,
  text,
  updatedSince,
} from "../../../platform/http/schemas.ts";

/** A revenue account's number in the ledger. */
const AccountNumber = z.int().min(1).max(99_999_999);

/** The largest price: 10^12 minor units of a currency with two decimals. */
const MOST_PRICE = 10_000_000_000;

/** The highest number of prices: more currencies than any firm sells in. */
const MOST_PRICES = 50;

const PriceInput = input("PriceInput", {
  currency: Currency.describe("Any but the functional one."),
  amount: decimal(4, 0.0001, MOST_PRICE).describe(
    "Price of one unit, with at most the decimals of the currency.",
  ),
});

const fields = {
  product_number: text(64, 1).nullable().optional(),
  name: text(255, 1),
  account_number: AccountNumber.nullable().optional().meta({
    description:
      "The revenue account. Null or left out names none: sales go to `default_revenue_account` of the configuration, and abroad to the accounts that the built-in chart has for them. An account that the built-in chart lacks is created. Sending back a value that was read does not set an account.",
  }),
  unit: text(64, 1).optional().describe("Default `parts`; `hours` prices by the hour."),
  default_price: decimal(4, 0, MOST_PRICE)
    .optional()
    .describe("Price of one unit in the functional currency of the configuration; 0 is no price."),
  quantity: decimal(2, 0.01, 1_000_000).optional(),
  comments: text(1000).nullable().optional(),
  external_id: ExternalId.nullable().optional(),
  external_reference: text(255).nullable().optional(),
  prices: z.array(PriceInput).max(MOST_PRICES).nullable().optional().meta({
    description:
      "Prices in other currencies; replaces all of them. Nothing is converted: a line in a currency without a price must state its own.",
  }),
  default_recognition_method: z.enum(recognitionMethods).nullable().optional(),
  default_months: z.int().min(1).max(MOST_PROPOSED_MONTHS).nullable().optional(),
};

export const ProductCreate = input("ProductCreate", fields);
export type ProductCreate = z.output<typeof ProductCreate>;

export const ProductUpdate = input("ProductUpdate", { ...fields, name: fields.name.optional() });
export type ProductUpdate = z.output<typeof ProductUpdate>;

export const ProductResource = component("Product", {
  object: z.literal("product"),
  id: z.string(),
  product_number: shownText,
  name: z.string(),
  account_number: z.int(),
  unit: z.string(),
  default_price: z.number(),
  quantity: z.number(),
  comments: shownText,
  external_id: shownText,
  external_reference: shownText,
  prices: manyOf({ currency: z.string(), amount: z.number() })
    .optional()
    .describe("Prices in other currencies. Present when there are any."),
  default_recognition_method: z.enum(recognitionMethods).optional(),
  default_months: z.int().optional(),
});

export const ProductList = listOf(ProductResource).meta({ id: "ProductList" });

export const ProductQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  updated_since: updatedSince,
  search: searchFilter("name, number, external id or comments"),
  active: activeFilter,
});
export type ProductQuery = z.output<typeof ProductQuery>;
