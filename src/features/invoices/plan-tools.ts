/** The tools by which an assistant drafts, changes and issues one-time invoices. */
import * as z from "zod";
import { unseenWarning } from "../../domain/visibility.ts";
import { getStored, versionOf } from "../../platform/database/resources.ts";
import { Currency, Day, ExternalId, text } from "../../platform/http/schemas.ts";
import { reference } from "../../platform/mcp/arguments.ts";
import { changesBetween } from "../../platform/mcp/plan-words.ts";
import { carryOut, defineProposal, done, validated } from "../../platform/mcp/proposal.ts";
import type { PersonContext } from "../../platform/mcp/tool.ts";
import { counted, moneyText, quoted } from "../../platform/mcp/words.ts";
import { customerIdOf } from "../customers/named.ts";
import { latestDelivery } from "../documents/deliveries.ts";
import { requireInView } from "../views/in-view.ts";
import { bookingEffects, factsOfBooking } from "./booking-words.ts";
import { changeInvoice, createInvoice } from "./draft.ts";
import { factsOf } from "./facts.ts";
import { issueInvoice } from "./issue.ts";
import { NamedLine, namedPrinted, resolvedLines } from "./named-lines.ts";
import { getInvoice } from "./queries.ts";
import { InvoiceCreate, type InvoiceResource, InvoiceUpdate, MOST_LINES } from "./schemas.ts";

const fields = {
  currency: Currency.optional().meta({
    description: "Default: the customer's preferred currency, else that of the books.",
  }),
  issue_date: Day.nullable().optional().meta({ description: "Default: the day of the issue." }),
  title: text(200).nullable().optional(),
  ...namedPrinted,
};

const Lines = z.array(NamedLine).max(MOST_LINES);

const CreateInput = z.object({
  customer: reference("customer"),
  lines: Lines,
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

  async settle(cx, { customer, lines, ...sent }) {
    const customer_id = await customerIdOf(cx, customer);
    const resolved = await resolvedLines(cx, lines);
    return validated(InvoiceCreate, { ...sent, customer_id, lines: resolved });
  },

  // A new document is nobody's yet.
  async permit() {},

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
          ? `The invoice with this external id exists already, for ${customer}.`
          : `Creates a draft invoice for ${customer} with ${lines}, net ${net} as of now.`,
        changes: is_repeat ? [] : changesBetween("invoice", null, null, committed.document),
        effects: ["Books nothing and sends nothing: it is a draft."],
        warnings: is_repeat ? [] : warningsOf(inside, invoice),
      },
      goes_on: false,
      carryOut: done("invoice", [invoice.id], committed.document),
    };
  },
});

const UpdateInput = z.object({
  invoice: reference("invoice"),
  lines: Lines.optional().meta({
    description: "Replaces all lines. Send the `id` of a line that is to stay the same one.",
  }),
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
    "Plans changing the fields sent of a draft invoice; `lines` replaces all of its lines. Use it to correct a draft. What is issued is never changed: credit it instead.",
  scope: "mcp:write",
  input: () => UpdateInput,

  async settle(cx, { invoice, customer, lines, ...sent }) {
    const { id } = await getStored(cx.db, "invoices", cx.caller.account_id, invoice);
    const changes = validated(InvoiceUpdate, {
      ...sent,
      ...(customer === undefined ? {} : { customer_id: await customerIdOf(cx, customer) }),
      ...(lines === undefined ? {} : { lines: await resolvedLines(cx, lines) }),
    });
    return { id, changes };
  },

  permit: (cx, { id }) => requireInView(cx, "invoice", id),

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
      goes_on: false,
      carryOut: done("invoice", [id], committed),
    };
  },
});

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

/** Name of the customer and net amount, as they stand inside the transaction. */
async function described(inside: PersonContext, id: string) {
  const reading = { ...inside, locks: false };
  const { invoice } = await getInvoice(reading, id);
  const { document } = await factsOf(reading, invoice);
  return {
    customer: quoted(document.customer.name),
    net: moneyText(document.totals.net, document.currency),
  };
}

function warningsOf({ caller }: PersonContext, { lines }: InvoiceResource): string[] {
  return [
    ...(lines.length === 0 ? ["It has no lines, so it cannot be issued."] : []),
    ...unseenWarning(caller.person, lines),
  ];
}
