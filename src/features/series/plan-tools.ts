/** The tools by which an assistant drafts, changes and activates series, and issues their periods. */
import * as z from "zod";
import { frequencies } from "../../domain/period.ts";
import { unseenWarning } from "../../domain/visibility.ts";
import { getStored, versionOf } from "../../platform/database/resources.ts";
import { Currency, Day, text } from "../../platform/http/schemas.ts";
import type { JsonText } from "../../platform/json.ts";
import { reference } from "../../platform/mcp/arguments.ts";
import { changesBetween } from "../../platform/mcp/plan-words.ts";
import {
  type Carried,
  carryOut,
  defineProposal,
  done,
  validated,
} from "../../platform/mcp/proposal.ts";
import type { PersonContext } from "../../platform/mcp/tool.ts";
import { counted, moneyText, quoted } from "../../platform/mcp/words.ts";
import { customerIdOf } from "../customers/named.ts";
import { getCustomer } from "../customers/queries.ts";
import { latestDelivery } from "../documents/deliveries.ts";
import { bookingEffects, factsOfBooking } from "../invoices/booking-words.ts";
import { NamedSeriesLine, namedPrinted, resolvedLines } from "../invoices/named-lines.ts";
import { MOST_LINES } from "../invoices/schemas.ts";
import { requireInView } from "../views/in-view.ts";
import { activateSeries, todayOf } from "./activate.ts";
import { changeSeries, createSeries } from "./draft.ts";
import { issueOccurrence } from "./issue-occurrence.ts";
import { nextOccurrences } from "./many.ts";
import { requireMayActivate, requireMayChange } from "./may-issue.ts";
import { nextDue } from "./next-due.ts";
import { SeriesCreate, type SeriesResource, SeriesUpdate } from "./schemas.ts";
import type { Series } from "./series.ts";

const activate = z.boolean().meta({
  description:
    "Activates the series: from then on its periods are issued when they fall due. What fell due before waits. Needs the scope mcp:issue.",
});

const CreateInput = z.object({
  customer: reference("customer"),
  frequency: z.enum(frequencies),
  start_date: Day,
  end_date: Day.nullable().optional().meta({ description: "Last day of service." }),
  issue_timing: SeriesCreate.shape.issue_timing,
  currency: Currency.optional(),
  ...namedPrinted,
  lines: z.array(NamedSeriesLine).max(MOST_LINES).default([]),
  activate: activate.default(false),
});

interface Creating {
  readonly series: SeriesCreate;
  readonly activate: boolean;
}

export const planCreateSeries = defineProposal<z.output<typeof CreateInput>, Creating>({
  name: "plan_create_series",
  title: "Plan a recurring series",
  description:
    "Plans a new recurring series, such as a monthly retainer. Use it when the person wants to bill a customer again and again. It stays a draft unless `activate` is true, which needs the scope mcp:issue.",
  scope: "mcp:write",
  input: () => CreateInput,

  async settle(cx, { customer, lines, activate: is_active, ...sent }) {
    const customer_id = await customerIdOf(cx, customer);
    const resolved = await resolvedLines(cx, lines);
    const series = validated(SeriesCreate, { ...sent, customer_id, lines: resolved });
    return { series, activate: is_active };
  },

  // A new document is nobody's yet.
  async permit(cx, input) {
    requireMayActivate(cx, input.activate);
  },

  async prepare(inside, input) {
    const { plan, committed } = await carryOut(createSeries, inside, input.series);
    const { id } = JSON.parse(committed.document) as SeriesResource;
    const document = input.activate ? await activated(inside, id) : committed.document;
    const series = JSON.parse(document) as SeriesResource;
    const customer = await customerName(inside, series);
    const lines = counted(series.lines.length, "line");
    const kind = input.activate ? "an active" : "a draft of a";
    return {
      facts: plan,
      shown: {
        summary: `Creates ${kind} ${series.frequency} series for ${customer} from ${series.start_date} with ${lines}.`,
        changes: changesBetween("recurring_series", null, null, document),
        effects: effectsOf(input.activate, series),
        warnings: [...warningsOf(inside, series), ...(await waitingPeriods(inside, series))],
      },
      goes_on: false,
      carryOut: done("recurring_series", [id], document),
    };
  },
});

const { customer_id: _, ...headerFields } = SeriesUpdate.shape;

const UpdateInput = z.object({
  series: reference("series"),
  ...headerFields,
  ...namedPrinted,
  currency: headerFields.currency.meta({ description: "A change converts nothing." }),
  customer: reference("customer").optional(),
  activate: activate.optional(),
});

