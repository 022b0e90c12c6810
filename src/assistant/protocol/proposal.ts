/**
 * A proposal is what a `plan_*` tool plans and `commit` carries out: the commands that REST runs, and the
 * words for them. `prepare` is called in a transaction: by the plan, which takes all of it back, and
 * by the commit, which does not.
 */
import type * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import type { Role } from "../../domain/base/user.ts";
import type { Command } from "../../platform/commands/command.ts";
import type { McpScope, PersonContext, PersonReader } from "../../platform/commands/context.ts";
import type { PersonTx, Tx } from "../../platform/commands/tx.ts";
import { fieldErrorsFrom } from "../../platform/http/problems.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
import type { Shown } from "./plan-words.ts";
import type { TakesBack } from "./tool.ts";

/** What came of a commit, and how its answer is recovered. */
export interface Carried {
  readonly resource_type: string;
  readonly ids: readonly string[];
  /** Whether an external ledger is still to be asked, which `finish` does. */
  readonly is_begun: boolean;
  /** Outside of the transaction: what comes after, and the resource as it is then; null for one that is gone. */
  finish(cx: PersonContext): Promise<JsonText | null>;
  /** How what was booked went to the customer; undefined when it was not to be sent. Asked after `finish`. */
  delivery?(cx: PersonContext): Promise<Delivered | undefined>;
}

/** A document on its way to a customer, as a commit tells of it. */
export interface Delivered {
  readonly channel: string;
  readonly address: string | null;
  readonly state: string;
  readonly send_error: string | null;
  readonly at: string;
}

export interface Prepared {
  /** Everything that decides and is not shown. */
  readonly facts: unknown;
  readonly shown: Shown;
  /** Whether the booking has begun before, and is gone on with. */
  readonly goes_on: boolean;
  /** Drafts are done by `prepare` itself; what is booked, only here. */
  carryOut(tx: PersonTx): Promise<Carried>;
}

export interface Proposal<Sent = unknown, Input = unknown> {
  /** Of the tool; what follows `plan_` is the kind of the plan. */
  readonly name: `plan_${string}`;
  readonly title: string;
  readonly description: string;
  readonly scope: Exclude<McpScope, "mcp:read">;
  input(role: Role): z.ZodObject;
  readonly takes_back?: TakesBack;
  /** References become ids and the body is validated as REST does: what is stored with the plan. */
  settle(cx: PersonReader, sent: Sent, plan_id: string): Promise<Input>;
  /** Throws ROLE_FORBIDDEN or OUT_OF_SCOPE; asked again by the commit. */
  permit(cx: PersonReader, input: Input): Promise<void>;
  prepare(tx: PersonTx, input: Input): Promise<Prepared>;
}

/** Only infers the types. */
export function defineProposal<Sent, Input>(proposal: Proposal<Sent, Input>): Proposal {
  return proposal as unknown as Proposal;
}

export const kindOf = (proposal: Proposal): string => proposal.name.slice("plan_".length);

/** Plans and commits inside the transaction of a `prepare`. */
export async function carryOut<Input, Plan, Committed, Result>(
  command: Command<Input, Plan, Committed, Result>,
  tx: Tx,
  input: Input,
): Promise<{ readonly plan: Plan; readonly committed: Committed }> {
  const plan = await command.plan(tx, input);
  return { plan, committed: await command.commit(tx, plan) };
}

/** The value as a schema of REST reads it. Throws VALIDATION_FAILED. */
export function validated<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new Problem("VALIDATION_FAILED", { field_errors: fieldErrorsFrom(parsed.error) });
}

/** A draft that `prepare` has made or changed: nothing comes after it. */
export function done(
  resource_type: string,
  ids: readonly string[],
  document: JsonText | null,
): () => Promise<Carried> {
  return async () => ({ resource_type, ids, is_begun: false, finish: async () => document });
}
