/** Renames an account of the built-in chart, or changes the VAT code of its future sales. */
import * as z from "zod";
import { notFound, Problem } from "../../../domain/base/problem.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { sql, update } from "../../../platform/database/sql.ts";
import { type AccountRow, functionalDigits, lockAccount, presentAccount } from "./queries.ts";
import { LedgerAccountUpdate } from "./schemas.ts";

/**
 * Changes an account; existing postings stay unchanged. `seen_name` is the name that a page has shown. Throws NOT_FOUND, and
 * CHANGED_MEANWHILE where the account has another name than that.
 */
export const changeAccount = defineCommand({
  name: "change_ledger_account",
  access: "write",
  input: z.object({
    number: z.int(),
    changes: LedgerAccountUpdate,
    seen_name: z.string().optional(),
  }),

  async plan(tx, { number, changes, seen_name }) {
    const before = await lockAccount(tx, number);
    if (before === undefined) throw notFound("ledger_account", String(number));
    if (seen_name !== undefined && seen_name !== before.name) {
      throw new Problem("CHANGED_MEANWHILE", { details: { name: before.name } });
    }
    const after: AccountRow = {
      ...before,
      name: changes.name ?? before.name,
      vat_code: changes.vat_code === undefined ? before.vat_code : changes.vat_code,
    };
    return { before, after };
  },

  async commit(tx, { before, after }) {
    const digits = await functionalDigits(tx);
    const [was, is] = [presentAccount(before, digits), presentAccount(after, digits)];
    if (was === is) return is;
    const { number, name, vat_code } = after;
    tx.write(sql`${update("ledger_accounts", { name, vat_code })}
        where account_id = ${tx.caller.account_id} and number = ${number}`);
    tx.audit("ledger_account", String(after.number), "updated", { before: was, after: is });
    return is;
  },
});
