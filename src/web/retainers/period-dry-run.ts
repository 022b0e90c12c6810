/** The issue of a period: a dry run of the command shows what it books and sends, and the issue does exactly that. */
import * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Warning } from "../../domain/sales/warning.ts";
import { issueOccurrence } from "../../features/recurring/occurrences/issue-occurrence.ts";
import { defineCommand, run } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../platform/commands/tx.ts";
import { versionOf } from "../../platform/database/resources.ts";
import { Ref, text } from "../../platform/http/schemas.ts";
import { freeze, sha256 } from "../../platform/runtime/json.ts";
import type { SentMonth } from "../draft/draft-stored.ts";
import {
  type EinvoiceTarget,
  type Frozen,
  frozenAhead,
  sendingAhead,
} from "../draft/issue-dry-run.ts";
import { defineLongWork } from "../frame/long-work.ts";

interface PeriodToIssue {
  readonly ref: string;
  readonly period: string;
}

/** What the issue of a period would book and send, with the digest of it; or that a booking in progress is resumed. */
export type PeriodIssueShown = { readonly digest: string } & (
  | {
      readonly document: DocumentSnapshot;
      readonly warnings: readonly Warning[];
      readonly address: string | null;
      readonly einvoice: EinvoiceTarget | null;
      readonly unsent: "no_address" | "einvoice_not_configured" | null;
      readonly activates: boolean;
      /** The revenue by month that the person may see, and what is frozen; only in the dry run. */
      readonly earns?: readonly SentMonth[];
      readonly freezes?: Frozen;
    }
  | { readonly resumes: true }
);

type IssuePlan = Awaited<ReturnType<typeof issueOccurrence.plan>>;

/** The dry run as work that may be long. Throws what `issueOccurrence` throws. */
export const issuePeriodDryRun = defineLongWork({
  name: "pages.issue_period_dry_run",
  is_read: true,
  work: (cx: PersonContext, asked: PeriodToIssue): Promise<PeriodIssueShown> =>
    dryRun(cx, async (tx) => {
      const plan = await issueOccurrence.plan(tx, asked);
      const shown = await shownOf(tx, asked, plan);
      if (!("decided" in plan)) return shown;
      return { ...shown, ...(await frozenAhead(cx, tx, plan.decided)) };
    }),
});

const issueAsShown = defineCommand({
  ...issueOccurrence,
  input: z.object({ ref: Ref, period: text(32), digest: text(100) }),

  async plan(tx: Tx, { digest, ...asked }: PeriodToIssue & { readonly digest: string }) {
    const plan = await issueOccurrence.plan(tx, asked);
    if ((await shownOf(tx, asked, plan)).digest !== digest) throw new Problem("PLAN_STALE");
    return plan;
  },
});

/** Issues a period as shown. Also throws PLAN_STALE if it would now book or send something else. */
export const issuingPeriodAsShown = defineLongWork({
  name: "pages.issue_period_as_shown",
  is_read: false,
  work: (cx, shown: PeriodToIssue & { readonly digest: string }) => run(issueAsShown, cx, shown),
});

async function shownOf(tx: Tx, { ref }: PeriodToIssue, plan: IssuePlan): Promise<PeriodIssueShown> {
  if (!("decided" in plan)) return { resumes: true, digest: "resumes" };
  const { facts, snapshot: document, kept } = plan.decided;
  const effect = {
    warnings: kept ?? [],
    ...(await sendingAhead(tx, facts.invoice, facts.inputs)),
    activates: facts.billed?.series.status === "draft",
  };
  // Every dry run gives the invoice another id; all that is shown of it counts.
  const { document_id: _, ...booked } = document;
  const version = await versionOf(tx, "recurring_series", ref);
  const digest = sha256(freeze([booked, effect, version])).toString("base64url");
  return { document, ...effect, digest };
}
