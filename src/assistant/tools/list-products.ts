/** The tool that lists products. All users see all of them, because new lines are made from them. */
import * as z from "zod";
import { readProducts } from "../../features/catalogue/products/queries.ts";
import { ProductResource } from "../../features/catalogue/products/schemas.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { pageArguments, pageOutput, reading, searchArgument } from "../protocol/arguments.ts";
import { defineTool } from "../protocol/tool.ts";
import { moreText, paragraphs, quoted, table } from "../protocol/words.ts";

const Input = z.object({ search: searchArgument, ...pageArguments });

export const listProductsTool = defineTool<z.output<typeof Input>>({
  ...reading,
  name: "list_products",
  title: "List products",
  description:
    "Use it to find the product of a new line, or products and their prices. The newest first. Prices are in the currency of the books, with prices in other currencies listed separately; a line in a currency without a price must state its own.",
  input: () => Input,
  output: pageOutput(ProductResource),

  async call(cx, page) {
    const list = pageFrom<z.output<typeof ProductResource>>(await readProducts(page).answer(cx));
    const rows = list.data.map((product) => [
      product.id,
      quoted(product.product_number),
      quoted(product.name),
      quoted(product.unit),
      product.default_price,
      (product.prices ?? []).map(({ currency, amount }) => `${amount} ${currency}`).join(", "),
      product.quantity,
      product.account_number,
    ]);
    const columns = [
      "product",
      "number",
      "name",
      "unit",
      "price",
      "in other currencies",
      "quantity",
      "revenue account",
    ];
    const text = paragraphs(table(columns, rows, "No products."), moreText(list.next_cursor));
    return { text, structured: { ...list } };
  },
});