interface Changing {
  readonly id: string;
  readonly changes: SeriesUpdate;
  readonly activate: boolean;
}

export const planUpdateSeries = defineProposal<z.output<typeof UpdateInput>, Changing>({
  name: "plan_update_series",
  title: "Plan changes of a series",
  description:
    "Plans changing header fields of a series (end date, timing, customer and so on), activating it, or both. Use plan_edit_series_line for its lines. Once a period is issued, customer, currency, frequency, start and alignment are fixed. What lets an active series bill more, earlier or somebody else needs the scope mcp:issue.",
  scope: "mcp:write",
  input: () => UpdateInput,

  async settle(cx, { series, customer, activate: is_active, ...sent }) {
    const { id } = await getStored(cx.db, "recurring_series", cx.caller.account_id, series);
    const changes = validated(SeriesUpdate, {
      ...sent,
      ...(customer === undefined ? {} : { customer_id: await customerIdOf(cx, customer) }),
    });
    return { id, changes, activate: is_active === true };
  },

  async permit(cx, { id, changes, activate: is_active }) {
    requireMayActivate(cx, is_active);
    await requireInView(cx, "recurring_series", id);
    await requireMayChange(cx, id, changes);
  },

  async prepare(inside, { id, changes, activate: is_active }) {
    const version = await versionOf(inside, "recurring_series", id);
    const { plan, committed } = await carryOut(changeSeries, inside, { ref: id, changes });
    const document = is_active ? await activated(inside, id) : committed;
    const series = JSON.parse(document) as SeriesResource;
    const customer = await customerName(inside, series);
    const verb = is_active ? "Changes and activates" : "Changes";
    const shown_changes = changesBetween("recurring_series", id, plan.document, document);
    return {
      facts: [plan, version],
      shown: {
        summary:
          shown_changes.length === 0
            ? `Changes nothing of the series for ${customer}.`
            : `${verb} the ${series.frequency} series for ${customer}.`,
        changes: shown_changes,
        effects: effectsOf(is_active, series),
        warnings: is_active
          ? await waitingPeriods(inside, series)
          : await periodsDueAtOnce(inside, plan.after),
      },
      goes_on: false,
      carryOut: done("recurring_series", [id], document),
    };
  },
});

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

async function activated(inside: PersonContext, ref: string): Promise<JsonText> {
  return (await carryOut(activateSeries, inside, { ref, past_periods: "keep" })).committed;
}

/** Between quotes. */
export async function customerName(
  inside: PersonContext,
  { customer_id }: Pick<SeriesResource, "customer_id">,
): Promise<string> {
  return quoted((await getCustomer({ ...inside, locks: false }, customer_id)).name);
}

function effectsOf(is_activated: boolean, series: SeriesResource): string[] {
  const is_manual = series.issue_timing.mode === "manual";
  if (!is_activated && series.status === "active" && !is_manual) {
    return [
      "Books nothing now. The series is active: its periods are billed so when they fall due.",
    ];
  }
  if (!is_activated) return ["Books nothing and sends nothing."];
  if (is_manual) {
    return ["Books nothing now; its periods are issued when somebody asks for it."];
  }
  return [
    "Books nothing now. From then on each period is booked, and e-mailed where the series asks for that, when it falls due.",
  ];
}

/** Periods of an active series that fell due before it was: nobody issues them unless they are asked to. */
async function waitingPeriods(inside: PersonContext, series: SeriesResource): Promise<string[]> {
  if (series.status !== "active" || series.issue_timing.mode === "manual") return [];
  const next = (await nextOccurrences({ ...inside, locks: false }, [series.id])).get(series.id);
  if (next === undefined || next.issue_date >= (await todayOf(inside))) return [];
  return [
    `Periods that fell due before today are not issued by themselves, the first being ${next.period}: plan_issue_occurrence issues one.`,
  ];
}

/** A change of an active series may let periods fall due that did not, and the scheduler comes within the hour. */
async function periodsDueAtOnce(inside: PersonContext, after: Series): Promise<string[]> {
  const due = nextDue(after, await todayOf(inside), inside.clock.now(), new Set());
  if (due === undefined) return [];
  return [
    `Periods that have fallen due by then are issued at the scheduler's next run, the first being ${due.key}.`,
  ];
}

function warningsOf({ caller }: PersonContext, { lines }: SeriesResource): string[] {
  return [
    ...(lines.length === 0 ? ["It has no lines yet."] : []),
    ...unseenWarning(caller.person, lines),
  ];
}
