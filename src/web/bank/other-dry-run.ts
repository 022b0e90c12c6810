/** Books one line as a person has chosen: shown first by a dry run of the command, then as it was shown. */
import type * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import { bookBankLines } from "../../features/receivables/bank-lines/book.ts";
import { previewBankLines } from "../../features/receivables/bank-lines/preview.ts";
import {
  type BankLineRun,
  BankLinesBook,
  type BookedLineInput,
} from "../../features/receivables/bank-lines/schemas.ts";
import { shownEntries } from "../../features/receivables/payments/preview.ts";
import { defineCommand } from "../../platform/commands/command.ts";
import type { PersonContext } from "../../platform/commands/context.ts";
import type { Tx } from "../../platform/commands/tx.ts";
import { text } from "../../platform/http/schemas.ts";
import { contentHash } from "../../platform/runtime/json.ts";
import type { Refusal } from "../words/refusal.ts";
import { refusalIn } from "./book-dry-run.ts";

type Entries = NonNullable<BankLineRun["outcomes"][number]["entries"]>;

/** What booking a line would do, or why it is refused. */
export interface OtherAhead {
  readonly entries: Entries;
  readonly refused: Refusal | null;
  readonly token: string;
}

/** Books a line and rolls that back. */
export async function otherAhead(cx: PersonContext, body: BookedLineInput): Promise<OtherAhead> {
  const run: BankLineRun = JSON.parse(await previewBankLines(cx, { lines: [body] }));
  const [outcome] = run.outcomes;
  if (outcome === undefined) throw new Error("a line has no outcome");
  const { entries = [] } = outcome;
  return { entries, refused: refusalIn(outcome), token: digestOf(body, entries) };
}

const ConfirmedBody = BankLinesBook.extend({ token: text(100) });
type ConfirmedBody = z.output<typeof ConfirmedBody>;

/** Books a line as shown. Throws PLAN_STALE where its entries would be others; a refusal of the line is its outcome. */
export const bookOther = defineCommand({
  ...bookBankLines,
  input: ConfirmedBody,

  async plan(tx: Tx, { lines, token }: ConfirmedBody) {
    const plan = await bookBankLines.plan(tx, { lines });
    const [planned] = plan.lines.map((one) => one.planned);
    if (planned?.as === "payment") {
      const entries = shownEntries(planned.plan.entries, plan.functional_currency);
      if (digestOf(lines[0], entries) !== token) throw new Problem("PLAN_STALE");
    }
    return plan;
  },
});

function digestOf(body: unknown, entries: unknown): string {
  return contentHash([body, entries]).toString("base64url");
}
