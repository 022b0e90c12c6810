/**
 * The differences between Matchbook's documents and the books of the simulation of Dinero: no document exists twice, by
 * guid or by content, none is lost, and numbers and totals agree. Each document's content must be unique, and so must the names
 * of customers.
 */
import type { SimulatedBooks } from "./simulation.ts";

export interface LocalDocument {
  readonly kind: "invoice" | "credit_note" | "voucher";
  readonly guid: string;
  /** As the ledger reported it; null for a document that is not booked in Matchbook. */
  readonly number: number | null;
  /** Hundredths. */
  readonly net: number;
}

interface RemoteDocument extends LocalDocument {
  readonly number: number;
}

/** Drafts that remain in the ledger do not count as documents. */
export function differencesFrom(
  books: SimulatedBooks,
  local: readonly LocalDocument[],
  customers: readonly string[],
): string[] {
  const remote = bookedIn(books);
  const faults: string[] = [];
  for (const [content, same] of grouped(remote, ({ kind, net }) => `${kind} of ${net}`)) {
    if (same.length > 1) faults.push(`${content} is booked ${same.length} times`);
  }
  for (const [number, same] of grouped(remote, ({ kind, number }) => `${kind} ${number}`)) {
    if (same.length > 1) faults.push(`${number} is the number of ${same.length}`);
  }
  const known = new Map(remote.map((one) => [one.guid, one]));
  for (const { kind, guid, number, net } of local) {
    const found = known.get(guid);
    const name = `${kind} of ${net}`;
    if (found === undefined) faults.push(`${name} is lost`);
    else if (number === null) faults.push(`${name} is booked and not issued`);
    else if (found.number !== number) faults.push(`${name} is ${number}, there ${found.number}`);
    if (found !== undefined && found.net !== net) faults.push(`${name} is there of ${found.net}`);
  }
  const local_guids = new Set(local.map(({ guid }) => guid));
  for (const { kind, guid, net } of remote) {
    if (!local_guids.has(guid)) faults.push(`${kind} of ${net} is there alone`);
  }
  for (const name of customers) {
    const count = books.contacts.filter(({ Name }) => Name === name).length;
    if (count !== 1) faults.push(`customer ${name} is there ${count} times`);
  }
  return faults;
}

function bookedIn(books: SimulatedBooks): RemoteDocument[] {
  const of = (kind: "invoice" | "credit_note", list: SimulatedBooks["invoices"]) =>
    list
      .filter(({ Status }) => Status === "Booked")
      .map(({ Guid, Number: number, net }) => {
        return { kind, guid: Guid, number: number ?? 0, net: Number(net) };
      });
  const vouchers = books.ledger_items
    .filter(({ Status }) => Status === "Booked")
    .map(({ Id, VoucherNumber, Lines }) => {
      const lines = Lines as readonly { readonly Amount: number }[];
      const net = Math.max(...lines.map(({ Amount }) => Math.round(Math.abs(Amount) * 100)));
      return { kind: "voucher" as const, guid: String(Id), number: Number(VoucherNumber), net };
    });
  return [...of("invoice", books.invoices), ...of("credit_note", books.credit_notes), ...vouchers];
}

function grouped<One>(all: readonly One[], keyOf: (one: One) => string): Map<string, One[]> {
  const groups = new Map<string, One[]>();
  for (const one of all) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return groups;
}
