/** The open milestones of an issued invoice, and the months in which it is earned. */
import * as z from "zod";
import type { Month } from "../../domain/base/calendar.ts";
import { currencyDigits } from "../../domain/base/currency.ts";
import { scaledFromChecked } from "../../domain/base/money.ts";
import type { Invoice } from "../../domain/sales/invoice.ts";
import { ownLines } from "../../features/overview/views/find-own-lines.ts";
import { readSchedule } from "../../features/revenue/reports/schedule.ts";
import type { RecognitionScheduleResource } from "../../features/revenue/reports/schemas.ts";
import { uncompletedLines } from "../../features/sales/credit-notes/queries.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import { reading } from "../../platform/commands/tx.ts";
import { Uuid } from "../../platform/http/schemas.ts";
import { type Action, defineAction } from "../frame/action.ts";
import { defineLongWork } from "../frame/long-work.ts";
import type { PageRequest } from "../frame/page.tsx";
import { isAdmin, requireSeen } from "../frame/seen.ts";
import { ConfirmLink } from "../parts/confirm-link.tsx";
import { Facts } from "../parts/facts.tsx";
import { moneyOf } from "../parts/format.ts";
import type { MonthShown } from "./invoice-months.tsx";

/**
 * The months of an invoice as work that may be long: its customer may have many lines. A standard user gets what they earn
 * themselves. Throws NOT_FOUND.
 */
export const invoiceMonths = defineLongWork({
  name: "pages.invoice_months",
  is_read: true,
  on_replica: true,
  async work(cx: PersonContext, id: string): Promise<readonly MonthShown[]> {
    await requireSeen(cx, "invoice", id);
    const schedule: RecognitionScheduleResource = JSON.parse(
      await reading(cx, (inside) => readSchedule(inside, id)),
    );
    if (isAdmin(cx)) return monthsOf(schedule, null, EVERY_LINE);
    const line_ids = schedule.lines.map(({ line_id }) => line_id);
    return monthsOf(schedule, cx.caller.person.user_id, await ownLines(cx, line_ids));
  },
});

export const issuedActions: readonly Action[] = [
  defineAction("/app/invoices/months", "person", z.object({ id: Uuid }), (_cx, { id }, room) =>
    room.runLong(invoiceMonths, id),
  ),
];

/** The lines whose explanation the reader may open. */
type Openable = { has(line_id: string): boolean };

const EVERY_LINE: Openable = { has: () => true };

/** Returns the months with an amount; with an `own` person, only what that person earns. */
function monthsOf(
  { currency, lines }: RecognitionScheduleResource,
  own: string | null,
  openable: Openable,
): readonly MonthShown[] {
  const digits = currencyDigits(currency);
  const found = new Map<string, { line_id: string; earned: bigint }[]>();
  for (const { line_id, months } of lines) {
    for (const { month, earned: whole, users } of months) {
      const part = users.find(({ user_id }) => user_id === own)?.earned ?? 0;
      const earned = own === null ? whole : part;
      if (earned === 0) continue;
      const parts = found.get(month) ?? [];
      found.set(month, parts);
      parts.push({ line_id, earned: scaledFromChecked(earned, digits) });
    }
  }
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([month, parts]) => ({
      month: month as Month,
      earned: `${parts.reduce((sum, { earned }) => sum + earned, 0n)}`,
      lines: parts.map(({ line_id, earned }) => ({
        line_id,
        earned: `${earned}`,
        ...(!openable.has(line_id) && { is_unexplained: true as const }),
      })),
    }))
    .filter(({ earned, lines }) => earned !== "0" || lines.length > 1);
}

/** A milestone of an issued invoice that is not completed. The amount is what its completion earns, in minor units. */
interface OpenMilestone {
  readonly line_id: string;
  readonly earns: bigint;
}

/** Returns the open milestones of an issued invoice with something left to earn, in the order of its lines. */
export async function openMilestones(
  cx: PersonContext,
  { lines }: Pick<Invoice, "lines">,
): Promise<readonly OpenMilestone[]> {
  const milestones = lines.filter((line) => line.recognition_method === "milestone");
  if (milestones.length === 0) return [];
  const ids = milestones.map((line) => line.id);
  const open = await uncompletedLines(cx, ids);
  return open
    .map(({ line_id, amount, credited }) => ({ line_id, earns: amount - credited }))
    .filter(({ earns }) => earns !== 0n);
}

/** Lists the open milestones, each with the link to complete it; nothing where there is none. */
export function Milestones(props: {
  request: PageRequest;
  milestones: readonly OpenMilestone[];
  /** The printed texts of the lines by their ids. */
  texts: ReadonlyMap<string, string>;
  currency: string;
}) {
  const { request, milestones, texts, currency } = props;
  const { words: all, language } = request.reader;
  const words = all.milestones;
  if (milestones.length === 0) return null;
  return (
    <Facts title={words.open} id="milestones">
      <ul class="attempts">
        {milestones.map(({ line_id, earns }) => {
          const text = texts.get(line_id) ?? "–";
          return (
            <li key={line_id}>
              <span>
                {text}
                <small class="quiet">{words.waits(moneyOf(language, earns, currency))}</small>
              </span>
              <ConfirmLink
                class="button small"
                href={`/invoices/${request.id}/complete/${line_id}`}
                label={`${words.complete}: ${text}`}
              >
                {words.complete}
              </ConfirmLink>
            </li>
          );
        })}
      </ul>
    </Facts>
  );
}
