/** The tool that plans registering, changing and deleting work. */
import * as z from "zod";
import { given } from "../../domain/base/given.ts";
import { sumOfNumbers } from "../../domain/base/money.ts";
import { invalidField, Problem } from "../../domain/base/problem.ts";
import { HOURS_DECIMALS } from "../../domain/sales/line.ts";
import { getConfiguration } from "../../features/settings/configuration/queries.ts";
import { changeWork, removeWork } from "../../features/work/registrations/change.ts";
import { findPlace } from "../../features/work/registrations/locate-line.ts";
import { presentOne } from "../../features/work/registrations/present.ts";
import { getWork } from "../../features/work/registrations/queries.ts";
import { registerWork } from "../../features/work/registrations/register.ts";
import {
  WorkCreate,
  type WorkResource,
  WorkUpdate,
} from "../../features/work/registrations/schemas.ts";
import { lockHolders } from "../../features/work/registrations/target.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import type { PersonTx } from "../../platform/commands/tx.ts";
import { Day, decimal, Ref, text, Uuid } from "../../platform/http/schemas.ts";
import { type JsonText, jsonText } from "../../platform/runtime/json.ts";
import { reference } from "../protocol/arguments.ts";
import { changesBetween, type PlannedChange } from "../protocol/plan-words.ts";
import { carryOut, defineProposal, done, type Prepared, validated } from "../protocol/proposal.ts";
import {
  type ChangedWork,
  carriedChanges,
  changesFrom,
  shownChanges,
  WorkChange,
} from "../text/changed-work.ts";
import { movedFrom } from "../text/line-name.ts";
import { userIdOf } from "../text/named.ts";
import { effectsOf, type Locks, sentenceOf } from "../text/work-words.ts";

const MOST_ENTRIES = 50;

const entry = {
  line_id: Uuid.optional().describe(
    "As get_my_work shows it; the line_id of a series means its period on the date.",
  ),
  date: Day.optional().describe("Default: today."),
  hours: decimal(2, 0.01, 24).optional(),
  billable: z.boolean().optional().describe("Default: true."),
  note: text(1000).nullable().optional(),
};

const Entry = z.object({ ...entry, line_id: Uuid, hours: decimal(2, 0.01, 24) });

const Input = z.object({
  user: reference(
    "user",
    "The user who worked; default `me`; only admins may name others.",
  ).optional(),
  action: z.enum(["create", "change", "delete"]).default("create"),
  ...entry,
  entries: z.array(Entry).min(1).max(MOST_ENTRIES).optional().meta({
    description: "Several registrations of the same person, instead of the single fields.",
  }),
  registration_id: Ref.optional().describe("With `change` and `delete`: the registration."),
  changes: z
    .array(WorkChange)
    .min(1)
    .max(MOST_ENTRIES)
    .optional()
    .describe("Changes of several registrations, instead of the single fields: all or none."),
});
type Sent = z.output<typeof Input>;

type Work =
  | { readonly action: "create"; readonly entries: readonly WorkCreate[] }
  | { readonly action: "change"; readonly id: string; readonly changes: WorkUpdate }
  | { readonly action: "delete"; readonly id: string }
  | { readonly action: "changes"; readonly changes: readonly ChangedWork[] };

export const planRegisterWork = defineProposal<Sent, Work>({
  name: "plan_register_work",
  title: "Plan registrations of work",
  description:
    "Plans registering hours on a line, one registration or up to 50 in one call, or changing, moving or deleting them. Use it when the person reports their work; get_my_work shows the lines.",
  scope: "mcp:write",
  input: () => Input,

  async settle(cx, sent) {
    if (sent.changes !== undefined) {
      requireAlone(sent);
      return { action: "changes", changes: await changesFrom(cx, sent.changes) };
    }
    if (sent.action === "create") return { action: "create", entries: await entriesOf(cx, sent) };
    if (sent.registration_id === undefined) {
      throw invalidField("registration_id", "required", `The action ${sent.action} needs it.`);
    }
    const { id } = await getWork(cx, sent.registration_id);
    if (sent.action === "delete") return { action: "delete", id };
    const { line_id, date, hours, billable, note, user } = sent;
    const user_id = user === undefined ? undefined : await userIdOf(cx, user, "user");
    const changes = given({ line_id, date, hours, billable, note, user_id });
    return { action: "change", id, changes: validated(WorkUpdate, changes) };
  },

  // The rule of registering decides whose work it may be and on which line (spec 6.2).
  async permit() {},

  async prepare(inside, work) {
    const { period_lock_date, work_lock_date } = await getConfiguration(inside);
    const locks = { period_lock_date, work_lock_date };
    switch (work.action) {
      case "create":
        return registered(inside, work.entries, locks);
      case "change":
        return changed(inside, work.id, work.changes, locks);
      case "delete":
        return deleted(inside, work.id, locks);
      case "changes":
        return carriedChanges(inside, work.changes, locks);
    }
  },
});

