/** Reads the options of the ledger commands that are rows of the mapping. */
import { getConfiguration } from "../features/settings/configuration/queries.ts";
import type { Context } from "../platform/commands/context.ts";
import { UsageError } from "./cli-options.ts";

/** Reads a pair such as `1000:DK25=1000` or `1000:DK25=4010:S25`. */
export function pairFrom(given: string) {
  const [, number, vat_code = "", there = "", tax] =
    /^(\d{1,8}):([A-Z0-9_]+)=([^:]+)(?::(.+))?$/.exec(given) ?? [];
  if (number === undefined)
    throw new UsageError("--pair has the form 1000:DK25=1000 or 1000:DK25=1000:U25.");
  const account_number = Number(number);
  return { account_number, vat_code, ledger_account: there, ledger_vat_code: tax ?? null };
}

/** Reads a role such as `contract_asset=12310`. */
export async function roleFrom(cx: Context, given: string) {
  const configuration = await getConfiguration(cx);
  const roles: ReadonlyMap<string, number | null> = new Map([
    ["contract_asset", configuration.contract_asset_account],
    ["contract_liability", configuration.contract_liability_account],
    ["exchange_difference", configuration.exchange_difference_account],
  ]);
  const [, role = "", there = ""] = /^([a-z_]+)=(.+)$/.exec(given) ?? [];
  const account_number = roles.get(role);
  if (account_number === undefined) {
    throw new UsageError(
      `--role is one of ${[...roles.keys()].join(", ")}, as contract_asset=12310.`,
    );
  }
  if (account_number === null) throw new UsageError(`${role} has no account in the configuration.`);
  return { account_number, vat_code: "", ledger_account: there, ledger_vat_code: null };
}
