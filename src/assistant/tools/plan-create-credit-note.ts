/** The tool that plans the credit of an issued invoice and shows its effect on revenue in advance. */

import * as z from "zod";
import { seesAccount } from "../../domain/base/visibility.ts";
import { creditKinds } from "../../domain/sales/credit-note.ts";
import type { DocumentSnapshot } from "../../domain/sales/document.ts";
import type { Warning } from "../../domain/sales/warning.ts";
import { requireInView } from "../../features/overview/views/queries.ts";
import { revenueOfCredit } from "../../features/revenue/reports/preview-credit.ts";
import type { DecidedCredit } from "../../features/sales/credit-notes/bookable.ts";
import { createCreditNote } from "../../features/sales/credit-notes/create.ts";
import { type CreditNote, creditableLines } from "../../features/sales/credit-notes/queries.ts";
import {
  CreditNoteCreate,
  CreditNoteLineInput,
} from "../../features/sales/credit-notes/schemas.ts";
import { getInvoice } from "../../features/sales/invoices/queries.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import type { PersonTx } from "../../platform/commands/tx.ts";
import { getStored } from "../../platform/database/resources.ts";
import { Day, ExternalId } from "../../platform/http/schemas.ts";
import { todayIn } from "../../platform/runtime/clock.ts";
import { reference } from "../protocol/arguments.ts";
import { proposeBooking } from "../protocol/booking-proposal.ts";
import type { PlannedChange } from "../protocol/plan-words.ts";
import { defineProposal, type Prepared, validated } from "../protocol/proposal.ts";
import { moneyText, quoted } from "../protocol/words.ts";
import { bookingEffects } from "../text/booking.ts";
import { takesCreditLinesBack } from "../text/shown-lines.ts";

const Input = z.object({
  invoice: reference("invoice"),
  kind: z.enum(creditKinds).describe("`full` credits the whole remainder."),
  lines: z
    .array(CreditNoteLineInput)
    .max(500)
    .optional()
    .describe("Only with `partial`: amounts of lines, net of VAT."),
  credit_date: Day.optional().describe("Default: today."),
  reason: CreditNoteCreate.shape.reason.describe("Printed under the lines."),
  external_id: ExternalId.optional(),
});

interface Crediting {
  readonly invoice_id: string;
  readonly note: CreditNoteCreate;
}

export const planCreateCreditNote = defineProposal<z.output<typeof Input>, Crediting>({
  name: "plan_create_credit_note",
  title: "Plan a credit note",
  description:
    "Plans the credit of an issued invoice, of its remainder or of amounts of its lines: books a credit note and e-mails it if the invoice was to be e-mailed. Use it when the person wants to reverse or reduce an invoice.",
  scope: "mcp:issue",
  input: () => Input,
  takes_back: takesCreditLinesBack,

  async settle(cx, { invoice, kind, lines, credit_date, reason, external_id }, plan_id) {
    const { id } = await getStored(cx, "invoices", invoice);
    const note = validated(CreditNoteCreate, {
      invoice: id,
      kind,
      ...(lines === undefined ? {} : { lines }),
      credit_date: credit_date ?? (await today(cx)),
      ...(reason === undefined ? {} : { reason }),
      external_id: external_id ?? `mcp-${plan_id}`,
    });
    return { invoice_id: id, note };
  },

  permit: (cx, { invoice_id }) => requireInView(cx, "invoice", invoice_id),

  prepare(tx, { note }) {
    return proposeBooking(createCreditNote, tx, note, {
      resource_type: "credit_note",
      begun: {
        fact: "repeat",
        summary: "A credit note with this external id and content already exists.",
      },
      documentOf: ({ document }) => document,
      describe: (decided) => described(tx, decided),
    });
  },
});

async function today(cx: PersonReader): Promise<string> {
  return todayIn(cx.clock, (await getConfiguration(cx)).time_zone);
}

type NewCredit = DecidedCredit & { readonly kept: readonly Warning[] | null };

