/** Lists the matters that need a person: each feature provides its own query, and this file combines them. */
import { type Attention, mostUrgent, workingDayBefore } from "../../../domain/base/attention.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { attentionOfPlans } from "../../access/oauth/list-plans.ts";
import {
  attentionOfDeliveries,
  attentionOfUndelivered,
} from "../../documents/deliveries/attention.ts";
import { attentionOfAnswers } from "../../documents/einvoice-answers/attention.ts";
import { attentionOfWebhooks } from "../../integrations/webhooks/attention.ts";
import { attentionOfBookings } from "../../ledger/booking/queries.ts";
import {
  attentionOfBeginning,
  attentionOfCredit,
  attentionOfOverdue,
} from "../../receivables/balances/attention.ts";
import { attentionOfBankLines } from "../../receivables/bank-lines/attention.ts";
import {
  attentionOfDrafts,
  attentionOfEnds,
  attentionOfFailures,
} from "../../recurring/series/attention.ts";
import { attentionOfMonth, attentionOfRates } from "../../revenue/closes/attention.ts";
import {
  attentionOfBudgets,
  attentionOfMilestones,
  attentionOfMissingHours,
  attentionOfWork,
} from "../../work/registrations/attention.ts";

const MOST = 8;

/**
 * Returns the firm's matters, the most urgent first, at most eight. One query reads them, each part from an index of unsettled
 * records. With a user, only the matters of this person: their assistants, their hours, their lines. A person sees only the plans
 * of their own assistants, whatever their role.
 */
export async function listAttention(
  cx: Reader,
  today: CalendarDate,
  user_id: string | null = null,
): Promise<Attention[]> {
  const found = user_id === null ? ofFirm(cx, today) : ofPerson(cx, today, user_id);
  return mostUrgent(await cx.rows<Attention>(found), MOST);
}

function ofFirm(cx: Reader, today: CalendarDate): Sql {
  return sql`${attentionOfBookings(cx)}
    union all ${attentionOfDeliveries(cx)}
    union all ${attentionOfUndelivered(cx, today)}
    union all ${attentionOfAnswers(cx)}
    union all ${attentionOfFailures(cx)}
    union all ${attentionOfPlans(cx, cx.caller.person?.user_id ?? null)}
    union all ${attentionOfWebhooks(cx)}
    union all ${attentionOfMonth(cx, today)}
    union all ${attentionOfRates(cx, today)}
    union all ${attentionOfOverdue(cx, today)}
    union all ${attentionOfBeginning(cx)}
    union all ${attentionOfCredit(cx)}
    union all ${attentionOfBankLines(cx)}
    union all ${attentionOfDrafts(cx, today)}
    union all ${attentionOfMilestones(cx, today)}
    union all ${attentionOfWork(cx, today, null)}
    union all ${attentionOfBudgets(cx, today, null)}
    union all ${attentionOfEnds(cx, today)}`;
}

function ofPerson(cx: Reader, today: CalendarDate, user_id: string): Sql {
  return sql`select * from (values (null::text, null::text, null::text, null::text, null::text, null::text, null::bigint,
      null::text, null::text, null::text))
      as none (kind, subject, subject_id, title, party, party_id, amount, currency, since, detail) where false
    union all ${attentionOfPlans(cx, user_id)}
    union all ${attentionOfMissingHours(cx, workingDayBefore(today), user_id)}
    union all ${attentionOfWork(cx, today, user_id)}
    union all ${attentionOfBudgets(cx, today, user_id)}`;
}
