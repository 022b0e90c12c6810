/** `plan_update_series`: plans changes of a series, and its activation. */

import * as z from "zod";
import { requireInView } from "../../features/overview/views/queries.ts";
import {
  requireMayActivate,
  requireMayChange,
} from "../../features/overview/views/require-issuing.ts";
import { nextDue } from "../../features/recurring/occurrences/find-next-due.ts";
import { todayOf } from "../../features/recurring/series/activate.ts";
import { changeSeries } from "../../features/recurring/series/draft.ts";
import { type SeriesResource, SeriesUpdate } from "../../features/recurring/series/schemas.ts";
import type { Series } from "../../features/recurring/series/series.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import { getStored, versionOf } from "../../platform/database/resources.ts";
import { reference } from "../protocol/arguments.ts";
import { changesBetween } from "../protocol/plan-words.ts";
import { carryOut, defineProposal, done, validated } from "../protocol/proposal.ts";
import { customerIdOf } from "../text/named.ts";
import { namedPrinted } from "../text/named-lines.ts";
import {
  activate,
  activated,
  customerName,
  effectsOf,
  waitingPeriods,
} from "../text/series-plans.ts";

const { customer_id: _, ...headerFields } = SeriesUpdate.shape;

const UpdateInput = z.object({
  series: reference("series"),
  ...headerFields,
  ...namedPrinted,
  currency: headerFields.currency.describe("A change converts nothing."),
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
    "Plans changing header fields of a series (end date, timing, customer and so on), activating it, or both. Use plan_edit_series_line for its lines. Once a period is issued, customer, currency, frequency, start and alignment are fixed. A change by which an active series bills more, earlier or another customer needs the scope mcp:issue.",
  scope: "mcp:write",
  input: () => UpdateInput,

  async settle(cx, { series, customer, activate: is_active, ...sent }) {
    const { id } = await getStored(cx, "recurring_series", series);
    const changes = validated(SeriesUpdate, {
      ...sent,
      ...(customer === undefined ? {} : { customer_id: await customerIdOf(cx, customer) }),
    });
    return { id, changes, activate: is_active === true };
  },

  async permit(cx, { id, changes, activate: is_active }) {
    requireMayActivate(cx, is_active);
    await requireInView(cx, "recurring_series", id);
    await requireCustomerInView(cx, id, changes.customer_id);
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
      ...done("recurring_series", [id], document),
    };
  },
});

/** Throws OUT_OF_SCOPE for a customer other than the series' own that the person does not see. */
async function requireCustomerInView(
  cx: PersonReader,
  id: string,
  customer_id: string | undefined,
): Promise<void> {
  if (customer_id === undefined) return;
  const { document } = await getStored(cx, "recurring_series", id);
  const series = JSON.parse(document) as SeriesResource;
  if (series.customer_id !== customer_id) await requireInView(cx, "customer", customer_id);
}

/** Describes the periods that a change of an active series makes due. The scheduler runs within the hour. */
async function periodsDueAtOnce(inside: PersonReader, after: Series): Promise<string[]> {
  const due = nextDue(after, await todayOf(inside), inside.clock.now(), new Set());
  if (due === undefined) return [];
  return [`Due periods are issued at the scheduler's next run, the first being ${due.key}.`];
}
