/**
 * Commands that save many rows in one transaction, by the rules of the command that saves one. A row that the rules refuse stops no
 * other; what the database refuses rolls back all of them.
 */
import { Problem } from "../../domain/base/problem.ts";
import type { Tx } from "./tx.ts";

/** What became of a row. */
interface SavedRow {
  readonly outcome: "created" | "updated" | "unchanged";
  readonly id: string;
}

/** What became of a row, or why it was refused. */
export type SavedOutcome = SavedRow | Problem;

/** Saves many rows, each with an external id that no other row has. */
export interface ManyCommand<Input extends { readonly external_id: string }> {
  /** The name of the command. */
  readonly name: string;
  /** Returns the outcomes in the order of the rows. */
  save(tx: Tx, rows: readonly Input[]): Promise<readonly SavedOutcome[]>;
}

/** Returns what a rule decides, or its refusal. */
export function orRefusal<Result>(decide: () => Result): Result | Problem {
  try {
    return decide();
  } catch (thrown) {
    if (thrown instanceof Problem) return thrown;
    throw thrown;
  }
}
