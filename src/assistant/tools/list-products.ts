/** The tool that lists products. All users see all of them, because new lines are made from them. */
import * as z from "zod";
import { readProducts } from "../../features/catalogue/products/queries.ts";
import { ProductResource } from "../../features/catalogue/products/schemas.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { pageArguments, pageOutput, reading, searchArgument } from "../protocol/arguments.ts";
import { defineTool } from "../protocol/tool.ts";
import { moreText, paragraphs, quoted, tableOf } from "../protocol/words.ts";
import { listedRow } from "../text/listed-row.ts";

const Input = z.object({ search: searchArgument, ...pageArguments });

const Row = listedRow(ProductResource, [
  "id",
  "product_number",
  "name",
  "unit",
  "default_price",
  "prices",
  "quantity",
  "account_number",
]);

export const listProductsTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "list_products",
  title: "List products",
  description:
    "Use it to find the product of a new line, or products and their prices. The newest first. Prices are in the currency of the books, with prices in other currencies listed separately; a line in a currency without a price must state its own.",
  input: () => Input,
  output: pageOutput(Row.schema),

  async call(cx, page) {
    const list = pageFrom<z.output<typeof ProductResource>>(await readProducts(page).answer(cx));
    const shown = tableOf(list.data, "No products.", {
      product: ({ id }) => id,
      number: ({ product_number }) => quoted(product_number),
      name: ({ name }) => quoted(name),
      unit: ({ unit }) => quoted(unit),
      price: ({ default_price }) => default_price,
      "in other currencies": ({ prices = [] }) =>
        prices.map(({ currency, amount }) => `${amount} ${currency}`).join(", "),
      quantity: ({ quantity }) => quantity,
      "revenue account": ({ account_number }) => account_number,
    });
    const text = paragraphs(shown, moreText(list.next_cursor));
    return { text, structured: { ...list, data: list.data.map(Row.of) } };
  },
});
