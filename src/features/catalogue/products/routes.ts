/** The REST routes of products. */

import { run } from "../../../platform/commands/command.ts";
import {
  defineGet,
  defineRead,
  defineRoute,
  routesOf,
  savedText,
} from "../../../platform/http/route.ts";
import { RefParams } from "../../../platform/http/schemas.ts";
import { productsCsv } from "./csv.ts";
import { readProducts } from "./queries.ts";
import { changeProduct, createProduct, setProductActive } from "./save.ts";
import {
  ProductCreate,
  ProductList,
  ProductQuery,
  ProductResource,
  ProductUpdate,
} from "./schemas.ts";

export const productRoutes = routesOf("Products", [
  defineRead("GET /products", {
    operation: "products.list",
    summary: "List products",
    query: ProductQuery,
    replies: { 200: ProductList },
    read: ({ query }) => readProducts(query),
  }),

  defineRoute("POST /products", {
    operation: "products.create",
    summary: "Create a product",
    description: "A repeat with the same `external_id` and content answers 200 with that product.",
    access: "write",
    body: ProductCreate,
    replies: { 200: ProductResource, 201: ProductResource },
    refuses: ["EXTERNAL_ID_CONFLICT", "PRODUCT_NUMBER_TAKEN", "LEDGER_REJECTED"],
    handle: async (cx, { body }) => savedText(await run(createProduct, cx, body)),
  }),

  defineGet("GET /products/:ref", {
    table: "products",
    operation: "products.get",
    summary: "Read a product",
    resource: ProductResource,
  }),

  defineRoute("PATCH /products/:ref", {
    operation: "products.update",
    summary: "Change the fields sent; existing lines keep the data copied from the product",
    access: "write",
    params: RefParams,
    body: ProductUpdate,
    replies: { 200: ProductResource },
    refuses: ["NOT_FOUND", "EXTERNAL_ID_CONFLICT", "PRODUCT_NUMBER_TAKEN", "LEDGER_REJECTED"],
    handle: (cx, { params, body }) => run(changeProduct, cx, { ref: params.ref, changes: body }),
  }),

  ...(["deactivate", "activate"] as const).map((verb) =>
    defineRoute(`POST /products/:ref/${verb}`, {
      operation: `products.${verb}`,
      summary:
        verb === "activate"
          ? "Make a product active again"
          : "Deactivate a product: not listed, no new lines",
      access: "write",
      params: RefParams,
      replies: { 200: ProductResource },
      refuses: ["NOT_FOUND", "LEDGER_REJECTED"],
      handle: (cx, { params }) =>
        run(setProductActive, cx, { ...params, active: verb === "activate" }),
    }),
  ),

  productsCsv,
]);
