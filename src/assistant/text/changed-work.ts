/** The part of a plan that changes, moves and deletes several registrations of work: all of them, or none. */
import * as z from "zod";
import { given } from "../../domain/base/given.ts";
import { invalidField, Problem } from "../../domain/base/problem.ts";
import { changeWork, removeWork } from "../../features/work/registrations/change.ts";
import { findPlace, placeFrom } from "../../features/work/registrations/locate-line.ts";
import { presentOne, type Registration } from "../../features/work/registrations/present.ts";
import { getWork, getWorkInTurn } from "../../features/work/registrations/queries.ts";
import { type WorkResource, WorkUpdate } from "../../features/work/registrations/schemas.ts";
import { lockHolders } from "../../features/work/registrations/target.ts";
import type { PersonReader } from "../../platform/commands/context.ts";
import type { PersonTx } from "../../platform/commands/tx.ts";
import { Day, decimal, Ref, text, Uuid } from "../../platform/http/schemas.ts";
import { type JsonText, jsonText } from "../../platform/runtime/json.ts";
import { changesBetween, type PlannedChange } from "../protocol/plan-words.ts";
import { carryOut, done, type Prepared, validated } from "../protocol/proposal.ts";
import { counted } from "../protocol/words.ts";
import { movedFrom } from "./line-name.ts";
import { effectsOf, type Locks, sentenceOf } from "./work-words.ts";

/** A change of one registration among several. */
export const WorkChange = z.object({
  registration_id: Ref,
  line: Uuid.optional().describe("The line_id of the line to which the work moves."),
  date: Day.optional(),
  hours: decimal(2, 0.01, 24).optional(),
  billable: z.boolean().optional(),
  note: text(1000).nullable().optional(),
  delete: z.boolean().optional().describe("True deletes it, without other fields."),
});

/** A change with the id of the registration; null for its deletion. */
export interface ChangedWork {
  readonly id: string;
  readonly changes: WorkUpdate | null;
}

/** Returns the changes with ids. Throws NOT_FOUND, and VALIDATION_FAILED for a registration that is named twice or without changes. */
export async function changesFrom(
  cx: PersonReader,
  sent: readonly z.output<typeof WorkChange>[],
): Promise<ChangedWork[]> {
  const found: ChangedWork[] = [];
  for (const [index, one] of sent.entries()) {
    const { registration_id, delete: is_deleted, line: line_id, ...fields } = one;
    const { id } = await getWork(cx, registration_id);
    const changes = given({ line_id, ...fields });
    const field = `changes[${index}]`;
    if (found.some((other) => other.id === id)) {
      throw invalidField(`${field}.registration_id`, "not_allowed", "It is named twice.");
    }
    if ((is_deleted === true) === Object.keys(changes).length > 0) {
      throw invalidField(field, "required", "Send the fields that change, or delete: true.");
    }
    found.push({ id, changes: is_deleted ? null : validated(WorkUpdate, changes) });
  }
  return found;
}

interface Outcome {
  readonly id: string;
  readonly fact: unknown;
  readonly sentence: string;
  readonly shown: readonly PlannedChange[];
  readonly days: readonly Pick<WorkResource, "date">[];
  /** The registration afterwards; null for a deleted one. */
  readonly after: WorkResource | null;
}

/** Carries out all changes. Throws the refusal of each registration, as one: none is changed then. */
export async function carriedChanges(
  tx: PersonTx,
  changes: readonly ChangedWork[],
  locks: Locks,
): Promise<Prepared> {
  await lockAll(tx, changes);
  const outcomes: Outcome[] = [];
  const refusals: Refusal[] = [];
  for (const one of changes) {
    try {
      outcomes.push(await outcomeOf(tx, one));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refusals.push({ id: one.id, error });
    }
  }
  requireNone(refusals, changes.length);
  const ids = outcomes.map(({ id }) => id);
  const data = outcomes.flatMap(({ after }) => after ?? []);
  const answer = jsonText({ object: "list", data, has_more: false, next_cursor: null });
  const sentences = outcomes.map(({ sentence }) => sentence).join("; ");
  return {
    facts: [outcomes.map(({ fact }) => fact), locks],
    shown: {
      summary: `Changes ${counted(outcomes.length, "registration")}: ${sentences}.`,
      changes: outcomes.flatMap(({ shown }) => shown),
      effects: effectsOf(
        outcomes.flatMap(({ days }) => days),
        locks,
      ),
      warnings: [],
    },
    ...done("work_registration", ids, data.length === 0 ? null : answer),
  };
}

async function outcomeOf(tx: PersonTx, { id, changes }: ChangedWork): Promise<Outcome> {
  if (changes === null) {
    const before = await presentOne(tx, await getWork(tx, id));
    const sentence = await sentenceOf(tx, before);
    const { plan } = await carryOut(removeWork, tx, { ref: id });
    const was = JSON.parse(before) as WorkResource;
    const shown = changesBetween("work_registration", id, before, null);
    return { id, fact: plan, sentence: `${sentence}, deleted`, shown, days: [was], after: null };
  }
  const { plan, committed } = await carryOut(changeWork, tx, { ref: id, changes });
  const after = JSON.parse(committed) as WorkResource;
  return {
    id,
    fact: plan,
    sentence: (await sentenceOf(tx, committed)) + (await movedFrom(tx, plan.before, after)),
    shown: shownChanges(plan.before, after, committed),
    days: [plan.before, after],
    after,
  };
}

/** Returns what changes of a registration. The line before may have another price, so amounts are not compared. */
export function shownChanges(
  { created_at: _, updated_at: __, ...before }: Registration,
  after: WorkResource,
  committed: JsonText,
): PlannedChange[] {
  const was = { ...after, ...before, hours: before.hours / 100 };
  return changesBetween("work_registration", after.id, jsonText(was), committed).filter(
    ({ field }) => field !== "period_index",
  );
}

/** Takes all locks first, in their order: taking them one registration after another could deadlock with another command. */
async function lockAll(tx: PersonTx, changes: readonly ChangedWork[]): Promise<void> {
  if (changes.length < 2) return;
  const placed = [];
  for (const { id, changes: to } of changes.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const located = await getWorkInTurn(tx, id);
    placed.push({ line_id: located.line_id, place: placeFrom(located) });
    const place = to?.line_id === undefined ? undefined : await findPlace(tx, to.line_id);
    if (to?.line_id !== undefined && place !== undefined) {
      placed.push({ line_id: to.line_id, place });
    }
  }
  await lockHolders(tx, placed);
}

interface Refusal {
  readonly id: string;
  readonly error: Problem;
}

/** Throws the refusals as one, with the code of the first; the details name each registration. */
function requireNone(refusals: readonly Refusal[], count: number): void {
  const [first] = refusals;
  if (first === undefined) return;
  const words = refusals.map(({ id, error }) => `registration ${id}: ${error.message}`).join(" ");
  throw new Problem(first.error.code, {
    ...first.error.extras,
    message: `${refusals.length} of ${count} cannot be changed, so none is: ${words}`,
    details: {
      ...first.error.extras.details,
      registrations: refusals.map(({ id, error: { code, message } }) => ({
        registration_id: id,
        code,
        message,
      })),
    },
  });
}
