/** Checks the identity of the Tryton server, and whether documents can be booked in it. */
import type { LedgerAccount, LedgerCheck, LedgerFault, LedgerVatCode } from "../../connected.ts";
import type { LedgerTransport } from "../../connector.ts";
import type { CallOptions } from "../../outcome.ts";
import { inSession, readVersion, type Tryton } from "./api.ts";
import { defaultReceivable } from "./customers.ts";
import { closedThrough } from "./periods.ts";
import { NoDatabase } from "./refusals.ts";
import {
  amountOf,
  dayOf,
  idOf,
  isRow,
  related,
  type TrytonRecord,
  textOf,
  UnreadableValue,
} from "./values.ts";

/** The long-term support series whose field names these calls use; other series rename some of them. */
const SERIES = "6.0";

/** The rights that the user needs, by model. Deleting is needed for the drafts that a late call leaves. */
const RIGHTS = [
  ["account.invoice", ["create", "write", "delete"]],
  ["account.move", ["create", "delete"]],
  ["party.party", ["create", "write"]],
  ["product.template", ["create", "write"]],
  ["res.user.warning", ["create"]],
] as const;

export async function check(line: LedgerTransport, options: CallOptions): Promise<LedgerCheck> {
  const version = await readVersion(line, options);
  if (!version.startsWith(`${SERIES}.`))
    return refusedAs(`The server is Tryton ${version}, and not of the series ${SERIES}.`);
  try {
    return await inSession(line, options, checkCompany);
  } catch (error) {
    if (!(error instanceof NoDatabase)) throw error;
    return refusedAs(`The server answers, and has no database ${line.settings.database}.`);
  }
}

async function checkCompany(tryton: Tryton): Promise<LedgerCheck> {
  const id = tryton.company;
  if (id === null) return refusedAs("The user has no company.");
  const [[company], accounts, vat_codes, locked_through, missing, numbering] = await Promise.all([
    tryton.read("company.company", [["id", "=", id]], ["party.name", "currency.code"]),
    readAccounts(tryton),
    readTaxes(tryton),
    closedThrough(tryton),
    incomplete(tryton),
    wrongNumbers(tryton),
  ]);
  if (company === undefined) throw new UnreadableValue("the company cannot be read");
  const party = related(company, "party");
  const currency = related(company, "currency");
  return {
    state: "ok",
    organisation: { id: String(id), name: (party && textOf(party, "name")) ?? "" },
    currency: (currency && textOf(currency, "code")) ?? "",
    accounts,
    vat_codes,
    locked_through,
    faults: [...missing, ...numbering],
  };
}

/** Returns the result of a check that ends early. */
function refusedAs(message: string): LedgerCheck {
  return {
    state: "ok",
    organisation: { id: "", name: "" },
    currency: "",
    ...{ accounts: [], vat_codes: [], locked_through: null },
    faults: [{ code: "INCOMPLETE", message }],
  };
}

/** Reads the accounts. None has a VAT code, because in Tryton each line has its tax. */
async function readAccounts(tryton: Tryton): Promise<LedgerAccount[]> {
  const found = await tryton.read(
    "account.account",
    [
      ["company", "=", tryton.company],
      ["type", "!=", null],
      ["code", "!=", null],
    ],
    ["code", "name"],
    { order: [["code", "ASC"]] },
  );
  return found.map((row) => ({
    account: textOf(row, "code") ?? "",
    name: textOf(row, "name") ?? "",
    vat_code: null,
  }));
}

/** Reads taxes by their names; taxes that share a name cannot be distinguished, and are left out. */
async function readTaxes(tryton: Tryton): Promise<LedgerVatCode[]> {
  const found = await tryton.read(
    "account.tax",
    [
      ["company", "=", tryton.company],
      ["type", "=", "percentage"],
      ["parent", "=", null],
    ],
    ["name", "description", "rate"],
  );
  const names = found.map((row) => textOf(row, "name"));
  return found
    .filter((row) => names.filter((name) => name === textOf(row, "name")).length === 1)
    .map((row) => ({
      code: textOf(row, "name") ?? "",
      name: textOf(row, "description") ?? "",
      rate: Number(amountOf(row, "rate", 10) / 1_000_000n),
    }));
}