function requireAlone({ changes: _, action, ...others }: Sent): void {
  if (action !== "delete" && Object.keys(given(others)).length === 0) return;
  const message = "Send either changes or the fields of one registration.";
  throw invalidField("changes", "not_allowed", message);
}

async function entriesOf(cx: PersonReader, sent: Sent): Promise<WorkCreate[]> {
  const user_id = await userIdOf(cx, sent.user ?? "me", "user");
  const { line_id, date, hours, billable, note } = sent;
  const single = given({ line_id, date, hours, billable, note });
  if (sent.entries === undefined) return [validated(WorkCreate, { ...single, user_id })];
  if (Object.keys(single).length > 0) {
    const message = "Send either entries or the fields of one registration.";
    throw invalidField("entries", "not_allowed", message);
  }
  return sent.entries.map((one) => validated(WorkCreate, { ...given(one), user_id }));
}

async function registered(
  tx: PersonTx,
  entries: readonly WorkCreate[],
  locks: Locks,
): Promise<Prepared> {
  await lockAll(tx, entries);
  const plans: unknown[] = [];
  const documents: JsonText[] = [];
  const sentences: string[] = [];
  for (const [index, one] of entries.entries()) {
    const { plan, committed } = await carryOut(registerWork, tx, one).catch((error: unknown) =>
      refusedEntry(error, index, entries.length),
    );
    plans.push("work" in plan ? { work: plan.work, request_hash: plan.request_hash } : plan);
    documents.push(committed.document);
    sentences.push(await sentenceOf(tx, committed.document));
  }
  const resources = documents.map((document) => JSON.parse(document) as WorkResource);
  const ids = resources.map(({ id }) => id);
  const hours = sumOfNumbers(
    resources.map((one) => one.hours),
    HOURS_DECIMALS,
  );
  const [only] = sentences;
  const single = documents.length === 1 ? documents[0] : undefined;
  const answer =
    single ?? jsonText({ object: "list", data: resources, has_more: false, next_cursor: null });
  return {
    facts: [plans, locks],
    shown: {
      summary:
        sentences.length === 1
          ? `Registers ${only}.`
          : `Registers ${entries.length} entries, ${hours} hours in total: ${sentences.join("; ")}.`,
      changes: documents.flatMap((document) => hoursAdded(document)),
      effects: effectsOf(resources, locks),
      warnings: [],
    },
    ...done("work_registration", ids, answer),
  };
}

async function changed(
  tx: PersonTx,
  id: string,
  changes: WorkUpdate,
  locks: Locks,
): Promise<Prepared> {
  const { plan, committed } = await carryOut(changeWork, tx, { ref: id, changes });
  const after = JSON.parse(committed) as WorkResource;
  const sentence = (await sentenceOf(tx, committed)) + (await movedFrom(tx, plan.before, after));
  return {
    facts: [plan, locks],
    shown: {
      summary: `Changes a registration; it is then ${sentence}.`,
      changes: shownChanges(plan.before, after, committed),
      effects: effectsOf([{ ...after, date: plan.before.date }, after], locks),
      warnings: [],
    },
    ...done("work_registration", [id], committed),
  };
}

async function deleted(tx: PersonTx, id: string, locks: Locks): Promise<Prepared> {
  const before = await presentOne(tx, await getWork(tx, id));
  const sentence = await sentenceOf(tx, before);
  const { plan } = await carryOut(removeWork, tx, { ref: id });
  return {
    facts: [plan, locks],
    shown: {
      summary: `Deletes the registration of ${sentence}.`,
      changes: changesBetween("work_registration", id, before, null),
      effects: effectsOf([JSON.parse(before) as WorkResource], locks),
      warnings: [],
    },
    ...done("work_registration", [id], null),
  };
}

/** Locks every series and draft of the entries first: locking them one by one could deadlock with another command. */
async function lockAll(tx: PersonTx, entries: readonly WorkCreate[]): Promise<void> {
  if (entries.length < 2) return;
  const placed = [];
  for (const { line_id } of entries) {
    const place = await findPlace(tx, line_id);
    if (place !== undefined) placed.push({ line_id, place });
  }
  await lockHolders(tx, placed);
}

function refusedEntry(error: unknown, index: number, count: number): never {
  if (!(error instanceof Problem) || count === 1) throw error;
  throw new Problem(error.code, {
    ...error.extras,
    message: `Entry ${index + 1} of ${count}: ${error.message}`,
    details: { ...error.extras.details, entry: index + 1 },
  });
}

function hoursAdded(document: JsonText): PlannedChange[] {
  const work = JSON.parse(document) as WorkResource;
  const on = { resource_type: "work_registration", id: null };
  return [
    { ...on, field: "line_id", before: null, after: work.line_id },
    { ...on, field: "user_id", before: null, after: work.user_id },
    { ...on, field: "date", before: null, after: work.date },
    { ...on, field: "hours", before: null, after: work.hours },
    ...(work.note === null ? [] : [{ ...on, field: "note", before: null, after: work.note }]),
  ];
}
