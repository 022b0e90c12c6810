/** Sets and ends the hold of an issued invoice. It is stored beside the invoice, which never changes. */
import * as z from "zod";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { invalidField, notFound, Problem } from "../../../domain/base/problem.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { columnOfRef } from "../../../platform/database/resources.ts";
import { raw, sql } from "../../../platform/database/sql.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { todayIn } from "../../../platform/runtime/clock.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { ReminderHoldPut, ReminderHoldResource } from "./schemas.ts";

interface Hold {
  readonly invoice_id: string;
  readonly until_date: CalendarDate;
  readonly reason: string;
}

/** A hold with the customer of its invoice, who does not change. */
interface PlannedHold extends Hold {
  readonly customer_id: string;
}

/** Sets the hold of an issued invoice, or replaces it. Throws NOT_FOUND, INVOICE_NOT_ISSUED, VALIDATION_FAILED. */
export const putReminderHold = defineCommand({
  name: "put_reminder_hold",
  access: "write",
  input: ReminderHoldPut.extend({ ref: Ref }),

  async plan(tx, { ref, until, reason }): Promise<PlannedHold> {
    const { id, status, customer_id } = await getInvoiceState(tx, ref);
    const today = todayIn(tx.clock, (await getConfiguration(tx)).time_zone);
    if (until < today) throw invalidField("until", "too_small", "The day is over.");
    if (status !== "issued") throw new Problem("INVOICE_NOT_ISSUED");
    return { invoice_id: id, until_date: until, reason, customer_id };
  },

  async commit(tx, after): Promise<JsonText> {
    const before = await lockHold(tx, after.invoice_id);
    const { invoice_id, until_date, reason, customer_id } = after;
    tx.write(sql`insert into reminder_holds (account_id, invoice_id, until_date, reason, updated_at)
      values (${tx.caller.account_id}, ${invoice_id}, ${until_date}, ${reason}, clock_timestamp())
      on conflict (account_id, invoice_id) do update
        set until_date = excluded.until_date, reason = excluded.reason, updated_at = excluded.updated_at`);
    const was = before === undefined ? null : presentHold(before);
    const is = presentHold(after);
    if (was !== is) {
      const action = was === null ? "created" : "updated";
      tx.audit("reminder_hold", invoice_id, action, { before: was, after: is, customer_id });
    }
    return is;
  },
});

/** Ends the hold of an invoice. Throws NOT_FOUND where it has none. */
export const removeReminderHold = defineCommand({
  name: "remove_reminder_hold",
  access: "write",
  input: z.object({ ref: Ref }),

  async plan(tx, { ref }): Promise<PlannedHold> {
    const { id, customer_id } = await getInvoiceState(tx, ref);
    const hold = await lockHold(tx, id);
    if (hold === undefined) throw notFound("reminder_hold", ref);
    return { ...hold, customer_id };
  },

  async commit(tx, hold): Promise<void> {
    tx.write(sql`delete from reminder_holds
      where account_id = ${tx.caller.account_id} and invoice_id = ${hold.invoice_id}`);
    tx.audit("reminder_hold", hold.invoice_id, "deleted", {
      before: presentHold(hold),
      after: null,
      customer_id: hold.customer_id,
    });
  },
});

interface InvoiceState {
  readonly id: string;
  readonly status: string;
  readonly customer_id: string;
}

async function getInvoiceState(tx: Tx, ref: string): Promise<InvoiceState> {
  const [column, value] = columnOfRef(ref);
  const row = await tx.row<InvoiceState>(sql`select i.id, i.status, i.customer_id from invoices i
    where i.account_id = ${tx.caller.account_id} and i.${raw(column)} = ${value}`);
  if (row === undefined) throw notFound("invoice", ref);
  return row;
}

function lockHold(tx: Tx, invoice_id: string): Promise<Hold | undefined> {
  return tx.row<Hold>(sql`select invoice_id, until_date, reason from reminder_holds
    where account_id = ${tx.caller.account_id} and invoice_id = ${invoice_id} for no key update`);
}

function presentHold({ invoice_id, until_date, reason }: Hold): JsonText {
  return jsonText(
    ReminderHoldResource.parse({ object: "reminder_hold", invoice_id, until: until_date, reason }),
  );
}
