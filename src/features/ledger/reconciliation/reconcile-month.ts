/** Compares a month in our records with the month in the connected ledger (spec 9.10). */
import type { Month } from "../../../domain/base/calendar.ts";
import { currencyDigits } from "../../../domain/base/currency.ts";
import { scaledToNumber } from "../../../domain/base/money.ts";
import { Problem } from "../../../domain/base/problem.ts";
import {
  compareAccounts,
  compareDocuments,
  type Finding,
  type FindingCode,
} from "../../../domain/sales/reconciliation.ts";
import type { LedgerMonth } from "../../../ledger/connected.ts";
import { callWithin, connectedLedger } from "../../../platform/commands/connected-ledger.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { type LocalMonth, readLocalMonth } from "./read-month.ts";
import { ReconciliationResource } from "./schemas.ts";

/** The time limit of a comparison: a ledger may need many calls for a month, each within its own limit. */
const TIMEOUT_MS = 18_000;

/** Returns the comparison of a month. Throws LEDGER_NOT_CONNECTED for the built-in ledger, and LEDGER_UNAVAILABLE. */
export async function reconcileMonth(cx: Reader, month: Month): Promise<JsonText> {
  const connection = await cx.row<{ id: string; kind: string }>(sql`
    select id, kind from ledger_connections
    where account_id = ${cx.caller.account_id} and is_current`);
  const ledger = connectedLedger(cx);
  if (connection === undefined || ledger === null) throw new Problem("LEDGER_NOT_CONNECTED");
  // A booking made meanwhile reaches the ledger before our records, so our records are read last.
  const there = await ledger.month(month, callWithin(cx, TIMEOUT_MS));
  if (there.state !== "month") {
    cx.log.warn({ outcome: there.state, month }, "the ledger gave no answer about a month");
    throw new Problem("LEDGER_UNAVAILABLE", { retry_after_seconds: 5 });
  }
  const here = await readLocalMonth(cx, connection.id, month);
  const { functional_currency } = await getConfiguration(cx);
  return present(month, connection, here, there, currencyDigits(functional_currency));
}

function present(
  month: Month,
  { id, kind }: { readonly id: string; readonly kind: string },
  here: LocalMonth,
  there: LedgerMonth,
  functional_digits: number,
): JsonText {
  const findings = compareDocuments(here.documents, there.documents);
  const functional = (amount: bigint): number => scaledToNumber(amount, functional_digits);
  const differing = new Set(findings.flatMap(({ document_id }) => document_id ?? []));
  return jsonText(
    ReconciliationResource.parse({
      object: "ledger_reconciliation",
      month,
      connection_id: id,
      kind,
      documents: {
        here: here.documents.length,
        there: there.documents.filter(({ stands }) => stands).length,
        agreeing: here.documents.filter(({ document_id }) => !differing.has(document_id)).length,
      },
      findings: findings.map((one) => ({
        ...findingOf(one, here.digits.get(one.document_id ?? "") ?? functional_digits),
        difference: one.difference === null ? null : functional(one.difference),
      })),
      accounts: compareAccounts(here.moved, there.moved).map((one) => ({
        ledger_account: one.ledger_account,
        moved_here: functional(one.here),
        moved_there: functional(one.there),
        difference: functional(one.difference),
        balance_there: functional(there.balances.get(one.ledger_account) ?? 0n),
      })),
    }),
  );
}

function findingOf(finding: Finding, digits: number) {
  const number = (one: bigint | null): number | null => (one === null ? null : Number(one));
  const amount = (one: bigint | null): number | null =>
    one === null ? null : scaledToNumber(one, digits);
  return {
    code: finding.code,
    is_explained: finding.is_explained,
    message: messageOf(finding),
    kind: finding.kind,
    document_id: finding.document_id,
    number_here: number(finding.number_here),
    number_there: number(finding.number_there),
    gross_here: amount(finding.gross_here),
    gross_there: amount(finding.gross_there),
  };
}

function messageOf({ code, is_explained, difference }: Finding): string {
  if (code === "in_doubt" && !is_explained) return PARKED;
  return code === "other_rate" && difference !== null ? OTHER_RATE : MESSAGES[code];
}

const OTHER_RATE =
  "The ledger converted it at another exchange rate, which it does not report: the difference is that of the rates.";
const PARKED = "The ledger has other data than was sent: a user has to check it there.";
const MESSAGES: Readonly<Record<FindingCode, string>> = {
  missing_there: "It is booked here, and the ledger does not have it.",
  missing_here: "The ledger has it under a guid, and it is not booked here.",
  deleted_there: "It is booked here, and was deleted or cancelled in the ledger.",
  number_differs: "It has another number in the ledger.",
  total_differs: "It has another total in the ledger.",
  date_differs: "It has another date in the ledger.",
  in_doubt: "It is being booked: the ledger has not answered yet.",
  other_rate: "The ledger used another exchange rate than that of the credited invoice.",
  not_ours: "Another program or person has booked it in the ledger.",
  number_gap: "The ledger has skipped the numbers after this one.",
};
