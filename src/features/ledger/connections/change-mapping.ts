/** Sets the accounts of the connected ledger for our accounts, where the proposed account is missing or wrong. */
import * as z from "zod";
import { type FieldError, Problem, requireValid } from "../../../domain/base/problem.ts";
import type { VatSettings } from "../../../domain/sales/vat.ts";
import { vatCodes } from "../../../domain/sales/vat-code.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { jsonText } from "../../../platform/runtime/json.ts";
import { queueUnplaced } from "../../catalogue/links/queries.ts";
import { getConfiguration, vatSettings } from "../../settings/configuration/queries.ts";
import { requireMayConnect } from "./connect-account.ts";
import { type Open, openOf, otherRate, type ReportedAccounts } from "./mapping.ts";
import {
  findCurrent,
  listMapping,
  listWanted,
  lockCurrent,
  type MappingRow,
  putMapping,
} from "./queries.ts";
import { Reported, reportedIn } from "./schemas.ts";

const MappingInput = z.object({
  rows: z
    .array(
      z.object({
        account_number: z.int().min(1).max(99_999_999),
        /** '' for roles. */
        vat_code: z.enum(["", ...vatCodes] as [string, ...string[]]),
        ledger_account: z.string().min(1).max(64),
        ledger_vat_code: z.string().min(1).max(64).nullable(),
      }),
    )
    .min(1),
});

/** Sets rows. Throws LEDGER_NOT_CONNECTED, ROLE_FORBIDDEN, and VALIDATION_FAILED for unknown accounts or codes. */
export const changeMapping = defineCommand({
  name: "map_ledger_accounts",
  access: "write",
  input: MappingInput,

  async plan(tx, { rows }) {
    requireMayConnect(tx.caller);
    const current = await lockCurrent(tx);
    if (current?.told == null) throw new Problem("LEDGER_NOT_CONNECTED");
    const reported = Reported.parse(JSON.parse(current.told));
    requireValid(await mappingFaults(tx, rows, reported));
    return { connection_id: current.id, rows, before: await listMapping(tx) };
  },

  async commit(tx, { connection_id, rows, before }): Promise<void> {
    putMapping(tx, connection_id, rows);
    queueUnplaced(tx, connection_id);
    const after = await listMapping(tx);
    tx.audit("ledger_connection", connection_id, "mapped", {
      before: jsonText({ object: "ledger_mapping", rows: before }),
      after: jsonText({ object: "ledger_mapping", rows: after }),
    });
  },
});

/** Returns the faults of rows for a ledger that reported these accounts and codes. */
export async function mappingFaults(
  tx: Tx,
  rows: readonly MappingRow[],
  reported: ReportedAccounts,
): Promise<FieldError[]> {
  const vat = vatSettings(await getConfiguration(tx));
  return [
    ...(await unknownAccountsOf(tx, rows)),
    ...faultsOf(rows, reported),
    ...otherRatesOf(rows, reported, vat),
  ];
}

/** Returns errors for rows whose account is not in our chart, or whose VAT code does not exist. */
async function unknownAccountsOf(tx: Tx, rows: readonly MappingRow[]): Promise<FieldError[]> {
  const numbers = rows.map(({ account_number }) => account_number);
  const known = await tx.rows<{ number: number }>(sql`select number from ledger_accounts
    where account_id = ${tx.caller.account_id} and number = any(${numbers}::int[])`);
  const codes: readonly string[] = ["", ...vatCodes];
  return rows.flatMap(({ account_number, vat_code }, at): FieldError[] => {
    if (!known.some(({ number }) => number === account_number)) {
      const message = `There is no account ${account_number} in the chart.`;
      return [{ field: `rows[${at}].account_number`, code: "unknown_reference", message }];
    }
    if (codes.includes(vat_code)) return [];
    const message = `A VAT code is one of ${vatCodes.join(", ")}.`;
    return [{ field: `rows[${at}].vat_code`, code: "invalid_value", message }];
  });
}

function faultsOf(
  rows: readonly MappingRow[],
  { accounts, vat_codes }: ReportedAccounts,
): FieldError[] {
  const missing = (field: string, what: string): FieldError => ({
    field,
    code: "unknown_reference",
    message: `The accounting system has no ${what}; check the connection if it was added there recently.`,
  });
  return rows.flatMap(({ ledger_account, ledger_vat_code }, at) => [
    ...(accounts.some(({ account }) => account === ledger_account)
      ? []
      : [missing(`rows[${at}].ledger_account`, `account ${ledger_account}`)]),
    ...(ledger_vat_code === null || vat_codes.some(({ code }) => code === ledger_vat_code)
      ? []
      : [missing(`rows[${at}].ledger_vat_code`, `VAT code ${ledger_vat_code}`)]),
  ]);
}

/** Returns errors for rows under which the ledger would charge a VAT rate other than ours. */
function otherRatesOf(
  rows: readonly MappingRow[],
  reported: ReportedAccounts,
  vat: VatSettings,
): FieldError[] {
  return rows.flatMap((row, at): FieldError[] => {
    const message = otherRate(row, reported, vat);
    if (message === null) return [];
    return [{ field: `rows[${at}].ledger_account`, code: "invalid_value", message }];
  });
}

/** Returns the rows, and our accounts that no row can book, with the reason. Throws LEDGER_NOT_CONNECTED. */
export async function readMapping(
  cx: Reader,
): Promise<{ readonly rows: readonly MappingRow[]; readonly open: readonly Open[] }> {
  const current = await findCurrent(cx);
  if (current === undefined) throw new Problem("LEDGER_NOT_CONNECTED");
  const [rows, wanted] = [await listMapping(cx), await listWanted(cx)];
  const vat = vatSettings(await getConfiguration(cx));
  return { rows, open: openOf(wanted, rows, reportedIn(current), vat) };
}
