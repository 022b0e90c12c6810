/** Makes a booking a proposal. The plan describes the decision; a booking that is under way or done is resumed. */

import { latestDelivery } from "../../features/documents/deliveries/attempt.ts";
import type { BookingFacts, Decision } from "../../features/ledger/booking/bookable.ts";
import {
  type BookingPlan,
  type Committed,
  isOpen,
} from "../../features/ledger/booking/booking-command.ts";
import type { Command } from "../../platform/commands/command.ts";
import type { PersonTx } from "../../platform/commands/tx.ts";
import type { JsonText } from "../../platform/runtime/json.ts";
import type { Prepared } from "./proposal.ts";

interface BookingWords<Decided, Result> {
  readonly resource_type: string;
  /** Returns the facts of the decision, and how the plan presents them. */
  describe(decided: Decided): Promise<Pick<Prepared, "facts" | "shown">>;
  /** For a booking that has begun: the summary to show, and the fact to store in addition to the id. */
  readonly begun: { readonly fact: string; readonly summary: string };
  documentOf(result: Result): JsonText;
}

/** Plans a booking and presents it. Only `carryOut` books. Throws the refusals of the command. */
export async function proposeBooking<
  Input,
  Decided extends Decision<BookingFacts>,
  Carried,
  Result,
>(
  command: Command<Input, BookingPlan<Decided>, Committed<Carried>, Result>,
  tx: PersonTx,
  input: Input,
  words: BookingWords<Decided, Result>,
): Promise<Prepared> {
  const plan = await command.plan(tx, input);
  const id = idOf(plan);
  const described =
    "decided" in plan
      ? { ...(await words.describe(plan.decided)), resumes: false }
      : {
          facts: [words.begun.fact, id],
          shown: { summary: words.begun.summary, changes: [], effects: [], warnings: [] },
          resumes: true,
        };
  return {
    ...described,
    async carryOut(inside) {
      const committed = await command.commit(inside, plan);
      return {
        resource_type: words.resource_type,
        ids: [id],
        is_begun: isOpen(committed),
        finish: async (cx) =>
          command.after ? words.documentOf(await command.after(cx, committed)) : null,
        delivery: (cx) => latestDelivery(cx, id),
      };
    },
  };
}

function idOf(plan: BookingPlan<Decision<BookingFacts>>): string {
  if ("decided" in plan) return plan.decided.facts.guid;
  if ("resume" in plan) return plan.resume.document_id;
  return (JSON.parse(plan.repeat.document) as { readonly id: string }).id;
}
