/** What clients send and get of products (interface 2.9, domain.md 7.2). */
import * as z from "zod";
import {
  activeFilter,
  decimal,
  ExternalId,
  externalIdFilter,
  listOf,
  pageParameters,
  searchFilter,
  text,
  updatedSince,
} from "../../platform/http/schemas.ts";

/** A revenue account's number in the ledger. */
export const AccountNumber = z.int().min(1).max(99_999_999);

/** The largest price: 10^12 minor units of a currency with two decimals. */
const MOST_PRICE = 10_000_000_000;

const fields = {
  product_number: text(64, 1).nullable().optional(),
  name: text(255, 1),
  account_number: AccountNumber.optional().meta({
    description:
      "The revenue account. Default: `default_revenue_account` of the configuration. A number that the built-in chart lacks is created.",
  }),
  unit: text(64, 1)
    .optional()
    .meta({ description: "Default `parts`; `hours` prices by the hour." }),
  default_price: decimal(4, 0, MOST_PRICE).optional(),
  quantity: decimal(2, 0.01, 1_000_000).optional(),
  comments: text(1000).nullable().optional(),
  external_id: ExternalId.nullable().optional(),
  external_reference: text(255).nullable().optional(),
};

export const ProductCreate = z.object(fields).meta({ id: "ProductCreate" });
export type ProductCreate = z.output<typeof ProductCreate>;

export const ProductUpdate = z
  .object({ ...fields, name: fields.name.optional() })
  .meta({ id: "ProductUpdate" });
export type ProductUpdate = z.output<typeof ProductUpdate>;

export const ProductResource = z
  .strictObject({
    object: z.literal("product"),
    id: z.string(),
    product_number: z.string().nullable(),
    name: z.string(),
    account_number: z.int(),
    unit: z.string(),
    default_price: z.number(),
    quantity: z.number(),
    comments: z.string().nullable(),
    external_id: z.string().nullable(),
    external_reference: z.string().nullable(),
  })
  .meta({ id: "Product" });

export const ProductList = listOf(ProductResource).meta({ id: "ProductList" });

export const ProductQuery = z.object({
  ...pageParameters,
  external_id: externalIdFilter,
  updated_since: updatedSince,
  search: searchFilter("name, number, external id or comments"),
  active: activeFilter,
});
export type ProductQuery = z.output<typeof ProductQuery>;
