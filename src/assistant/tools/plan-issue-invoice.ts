/** `plan_issue_invoice`: shows the document that would be booked, and its recipient. */
import * as z from "zod";
import type { CalendarDate } from "../../domain/base/calendar.ts";
import { requireInView } from "../../features/overview/views/queries.ts";
import { issueInvoice } from "../../features/sales/invoices/issue.ts";
import { getStored, versionOf } from "../../platform/database/resources.ts";
import { reference } from "../protocol/arguments.ts";
import { proposeBooking } from "../protocol/booking-proposal.ts";
import { defineProposal } from "../protocol/proposal.ts";
import { moneyText, quoted } from "../protocol/words.ts";
import { bookingEffects, factsOfBooking, revenueText } from "../text/booking.ts";

const IssueInput = z.object({
  invoice: reference("invoice"),
});

export const planIssueInvoice = defineProposal<z.output<typeof IssueInput>, { id: string }>({
  name: "plan_issue_invoice",
  title: "Plan issuing an invoice",
  description:
    "Plans issuing a draft invoice: booking it and, if auto_send is set, e-mailing it to the customer. Use it when the person states that an invoice is ready. An issued invoice can no longer be changed.",
  scope: "mcp:issue",
  input: () => IssueInput,

  async settle(cx, { invoice }) {
    const { id } = await getStored(cx, "invoices", invoice);
    return { id };
  },

  permit: (cx, { id }) => requireInView(cx, "invoice", id),

  prepare(tx, { id }) {
    return proposeBooking(
      issueInvoice,
      tx,
      { ref: id },
      {
        resource_type: "invoice",
        begun: { fact: "resume", summary: "Resumes the issue of the invoice, which has begun." },
        documentOf: (document) => document,

        async describe({ facts: { invoice }, snapshot: document, kept }) {
          const warnings = kept ?? [];
          const effects = await bookingEffects(tx, invoice, document, warnings);
          const { currency, totals, issue_date } = document;
          const [net, gross] = [totals.net, totals.gross].map((one) => moneyText(one, currency));
          const revenue = await revenueText(tx, invoice, issue_date as CalendarDate, currency);
          const date = {
            resource_type: "invoice",
            id,
            field: "issue_date",
            before: invoice.issue_date,
            after: document.issue_date,
          };
          return {
            facts: [
              { invoice, document, warnings },
              await factsOfBooking(tx, invoice),
              await versionOf(tx, "invoices", id),
            ],
            shown: {
              summary: `Issues the invoice for ${quoted(document.customer.name)}: net ${net}, gross ${gross}, dated ${issue_date}, due ${document.payment.due_date}.`,
              changes: [
                { resource_type: "invoice", id, field: "status", before: "draft", after: "issued" },
                ...(invoice.issue_date === document.issue_date ? [] : [date]),
              ],
              ...effects,
              effects: [...effects.effects, revenue],
            },
          };
        },
      },
    );
  },
});
