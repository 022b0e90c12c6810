/** Creates many products in one transaction, by the rule of one. */
import { Problem } from "../../../domain/base/problem.ts";
import { defineCreations } from "../../../platform/commands/creation.ts";
import { orRefusal } from "../../../platform/commands/save-many.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { insertProducts, presentProduct } from "../../catalogue/products/queries.ts";
import { accountOf, productContent, productFrom } from "../../catalogue/products/save.ts";
import type { ProductCreate } from "../../catalogue/products/schemas.ts";
import { requireSalesAccount } from "../../settings/configuration/accounts.ts";
import { getConfiguration, holdConfiguration } from "../../settings/configuration/queries.ts";

type Named = ProductCreate & { readonly external_id: string };

export const createProducts = defineCreations<Named>({
  name: "create_products",
  table: "products",
  contentOf: productContent,

  async create(tx, rows) {
    // So that the currency of the books cannot become that of a price.
    if (rows.some(({ sent }) => sent.prices?.length)) holdConfiguration(tx);
    const configuration = await getConfiguration(tx);
    const { functional_currency } = configuration;
    const decided = rows.map(({ sent, request_hash }) => {
      const decide = () => {
        const account = accountOf(sent.account_number ?? null, configuration);
        return productFrom(sent, account, functional_currency);
      };
      return { row: orRefusal(decide), request_hash };
    });
    const refusals = await accountRefusals(
      tx,
      decided.flatMap(({ row }) => (row instanceof Problem ? [] : [row.account_number])),
    );
    const products = decided.map(({ row, request_hash }) => {
      if (row instanceof Problem) return row;
      return refusals.get(row.account_number) ?? { row, request_hash };
    });
    const made = products.flatMap((one) => (one instanceof Problem ? [] : [one]));
    if (made.length > 0) insertProducts(tx, made);
    for (const { row } of made) {
      tx.audit("product", row.id, "created", { before: null, after: presentProduct(row) });
    }
    return products.map((one) => (one instanceof Problem ? one : one.row.id));
  },
});

/** Returns why products may not have some of the accounts, by their numbers. Missing accounts are created. */
async function accountRefusals(
  tx: Tx,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Problem>> {
  const refusals = new Map<number, Problem>();
  for (const number of new Set(numbers)) {
    try {
      await requireSalesAccount(tx, number, "account_number");
    } catch (thrown) {
      if (!(thrown instanceof Problem)) throw thrown;
      refusals.set(number, thrown);
    }
  }
  return refusals;
}
