/** `plan_create_invoice`: plans a draft and shows it as it would be stored. */
import * as z from "zod";
import { requireInView } from "../../features/overview/views/queries.ts";
import { createInvoice } from "../../features/sales/invoices/draft.ts";
import {
  InvoiceCreate,
  type InvoiceResource,
  MOST_LINES,
} from "../../features/sales/invoices/schemas.ts";
import { ExternalId } from "../../platform/http/schemas.ts";
import { reference } from "../protocol/arguments.ts";
import { changesBetween } from "../protocol/plan-words.ts";
import { carryOut, defineProposal, done, validated } from "../protocol/proposal.ts";
import { counted } from "../protocol/words.ts";
import { described, fields, warningsOf } from "../text/invoice-plans.ts";
import { customerIdOf } from "../text/named.ts";
import { LineWithNames, resolvedLines } from "../text/named-lines.ts";
import { takesLinesBack } from "../text/shown-lines.ts";

const CreateInput = z.object({
  customer: reference("customer"),
  lines: z.array(LineWithNames).max(MOST_LINES),
  ...fields,
  external_id: ExternalId.optional(),
});

export const planCreateInvoice = defineProposal<z.output<typeof CreateInput>, InvoiceCreate>({
  name: "plan_create_invoice",
  title: "Plan a draft invoice",
  description:
    "Plans a new one-time draft invoice. Use it when the person wants to bill a customer once; for something that repeats use plan_create_series. A draft is not booked and not sent.",
  scope: "mcp:write",
  input: () => CreateInput,
  takes_back: takesLinesBack,

  async settle(cx, { customer, lines, ...sent }) {
    const customer_id = await customerIdOf(cx, customer);
    const resolved = await resolvedLines(cx, lines);
    return validated(InvoiceCreate, { ...sent, customer_id, lines: resolved });
  },

  permit: (cx, { customer_id }) => requireInView(cx, "customer", customer_id),

  async prepare(inside, input) {
    const { plan, committed } = await carryOut(createInvoice, inside, input);
    const invoice = JSON.parse(committed.document) as InvoiceResource;
    const { customer, net } = await described(inside, invoice.id);
    const is_repeat = !committed.created;
    const lines = counted(invoice.lines.length, "line");
    return {
      facts: plan,
      shown: {
        summary: is_repeat
          ? `The invoice with this external id already exists, for ${customer}.`
          : `Creates a draft invoice for ${customer} with ${lines}, net ${net} as of now.`,
        changes: is_repeat ? [] : changesBetween("invoice", null, null, committed.document),
        effects: ["Books nothing and sends nothing: it is a draft."],
        warnings: is_repeat ? [] : warningsOf(inside, invoice),
      },
      ...done("invoice", [invoice.id], committed.document),
    };
  },
});
