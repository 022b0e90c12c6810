/** Reads the identity of the company in Dinero, and the accounts that can be booked on. */
import type { LedgerCheck, LedgerFault } from "../../connected.ts";
import type { CallOptions, Failure } from "../../outcome.ts";
import { readable } from "./api.ts";
import type { DineroBooks } from "./book-document.ts";
import { readAll } from "./lists.ts";
import { beforeYears, readYears } from "./periods.ts";
import {
  amountOf,
  type DineroObject,
  fieldOf,
  numberOf,
  requiredTextOf,
  textOf,
} from "./values.ts";

/** Reads the identity of the company and the accounts that can be booked on. */
export async function checkBooks(
  { api, first_month }: DineroBooks,
  organization_id: string,
  options: CallOptions,
): Promise<LedgerCheck | Failure> {
  const asked = new URLSearchParams({ fields: "id,name,isPro" });
  const organizations = await readAll(api, "organizations", asked, options, true);
  if (organizations.state !== "list") return organizations;
  const own = organizations.rows.find((one) => String(fieldOf(one, "id")) === organization_id);
  if (own === undefined) return { state: "unauthorized", reason: "credentials" };
  if (fieldOf(own, "isPro") === false) return { state: "unauthorized", reason: "subscription" };
  const fields = "AccountNumber,Name,VatCode,Category,IsHidden,PublicStandardNumber";
  const accounts = await readAll(api, "accounts/entry", new URLSearchParams({ fields }), options);
  if (accounts.state !== "list") return accounts;
  const vat_types = await readAll(api, "vatTypes", new URLSearchParams(), options);
  if (vat_types.state !== "list") return vat_types;
  const years = await readYears(api, options);
  if (years.state !== "list") return years;
  return readable(() => ({
    state: "ok",
    organisation: { id: organization_id, name: textOf(own, "name") ?? organization_id },
    currency: "DKK",
    accounts: accounts.rows
      .filter((one) => fieldOf(one, "IsHidden") !== true)
      .map((one) => ({
        account: String(numberOf(one, "AccountNumber")),
        name: textOf(one, "Name") ?? "",
        vat_code: vatCodeOf(one),
      })),
    vat_codes: vat_types.rows.map((one) => ({
      code: requiredTextOf(one, "VatCode"),
      name: textOf(one, "Name") ?? "",
      // A fraction of 1: 0.25 is 2500 hundredths of a percent.
      rate: Number(amountOf(one, "VatRate", 4)),
    })),
    locked_through: beforeYears(years.rows),
    faults: faultsOf(years.rows, first_month),
  }));
}

function vatCodeOf(account: DineroObject): string | null {
  const code = textOf(account, "VatCode");
  return code === null || code.toLowerCase() === "none" ? null : code;
}

function faultsOf(years: readonly DineroObject[], first_month: number): LedgerFault[] {
  if (years.length === 0) {
    return [{ code: "NO_FISCAL_YEAR", message: "Dinero has no accounting year." }];
  }
  const last =
    years
      .map((one) => requiredTextOf(one, "FromDate"))
      .sort()
      .at(-1) ?? "";
  if (Number(last.slice(5, 7)) === first_month) return [];
  const message = `Accounting years begin in month ${Number(last.slice(5, 7))}: say so in accounting_year_start.`;
  return [{ code: "INCOMPLETE", message }];
}
