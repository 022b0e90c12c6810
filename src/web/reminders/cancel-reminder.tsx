/** Cancels a reminder, for admins: the page shows the entry that reverses what it charged, and books just that. */
import type * as z from "zod";
import type { Problem } from "../../domain/base/problem.ts";
import { cancelReminder } from "../../features/reminders/sent-reminders/cancel.ts";
import { getReminder } from "../../features/reminders/sent-reminders/queries.ts";
import { ReminderCancel } from "../../features/reminders/sent-reminders/schemas.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import type { Fields } from "../../platform/http/form.ts";
import { statusOfKind } from "../../platform/http/problems.ts";
import { dayAsked, todayFor } from "../frame/day-asked.ts";
import { Fault, Form, Submit } from "../frame/form.tsx";
import { definePage, type PageAnswer, type PageRequest, type WebPage } from "../frame/page.tsx";
import { type Faults, NO_FAULTS, refusedBy, submitted } from "../frame/submitted.ts";
import { DayEntry } from "../parts/day-entry.tsx";
import { Entry, FormFaults } from "../parts/entry.tsx";
import { accountNames, EntryTables } from "../payments/entry-table.tsx";
import { reversalBy } from "../payments/take-back-dry-run.ts";
import { refusalOf } from "../words/refusal.ts";
import { titleOf } from "./reminder.tsx";
import { REMINDERS } from "./reminders.tsx";

const FIELDS = ["reason", "date"];
const BLAMES = { PAYMENT_DATE_IN_FUTURE: "date", PERIOD_LOCKED: "date" } as const;
const MOST_OF_REASON = 500;
/** Stands for the reason while the person has not typed one: a dry run books nothing. */
const NO_REASON = "–";

/** A reminder that charges nothing has no entry to reverse. */
const cancellation = reversalBy(
  cancelReminder,
  (id, { reason, date }) => ({ id, reason, date }),
  ({ date, charged }) => ({ date, entry: charged?.entry ?? null }),
);

const sentBy = ({ reason, date = null }: z.output<typeof ReminderCancel>) => ({
  ...{ reason, date, fee: 0 },
});

export const cancelReminderPages: readonly WebPage[] = [
  definePage(`GET ${REMINDERS}/:id/cancel`, "hidden", (request) => show(request, {}, null)),
  definePage(`POST ${REMINDERS}/:id/cancel`, "hidden", cancel),
];

async function cancel(request: PageRequest): Promise<PageAnswer> {
  const { cx, id, form: typed } = request;
  const body = ReminderCancel.safeParse(typedBy(request, typed));
  if (!body.success) return show(request, typed, null);
  try {
    await cancellation.take(cx, id, sentBy(body.data), typed.token ?? "");
  } catch (thrown) {
    return show(request, typed, refusedBy(thrown));
  }
  return { redirect: `${REMINDERS}/${id}`, notice: { done: "reminder_cancelled" } };
}

function typedBy(request: PageRequest, { reason = "", date = "" }: Fields) {
  return {
    reason: reason.trim(),
    ...(date.trim() === "" ? {} : { date: dayAsked(request, date) }),
  };
}

/** Shows the form with what would be booked; `refused` is why nothing was cancelled. Leads back where it is cancelled already. */
async function show(
  request: PageRequest,
  typed: Fields,
  refused: Problem | null,
): Promise<PageAnswer> {
  const { cx, id, reader, csrf } = request;
  const { words: all } = reader;
  const words = all.reminders;
  const reminder = await getReminder(cx, id);
  const back = `${REMINDERS}/${id}`;
  if (reminder.row.cancelled_on !== null) return { redirect: back };
  const is_first = typed.reason === undefined;
  const sent = typedBy(request, typed);
  const looked = await submitted(
    ReminderCancel,
    is_first ? { ...sent, reason: NO_REASON } : sent,
    FIELDS,
    BLAMES,
    (body) => cancellation.look(cx, id, sentBy(body)),
  );
  const is_stale = refused?.code === "PLAN_STALE";
  const found: Faults = "faults" in looked ? looked.faults : NO_FAULTS;
  const faults =
    refused === null || is_stale || found.size > 0 ? found : new Map([["", refusalOf(refused)]]);
  const { functional_currency } = await getConfiguration(cx);
  const entries = "done" in looked ? looked.done.entries : [];
  const action = `${back}/cancel`;
  const content = (
    <div class="card confirm">
      {is_stale ? (
        <Fault text={words.changed} />
      ) : (
        <FormFaults faults={faults} words={all.see_fields} />
      )}
      <p>{reminder.row.number === null ? words.cancel_text_free : words.cancel_text}</p>
      <EntryTables
        entries={entries}
        label={words.entry}
        currency={functional_currency}
        accounts={await accountNames(cx)}
      />
      <Form action={action} csrf={csrf(action)}>
        <input type="hidden" name="token" value={"done" in looked ? looked.done.token : ""} />
        <Entry
          name="reason"
          label={words.reason}
          value={typed.reason ?? ""}
          most={MOST_OF_REASON}
          faults={faults}
          is_required
        />
        <DayEntry
          name="date"
          label={words.cancel_date}
          value={typed.date ?? todayFor(request)}
          today={todayFor(request)}
          faults={faults}
          is_required
        />
        <Submit text={words.cancel_now} back={{ href: back, text: all.issuing.not_yet }} />
      </Form>
    </div>
  );
  const is_faulty = "faults" in looked && !is_first;
  const status = refused === null ? (is_faulty ? looked.status : 200) : statusOfKind[refused.kind];
  return { title: words.cancel_title(titleOf(reader, reminder)), content, status };
}
