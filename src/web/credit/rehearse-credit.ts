/** A credit that is shown before it is made: the very command, run and taken back. Whoever agrees sends along what they were shown. */
import * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import type { DocumentTotals } from "../../domain/sales/document.ts";
import { unreachable } from "../../features/documents/deliveries/attempt.ts";
import { holdRecipient } from "../../features/documents/deliveries/queue.ts";
import { planCredit, previewOf } from "../../features/revenue/reports/preview-credit.ts";
import type { CreditPreview } from "../../features/revenue/reports/preview-credit-schemas.ts";
import { createCreditNote } from "../../features/sales/credit-notes/create.ts";
import {
  CreditNoteCreate,
  type CreditNotePreviewBody,
} from "../../features/sales/credit-notes/schemas.ts";
import { defineCommand, run } from "../../platform/commands/command.ts";
import type { Context } from "../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../platform/commands/tx.ts";
import { text } from "../../platform/http/schemas.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";
import { defineLongWork } from "../frame/long-work.ts";

type Preview = z.output<typeof CreditPreview>;

/** What a credit would do. */
interface RehearsedCredit {
  readonly preview: Preview;
  /** Where it would be sent; null where it cannot be. */
  readonly address: string | null;
  /** Stands for what would be credited and where it would be sent. */
  readonly agreed: string;
}

type PlannedCredit = Awaited<ReturnType<typeof planCredit>>;

/** Runs the credit and takes it back. Throws what `createCreditNote` throws. */
async function rehearseCredit(cx: Context, sent: CreditNotePreviewBody): Promise<RehearsedCredit> {
  return dryRun(cx, async (tx) => {
    const plan = await planCredit(tx, sent);
    return { preview: await previewOf(tx, plan), ...(await toldOf(tx, plan)) };
  });
}

/** The same as work that may be long. */
export const rehearsingCredit = defineLongWork({
  name: "pages.rehearse_credit",
  is_read: true,
  work: rehearseCredit,
});

/** A credit, and what was shown of it. */
export const CreditAgreed = z.object({ ...CreditNoteCreate.shape, agreed: text(100) });
type CreditAgreed = z.output<typeof CreditAgreed>;

/** Credits as it was shown. Throws what `createCreditNote` throws, and PLAN_STALE where it would be another one by now. */
const creditAsShown = defineCommand({
  ...createCreditNote,
  input: CreditAgreed,

  async plan(tx: Tx, { agreed, ...sent }: CreditAgreed) {
    const plan = await createCreditNote.plan(tx, sent);
    // What is booked already, or has begun, is the repetition of what was agreed to.
    if (!("decided" in plan)) return plan;
    const now = await toldOf(tx, plan);
    if (now.agreed !== agreed) throw new Problem("PLAN_STALE");
    return plan;
  },
});

/** The credit as work that may be long. */
export const creditingAsShown = defineLongWork({
  name: "pages.credit_as_shown",
  is_read: false,
  work: (cx, shown: CreditAgreed) => run(creditAsShown, cx, shown),
});

async function toldOf(
  tx: Tx,
  { decided }: PlannedCredit,
): Promise<Pick<RehearsedCredit, "address" | "agreed">> {
  const { facts, snapshot } = decided;
  const { note } = facts;
  const recipient = await holdRecipient(tx, note.id, note.customer_id);
  const address = unreachable(tx, recipient) === null ? recipient.address : null;
  const totals: DocumentTotals = snapshot.totals;
  const lines = note.lines.map((line) => [line.invoice_line_id, line.amount]);
  const shown = [totals, note.credit_date, lines, address];
  return { address, agreed: sha256(freeze(shown)).toString("base64url") };
}
