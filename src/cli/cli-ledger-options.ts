/** Reads the options that the ledger commands share: settings and secrets of a connector, and rows of the mapping. */
import { readFileSync } from "node:fs";
import { getConfiguration } from "../features/settings/configuration/queries.ts";
import type { Connector } from "../ledger/connector.ts";
import type { Context } from "../platform/commands/context.ts";
import { type optionsOf, text, UsageError } from "./cli-options.ts";

/** Returns the option of a setting. */
export function optionOf(name: string): string {
  return name.replaceAll("_", "-");
}

/** Returns the settings and secrets of a connector: those that are no secrets by options, as `optionOf` names them. */
export function givenTo(
  connector: Connector,
  options: ReturnType<typeof optionsOf>,
): Record<string, string> {
  const shown = connector.fields.filter(({ is_secret }) => !is_secret);
  const settings = shown.flatMap(({ name }) => {
    const value = text(options, optionOf(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  const secrets = secretsOf(connector, options["secrets-from-stdin"] === true);
  return { ...Object.fromEntries(settings), ...secrets };
}

/** Returns the secrets by field, from variables such as `MATCHBOOK_LEDGER_CLIENT_SECRET` or JSON on standard input. */
function secretsOf({ fields }: Connector, from_stdin: boolean): Record<string, string> {
  const given: unknown = from_stdin ? parsed(readFileSync(0, "utf8")) : {};
  const found = fields.flatMap(({ name, is_secret }) => {
    const value =
      (given as Record<string, unknown>)[name] ??
      process.env[`MATCHBOOK_LEDGER_${name.toUpperCase()}`];
    return is_secret && typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

function parsed(input: string): object {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // The text holds secrets, and is shown nowhere.
  }
  throw new UsageError("Standard input must be a JSON object of secrets by their names.");
}

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
