/**
 * Changes the prices of products when the functional currency changes. A product's default price is in functional currency, so
 * each number moves to the field for its own currency (spec 7.2). Only possible while nothing is booked.
 */

import { scaledToNumber } from "../../../domain/base/money.ts";
import { RATE_DECIMALS } from "../../../domain/sales/line.ts";
import { type ProductPrices, pricesInBooksOf } from "../../../domain/sales/price.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { stampedAnew } from "../../../platform/database/resources.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { StoredPrice } from "../../../platform/database/tables-catalogue.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";

interface PricedRow {
  readonly id: string;
  readonly default_price: bigint;
  readonly prices: readonly StoredPrice[];
  readonly document: JsonText;
}

/** Moves the prices of all products, and stamps the products. */
export async function movePrices(tx: Tx, from: string, to: string): Promise<void> {
  const { account_id } = tx.caller;
  const rows = await tx.rows<PricedRow>(sql`select id, default_price, prices, document from products
     where account_id = ${account_id} and (default_price > 0 or prices::text <> '[]')
     order by id for no key update`);
  const moved = rows.map((row) => {
    const prices = row.prices.map(({ currency, amount }) => ({ currency, amount: BigInt(amount) }));
    const after = pricesInBooksOf({ default_price: row.default_price, prices }, from, to);
    return { row, after, document: withPrices(row.document, after) };
  });
  tx.write(sql`update products p set default_price = m.default_price, prices = m.prices::json,
       document = m.document, updated_at = ${stampedAnew(account_id)}
     from unnest(${moved.map(({ row }) => row.id)}::uuid[], ${moved.map(({ after }) => after.default_price.toString())}::bigint[], ${moved.map(
       ({ after }) =>
         JSON.stringify(
           after.prices.map(({ currency, amount }) => ({ currency, amount: `${amount}` })),
         ),
     )}::text[], ${moved.map(({ document }) => document)}::text[])
       as m (id, default_price, prices, document)
     where p.account_id = ${account_id} and p.id = m.id`);
  for (const { row, document } of moved) {
    tx.audit("product", row.id, "updated", { before: row.document, after: document });
  }
}

/** Returns the product as the API shows it, with other prices. */
function withPrices(document: JsonText, { default_price, prices }: ProductPrices): JsonText {
  const { prices: _, ...shown } = JSON.parse(document) as Record<string, unknown>;
  const entries = prices.map(({ currency, amount }) => ({
    currency,
    amount: scaledToNumber(amount, RATE_DECIMALS),
  }));
  return jsonText({
    ...shown,
    default_price: scaledToNumber(default_price, RATE_DECIMALS),
    ...(entries.length === 0 ? {} : { prices: entries }),
  });
}