async function incomplete(tryton: Tryton): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  const add = (message: string) => faults.push({ code: "INCOMPLETE", message });
  const [receivable, rights] = await Promise.all([
    defaultReceivable(tryton),
    tryton.call("ir.model.access", "get_access", [RIGHTS.map(([model]) => model)]),
  ]);
  if (receivable === null) {
    add("The accounting configuration names no default account of receivables.");
  }
  for (const [model, needed] of RIGHTS) {
    const allowed = isRow(rights) ? rights[model] : null;
    const denied = needed.filter((right) => isRow(allowed) && !allowed[right]);
    if (denied.length > 0) add(`The user may not ${denied.join(" and ")} ${model}.`);
  }
  return faults;
}

/** Returns faults of the number series. Numbers are stored as integers by year: each fiscal year needs one series. */
async function wrongNumbers(tryton: Tryton): Promise<LedgerFault[]> {
  const [years, uses, vouchers] = await Promise.all([
    tryton.read(
      "account.fiscalyear",
      [["company", "=", tryton.company]],
      ["name", "end_date", "post_move_sequence"],
    ),
    tryton.read(
      "account.fiscalyear.invoice_sequence",
      [["company", "=", tryton.company]],
      ["fiscalyear", "period", "out_invoice_sequence", "out_credit_note_sequence"],
    ),
    tryton.read("ir.sequence", [], ["name", "type", "prefix", "suffix", "padding"]),
  ]);
  if (years.length === 0) {
    return [{ code: "NO_FISCAL_YEAR", message: "The company has no fiscal year." }];
  }
  const ids = uses.flatMap((use) => [use.out_invoice_sequence, use.out_credit_note_sequence]);
  const sequences = await tryton.read(
    "ir.sequence.strict",
    [["id", "in", [...new Set(ids)]]],
    ["name", "type", "prefix", "suffix", "padding"],
  );
  const of_moves = new Set(years.map((year) => year.post_move_sequence));
  const used = [...sequences, ...vouchers.filter((row) => of_moves.has(idOf(row)))];
  const faults = used.filter((row) => !countsPlainly(row)).map(wrongSequence);
  for (const year of years) {
    if (uses.some((use) => use.fiscalyear === idOf(year) && use.period === null)) continue;
    const message = `The fiscal year ${textOf(year, "name")} has no sequences for invoices.`;
    faults.push({ code: "INCOMPLETE", message });
  }
  return [...faults, ...sharedYears(years, uses)];
}

function countsPlainly(row: TrytonRecord): boolean {
  const affixed = textOf(row, "prefix") !== null || textOf(row, "suffix") !== null;
  return row.type === "incremental" && !affixed && (Number(row.padding) || 0) <= 1;
}

function wrongSequence(row: TrytonRecord): LedgerFault {
  const name = textOf(row, "name");
  const message = `The sequence ${name} makes numbers with a prefix, suffix or padding.`;
  return { code: "NUMBERING_NOT_INTEGER", message };
}

/** Finds years whose number series would repeat numbers: one per period, or two fiscal years that end in the year. */
function sharedYears(years: readonly TrytonRecord[], uses: readonly TrytonRecord[]): LedgerFault[] {
  const faults: LedgerFault[] = [];
  for (const of_kind of ["out_invoice_sequence", "out_credit_note_sequence"]) {
    const by_year = new Map<string, Set<unknown>>();
    for (const use of uses) {
      const year = years.find((one) => idOf(one) === use.fiscalyear);
      const key = (year && dayOf(year, "end_date")?.slice(0, 4)) ?? "";
      by_year.set(key, (by_year.get(key) ?? new Set()).add(use[of_kind]));
    }
    for (const [year, series] of by_year) {
      if (series.size < 2) continue;
      const message = `Fiscal years that end in ${year} count with ${series.size} sequences.`;
      faults.push({ code: "NUMBERING_NOT_INTEGER", message });
    }
  }
  return faults;
}
