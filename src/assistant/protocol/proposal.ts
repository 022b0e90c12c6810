/**
 * A proposal is a change that a `plan_*` tool plans and `commit` carries out: the commands that REST runs, and how to present
 * them. `prepare` runs in a transaction: the plan rolls it back, the commit does not.
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

/** The outcome of a commit, and how its result is recovered. */
export interface Carried {
  readonly resource_type: string;
  readonly ids: readonly string[];
  /** Whether an external ledger is still to be called; `finish` calls it. */
  readonly is_begun: boolean;
  /** Runs outside of the transaction: completes the work, and returns the resource as it is then; null for a deleted one. */
  finish(cx: PersonContext): Promise<JsonText | null>;
  /** Returns the delivery of the booked document; undefined where it was not to be sent. Called after `finish`. */
  delivery?(cx: PersonContext): Promise<Delivered | undefined>;
}

/** The delivery of a document, as the result of a commit shows it. */
export interface Delivered {
  readonly channel: string;
  readonly address: string | null;
  readonly state: string;
  readonly send_error: string | null;
  readonly at: string;
}

/** A delivery with these fields only. */
export function shownDelivery<Delivery extends Delivered>(
  delivery: Delivery,
): Pick<Delivery, keyof Delivered> {
  const { channel, address, state, send_error, at } = delivery;
  return { channel, address, state, send_error, at };
}

export interface Prepared {
  /** All facts that the outcome depends on and that the plan does not show. */
  readonly facts: unknown;
  readonly shown: Shown;
  /** Whether the booking had begun before and is resumed. */
  readonly resumes: boolean;
  /** Commits the booking. Drafts are already written by `prepare`. */
  carryOut(tx: PersonTx): Promise<Carried>;
}

export interface Proposal<Sent = unknown, Input = unknown> {
  /** The name of the tool; the part after `plan_` is the kind of the plan. */
  readonly name: `plan_${string}`;
  readonly title: string;
  readonly description: string;
  readonly scope: Exclude<McpScope, "mcp:read">;
  input(role: Role): z.ZodObject;
  readonly takes_back?: TakesBack;
  /** Replaces references by ids and validates the body like REST. The result is stored with the plan. */
  settle(cx: PersonReader, sent: Sent, plan_id: string): Promise<Input>;
  /** Checks that the person may make the change; the commit calls it again. Throws ROLE_FORBIDDEN or OUT_OF_SCOPE. */
  permit(cx: PersonReader, input: Input): Promise<void>;
  prepare(tx: PersonTx, input: Input): Promise<Prepared>;
}

/** Returns the given proposal; the function only lets TypeScript infer the types. */
export function defineProposal<Sent, Input>(proposal: Proposal<Sent, Input>): Proposal {
  return proposal as unknown as Proposal;
}

/** Returns the proposals by the names of their tools. */
export function proposalsByName(proposals: readonly Proposal[]): ReadonlyMap<string, Proposal> {
  return new Map(proposals.map((proposal) => [proposal.name, proposal]));
}

export const kindOf = (proposal: Proposal): string => proposal.name.slice("plan_".length);

/** Runs the steps `plan` and `commit` of a command in the transaction of a `prepare`. */
export async function carryOut<Input, Plan, Committed, Result>(
  command: Command<Input, Plan, Committed, Result>,
  tx: Tx,
  input: Input,
): Promise<{ readonly plan: Plan; readonly committed: Committed }> {
  const plan = await command.plan(tx, input);
  return { plan, committed: await command.commit(tx, plan) };
}

/** Returns the value as parsed by a schema of REST. Throws VALIDATION_FAILED. */
export function validated<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new Problem("VALIDATION_FAILED", { field_errors: fieldErrorsFrom(parsed.error) });
}

/** Returns the outcome for a draft that `prepare` has already written: no further work follows. */
export function done(
  resource_type: string,
  ids: readonly string[],
  document: JsonText | null,
): Pick<Prepared, "resumes" | "carryOut"> {
  return {
    resumes: false,
    carryOut: async () => ({ resource_type, ids, is_begun: false, finish: async () => document }),
  };
}
