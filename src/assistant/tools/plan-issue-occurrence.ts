/** `plan_issue_occurrence`: the invoice of a period that would be booked, and who would get it. */
import * as z from "zod";
import { latestDelivery } from "../../features/deliveries/attempt.ts";
import { issueOccurrence } from "../../features/occurrences/issue-occurrence.ts";
import { getStored, versionOf } from "../../platform/database/resources.ts";
import { text } from "../../platform/http/schemas.ts";
import { reference } from "../protocol/arguments.ts";
import { type Carried, defineProposal } from "../protocol/proposal.ts";
import { moneyText, quoted } from "../protocol/words.ts";
import { bookingEffects, factsOfBooking } from "../text/booking.ts";
import { requireInView } from "../views/in-view.ts";

const IssueInput = z.object({
  series: reference("series"),
  period: text(32, 1).meta({
    description: "The key of the period as list_occurrences shows it, or its first day.",
  }),
});

interface Issuing {
  readonly id: string;
  readonly period: string;
}

export const planIssueOccurrence = defineProposal<z.output<typeof IssueInput>, Issuing>({
  name: "plan_issue_occurrence",
  title: "Plan issuing a period of a series",
  description:
    "Plans issuing the invoice of one period of a series now, ahead of time or late: booking it and, when the series asks for that, e-mailing it. Use it when the person does not want to wait for the day on which it falls due, or a period has failed.",
  scope: "mcp:issue",
  input: () => IssueInput,

  async settle(cx, { series, period }) {
    const { id } = await getStored(cx.db, "recurring_series", cx.caller.account_id, series);
    return { id, period };
  },

  permit: (cx, { id }) => requireInView(cx, "recurring_series", id),

  async prepare(inside, { id, period }) {
    const plan = await issueOccurrence.plan(inside, { ref: id, period });
    const invoice_id = "resume" in plan ? plan.resume.id : plan.invoice.id;
    const carryOutIssue = async (): Promise<Carried> => {
      const begun = await issueOccurrence.commit(inside, plan);
      return {
        resource_type: "invoice",
        ids: [invoice_id],
        is_begun: "intent" in begun,
        finish: async (cx) => (await issueOccurrence.after?.(cx, begun)) ?? null,
        delivery: (cx) => latestDelivery(cx, invoice_id),
      };
    };
    if ("resume" in plan) {
      const summary = `Goes on with issuing ${period}, which has begun.`;
      const shown = { summary, changes: [], effects: [], warnings: [] };
      return { facts: ["resume", invoice_id], shown, goes_on: true, carryOut: carryOutIssue };
    }
    const { invoice, document_to_book: document, series } = plan;
    const told = await bookingEffects(inside, invoice, document, plan.warnings);
    const net = moneyText(document.totals.net, document.currency);
    const facts = [
      plan,
      await factsOfBooking(inside, invoice),
      await versionOf(inside, "recurring_series", series.id),
    ];
    const { key, from, to } = plan.period;
    return {
      facts,
      shown: {
        summary: `Issues period ${key} (${from} to ${to}) for ${quoted(document.customer.name)}: net ${net}, dated ${document.issue_date}, due ${document.payment.due_date}.`,
        changes: [
          {
            resource_type: "occurrence",
            id: `${series.id}/${key}`,
            field: "status",
            before: series.happened.get(plan.period.index)?.state ?? "scheduled",
            after: "issued",
          },
        ],
        ...told,
        effects: [
          ...(series.status === "draft" ? ["Activates the series, which is a draft."] : []),
          ...told.effects,
        ],
      },
      goes_on: false,
      carryOut: carryOutIssue,
    };
  },
});
