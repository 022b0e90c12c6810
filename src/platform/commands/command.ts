/**
 * A command changes data in two steps: `plan` reads and decides, `commit` carries out the decision. Both steps run in one
 * transaction that locks what the plan read. REST takes both steps in one call; an assistant's plan is a dry run of both steps,
 * which is rolled back, and the assistant's commit runs both again. `after` does what must not happen inside a transaction:
 * calling a ledger, sending mail.
 */
import type * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import { freeze, thaw } from "../runtime/json.ts";
import { TakesLong } from "../threads/takes-long.ts";
import { type Access, type CommandOutcome, type Context, requireAccess } from "./context.ts";
import { type Tx, transact } from "./tx.ts";

export interface Command<Input, Plan, Committed, Result> {
  readonly name: string;
  readonly access: Access;
  readonly input: z.ZodType<Input>;
  plan(tx: Tx, input: Input): Promise<Plan>;
  commit(tx: Tx, plan: Plan): Promise<Committed> | Committed;
  after?(cx: Context, committed: Committed): Promise<Result>;
  /** Returns whether the transaction only began the work. A repeated call then runs the command again and resumes that work. */
  is_begun?(committed: NoInfer<Committed>): boolean;
}

/** Returns the given command; the function only lets TypeScript infer the types. */
export function defineCommand<Input, Plan, Committed, Result = Committed>(
  command: Command<Input, Plan, Committed, Result>,
): Command<Input, Plan, Committed, Result> {
  return command;
}

/**
 * Plans and commits in one transaction, then runs `after`. Throws INSUFFICIENT_SCOPE and every refusal of the command; a refusal
 * rolls everything back. Under an idempotency key, the committed result is stored with the key, and a repeated call that finds
 * the stored result continues with `after`. One call runs one command. The request's log line and a histogram record the
 * command's name and outcome.
 */
export function run<Input, Plan, Committed, Result>(
  command: Command<Input, Plan, Committed, Result>,
  cx: Context,
  input: Input,
): Promise<Result> {
  return reportOutcome(cx.ran, command.name, async () => {
    requireAccess(cx.caller, command.access);
    const { once } = cx;
    const outside: Context = { ...cx, once: null, precondition: null, leaves_if_long: false };
    const earlier = once?.committed ?? null;
    // `after` renders and sends documents, and this call has not checked how long that takes.
    if (earlier !== null && cx.leaves_if_long) throw new TakesLong();
    const committed =
      earlier === null
        ? await transact(cx, async (tx) => {
            const plan = await command.plan(tx, input);
            await cx.precondition?.(tx);
            const result = await command.commit(tx, plan);
            if (!command.is_begun?.(result)) once?.keep(tx, freeze({ result }));
            return result;
          })
        : thaw<{ readonly result: Committed }>(earlier).result;
    if (command.after) return command.after(outside, committed);
    return committed as unknown as Result;
  });
}

/** Runs a command as a part of another command, in the other command's transaction. For commands without `after`. */
export async function carried<Input, Plan, Committed, Result>(
  tx: Tx,
  command: Command<Input, Plan, Committed, Result>,
  input: Input,
): Promise<Committed> {
  return command.commit(tx, await command.plan(tx, input));
}

/** Does a command's work and reports name, outcome and seconds, except when the work restarts in another thread. */
export async function reportOutcome<Result>(
  ran: Context["ran"],
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  const report = (outcome: CommandOutcome) =>
    ran(name, outcome, (performance.now() - began) / 1000);
  try {
    const result = await work();
    report("done");
    return result;
  } catch (error) {
    if (!(error instanceof TakesLong)) report(error instanceof Problem ? "refused" : "failed");
    throw error;
  }
}
