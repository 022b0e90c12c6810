/** Reads changes of our customers and products in Tryton, by the time stamp that Tryton stores with each record. */
import type {
  LedgerChanges,
  LedgerCustomer,
  LedgerProduct,
  RemoteChange,
} from "../../connected.ts";
import type { Tryton } from "./api.ts";
import { amountOf, idOf, idsFrom, moment, momentOf, type TrytonRecord, textOf } from "./values.ts";

/** The overlap of reads: a record's time is the start of its transaction, so a long transaction's records come late. */
const OVERLAP_MS = 120_000;

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PRICE_DECIMALS = 4;
const MOMENTS = ["write_date", "create_date"];

export async function changesSince(tryton: Tryton, since: string | null): Promise<LedgerChanges> {
  const parties = await changed(tryton, "party.party", since, [
    ...["name", "addresses", "contact_mechanisms", "identifiers"],
  ]);
  const templates = await changed(tryton, "product.template", since, ["name", "list_price"]);
  const latest = Math.max(0, ...[...parties, ...templates].map(latestOf));
  return {
    state: "changes",
    customers: await customersFrom(tryton, parties),
    products: templates.map(productFrom),
    until: latest === 0 ? (since ?? new Date(0).toISOString()) : new Date(latest).toISOString(),
  };
}

async function changed(
  tryton: Tryton,
  model: string,
  since: string | null,
  fields: readonly string[],
): Promise<readonly TrytonRecord[]> {
  const from =
    since === null ? null : moment(new Date(Date.parse(since) - OVERLAP_MS).toISOString());
  const domain = from === null ? [] : [["OR", ...MOMENTS.map((name) => [name, ">=", from])]];
  const rows = await tryton.read(model, domain, ["code", "active", ...MOMENTS, ...fields], {
    context: { active_test: false },
  });
  // Suppliers, employees and the company itself are parties too.
  return rows.filter((row) => GUID.test(textOf(row, "code") ?? ""));
}

function latestOf(row: TrytonRecord): number {
  return Math.max(...MOMENTS.map((name) => momentOf(row, name)));
}

async function customersFrom(
  tryton: Tryton,
  parties: readonly TrytonRecord[],
): Promise<RemoteChange<Partial<LedgerCustomer>>[]> {
  if (parties.length === 0) return [];
  const firstOf = (row: TrytonRecord) => idsFrom(row.addresses).slice(0, 1);
  const [addresses, mechanisms] = await Promise.all([
    tryton.read(
      "party.address",
      [["id", "in", parties.flatMap(firstOf)]],
      ["street", "postal_code", "city"],
    ),
    tryton.read(
      "party.contact_mechanism",
      [["id", "in", parties.flatMap((row) => idsFrom(row.contact_mechanisms))]],
      ["party", "type", "value"],
    ),
  ]);
  return parties.map((row) => {
    const address = addresses.find(({ id }) => id === firstOf(row)[0]);
    const firstValue = (type: string) => {
      const found = mechanisms.find((one) => one.party === row.id && one.type === type);
      return found ? textOf(found, "value") : null;
    };
    return {
      ...named(row),
      fields: {
        name: textOf(row, "name") ?? "",
        street: address ? textOf(address, "street") : null,
        zip_code: address ? textOf(address, "postal_code") : null,
        city: address ? textOf(address, "city") : null,
        email: firstValue("email"),
        phone: firstValue("phone"),
        webpage: firstValue("website"),
      },
    };
  });
}

/** Reads a product's changes. The name is left out, because it also contains our number. */
function productFrom(row: TrytonRecord): RemoteChange<Partial<LedgerProduct>> {
  return { ...named(row), fields: { price_scaled: amountOf(row, "list_price", PRICE_DECIMALS) } };
}

function named(row: TrytonRecord): { ledger_id: string; guid: string | null; active: boolean } {
  return { ledger_id: String(idOf(row)), guid: textOf(row, "code"), active: row.active === true };
}
