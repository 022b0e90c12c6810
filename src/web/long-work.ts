/** The work of pages that another thread may do, by the names under which it is asked for. */
import type { LongWork } from "./frame/long-work.ts";
import { creditingAsShown, rehearsingCredit } from "./rehearse-credit.ts";
import { issuingAsShown, rehearsingBeside, rehearsingIssue } from "./rehearse-issue.ts";
import { sendingCreditNote, sendingInvoice } from "./send-again.tsx";

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
