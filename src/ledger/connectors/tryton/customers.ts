/**
 * Stores customers as parties of Tryton. Our id is the code, which Tryton keeps unique, so that a late create is
 * refused. The service writes only the first address, e-mail, phone and website of a party.
 */
import type { LedgerCustomer, PutOutcome } from "../../connected.ts";
import { requireCompany, type Tryton } from "./api.ts";
import { rejected, TrytonRefusal } from "./refusals.ts";
import { idOf, idsFrom, type TrytonRecord, textOf } from "./values.ts";

/** The customer fields that are sent. */
type StoredCustomer = Pick<LedgerCustomer, "name"> & { readonly id: string } & Partial<
    Pick<LedgerCustomer, "active" | "webpage" | "street" | "zip_code" | "city" | "email" | "phone">
  > &
  Partial<Pick<LedgerCustomer, (typeof IDENTIFIERS)[number]>>;

const MECHANISMS = [
  ["email", "email"],
  ["phone", "phone"],
  ["website", "webpage"],
] as const;

const IDENTIFIERS = ["vat_number", "ean_number", "se_number", "p_number"] as const;

interface RemoteParty {
  readonly party: number;
  readonly invoice_address: number;
  /** The receivable account of the party. */
  readonly account: number;
}

/** Returns the party of a document's customer, and creates the party when there is none yet. */
export async function findParty(tryton: Tryton, customer: StoredCustomer): Promise<RemoteParty> {
  const found = (await readParty(tryton, customer.id)) ?? (await addParty(tryton, customer));
  const party = idOf(found);
  const [first] = idsFrom(found.addresses);
  const [invoice_address = 0] =
    first === undefined
      ? idsFrom(await tryton.call("party.address", "create", [[{ party, ...addressOf(customer) }]]))
      : [first];
  return { party, invoice_address, account: await receivableOf(tryton, found) };
}

/** Returns the party's own account, or else that of the configuration. */
async function receivableOf(tryton: Tryton, party: TrytonRecord): Promise<number> {
  if (typeof party.account_receivable === "number") return party.account_receivable;
  const account = await defaultReceivable(tryton);
  if (account !== null) return account;
  throw rejected("UNKNOWN_ACCOUNT", { account_receivable: "the configuration names none" });
}

export async function defaultReceivable(tryton: Tryton): Promise<number | null> {
  const [configuration] = await tryton.read(
    "account.configuration",
    [],
    ["default_account_receivable"],
  );
  const account = configuration?.default_account_receivable;
  return typeof account === "number" ? account : null;
}

export async function putCustomer(tryton: Tryton, customer: LedgerCustomer): Promise<PutOutcome> {
  const stored = { ...customer, id: customer.guid };
  const found = await readParty(tryton, customer.guid);
  if (found === undefined) {
    return { state: "stored", ledger_id: String(idOf(await addParty(tryton, stored))) };
  }
  const [addresses, mechanisms, identifiers] = await Promise.all([
    idsFrom(found.addresses),
    tryton.read("party.contact_mechanism", [["party", "=", idOf(found)]], ["type", "value"]),
    tryton.read("party.identifier", [["party", "=", idOf(found)]], ["type", "code"]),
  ]);
  await tryton.call("party.party", "write", [
    [idOf(found)],
    {
      name: customer.name,
      active: customer.active,
      addresses:
        addresses[0] === undefined
          ? [["create", [addressOf(stored)]]]
          : [["write", [addresses[0]], addressOf(stored)]],
      contact_mechanisms: MECHANISMS.flatMap(([type, field]) =>
        changeOf(
          mechanisms.find((row) => row.type === type),
          { type, value: customer[field] },
        ),
      ),
      identifiers: missingOf(identifiers, stored),
    },
  ]);
  return { state: "stored", ledger_id: String(idOf(found)) };
}

function readParty(tryton: Tryton, guid: string): Promise<TrytonRecord | undefined> {
  requireCompany(tryton);
  return tryton
    .read("party.party", [["code", "=", guid]], ["addresses", "account_receivable"], {
      limit: 1,
      context: { active_test: false },
    })
    .then(([row]) => row);
}

async function addParty(tryton: Tryton, customer: StoredCustomer): Promise<TrytonRecord> {
  const values = {
    name: customer.name,
    code: customer.id,
    active: customer.active ?? true,
    addresses: [["create", [addressOf(customer)]]],
    contact_mechanisms: MECHANISMS.flatMap(([type, field]) =>
      changeOf(undefined, { type, value: customer[field] ?? null }),
    ),
    identifiers: missingOf([], customer),
  };
  let refused: TrytonRefusal | undefined;
  try {
    await tryton.call("party.party", "create", [[values]]);
  } catch (error) {
    if (!(error instanceof TrytonRefusal)) throw error;
    refused = error;
  }
  // A create of an earlier attempt may have arrived in the meantime: then the code is taken, and the party exists.
  const added = await readParty(tryton, customer.id);
  if (added === undefined) throw refused ?? rejected("UNKNOWN_CUSTOMER", { code: customer.id });
  return added;
}

/** Returns the address, without a country that the administrator of Tryton has not loaded. */
function addressOf({ street, zip_code, city }: StoredCustomer): TrytonRecord {
  return { street: street ?? null, postal_code: zip_code ?? null, city: city ?? null };
}

function changeOf(
  there: TrytonRecord | undefined,
  { type, value }: { readonly type: string; readonly value: string | null },
): unknown[] {
  if (there === undefined) return value === null ? [] : [["create", [{ type, value }]]];
  if (value === null) return [["delete", [idOf(there)]]];
  return textOf(there, "value") === value ? [] : [["write", [idOf(there)], { value }]];
}

/** Returns the party's missing identifiers, sent without a type: the service has validated them, Tryton does not. */
function missingOf(identifiers: readonly TrytonRecord[], customer: StoredCustomer): unknown[] {
  const there = new Set(identifiers.map((row) => textOf(row, "code")));
  const codes = IDENTIFIERS.flatMap((field) => customer[field] ?? []);
  const missing = codes.filter((code) => !there.has(code));
  const gone = identifiers.filter(
    (row) => row.type === null && !codes.includes(textOf(row, "code") ?? ""),
  );
  return [
    ...(missing.length === 0 ? [] : [["create", missing.map((code) => ({ code }))]]),
    ...(gone.length === 0 ? [] : [["delete", gone.map((row) => idOf(row))]]),
  ];
}
