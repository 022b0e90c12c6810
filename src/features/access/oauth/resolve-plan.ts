/** The plans of a person's assistants on pages: the page of a plan, its decline, and its address (spec 8.4). */
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { PersonReader, Reader } from "../../../platform/commands/context.ts";
import { type Sql, sql } from "../../../platform/database/sql.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { minutesLeft } from "./list-plans.ts";

/** What ends a plan that its person declines. */
export const DECLINED = "DECLINED";

/** Returns the address of the page on which the person decides on a plan. */
export function planUrl(cx: Reader, plan_id: string): string {
  return `${cx.mail.base_url}/assistants/plans/${plan_id}`;
}

/** Returns the SQL condition that the grant of a plan `p` has not ended. */
export function hasLiveGrant(): Sql {
  return sql`exists (select from oauth_grants g where g.account_id = p.account_id
    and g.id::text = p.grant_id and g.expires_at > (select clock_timestamp()))`;
}

/** A change of one field, as the assistant was shown it; `id` is null for a resource that does not exist yet. */
interface ShownChange {
  readonly resource_type: string;
  readonly id: string | null;
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The words of a plan besides its summary, in English. */
interface PlanWords {
  readonly changes: readonly ShownChange[];
  readonly effects: readonly string[];
  readonly warnings: readonly string[];
  /** The entries of `warnings` with a code. A plan that an earlier version stored has none. */
  readonly document_warnings?: readonly {
    readonly code: string;
    readonly message: string;
    readonly field?: string;
  }[];
}

/** The document that a plan would book. `period` is the key of a period, or a day of it. */
type PlannedBooking =
  | { readonly kind: "invoice" | "credit"; readonly invoice_id: string }
  | { readonly kind: "period"; readonly series_id: string; readonly period: string };

/** A plan on its page. */
export interface ShownPlan {
  readonly id: string;
  /** `begun`: an external ledger has been asked, and the outcome is not known. */
  readonly state: "open" | "begun" | "committed" | "ended";
  readonly is_expired: boolean;
  /** At least 1; only meaningful while the plan is open. */
  readonly minutes_left: number;
  /** `DECLINED`, or the code of the refusal that ended it; null in other states. */
  readonly ended_by: string | null;
  /** The kind of the change: the part of the tool's name after `plan_`. */
  readonly kind: string;
  readonly summary: string;
  readonly client_name: string;
  readonly words: PlanWords;
  /** Null for a plan that books nothing. */
  readonly books: PlannedBooking | null;
  /** What a plan that was carried out has made or changed. */
  readonly result: { readonly resource_type: string; readonly id: string | null } | null;
}

interface PlanRow extends Omit<ShownPlan, "words" | "books" | "result" | "kind"> {
  readonly tool: string;
  readonly input: string;
  readonly words: string | null;
  readonly result: string | null;
}

const NO_WORDS: PlanWords = { changes: [], effects: [], warnings: [] };

/** Returns a plan of the reader's own assistants. Throws NOT_FOUND, also for another person's and where its grant has ended. */
export async function getPlan(cx: PersonReader, plan_id: string): Promise<ShownPlan> {
  const { account_id, person } = cx.caller;
  const row =
    await cx.row<PlanRow>(sql`select p.id, p.state, p.expires_at <= clock_timestamp() as is_expired,
       ${minutesLeft()}::int as minutes_left, p.ended_by, p.tool, p.input, p.shown::json ->> 'summary' as summary, p.words, p.result,
       g.client_name
     from plans p
     join oauth_grants g on g.account_id = p.account_id and g.id::text = p.grant_id and g.expires_at > clock_timestamp()
     where p.account_id = ${account_id} and p.id = ${plan_id} and p.user_id = ${person.user_id}`);
  if (row === undefined) throw new Problem("NOT_FOUND");
  const { tool, input, words, result, ...plan } = row;
  return {
    ...plan,
    books: bookingOf(tool, JSON.parse(input)),
    kind: tool.slice("plan_".length),
    words: words === null ? NO_WORDS : (JSON.parse(words) as PlanWords),
    result: result === null ? null : (JSON.parse(result) as ShownPlan["result"]),
  };
}

function bookingOf(
  tool: string,
  input: { readonly id?: string; readonly invoice_id?: string; readonly period?: string },
): PlannedBooking | null {
  const { id = "", invoice_id = "", period = "" } = input;
  if (tool === "plan_issue_invoice") return { kind: "invoice", invoice_id: id };
  if (tool === "plan_create_credit_note") return { kind: "credit", invoice_id };
  return tool === "plan_issue_occurrence" ? { kind: "period", series_id: id, period } : null;
}

/**
 * Ends an open plan of the caller's own assistants; its assistant is refused with PLAN_EXPIRED from then on. Throws NOT_FOUND,
 * PLAN_ALREADY_COMMITTED, and PLAN_EXPIRED for a plan that has ended or has begun a booking.
 */
export const declinePlan = defineCommand({
  name: "decline_plan",
  access: "write",
  input: z.object({ id: z.string() }),

  async plan(tx, { id }) {
    const { account_id, person } = tx.caller;
    const plan = await tx.row<{
      state: ShownPlan["state"];
      is_expired: boolean;
      shown: JsonText;
    }>(sql`select state, expires_at <= clock_timestamp() as is_expired, shown from plans p
      where account_id = ${account_id} and id = ${id} and user_id = ${person?.user_id ?? null} and ${hasLiveGrant()}
      for no key update`);
    if (plan === undefined) throw new Problem("NOT_FOUND");
    if (plan.state === "committed") throw new Problem("PLAN_ALREADY_COMMITTED");
    if (plan.state !== "open" || plan.is_expired) throw new Problem("PLAN_EXPIRED");
    return { id, shown: plan.shown };
  },

  async commit(tx, { id, shown }): Promise<void> {
    tx.write(sql`update plans set state = 'ended', ended_by = ${DECLINED}
      where account_id = ${tx.caller.account_id} and id = ${id}`);
    const after = jsonText({ ...JSON.parse(shown), ended_by: DECLINED });
    tx.audit("plan", id, "declined", { before: shown, after });
  },
});
