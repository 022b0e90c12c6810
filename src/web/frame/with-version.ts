/** A change that applies only to the version that the person has seen. */
import { Problem } from "../../domain/base/problem.ts";
import type { Command } from "../../platform/commands/command.ts";
import type { ListedTable } from "../../platform/database/page.ts";
import { versionOf } from "../../platform/database/resources.ts";
import { text } from "../../platform/http/schemas.ts";

/** The form of the text that `versionOf` returns. */
export const Version = text(40);

interface OfRow {
  /** The id of a row. */
  readonly ref: string;
}

interface Seen {
  /** The version that the person has seen, from `versionOf`. */
  readonly seen: string;
}

/** The result of the command, and the version that the command made. */
interface DoneAs<Committed> {
  readonly result: Committed;
  readonly version: string;
}

/** Returns the command for a caller that states the version it saw. Also throws CHANGED_MEANWHILE if it has changed. */
export function withVersion<Input extends OfRow, Plan, Committed>(
  command: Pick<
    Command<Input, Plan, Committed, Committed>,
    "name" | "access" | "plan" | "commit" | "input" | "after"
  >,
  table: ListedTable,
): Command<Input & Seen, { id: string; plan: Plan }, DoneAs<Committed>, DoneAs<Committed>> {
  const { name, access, input } = command;
  return {
    name,
    access,
    input: input as Command<Input & Seen, Plan, Committed, Committed>["input"],

    async plan(tx, sent) {
      // The version is read under the lock that the command takes.
      const plan = await command.plan(tx, sent);
      const version = await versionOf(tx, table, sent.ref);
      if (version !== sent.seen) {
        throw new Problem("CHANGED_MEANWHILE", { details: { version } });
      }
      return { id: sent.ref, plan };
    },

    async commit(tx, { id, plan }) {
      const result = await command.commit(tx, plan);
      return { result, version: await versionOf(tx, table, id) };
    },

    async after(cx, { result, version }) {
      return { result: (await command.after?.(cx, result)) ?? result, version };
    },
  };
}