/** Returns the credited lines, their amounts and the rest that can still be credited, in words and as changes. */
async function described(
  inside: PersonTx,
  { facts: { note }, snapshot: document, kept: warnings }: NewCredit,
): Promise<Pick<Prepared, "facts" | "shown">> {
  const { invoice } = await getInvoice(inside, note.invoice_id);
  const lines = await creditableLines(inside, note.invoice_id);
  const money = (amount: bigint) => moneyText(amount, document.currency);
  const texts = new Map(document.lines.map((line) => [line.line_id, line.text]));
  const credits = note.lines.map(({ invoice_line_id, amount }) => {
    const line = lines.find(({ line_id }) => line_id === invoice_line_id);
    const before = (line?.amount ?? 0n) - (line?.credited ?? 0n);
    return { invoice_line_id, amount, before, text: texts.get(invoice_line_id) ?? "" };
  });
  const left = lines.reduce((sum, line) => sum + line.amount - line.credited, 0n);
  const { net, gross } = document.totals;
  const booked = { ...invoice, id: note.id as typeof invoice.id };
  const effects = await bookingEffects(inside, booked, document, warnings ?? []);
  const { period_lock_date } = await getConfiguration(inside);
  const number = document.credits?.invoice_number;
  return {
    facts: [asInOlderPlans(note), withoutGuid(document), period_lock_date, lines],
    shown: {
      summary: `Credits invoice ${number} of ${quoted(document.customer.name)} by net ${money(net)} (${money(gross)} with VAT), dated ${note.credit_date}; ${money(left - net)} of it remains after that.`,
      changes: [
        ...credits.map(({ invoice_line_id, amount, before, text }) => ({
          resource_type: "invoice_line",
          id: invoice_line_id,
          field: `remainder of ${quoted(text)}`,
          before: money(before),
          after: money(before - amount),
        })),
        ...reasonOf(note),
      ],
      ...effects,
      effects: [...effects.effects, await revenueEffect(inside, note, document)],
    },
  };
}

/** Returns the reason of a credit as a change of the credit note, which does not exist yet. */
function reasonOf({ reason }: CreditNote): PlannedChange[] {
  if (reason === null) return [];
  const resource_type = "credit_note";
  return [{ resource_type, id: null, field: "reason", before: null, after: reason }];
}

const MOST_MONTHS_SHOWN = 12;

/** Returns the credit's monthly effect on revenue. It includes revenue of others, so only admins see it (spec 7.1). */
async function revenueEffect(
  inside: PersonReader,
  note: CreditNote,
  document: DocumentSnapshot,
): Promise<string> {
  if (!seesAccount(inside.caller.person.role)) {
    return "Only admins see the effect on revenue.";
  }
  const money = (amount: bigint) => moneyText(amount, document.currency);
  const { months } = await revenueOfCredit(inside, note);
  const changed = months
    .map((one) => ({ ...one, difference: one.earned_after - one.earned_before }))
    .filter(({ difference }) => difference !== 0n);
  if (changed.length === 0) return "Revenue does not change in any month.";
  const effects = changed
    .slice(0, MOST_MONTHS_SHOWN)
    .map(
      ({ month, earned_before, earned_after }) =>
        `${month} ${money(earned_before)} becomes ${money(earned_after)}`,
    );
  const left = changed.length - effects.length;
  const sum = changed.reduce((all, { difference }) => all + difference, 0n);
  const more = left > 0 ? `, and ${left} more months` : "";
  return `Changes revenue by ${money(sum)} in all: ${effects.join(", ")}${more}.`;
}

/** Returns the credit note without an absent reason, as in plans from before reasons existed. */
function asInOlderPlans(note: CreditNote): object {
  const { reason, ...older } = note;
  return reason === null ? older : note;
}

/** Returns the document without the invoice's guid, as in older plans. The credit note itself names the invoice. */
function withoutGuid(document: DocumentSnapshot): object {
  if (document.credits === null) return document;
  const { invoice_id: _, ...credits } = document.credits;
  return { ...document, credits };
}
