/** `plan_issue_invoice`: the document that would be booked, and who would get it. */
import * as z from "zod";
import { latestDelivery } from "../../features/deliveries/attempt.ts";
import { issueInvoice } from "../../features/invoices/issue.ts";
import { getStored, versionOf } from "../../platform/database/resources.ts";
import { reference } from "../protocol/arguments.ts";
import { defineProposal } from "../protocol/proposal.ts";
import type { PersonContext } from "../protocol/tool.ts";
import { moneyText, quoted } from "../protocol/words.ts";
import { bookingEffects, factsOfBooking } from "../text/booking.ts";
import { requireInView } from "../views/in-view.ts";

const IssueInput = z.object({
  invoice: reference("invoice"),
});

export const planIssueInvoice = defineProposal<z.output<typeof IssueInput>, { id: string }>({
  name: "plan_issue_invoice",
  title: "Plan issuing an invoice",
  description:
    "Plans issuing a draft invoice: booking it and, when it asks for that, e-mailing it to the customer. Use it when the person says that an invoice is ready. What is issued cannot be changed any more.",
  scope: "mcp:issue",
  input: () => IssueInput,

  async settle(cx, { invoice }) {
    const { id } = await getStored(cx.db, "invoices", cx.caller.account_id, invoice);
    return { id };
  },

  permit: (cx, { id }) => requireInView(cx, "invoice", id),

  async prepare(inside, { id }) {
    const plan = await issueInvoice.plan(inside, { ref: id });
    const carryOutIssue = async () => {
      const begun = await issueInvoice.commit(inside, plan);
      return {
        resource_type: "invoice",
        ids: [id],
        is_begun: "intent" in begun,
        finish: async (cx: PersonContext) => (await issueInvoice.after?.(cx, begun)) ?? null,
        delivery: (cx: PersonContext) => latestDelivery(cx, id),
      };
    };
    if ("resume" in plan) {
      const summary = "Goes on with issuing the invoice, which has begun.";
      const shown = { summary, changes: [], effects: [], warnings: [] };
      return { facts: ["resume", id], shown, goes_on: true, carryOut: carryOutIssue };
    }
    const { invoice, document } = plan;
    const told = await bookingEffects(inside, invoice, document, plan.warnings);
    const net = moneyText(document.totals.net, document.currency);
    return {
      facts: [plan, await factsOfBooking(inside, invoice), await versionOf(inside, "invoices", id)],
      shown: {
        summary: `Issues the invoice for ${quoted(document.customer.name)}: net ${net}, dated ${document.issue_date}, due ${document.payment.due_date}.`,
        changes: [
          { resource_type: "invoice", id, field: "status", before: "draft", after: "issued" },
          ...(invoice.issue_date === document.issue_date
            ? []
            : [
                {
                  resource_type: "invoice",
                  id,
                  field: "issue_date",
                  before: invoice.issue_date,
                  after: document.issue_date,
                },
              ]),
        ],
        ...told,
      },
      goes_on: false,
      carryOut: carryOutIssue,
    };
  },
});
