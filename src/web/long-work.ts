/** The work of pages that another thread may do, by name. */

import { bookDryRun, bookingAsShown } from "./bank/book-dry-run.ts";
import { readBankFile } from "./bank/read-bank-file.ts";
import { suggestLines } from "./bank/suggest-lines.ts";
import { monthAhead } from "./close/month-ahead.ts";
import { creditDryRun, creditingAsShown } from "./credit/credit-dry-run.ts";
import { issueDryRun, issueEffectsDryRun, issuingAsShown } from "./draft/issue-dry-run.ts";
import type { LongWork } from "./frame/long-work.ts";
import { invoiceMonths } from "./invoices/issued-revenue.tsx";
import { sendingCreditNote, sendingInvoice } from "./invoices/send-document.tsx";
import { accrualsBesideLedger } from "./ledger/reconciliation.tsx";
import { vatReturn } from "./ledger/vat-return.tsx";
import { verifyNow } from "./ledger/verification.tsx";
import { beginDryRun, beginningAsShown } from "./receivables/begin-dry-run.ts";
import { sendingStatement } from "./receivables/statement.tsx";
import { sendingReminder } from "./reminders/reminder.tsx";
import { sendingReminders } from "./reminders/send-reminders.tsx";
import { retainerMonths } from "./retainers/earned-months.ts";
import { issuePeriodDryRun, issuingPeriodAsShown } from "./retainers/period-dry-run.ts";
import { accrualDryRun, changingAccrual } from "./revenue/accrual-dry-run.ts";
import { balancesReport } from "./revenue/balances-report.ts";
import { explanationOf } from "./revenue/explain-line.tsx";
import { obligationsReport } from "./revenue/obligations-report.ts";
import { revenueReport } from "./revenue/revenue-report.ts";
import { runningScheduler } from "./settings/sandbox-clock.tsx";

const WORK: readonly LongWork<never, unknown>[] = [
  issueDryRun,
  issueEffectsDryRun,
  issuingAsShown,
  creditDryRun,
  creditingAsShown,
  sendingInvoice,
  sendingCreditNote,
  readBankFile,
  suggestLines,
  bookDryRun,
  bookingAsShown,
  monthAhead,
  vatReturn,
  accrualsBesideLedger,
  verifyNow,
  invoiceMonths,
  retainerMonths,
  issuePeriodDryRun,
  issuingPeriodAsShown,
  beginDryRun,
  beginningAsShown,
  sendingStatement,
  sendingReminders,
  sendingReminder,
  revenueReport,
  balancesReport,
  obligationsReport,
  accrualDryRun,
  changingAccrual,
  explanationOf,
  runningScheduler,
];

export const longWork: ReadonlyMap<string, LongWork<never, unknown>> = new Map(
  WORK.map((work) => [work.name, work]),
);
