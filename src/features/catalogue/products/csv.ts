/** `/products.csv`: one row for each product, with the name of its account and the currency of its price. */
import { currencyDigits } from "../../../domain/base/currency.ts";
import { HOURS_DECIMALS, RATE_DECIMALS } from "../../../domain/sales/line.ts";
import { listRows } from "../../../platform/database/page.ts";
import type { StoredPrice } from "../../../platform/database/tables-catalogue.ts";
import {
  type CsvColumn,
  defineCsvFile,
  flag,
  number,
  portionsOf,
  priceText,
  text,
} from "../../../platform/http/csv-file.ts";
import { accountNames } from "../../settings/configuration/accounts.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { type ProductRow, productConditions } from "./queries.ts";
import { ProductQuery } from "./schemas.ts";

type Row = StoredRow & { readonly account_name: string; readonly currency: string };
type StoredRow = Omit<ProductRow, "prices" | "names_account"> & {
  readonly prices: readonly StoredPrice[];
};

const columns: readonly CsvColumn<Row>[] = [
  text("id", "The product's id.", (row) => row.id),
  text("external_id", "The id that the caller gave.", (row) => row.external_id),
  text("product_number", "", (row) => row.product_number),
  text("name", "", (row) => row.name),
  number("account_number", "The revenue account.", (row) => row.account_number),
  text("account_name", "Its name in the built-in ledger.", (row) => row.account_name),
  text("unit", "`hours` prices by the hour.", (row) => row.unit),
  text("currency", "Of the default price: that of the books.", (row) => row.currency),
  number("default_price", "For one unit, net of VAT, at most four decimals.", (row) =>
    priceText(row.default_price, RATE_DECIMALS, currencyDigits(row.currency)),
  ),
  number("quantity", "How many units a new line has.", (row) =>
    priceText(row.quantity, HOURS_DECIMALS, 0),
  ),
  text("comments", "", (row) => row.comments),
  text("external_reference", "", (row) => row.external_reference),
  flag("active", "False for inactive ones.", (row) => row.active),
  text("prices", "In other currencies: `EUR 160.00; USD 175.00`.", (row) =>
    row.prices
      .map(({ currency, amount }) => {
        const price = priceText(BigInt(amount), RATE_DECIMALS, currencyDigits(currency));
        return `${currency} ${price}`;
      })
      .join("; "),
  ),
];

export const productsCsv = defineCsvFile({
  path: "/products.csv",
  operation: "products.export",
  summary: "Products as a file",
  description: "One product in a row, the newest first, with the filters of `GET /products`.",
  query: ProductQuery.omit({ limit: true, cursor: true }),
  columns,
  example: {
    id: "019a5d2c-8a30-7a10-8d3f-9b1c2d3e4f50",
    product_number: "C-100",
    name: "Consulting",
    account_number: "1000",
    account_name: "Sales of goods and services with VAT",
    unit: "hours",
    currency: "DKK",
    default_price: "1200.00",
    quantity: "1",
    active: "true",
  },
  async *rows(cx, query) {
    const names = await accountNames(cx);
    const { functional_currency: currency } = await getConfiguration(cx);
    const portions = portionsOf((page) =>
      listRows<StoredRow>(
        cx,
        `id, external_id, product_number, name, account_number, unit, default_price, quantity,
         comments, external_reference, active, prices, default_recognition_method, default_months`,
        "products",
        productConditions(query),
        { ...query, ...page },
      ),
    );
    for await (const rows of portions) {
      yield rows.map(
        (row): Row => ({ ...row, account_name: names.get(row.account_number) ?? "", currency }),
      );
    }
  },
});
