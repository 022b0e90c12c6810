/**
 * Saves the rows of a call in batches, each in its own transaction (spec 15.3). Rows are answered when their batch is committed, so
 * that a caller whose connection breaks sends the same rows again.
 */
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import type { ManyCommand, SavedOutcome } from "../../../platform/commands/save-many.ts";
import { dryRun } from "../../../platform/commands/tx.ts";
import { databaseErrorCode } from "../../../platform/database/database.ts";
import { isOverloaded, isUnavailable } from "../../../platform/database/unavailable.ts";
import { internalError, problemFromDatabase } from "../../../platform/http/problems.ts";
import type { BatchRow } from "./schemas.ts";

/** The rows of one transaction: few enough not to block other requests. */
const BATCH_ROWS = 200;
/** After this time no further rows are begun. */
const MOST_MS = 15_000;
const MOST_FIELD_ERRORS = 10;

/** A row as it was read: what to save, or why it cannot be. */
export interface BatchInput<Input> {
  readonly row: number;
  readonly external_id: string | null;
  readonly read: Input | Problem;
}

interface BatchOptions {
  readonly is_dry_run: boolean;
  /** The time in milliseconds, which never goes back. */
  readonly now: () => number;
}

/** What became of a row; `failed` after an error of the program, null when the time was over. */
type Outcome = SavedOutcome | "failed" | null;

type Work<Input> = (inputs: readonly Input[]) => Promise<readonly SavedOutcome[]>;

/**
 * Yields the outcomes of rows in their order, as each batch commits; a dry run rolls each of them back. Throws what concerns no row:
 * SERVICE_UNAVAILABLE, RATE_LIMITED and errors of the program. What has been yielded stays.
 */
export async function* runBatch<Input extends { readonly external_id: string }>(
  cx: Context,
  many: ManyCommand<Input>,
  rows: readonly BatchInput<Input>[],
  { is_dry_run, now }: BatchOptions,
): AsyncGenerator<readonly BatchRow[]> {
  const until = now() + MOST_MS;
  const mayBegin = () => now() < until;
  const work: Work<Input> = is_dry_run
    ? (inputs) => dryRun(cx, (tx) => many.save(tx, inputs))
    : (inputs) => run(commandOf(many), cx, inputs);
  for (let at = 0; at < rows.length; at += BATCH_ROWS) {
    cx.signal.throwIfAborted();
    const batch = rows.slice(at, at + BATCH_ROWS);
    const inputs = batch.flatMap(({ read }) => (read instanceof Problem ? [] : [read]));
    const outcomes = [...(await savedTogether(cx, work, inputs, mayBegin))];
    yield batch.map(({ row, external_id, read }) => {
      const outcome = read instanceof Problem ? read : (outcomes.shift() ?? null);
      return { row, ...shownOf(outcome, external_id, is_dry_run) };
    });
  }
}

function commandOf<Input extends { readonly external_id: string }>(many: ManyCommand<Input>) {
  return defineCommand({
    name: many.name,
    access: "write",
    input: z.custom<readonly Input[]>(),
    plan: async (_tx, inputs: readonly Input[]) => inputs,
    commit: (tx, inputs) => many.save(tx, inputs),
  });
}

/** Saves rows in one transaction, or if the database refuses that, one by one. Returns fewer outcomes when the time is over. */
async function savedTogether<Input>(
  cx: Context,
  work: Work<Input>,
  inputs: readonly Input[],
  mayBegin: () => boolean,
): Promise<readonly Outcome[]> {
  if (inputs.length === 0 || !mayBegin()) return [];
  try {
    return await work(inputs);
  } catch (error) {
    requireOfRows(error);
  }
  const outcomes: Outcome[] = [];
  for (const input of inputs) {
    cx.signal.throwIfAborted();
    if (!mayBegin()) break;
    outcomes.push(await savedAlone(cx, work, input));
  }
  return outcomes;
}

async function savedAlone<Input>(cx: Context, work: Work<Input>, input: Input): Promise<Outcome> {
  try {
    const [outcome = null] = await work([input]);
    return outcome;
  } catch (error) {
    requireOfRows(error);
    const refusal = problemFromDatabase(error);
    if (refusal instanceof Problem) return refusal;
    cx.log.error({ err: error }, "a row of a batch could not be saved");
    return "failed";
  }
}

/** Throws an error that does not come from the content of rows. */
function requireOfRows(error: unknown): void {
  if (isUnavailable(error) || isOverloaded(error)) throw error;
  if (!(error instanceof Problem) && databaseErrorCode(error) === undefined) throw error;
}

function shownOf(
  outcome: Outcome,
  external_id: string | null,
  is_dry_run: boolean,
): Omit<BatchRow, "row"> {
  const none = { id: null, external_id, code: null, message: null, field_errors: null };
  if (outcome === null) return { outcome: "remaining", ...none };
  if (outcome === "failed") {
    const { code, message } = internalError("").error;
    return { outcome: "refused", ...none, code, message };
  }
  if (outcome instanceof Problem) {
    const { code, message, extras } = outcome;
    const field_errors = extras.field_errors?.slice(0, MOST_FIELD_ERRORS) ?? null;
    return { outcome: "refused", ...none, code, message, field_errors };
  }
  // The id of a new row is made in each run.
  const id = is_dry_run && outcome.outcome === "created" ? null : outcome.id;
  return { outcome: outcome.outcome, ...none, id };
}
