/** Reads the rows of the list of products, and makes their file: the rows and columns of the screen. */
import type * as z from "zod";
import { readProducts } from "../../features/catalogue/products/queries.ts";
import type { ProductResource } from "../../features/catalogue/products/schemas.ts";
import { draftsWith } from "../../features/overview/today/read-customer-summary.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { Reader } from "../../platform/commands/context.ts";
import { type Page, pageFrom } from "../../platform/database/page.ts";
import { portionsOf } from "../../platform/http/csv-file.ts";
import { defineSheet } from "../frame/define-sheet.ts";
import type { PageRequest } from "../frame/page.tsx";
import { numberCell, shownAmountCell, textCell } from "../frame/sheet.ts";
import { searchIn } from "../parts/list.tsx";
import type { ListedProduct } from "./product-list.tsx";
import { unitShown } from "./unit-words.ts";

interface ProductFilters {
  readonly search: string | undefined;
  readonly active: "true" | "all";
}

type Product = z.output<typeof ProductResource>;
type ProductShown = Omit<ListedProduct, "version">;

export function productFilters({ query }: PageRequest): ProductFilters {
  return { search: searchIn(query), active: query.active === "all" ? "all" : "true" };
}

/** Reads a page of products with the number of drafts of each. Throws VALIDATION_FAILED for an unknown cursor. */
export async function readProductRows(
  cx: Reader,
  filters: ProductFilters,
  page: { readonly limit: number; readonly cursor: string | undefined },
): Promise<Page<ProductShown>> {
  const found = pageFrom<Product>(await readProducts({ ...page, ...filters }).answer(cx));
  const drafts = await draftsWith(
    cx,
    found.data.map(({ id }) => id),
  );
  const data = found.data.map(
    ({ id, name, product_number, unit, default_price, account_number }): ProductShown => ({
      id,
      name,
      product_number,
      unit,
      default_price,
      account_number,
      drafts: drafts.get(id) ?? 0,
    }),
  );
  return { ...found, data };
}

export const productSheet = defineSheet<ProductFilters, ProductShown>(
  "pages.products",
  async (cx, filters, { words: all }) => {
    const { functional_currency: currency } = await getConfiguration(cx);
    const words = all.products;
    return {
      filename: all.files.names.products,
      columns: [
        { head: words.name, file: textCell(({ name }) => name) },
        { head: words.number, file: textCell(({ product_number }) => product_number) },
        { head: words.unit, file: textCell(({ unit }) => unitShown(all.product_form.units, unit)) },
        {
          head: words.price,
          // A default price of 0 is none, as on the screen.
          file: shownAmountCell(({ default_price }) => ({
            amount: default_price === 0 ? null : default_price,
            currency,
          })),
        },
        { head: words.account, file: numberCell(({ account_number }) => account_number) },
        { head: words.drafts, file: numberCell(({ drafts }) => drafts) },
      ],
      rows: portionsOf(async (page) => {
        const { data: rows, next_cursor } = await readProductRows(cx, filters, page);
        return { rows, next_cursor };
      }),
    };
  },
);
