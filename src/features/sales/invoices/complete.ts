/**
 * Completes a line of an invoice, and undoes the completion (spec 5.4). The invoice neither shows nor stores the completion: an
 * issued invoice is frozen, and its milestone may still be reached.
 */

import * as z from "zod";
import type { LineId } from "../../../domain/base/brand.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { notFound } from "../../../domain/base/problem.ts";
import { decideCompletion, requireCompletable } from "../../../domain/sales/completion.ts";
import type { Invoice } from "../../../domain/sales/invoice.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { lockInvoice } from "./queries.ts";
import { CompleteBody, LineParams } from "./schemas.ts";

interface CompletionPlan {
  readonly document: JsonText;
  readonly invoice_id: string;
  readonly customer_id: string;
  readonly line_id: LineId;
  readonly before: CalendarDate | null;
  readonly after: CalendarDate | null;
}

/**
 * Completes a line on a date, today unless the request has one, and returns the invoice. Throws NOT_FOUND, LINE_NOT_COMPLETABLE,
 * INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS, WORK_DATE_IN_FUTURE, LINE_ALREADY_COMPLETED.
 */
export const completeLine = defineCommand({
  name: "complete_line",
  access: "write",
  input: z.object({ ...LineParams.shape, completed_on: CompleteBody.shape.completed_on }),

  async plan(tx, { ref, line_id, completed_on }): Promise<CompletionPlan> {
    const loaded = await completableLine(tx, ref, line_id);
    const today = todayIn(tx.clock, (await getConfiguration(tx)).time_zone);
    const after = completed_on ?? today;
    decideCompletion(loaded.before, after, today);
    return { ...loaded, after };
  },

  commit: store,
});

/**
 * Undoes the completion of a line and returns the invoice, also when the line is not completed. Throws
 * NOT_FOUND, LINE_NOT_COMPLETABLE, INVOICE_ALREADY_ISSUED, INVOICE_ISSUE_IN_PROGRESS.
 */
export const reopenLine = defineCommand({
  name: "reopen_line",
  access: "write",
  input: LineParams,

  async plan(tx, { ref, line_id }): Promise<CompletionPlan> {
    return { ...(await completableLine(tx, ref, line_id)), after: null };
  },

  commit: store,
});

/** Deletes the completions of lines whose recognition method a change of the draft replaces (spec 5.2). */
export async function forgetCompletions(tx: Tx, before: Invoice, after: Invoice): Promise<void> {
  const methods = new Map(before.lines.map((line) => [line.id, line.recognition_method]));
  const changed = after.lines.filter(
    ({ id, recognition_method }) => (methods.get(id) ?? recognition_method) !== recognition_method,
  );
  if (changed.length === 0) return;
  tx.write(
    sql`delete from line_completions where account_id = ${tx.caller.account_id} and line_id = any(${changed.map((line) => line.id)})`,
  );
}

/** Returns a line with its current completion, and locks its invoice. */
async function completableLine(tx: Tx, ref: string, line_id: string) {
  const { invoice, document, is_being_issued } = await lockInvoice(tx, ref);
  const line = invoice.lines.find((candidate) => candidate.id === line_id);
  if (line === undefined) throw notFound("invoice_line", line_id);
  const { recognition_method } = line;
  requireCompletable({ recognition_method, status: invoice.status, is_being_issued });
  const row = await tx.row<{ completed_on: CalendarDate }>(
    sql`select completed_on from line_completions where account_id = ${tx.caller.account_id} and line_id = ${line.id}`,
  );
  const before = row?.completed_on ?? null;
  const { id: invoice_id, customer_id } = invoice;
  return { document, invoice_id, customer_id, line_id: line.id, before };
}

async function store(tx: Tx, plan: CompletionPlan): Promise<JsonText> {
  const { document, line_id, before, after } = plan;
  if (before === after) return document;
  if (after === null) {
    tx.write(
      sql`delete from line_completions where account_id = ${tx.caller.account_id} and line_id = ${line_id}`,
    );
  } else {
    tx.write(
      sql`insert into line_completions (account_id, line_id, completed_on) values (${tx.caller.account_id}, ${line_id}, ${after})`,
    );
  }
  tx.audit("invoice_line", line_id, after === null ? "completion_removed" : "completed", {
    before: shown(plan, before),
    after: shown(plan, after),
    customer_id: plan.customer_id,
  });
  return document;
}

/** Returns the completion dates of lines; a line that is not completed has no entry. */
export async function completionsOf(
  cx: Reader,
  line_ids: readonly string[],
): Promise<Map<string, CalendarDate>> {
  const rows = await cx.rows<{ line_id: string; completed_on: CalendarDate }>(
    sql`select line_id, completed_on from line_completions
        where account_id = ${cx.caller.account_id} and line_id = any(${line_ids})`,
  );
  return new Map(rows.map(({ line_id, completed_on }) => [line_id, completed_on]));
}

function shown(plan: CompletionPlan, completed_on: CalendarDate | null): JsonText | null {
  if (completed_on === null) return null;
  const { invoice_id, line_id } = plan;
  return jsonText({ object: "line_completion", invoice_id, line_id, completed_on });
}
