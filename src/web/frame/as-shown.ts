/** Runs a command only as a page has shown it: the confirmation sends back a digest of the plan that was shown. */
import { Problem } from "../../domain/base/problem.ts";
import { type Command, run } from "../../platform/commands/command.ts";
import type { Context } from "../../platform/commands/context.ts";

/** What a page has shown of a plan. */
interface Shown<Plan> {
  digestOf(plan: Plan): string;
  /** The digest of the plan that was shown. */
  readonly digest: string;
}

/** Runs a command whose plan has the digest. Throws what the command throws, and PLAN_STALE where it would now do something else. */
export function runAsShown<Input, Plan, Committed, Result>(
  command: Command<Input, Plan, Committed, Result>,
  cx: Context,
  input: Input,
  { digestOf, digest }: Shown<Plan>,
): Promise<Result> {
  const as_shown: typeof command = {
    ...command,
    async plan(tx, sent) {
      const plan = await command.plan(tx, sent);
      if (digestOf(plan) !== digest) throw new Problem("PLAN_STALE");
      return plan;
    },
  };
  return run(as_shown, cx, input);
}
