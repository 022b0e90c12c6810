/**
 * Stores products as templates of Tryton with one variant, with our id as their code. Document lines do not name products,
 * because Tryton would choose the number series by them.
 */
import type { LedgerProduct, PutOutcome } from "../../connected.ts";
import type { Tryton } from "./api.ts";
import { rejected, TrytonRefusal } from "./refusals.ts";
import { decimal, idOf, type TrytonRecord } from "./values.ts";

const PRICE_DECIMALS = 4;

/** The standard units of Tryton, by our units. */
const UNITS: Readonly<Record<string, string>> = {
  ...{ hours: "Hour", day: "Day", km: "Kilometer", kilogram: "Kilogram", metre: "Meter" },
  ...{ litre: "Liter", squareMetre: "Square meter", cubicMetre: "Cubic meter" },
};

export async function putProduct(tryton: Tryton, product: LedgerProduct): Promise<PutOutcome> {
  const values = {
    name:
      product.product_number === null ? product.name : `${product.product_number} ${product.name}`,
    active: product.active,
    list_price: decimal(product.price_scaled, PRICE_DECIMALS),
  };
  const found = await readTemplate(tryton, product.guid);
  if (found !== undefined) {
    await tryton.call("product.template", "write", [[idOf(found)], values]);
    return { state: "stored", ledger_id: String(idOf(found)) };
  }
  const default_uom = await findUnit(tryton, product.unit);
  const added = { ...values, code: product.guid, type: "service", default_uom };
  let refused: TrytonRefusal | undefined;
  try {
    await tryton.call("product.template", "create", [
      [{ ...added, products: [["create", [{ active: product.active }]]] }],
    ]);
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error;
    refused = error;
  }
  const after = await readTemplate(tryton, product.guid);
  if (after === undefined) throw refused ?? rejected("VALIDATION", { code: product.guid });
  return { state: "stored", ledger_id: String(idOf(after)) };
}

/** Reads the oldest template under the code: a late create may have made a second one, which nothing refers to. */
async function readTemplate(tryton: Tryton, guid: string): Promise<TrytonRecord | undefined> {
  const [found] = await tryton.read("product.template", [["code", "=", guid]], ["name"], {
    limit: 1,
    context: { active_test: false },
  });
  return found;
}

async function findUnit(tryton: Tryton, unit: string): Promise<number> {
  const names = [UNITS[unit] ?? "Unit", "Unit"];
  // The names are in English in the database, whatever the language of the user.
  const found = await tryton.read("product.uom", [["name", "in", names]], ["name"], {
    context: { language: "en" },
  });
  const named = found.find(({ name }) => name === names[0]) ?? found[0];
  if (named === undefined) throw rejected("VALIDATION", { unit: `no unit like ${unit}` });
  return idOf(named);
}
