/** Registering hours that somebody worked on a line (spec 6). */
import { notFound } from "../../domain/base/problem.ts";
import { requireRegistrable } from "../../domain/work/work.ts";
import { defineCommand } from "../../platform/command.ts";
import { findRepeatedId, type Saved } from "../../platform/database/resources.ts";
import { newId } from "../../platform/id.ts";
import { contentHash } from "../../platform/json.ts";
import { findPlace } from "./locate-line.ts";
import { presentOne } from "./present.ts";
import { getWork, insertWork, type WorkFields } from "./queries.ts";
import { WorkCreate } from "./schemas.ts";
import { lockHolders, targetAt } from "./target.ts";
import { calendarOf, factsOf, hoursFrom } from "./work-inputs.ts";

type RegisterPlan =
  | { readonly repeat: string }
  | { readonly work: WorkFields; readonly request_hash: Buffer };

/**
 * Registers work on a line; with a used `external_id` and the same content answers what is registered.
 * Throws EXTERNAL_ID_CONFLICT, NOT_FOUND for the line, VALIDATION_FAILED for the user, and what
 * `requireRegistrable` throws.
 */
export const registerWork = defineCommand({
  name: "register_work",
  access: "write",
  input: WorkCreate,

  async plan(cx, sent): Promise<RegisterPlan> {
    const request_hash = contentHash(sent);
    const external_id = sent.external_id ?? null;
    const repeat = await findRepeatedId(cx, "work_registrations", external_id, request_hash);
    if (repeat !== undefined) return { repeat };
    const calendar = await calendarOf(cx);
    const date = sent.date ?? calendar.today;
    const place = await findPlace(cx, sent.line_id);
    if (place === undefined) throw notFound("line", sent.line_id);
    const target = targetAt(await lockHolders(cx, [place]), place, sent.line_id, date);
    const done = { user_id: sent.user_id, date, hours: hoursFrom(sent.hours) };
    requireRegistrable(target, done, await factsOf(cx, done, calendar, null));
    const work: WorkFields = {
      id: newId<string>(),
      external_id,
      ...target.located,
      ...done,
      billable: sent.billable,
      note: sent.note ?? null,
      status: "open",
    };
    return { work, request_hash };
  },

  async commit(cx, plan): Promise<Saved> {
    if ("repeat" in plan) {
      return { created: false, document: await presentOne(cx, await getWork(cx, plan.repeat)) };
    }
    const document = await presentOne(cx, await insertWork(cx, plan.work, plan.request_hash));
    cx.audit({
      action: "created",
      resource_type: "work_registration",
      resource_id: plan.work.id,
      before: null,
      after: document,
    });
    return { created: true, document };
  },
});
