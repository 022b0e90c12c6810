/** Reads the products and people that a line of a retainer may name, and searches for products while a form is typed. */
import * as z from "zod";
import {
  pricedProducts,
  readProducts,
  type SoldProduct,
} from "../../features/catalogue/products/queries.ts";
import { createProduct } from "../../features/catalogue/products/save.ts";
import type { ProductResource } from "../../features/catalogue/products/schemas.ts";
import { run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { text } from "../../platform/http/schemas.ts";
import { assignable } from "../draft/draft-facts.ts";
import type { Named } from "../draft/draft-stored.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { isId } from "../frame/reference.ts";
import type { TypedFields } from "../parts/fields.tsx";
import type { LineChoices, OfferedProduct } from "./typed-line.ts";

/** The products of the list that is shown where no script searches. */
const MOST_PRODUCTS = 200;
const MOST_FOUND = 8;

interface Asked {
  /** The currency of the retainer. */
  readonly currency: string;
  /** The products of existing lines, which may be inactive. */
  readonly known?: readonly Named[];
  /** What is typed: it may name products that the list does not have. */
  readonly typed?: TypedFields;
}

/** Returns the choices for the lines of a retainer. */
export async function lineChoices(
  cx: PersonContext,
  { currency, known = [], typed = {} }: Asked,
): Promise<LineChoices> {
  const page = { limit: MOST_PRODUCTS, cursor: undefined } as const;
  const [offered, people] = await Promise.all([readOffered(cx, page), assignable(cx)]);
  offered.sort((a, b) => a.name.localeCompare(b.name));
  const ids = new Set([...offered, ...known].map(({ id }) => id));
  const named = await pricedProducts(
    cx,
    [...productsIn(typed)].filter((id) => !ids.has(id)),
  );
  const offered_ids = new Set(offered.map(({ id }) => id));
  const others = new Map<string, OfferedProduct>();
  for (const { id, name } of known) {
    if (offered_ids.has(id)) continue;
    others.set(id, {
      ...{ id, name, unit: "" },
      product_number: null,
      default_recognition_method: null,
    });
  }
  return {
    products: [...others.values(), ...[...named.values()].map(offeredFrom), ...offered],
    people,
    currency,
  };
}

/** Returns the ids of the products that a form names. */
function productsIn(typed: TypedFields): Set<string> {
  const named = Object.entries(typed).filter(([name]) => name.endsWith("product_id"));
  return new Set(named.map(([, id]) => id).filter(isId));
}

async function readOffered(
  cx: PersonContext,
  page: Parameters<typeof readProducts>[0],
): Promise<OfferedProduct[]> {
  const found = await readProducts(page).answer(cx);
  return pageFrom<z.output<typeof ProductResource>>(found).data.map(
    ({ id, name, product_number, unit, default_recognition_method = null }) => ({
      ...{ id, name, product_number, unit, default_recognition_method },
    }),
  );
}

function offeredFrom(product: SoldProduct): OfferedProduct {
  const { id, name, product_number, unit, default_recognition_method } = product;
  return { id, name, product_number, unit, default_recognition_method };
}

/** The search for a product of a line, and a new product of that name. */
export const lineProductActions: readonly Action[] = [
  defineAction(
    "/app/retainers/products",
    "person",
    z.strictObject({ q: text(200) }),
    async (cx, { q }) => ({
      data: await readOffered(cx, { search: q || undefined, limit: MOST_FOUND, cursor: undefined }),
    }),
  ),
  defineAction(
    "/app/retainers/new-product",
    "person",
    z.strictObject({ name: text(255, 1) }),
    async (cx, { name }) => {
      const { document } = await run(createProduct, cx, { name });
      const { id } = JSON.parse(document) as { readonly id: string };
      const made = (await pricedProducts(cx, [id])).get(id);
      return made && offeredFrom(made);
    },
  ),
];
