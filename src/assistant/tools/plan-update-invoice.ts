/** `plan_update_invoice`: plans changes of a draft and shows it as it would be. */
import * as z from "zod";
import { requireInView } from "../../features/overview/views/queries.ts";
import { changeInvoice } from "../../features/sales/invoices/draft.ts";
import {
  type InvoiceResource,
  InvoiceUpdate,
  MOST_LINES,
} from "../../features/sales/invoices/schemas.ts";
import { getStored, versionOf } from "../../platform/database/resources.ts";
import { reference } from "../protocol/arguments.ts";
import { changesBetween } from "../protocol/plan-words.ts";
import { carryOut, defineProposal, done, validated } from "../protocol/proposal.ts";
import { described, fields, warningsOf } from "../text/invoice-plans.ts";
import { customerIdOf } from "../text/named.ts";
import { LineWithNames, likeInvoiceLine, resolvedLines } from "../text/named-lines.ts";
import { takesLinesBack } from "../text/shown-lines.ts";

const UpdateInput = z.object({
  invoice: reference("invoice"),
  lines: z
    .array(likeInvoiceLine(LineWithNames))
    .max(MOST_LINES)
    .optional()
    .describe("Replaces all lines. Send the `id` of each line that is to be kept."),
  ...fields,
  customer: reference("customer").optional(),
});

interface Changing {
  readonly id: string;
  readonly changes: InvoiceUpdate;
}

export const planUpdateInvoice = defineProposal<z.output<typeof UpdateInput>, Changing>({
  name: "plan_update_invoice",
  title: "Plan changes of a draft invoice",
  description:
    "Plans changing the fields sent of a draft invoice; `lines` replaces all of its lines. Use it to correct a draft. An issued invoice never changes: credit it instead.",
  scope: "mcp:write",
  input: () => UpdateInput,
  takes_back: takesLinesBack,

  async settle(cx, { invoice, customer, lines, ...sent }) {
    const { id } = await getStored(cx, "invoices", invoice);
    const changes = validated(InvoiceUpdate, {
      ...sent,
      ...(customer === undefined ? {} : { customer_id: await customerIdOf(cx, customer) }),
      ...(lines === undefined ? {} : { lines: await resolvedLines(cx, lines) }),
    });
    return { id, changes };
  },

  async permit(cx, { id, changes: { customer_id } }) {
    await requireInView(cx, "invoice", id);
    if (customer_id !== undefined) await requireInView(cx, "customer", customer_id);
  },

  async prepare(inside, { id, changes }) {
    const version = await versionOf(inside, "invoices", id);
    const { plan, committed } = await carryOut(changeInvoice, inside, { ref: id, changes });
    const { customer, net } = await described(inside, id);
    const shown_changes = changesBetween("invoice", id, plan.before.document, committed);
    const invoice = JSON.parse(committed) as InvoiceResource;
    return {
      facts: [plan, version],
      shown: {
        summary:
          shown_changes.length === 0
            ? `Changes nothing of the draft for ${customer}.`
            : `Changes the draft invoice for ${customer}; its net is then ${net} as of now.`,
        changes: shown_changes,
        effects: ["Books nothing and sends nothing: it stays a draft."],
        warnings: warningsOf(inside, invoice),
      },
      ...done("invoice", [id], committed),
    };
  },
});
