/** Previews what booking bank lines would do (spec 13.5), by running the command and rolling it back. */
import type { Context } from "../../../platform/commands/context.ts";
import { dryRun } from "../../../platform/commands/tx.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { shownEntries } from "../payments/preview.ts";
import { bookBankLines } from "./book.ts";
import { BankLineRun, type BankLinesBook } from "./schemas.ts";

/** Returns what booking lines would do, with the entries of payments; nothing is stored. */
export function previewBankLines(cx: Context, sent: BankLinesBook): Promise<JsonText> {
  return dryRun(cx, async (tx) => {
    const plan = await bookBankLines.plan(tx, sent);
    const run = await bookBankLines.commit(tx, plan);
    const outcomes = run.outcomes.map((outcome, at) => {
      const planned = plan.lines[at]?.planned;
      if (planned?.as !== "payment") return { ...outcome, entries: [] };
      return { ...outcome, entries: shownEntries(planned.plan.entries, plan.functional_currency) };
    });
    return jsonText(BankLineRun.parse({ ...run, outcomes }));
  });
}
