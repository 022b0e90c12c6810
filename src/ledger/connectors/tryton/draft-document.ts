/** Makes the Tryton record of an invoice or credit note: every field is given, because RPC fills in no defaults. */
import { scaledToNumber } from "../../../domain/base/money.ts";
import {
  creditedNumber,
  type DocumentLine,
  type DocumentRow,
  type DocumentSnapshot,
} from "../../../domain/sales/document.ts";
import type { DocumentBooking, MappedAccount } from "../../ledger.ts";
import { requireCompany, type Tryton } from "./api.ts";
import { findParty } from "./customers.ts";
import { rejected } from "./refusals.ts";
import { day, decimal, idOf, type TrytonRecord, textOf } from "./values.ts";

/** Decimals of a unit price, in this service and in Tryton. */
const PRICE_DECIMALS = 4;

export async function draftOf(
  tryton: Tryton,
  { guid, kind, document, accounts }: DocumentBooking,
  marker: string,
): Promise<TrytonRecord> {
  const company = requireCompany(tryton);
  const [party, currency, journal, place] = await Promise.all([
    findParty(tryton, document.customer),
    findCurrency(tryton, document.currency),
    findJournal(tryton, "revenue"),
    findPlaces(tryton, accounts, document.lines),
  ]);
  const sign = kind === "credit_note" ? -1 : 1;
  const frame = { company, currency };
  return {
    ...{ type: "out", company, currency, journal, ...party },
    reference: guid,
    description: titleOf(document),
    comment: marker,
    invoice_date: day(document.issue_date),
    // Without a payment term, Tryton takes this date as the due date.
    payment_term_date: day(document.payment.due_date),
    lines: [["create", document.lines.flatMap((line) => linesOf(line, frame))]],
  };

  function linesOf(line: DocumentLine, frame: TrytonRecord): TrytonRecord[] {
    return line.rows.map((row) => ({
      ...frame,
      type: "line",
      description: line.text,
      ...place(line),
      ...priced(row, sign, document.currency_digits),
    }));
  }
}

/** Returns the title. The credit of an invoice that another ledger booked names that invoice, which Tryton does not have. */
function titleOf({ title, credits, language }: DocumentSnapshot): string | null {
  if (credits === null || credits.invoice_id !== undefined) return title;
  const number = creditedNumber(credits);
  const named = language === "da" ? `Krediterer faktura ${number}` : `Credits invoice ${number}`;
  return title === null ? named : `${title}, ${named}`;
}

/**
 * Returns quantity and price when they multiply to the agreed net, otherwise one unit at the net: Tryton has no discounts, and
 * rounds half to even. Quantities are hundredths, not amounts; a JSON number represents them exactly.
 */
function priced(
  { quantity, unit_price_scaled, discount, net }: DocumentRow,
  sign: 1 | -1,
  digits: number,
): TrytonRecord {
  const product = BigInt(quantity) * unit_price_scaled * 10n ** BigInt(digits);
  const multiplies = discount === 0 && product === net * 10n ** BigInt(2 + PRICE_DECIMALS);
  return multiplies
    ? {
        quantity: scaledToNumber(BigInt(sign * quantity), 2),
        unit_price: decimal(unit_price_scaled, PRICE_DECIMALS),
      }
    : { quantity: sign, unit_price: decimal(net, digits) };
}

/** Finds the account and taxes of each line in Tryton, by our account and VAT code. */
async function findPlaces(
  tryton: Tryton,
  mapped: readonly MappedAccount[],
  lines: readonly DocumentLine[],
): Promise<(line: DocumentLine) => TrytonRecord> {
  const used = lines.filter((line) => line.rows.length > 0).map((line) => mappedTo(mapped, line));
  const vat_codes = used.flatMap(({ ledger_vat_code }) => ledger_vat_code ?? []);
  const names = used.map(({ ledger_account }) => ledger_account);
  const [accounts, taxes] = await Promise.all([
    findAccounts(tryton, names),
    findTaxes(tryton, vat_codes),
  ]);
  return (line) => {
    const { ledger_account, ledger_vat_code } = mappedTo(mapped, line);
    const tax = ledger_vat_code === null ? undefined : taxes.get(ledger_vat_code);
    return {
      account: accounts.get(ledger_account)?.id,
      taxes: tax === undefined ? [] : [["add", [tax]]],
    };
  };
}

function mappedTo(mapped: readonly MappedAccount[], line: DocumentLine): MappedAccount {
  const found = mapped.find(
    ({ account_number, vat_code }) =>
      account_number === line.account_number && vat_code === line.vat_code,
  );
  if (found) return found;
  throw rejected("UNKNOWN_ACCOUNT", { account_number: String(line.account_number) });
}

interface RemoteAccount {
  readonly id: number;
  readonly party_required: boolean;
}

/** Finds accounts by their codes; refuses a code that the company has no account for. */
export async function findAccounts(
  tryton: Tryton,
  codes: readonly string[],
): Promise<ReadonlyMap<string, RemoteAccount>> {
  const found = await tryton.read(
    "account.account",
    [
      ["company", "=", requireCompany(tryton)],
      ["code", "in", [...new Set(codes)]],
      ["type", "!=", null],
    ],
    ["code", "party_required"],
  );
  const by_code = new Map(
    found.map((row) => [
      textOf(row, "code") ?? "",
      { id: idOf(row), party_required: row.party_required === true },
    ]),
  );
  const missing = codes.find((code) => !by_code.has(code));
  if (missing !== undefined) throw rejected("UNKNOWN_ACCOUNT", { account: missing });
  return by_code;
}

/** Finds taxes by their names, which people see. */
async function findTaxes(
  tryton: Tryton,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  const found = await tryton.read(
    "account.tax",
    [
      ["company", "=", requireCompany(tryton)],
      ["name", "in", [...new Set(names)]],
      ["parent", "=", null],
    ],
    ["name"],
  );
  const by_name = new Map(found.map((row) => [textOf(row, "name") ?? "", idOf(row)]));
  const missing = names.find((name) => !by_name.has(name));
  if (missing !== undefined) throw rejected("UNKNOWN_VAT_CODE", { tax: missing });
  return by_name;
}

async function findCurrency(tryton: Tryton, code: string): Promise<number> {
  const [found] = await tryton.read("currency.currency", [["code", "=", code]], ["id"], {
    limit: 1,
  });
  if (found === undefined) throw rejected("VALIDATION", { currency: `${code} is missing` });
  return idOf(found);
}

/** Returns the first journal of a kind: a default installation has one of each. */
export async function findJournal(tryton: Tryton, type: "revenue" | "general"): Promise<number> {
  const [found] = await tryton.read("account.journal", [["type", "=", type]], ["id"], { limit: 1 });
  if (found === undefined) throw rejected("NOT_ALLOWED", { journal: `no journal of type ${type}` });
  return idOf(found);
}
