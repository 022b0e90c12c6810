/** The tool that plans creating and changing products. */

import * as z from "zod";
import { changeProduct, createProduct } from "../../features/catalogue/products/save.ts";
import { ProductCreate, ProductUpdate } from "../../features/catalogue/products/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import type { Saved } from "../../platform/commands/creation.ts";
import { getStored } from "../../platform/database/resources.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
import { reference } from "../protocol/arguments.ts";
import { changesBetween } from "../protocol/plan-words.ts";
import { carryOut, defineProposal, done, validated } from "../protocol/proposal.ts";
import { quoted } from "../protocol/words.ts";

const Input = z.object({
  product: reference("product", "The product to change; absent for a new one.").optional(),
  ...ProductUpdate.shape,
});

interface Saving {
  /** The product's id; null for a new product. */
  readonly id: string | null;
  readonly fields: ProductUpdate;
}

export const planSaveProduct = defineProposal<z.output<typeof Input>, Saving>({
  name: "plan_save_product",
  title: "Plan a new or changed product",
  description:
    "Plans creating a product, or changing the fields sent of one. Use it when the person sells something new or its price, name or revenue account changes. Existing lines keep the data copied from the product.",
  scope: "mcp:write",
  input: () => Input,

  async settle(cx, { product, ...fields }) {
    if (product === undefined) return { id: null, fields: validated(ProductCreate, fields) };
    const { id } = await getStored(cx, "products", product);
    return { id, fields: validated(ProductUpdate, fields) };
  },

  // Products belong to no person: all users who make drafts may save them.
  async permit() {},

  async prepare(inside, { id, fields }) {
    const before = id === null ? null : (await getStored(inside, "products", id)).document;
    const { plan, committed } =
      id === null
        ? await carryOut(createProduct, inside, validated(ProductCreate, fields))
        : await carryOut(changeProduct, inside, { ref: id, changes: fields });
    const saved: Saved =
      typeof committed === "string" ? { created: false, document: committed } : committed;
    const after = JSON.parse(saved.document) as { readonly id: string; readonly name: string };
    const is_repeat = id === null && !saved.created;
    const changes = is_repeat ? [] : changesBetween("product", id, before, saved.document);
    return {
      facts: plan,
      shown: {
        summary: summaryOf(before, after.name, is_repeat, changes.length),
        changes,
        effects: ["Books nothing and sends nothing.", ...(await currencyOfPrice(inside, fields))],
        warnings: [],
      },
      ...done("product", [after.id], saved.document),
    };
  },
});

/** Returns a sentence with the currency of a default price, where one is sent. */
async function currencyOfPrice(
  inside: PersonReader,
  { default_price = 0 }: ProductUpdate,
): Promise<string[]> {
  if (default_price === 0) return [];
  const { functional_currency } = await getConfiguration(inside);
  return [`The default price is in ${functional_currency}, the currency of the books.`];
}

function summaryOf(
  before: JsonText | null,
  name: string,
  is_repeat: boolean,
  changes: number,
): string {
  if (is_repeat)
    return `The product ${quoted(name)} already exists with this external id and content.`;
  if (before === null) return `Creates the product ${quoted(name)}.`;
  const was = (JSON.parse(before) as { readonly name: string }).name;
  return `Changes the product ${quoted(was)}.${changes === 0 ? " Nothing would change." : ""}`;
}
