/** The REST routes of the built-in ledger. */

import { run } from "../../../platform/commands/command.ts";
import { defineRoute, routesOf } from "../../../platform/http/route.ts";
import { changeAccount } from "./change-account.ts";
import { entriesCsv, trialBalanceCsv } from "./csv.ts";
import { listAccounts, listEntries, trialBalance } from "./queries.ts";
import {
  AccountParams,
  AccountQuery,
  EntryQuery,
  LedgerAccount,
  LedgerAccountList,
  LedgerAccountUpdate,
  LedgerEntryList,
  TrialBalance,
  TrialBalanceQuery,
  VatReport,
  VatReportQuery,
} from "./schemas.ts";
import { readVatReport } from "./vat-report.ts";

export const ledgerRoutes = routesOf("Ledger", [
  defineRoute("GET /ledger/accounts", {
    operation: "ledger.list_accounts",
    summary: "List the accounts of the built-in ledger with their balances",
    access: "read",
    query: AccountQuery,
    replies: { 200: LedgerAccountList },
    handle: (cx, { query }) => listAccounts(cx, query),
  }),

  defineRoute("PATCH /ledger/accounts/:number", {
    operation: "ledger.update_account",
    summary: "Rename an account, or change the VAT code of its future sales",
    access: "write",
    params: AccountParams,
    body: LedgerAccountUpdate,
    replies: { 200: LedgerAccount },
    refuses: ["NOT_FOUND"],
    handle: (cx, { params, body }) =>
      run(changeAccount, cx, { number: params.number, changes: body }),
  }),

  defineRoute("GET /ledger/entries", {
    operation: "ledger.list_entries",
    summary: "List what is booked, in order of booking",
    access: "read",
    query: EntryQuery,
    replies: { 200: LedgerEntryList },
    handle: (cx, { query }) => listEntries(cx, query),
  }),

  defineRoute("GET /ledger/trial-balance", {
    operation: "ledger.get_trial_balance",
    summary: "Opening, debit, credit and closing balance of each account",
    access: "read",
    query: TrialBalanceQuery,
    replies: { 200: TrialBalance },
    handle: (cx, { query }) => trialBalance(cx, query),
  }),

  entriesCsv,
  trialBalanceCsv,

  defineRoute("GET /ledger/vat-report", {
    operation: "ledger.get_vat_report",
    summary: "The fields of the Danish VAT return, and the sales to businesses in the EU",
    description:
      "From the documents booked in the time, as they were frozen, by the date of their entries; credit notes reduce. In functional currency, to the minor unit: where that is not DKK, or the return takes whole units, the person who files it converts and rounds. Sales to the EU are listed by the VAT numbers on the documents.",
    access: "read",
    query: VatReportQuery,
    replies: { 200: VatReport },
    handle: (cx, { query }) => readVatReport(cx, query),
  }),
]);
