/**
 * A command changes something, in two steps: `plan` reads and decides, `commit` does what was
 * decided, both inside one transaction that locks what the plan read. REST takes both steps in one
 * call; an assistant's plan is a dry run of them, which is rolled back, and its commit runs them
 * again. `after` is for what must not happen inside a transaction: calling a ledger, sending mail.
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
  /** Whether what was committed is a beginning, with which a repetition of the call goes on by itself. */
  is_begun?(committed: NoInfer<Committed>): boolean;
}

/** Only infers the types; a command is a plain value. */
export function defineCommand<Input, Plan, Committed, Result = Committed>(
  command: Command<Input, Plan, Committed, Result>,
): Command<Input, Plan, Committed, Result> {
  return command;
}

/**
 * Plans and commits in one transaction, then does what comes after. Throws INSUFFICIENT_SCOPE and
 * whatever the command refuses; a refusal rolls everything back. Under an idempotency key what is committed is
 * kept with it, and a repetition that finds it goes on with what comes after. One call runs one command. Its name and
 * how it ended stand in the line of the request and in a histogram.
 */
export function run<Input, Plan, Committed, Result>(
  command: Command<Input, Plan, Committed, Result>,
  cx: Context,
  input: Input,
): Promise<Result> {
  return told(cx.ran, command.name, async () => {
    requireAccess(cx.caller, command.access);
    const { once } = cx;
    const outside: Context = { ...cx, once: null, leaves_if_long: false };
    const earlier = once?.committed ?? null;
    // What comes after is rendering and sending, of something whose length nobody has looked at this time.
    if (earlier !== null && cx.leaves_if_long) throw new TakesLong();
    const committed =
      earlier === null
        ? await transact(cx, async (tx) => {
            const result = await command.commit(tx, await command.plan(tx, input));
            if (!command.is_begun?.(result)) once?.keep(tx, freeze({ result }));
            return result;
          })
        : thaw<{ readonly result: Committed }>(earlier).result;
    if (command.after) return command.after(outside, committed);
    return committed as unknown as Result;
  });
}

/** A command as a part of another one, in its transaction. For commands with nothing to do afterwards. */
export async function carried<Input, Plan, Committed, Result>(
  tx: Tx,
  command: Command<Input, Plan, Committed, Result>,
  input: Input,
): Promise<Committed> {
  return command.commit(tx, await command.plan(tx, input));
}

/**
 * Does the work of a command, and tells its name, how it ended and after how many seconds; nothing of one that is begun
 * again elsewhere.
 */
export async function told<Result>(
  ran: Context["ran"],
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  const tell = (outcome: CommandOutcome) => ran(name, outcome, (performance.now() - began) / 1000);
  try {
    const result = await work();
    tell("done");
    return result;
  } catch (error) {
    if (!(error instanceof TakesLong)) tell(error instanceof Problem ? "refused" : "failed");
    throw error;
  }
}
