/** `plan_issue_occurrence`: shows the invoice of a period that would be booked, and its recipient. */

import * as z from "zod";
import type { Warning } from "../../domain/sales/warning.ts";
import { requireInView } from "../../features/overview/views/queries.ts";
import type { DecidedOccurrence } from "../../features/recurring/occurrences/bookable.ts";
import { issueOccurrence } from "../../features/recurring/occurrences/issue-occurrence.ts";
import type { PersonTx } from "../../platform/commands/tx.ts";
import { getStored, versionOf } from "../../platform/database/resources.ts";
import { text } from "../../platform/http/schemas.ts";
import { reference } from "../protocol/arguments.ts";
import { proposeBooking } from "../protocol/booking-proposal.ts";
import { defineProposal, type Prepared } from "../protocol/proposal.ts";
import { moneyText, quoted } from "../protocol/words.ts";
import { bookingEffects, factsOfBooking } from "../text/booking.ts";

const IssueInput = z.object({
  series: reference("series"),
  period: text(32, 1).describe(
    "The key of the period as list_occurrences shows it, or its first day.",
  ),
});

type Issue = DecidedOccurrence & {
  readonly kept: readonly Warning[] | null;
};

interface Issuing {
  readonly id: string;
  readonly period: string;
}

export const planIssueOccurrence = defineProposal<z.output<typeof IssueInput>, Issuing>({
  name: "plan_issue_occurrence",
  title: "Plan issuing a period of a series",
  description:
    "Plans issuing the invoice of one period of a series now, ahead of time or late: booking it and, if auto_send is set, e-mailing it. Use it when the person does not want to wait for the due day, or when a period has failed.",
  scope: "mcp:issue",
  input: () => IssueInput,

  async settle(cx, { series, period }) {
    const { id } = await getStored(cx, "recurring_series", series);
    return { id, period };
  },

  permit: (cx, { id }) => requireInView(cx, "recurring_series", id),

  prepare(tx, { id, period }) {
    return proposeBooking(
      issueOccurrence,
      tx,
      { ref: id, period },
      {
        resource_type: "invoice",
        begun: { fact: "resume", summary: `Resumes the issue of ${period}, which has begun.` },
        documentOf: (document) => document,
        describe: (decided) => described(tx, decided),
      },
    );
  },
});

async function described(
  tx: PersonTx,
  { facts, snapshot: document, kept }: Issue,
): Promise<Pick<Prepared, "facts" | "shown">> {
  const { invoice, billed, inputs } = facts;
  if (!billed?.made_of || inputs === null) throw new Error("the period is already invoiced");
  const { series, made_of } = billed;
  const { key, from, to } = made_of.period;
  const warnings = kept ?? [];
  const effects = await bookingEffects(tx, invoice, document, warnings);
  const { totals, currency } = document;
  const [net, gross] = [totals.net, totals.gross].map((one) => moneyText(one, currency));
  const plan = {
    series,
    ...made_of,
    invoice,
    document_to_book: document,
    today: inputs.today,
    warnings,
  };
  return {
    facts: [
      plan,
      await factsOfBooking(tx, invoice),
      await versionOf(tx, "recurring_series", series.id),
    ],
    shown: {
      summary: `Issues period ${key} (${from} to ${to}) for ${quoted(document.customer.name)}: net ${net}, gross ${gross}, dated ${document.issue_date}, due ${document.payment.due_date}.`,
      changes: [
        {
          resource_type: "occurrence",
          id: `${series.id}/${key}`,
          field: "status",
          before: series.period_events.get(billed.index)?.state ?? "scheduled",
          after: "issued",
        },
      ],
      ...effects,
      effects: [
        ...(series.status === "draft" ? ["Activates the series, which is a draft."] : []),
        ...effects.effects,
      ],
    },
  };
}
