/** Imports products from rows. A row matches an existing product by number or external id, or without both by name. */
import { carried } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { ProductRow } from "../../catalogue/products/queries.ts";
import { createProduct } from "../../catalogue/products/save.ts";
import { ProductCreate } from "../../catalogue/products/schemas.ts";
import { holdConfiguration } from "../../settings/configuration/queries.ts";
import { type Imported, takeTurn } from "./run-batch.ts";

type Same = Pick<ProductRow, "external_id" | "product_number" | "name">;
type Found = Same & Pick<ProductRow, "id">;

export const importedProducts: Imported<ProductCreate> = {
  name: "import_products",
  row: ProductCreate,

  async begin(tx, rows) {
    takeTurn(tx, this.name);
    // Locked before the first product is stored, because of the lock order.
    if (rows.some(({ prices }) => prices?.length)) holdConfiguration(tx);
    const known = new Map(
      (await foundBy(tx, rows)).flatMap((one) => keysOf(one).map((key) => [key, one.id] as const)),
    );
    return async (row) => {
      const { external_id = null, product_number = null, name } = row;
      const keys = keysOf({ external_id, product_number, name });
      // A row with a number is not searched by name, because names are shared.
      const looked_for = keys.length === 1 ? keys : keys.slice(0, -1);
      const exists = looked_for.flatMap((key) => known.get(key) ?? [])[0];
      if (exists !== undefined) return { exists };
      const { document: made } = await carried(tx, createProduct, row);
      const { id } = JSON.parse(made) as { readonly id: string };
      for (const key of keys) known.set(key, id);
      return { made };
    };
  },
};

/** Returns all keys by which a product is found, its name last. */
function keysOf({ external_id, product_number, name }: Same): string[] {
  return [
    ...(external_id === null ? [] : [JSON.stringify(["external_id", external_id])]),
    ...(product_number === null ? [] : [JSON.stringify(["product_number", product_number])]),
    JSON.stringify([name]),
  ];
}

/** Returns existing products that rows match, including inactive ones, because their numbers are taken. */
function foundBy(tx: Tx, rows: readonly ProductCreate[]): Promise<Found[]> {
  const external_ids = rows.flatMap(({ external_id }) => external_id ?? []);
  const numbers = rows.flatMap(({ product_number }) => product_number ?? []);
  const names = rows.map(({ name }) => name);
  return tx.rows<Found>(
    sql`select id, external_id, product_number, name from products
      where account_id = ${tx.caller.account_id}
        and (external_id = any(${external_ids}) or product_number = any(${numbers}) or name = any(${names})) order by id`,
  );
}
