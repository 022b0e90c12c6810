/** The work of pages that another thread may do, by name. */

import { creditingAsShown, rehearsingCredit } from "./credit/rehearse-credit.ts";
import { issuingAsShown, rehearsingBeside, rehearsingIssue } from "./draft/rehearse-issue.ts";
import type { LongWork } from "./frame/long-work.ts";
import { sendingCreditNote, sendingInvoice } from "./invoices/send-again.tsx";

const WORK: readonly LongWork<never, unknown>[] = [
  rehearsingIssue,
  rehearsingBeside,
  issuingAsShown,
  rehearsingCredit,
  creditingAsShown,
  sendingInvoice,
  sendingCreditNote,
];

export const longWork: ReadonlyMap<string, LongWork<never, unknown>> = new Map(
  WORK.map((work) => [work.name, work]),
);
