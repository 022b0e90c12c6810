/** Reads the products and people that a line of a retainer may name. */
import type * as z from "zod";
import { readProducts } from "../../features/catalogue/products/queries.ts";
import type { ProductResource } from "../../features/catalogue/products/schemas.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { pageFrom } from "../../platform/database/page.ts";
import { assignable } from "../draft/draft-facts.ts";
import type { Named } from "../draft/draft-stored.ts";
import type { LineChoices, OfferedProduct } from "./line-form.tsx";

const MOST_PRODUCTS = 200;

/** Returns the choices; `known` are the products of existing lines, which may be inactive. */
export async function lineChoices(
  cx: PersonContext,
  known: readonly Named[] = [],
): Promise<LineChoices> {
  const page = { limit: MOST_PRODUCTS, cursor: undefined } as const;
  const [found, people] = await Promise.all([readProducts(page).answer(cx), assignable(cx)]);
  const { data } = pageFrom<z.output<typeof ProductResource>>(found);
  const offered = data
    .map(({ id, name, unit, default_recognition_method = null }) => ({
      ...{ id, name, unit, default_recognition_method },
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
  const offered_ids = new Set(offered.map(({ id }) => id));
  const others = new Map<string, OfferedProduct>();
  for (const { id, name } of known) {
    if (offered_ids.has(id)) continue;
    others.set(id, { id, name, unit: "", default_recognition_method: null });
  }
  return { products: [...others.values(), ...offered], people };
}
