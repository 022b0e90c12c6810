/** Shows a credit before it is made, by a dry run of the command. The confirmation sends back a token of the credit. */
import * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import type { DocumentTotals } from "../../domain/sales/document.ts";
import { unreachable } from "../../features/documents/deliveries/find-refusal.ts";
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

/** The effect of a credit. */
interface CreditDryRun {
  readonly preview: Preview;
  readonly customer_id: string;
  /** The address to which the credit note would be sent; null where it cannot be sent. */
  readonly address: string | null;
  /** A digest of the credit and of the address to which the credit note would be sent. */
  readonly agreed: string;
}

type PlannedCredit = Awaited<ReturnType<typeof planCredit>>;

/** Runs the credit and rolls it back. Throws what `createCreditNote` throws. */
async function dryRunCredit(cx: Context, sent: CreditNotePreviewBody): Promise<CreditDryRun> {
  return dryRun(cx, async (tx) => {
    const plan = await planCredit(tx, sent);
    const { customer_id } = plan.decided.facts.note;
    return { preview: await previewOf(tx, plan), customer_id, ...(await emailOf(tx, plan)) };
  });
}

/** The dry run as work that may be long. */
export const creditDryRun = defineLongWork({
  name: "pages.rehearse_credit",
  is_read: true,
  work: dryRunCredit,
});

/** A credit with the token of the shown credit. */
export const ConfirmedCredit = z.object({ ...CreditNoteCreate.shape, agreed: text(100) });
type ConfirmedCredit = z.output<typeof ConfirmedCredit>;

/** Makes the credit that was shown. Throws what `createCreditNote` throws, and PLAN_STALE if it would now differ. */
const creditAsShown = defineCommand({
  ...createCreditNote,
  input: ConfirmedCredit,

  async plan(tx: Tx, { agreed, ...sent }: ConfirmedCredit) {
    const plan = await createCreditNote.plan(tx, sent);
    // A repeated confirmation: the credit note is booked, or its booking has begun.
    if (!("decided" in plan)) return plan;
    const now = await emailOf(tx, plan);
    if (now.agreed !== agreed) throw new Problem("PLAN_STALE");
    return plan;
  },
});

/** The credit as work that may be long. */
export const creditingAsShown = defineLongWork({
  name: "pages.credit_as_shown",
  is_read: false,
  work: (cx, shown: ConfirmedCredit) => run(creditAsShown, cx, shown),
});

async function emailOf(
  tx: Tx,
  { decided }: PlannedCredit,
): Promise<Pick<CreditDryRun, "address" | "agreed">> {
  const { facts, snapshot } = decided;
  const { note } = facts;
  const recipient = await holdRecipient(tx, note.id, note.customer_id);
  const refusal = await unreachable(tx, recipient);
  const address = refusal === null ? recipient.address : null;
  const totals: DocumentTotals = snapshot.totals;
  const lines = note.lines.map((line) => [line.invoice_line_id, line.amount]);
  const reason = note.reason === null ? [] : [note.reason];
  const shown = [totals, note.credit_date, lines, address, ...reason];
  return { address, agreed: sha256(freeze(shown)).toString("base64url") };
}
