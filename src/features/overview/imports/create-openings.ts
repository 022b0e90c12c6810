/**
 * Imports opening items from rows. A row names its customer by number or name, and matches an item that was imported for the customer
 * under the same number. An amount below 0 is held for the customer.
 */
import * as z from "zod";
import { groupedBy } from "../../../domain/base/group.ts";
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import { carried } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { amount, text } from "../../../platform/http/schemas.ts";
import { createOpeningItem } from "../../receivables/opening-items/create.ts";
import { OpeningItemCreate } from "../../receivables/opening-items/schemas.ts";
import { holdConfiguration } from "../../settings/configuration/queries.ts";
import { type Imported, takeTurn } from "./run-batch.ts";

const MOST = 1_000_000_000_000;
const { external_id, ...fields } = OpeningItemCreate.shape;

/** A row of the file: an opening item whose customer is typed, and whose amounts may be below 0. */
const OpeningRow = z.strictObject({
  ...fields,
  external_id: external_id.optional(),
  customer: text(255, 1),
  amount: amount(-MOST),
  functional_amount: amount(-MOST).optional(),
});
type OpeningRow = z.output<typeof OpeningRow>;

export const importedOpenings: Imported<OpeningRow> = {
  name: "import_opening_items",
  row: OpeningRow,

  async begin(tx, rows) {
    takeTurn(tx, this.name);
    // Locked before the first item is stored, because of the lock order.
    holdConfiguration(tx);
    const customers = await customersOf(tx, rows);
    const known = await itemsBy(tx, rows, customers);
    return async (row) => {
      const customer = customers.get(row.customer) ?? NO_CUSTOMER();
      if (customer instanceof Problem) throw customer;
      const external_id = idOf(row, customer);
      const exists = known.get(external_id);
      if (exists !== undefined) return { exists };
      if (row.amount === 0) throw invalidField("amount", "too_small", "Must not be 0.");
      const { document: made } = await carried(tx, createOpeningItem, {
        ...row,
        external_id,
        customer,
        amount: Math.abs(row.amount),
        functional_amount:
          row.functional_amount === undefined ? null : Math.abs(row.functional_amount),
        is_credit: isCredit(row),
      });
      const { id } = JSON.parse(made) as { readonly id: string };
      known.set(external_id, id);
      return { made };
    };
  },
};

function isCredit({ amount: typed, is_credit }: OpeningRow): boolean {
  return typed < 0 ? !is_credit : is_credit;
}

/** Returns the external id of a row. One without it has that of its customer and number, so that a second file makes no second item. */
function idOf(row: OpeningRow, customer: string): string {
  const kind = isCredit(row) ? "credit" : "invoice";
  return row.external_id ?? `opening/${customer}/${kind}/${row.number}`;
}

const NO_CUSTOMER = () =>
  invalidField("customer", "unknown_reference", "There is no such customer.");
const SEVERAL = () =>
  invalidField(
    "customer",
    "ambiguous",
    "More than one customer has this name: give the customer's number.",
  );

/** Returns the customers by what rows call them: the one with that external id, else the only one of that name, or the refusal. */
async function customersOf(
  tx: Tx,
  rows: readonly OpeningRow[],
): Promise<ReadonlyMap<string, string | Problem>> {
  const { account_id } = tx.caller;
  const typed = [...new Set(rows.map(({ customer }) => customer))];
  const found = await tx.rows<{ typed: string; id: string; has_number: boolean }>(sql`
    select t.typed, c.id, coalesce(c.external_id = t.typed, false) as has_number
    from unnest(${typed}::text[]) as t (typed)
    join customers c on c.account_id = ${account_id} and (c.external_id = t.typed or lower(c.name) = lower(t.typed))
    order by t.typed, has_number desc, c.id`);
  return new Map(
    [...groupedBy(found, (one) => one.typed)].map(([name, [first, ...others]]) => {
      const is_clear = first?.has_number === true || others.length === 0;
      return [name, first === undefined ? NO_CUSTOMER() : is_clear ? first.id : SEVERAL()];
    }),
  );
}

/** Returns the items that exist already, by their external ids. */
async function itemsBy(
  tx: Tx,
  rows: readonly OpeningRow[],
  customers: ReadonlyMap<string, string | Problem>,
): Promise<Map<string, string>> {
  const ids = rows.flatMap((row) => {
    const customer = customers.get(row.customer);
    return typeof customer === "string" ? [idOf(row, customer)] : [];
  });
  const found = await tx.rows<{ id: string; external_id: string | null }>(sql`
    select id, external_id from open_items
    where account_id = ${tx.caller.account_id} and external_id = any(${ids}) order by id`);
  return new Map(found.map(({ id, external_id }) => [external_id ?? "", id]));
}
