/** Imports customers from rows. A row matches a customer by external id, or without one by name and VAT number. */
import { vatNumberWithCountry } from "../../../domain/sales/vat-prefix.ts";
import { carried } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { CustomerRow } from "../../catalogue/customers/present.ts";
import { saveCustomer } from "../../catalogue/customers/save.ts";
import { CustomerCreate } from "../../catalogue/customers/schemas.ts";
import { type Imported, takeTurn } from "./run-batch.ts";

type Same = Pick<CustomerRow, "external_id" | "name" | "country_key" | "vat_number">;
type Found = Same & Pick<CustomerRow, "id">;

export const importedCustomers: Imported<CustomerCreate> = {
  name: "import_customers",
  row: CustomerCreate,

  async begin(tx, rows) {
    const external_ids = rows.flatMap(({ external_id }) => external_id ?? []);
    // Locked before the import's turn, because of the lock order; the customers saved below are then locked already.
    tx.lock(
      sql`select from customers where account_id = ${tx.caller.account_id} and external_id = any(${external_ids}) order by id for no key update`,
    );
    takeTurn(tx, this.name);
    const names = rows.map(({ name }) => name);
    const known = new Map(
      (await foundBy(tx, external_ids, names)).flatMap((one) =>
        keysOf(one).map((key) => [key, one.id] as const),
      ),
    );
    return async (row) => {
      const own = sameOf(row);
      const exists = known.get(keyOf(own));
      if (exists !== undefined) return { exists };
      const made = await carried(tx, saveCustomer, row);
      const { id } = JSON.parse(made) as { readonly id: string };
      for (const key of keysOf(own)) known.set(key, id);
      return { made };
    };
  },
};

function sameOf({
  external_id = null,
  name,
  country_key = "DK",
  vat_number = null,
}: CustomerCreate): Same {
  return { external_id, name, country_key, vat_number };
}

/** Returns all keys by which a customer is found. */
function keysOf({ external_id, name, country_key, vat_number }: Same): string[] {
  const named = JSON.stringify([name, vatNumberWithCountry(vat_number, country_key) ?? ""]);
  return external_id === null ? [named] : [JSON.stringify([external_id]), named];
}

/** Returns the key by which a row is searched: the external id if there is one, because people share names. */
function keyOf(one: Same): string {
  return keysOf(one)[0] ?? "";
}

/** Returns customers with one of the external ids, and all with one of the names, including inactive customers. */
function foundBy(
  tx: Tx,
  external_ids: readonly string[],
  names: readonly string[],
): Promise<Found[]> {
  return tx.rows<Found>(
    sql`select id, external_id, name, country_key, vat_number from customers
      where account_id = ${tx.caller.account_id} and (external_id = any(${external_ids}) or name = any(${names})) order by id`,
  );
}
