/** Shows what booking chosen suggestions would do, by a dry run of the command. The confirmation sends back a token of each line. */
import * as z from "zod";
import { Problem } from "../../domain/base/problem.ts";
import { bookBankLines } from "../../features/receivables/bank-lines/book.ts";
import { previewBankLines } from "../../features/receivables/bank-lines/preview.ts";
import { type BankLineRow, linesNamed } from "../../features/receivables/bank-lines/queries.ts";
import type { BankLineRun, BankLinesBook } from "../../features/receivables/bank-lines/schemas.ts";
import { shownEntries } from "../../features/receivables/payments/preview.ts";
import { defineCommand, run } from "../../platform/commands/command.ts";
import type { Reader } from "../../platform/commands/context.ts";
import type { Tx } from "../../platform/commands/tx.ts";
import { text, Uuid } from "../../platform/http/schemas.ts";
import { contentHash } from "../../platform/runtime/json.ts";
import { TakesLong } from "../../platform/threads/takes-long.ts";
import { defineLongWork } from "../frame/long-work.ts";
import { type Refusal, refusalOf } from "../words/refusal.ts";
import { type Becomes, type Choice, choicesOf } from "./suggest-lines.ts";

type Outcome = BankLineRun["outcomes"][number];
type Entries = NonNullable<Outcome["entries"]>;

/** The lines that are booked together. */
export const MOST_BOOKED = 50;
/** The lines that this thread may book. */
const MOST_AT_ONCE = 10;

/** A line and the key of the suggestion that was chosen. */
interface ChosenLine {
  readonly id: string;
  readonly key: string;
}

/** What booking a line would do, or why it is refused. `gone` is a suggestion that is not made any more. */
export interface BookAhead {
  readonly line: BankLineRow;
  readonly becomes: Becomes | null;
  readonly entries: Entries;
  readonly refused: Refusal | "gone" | null;
  /** A digest of what was shown. */
  readonly token: string;
}

/** Books chosen lines and rolls that back. Unknown lines are left out. */
export const bookDryRun = defineLongWork({
  name: "pages.dry_run_bank_lines",
  is_read: true,
  async work(cx, chosen: readonly ChosenLine[]): Promise<readonly BookAhead[]> {
    if (cx.leaves_if_long && chosen.length > MOST_AT_ONCE) throw new TakesLong();
    const found = await foundOf(cx, chosen);
    const sent = bodyOf(found);
    const outcomes = new Map<string, Outcome>();
    if (sent.lines.length > 0) {
      const reply = BankLineRunShown.parse(JSON.parse(await previewBankLines(cx, sent)));
      for (const outcome of reply.outcomes) outcomes.set(outcome.bank_line_id, outcome);
    }
    return found.map(({ line, key, choice }) => {
      const outcome = outcomes.get(line.id);
      const entries = outcome?.entries ?? [];
      const becomes = choice?.becomes ?? null;
      const refused = refusedIn(line, choice, outcome);
      return {
        line,
        becomes,
        entries,
        refused,
        token: digestOf(key, isReturn(choice) ? [] : entries),
      };
    });
  },
});

const BankLineRunShown = z.custom<BankLineRun>();

const ConfirmedLine = z.object({ id: Uuid, key: text(20), token: text(100) });
const ConfirmedLines = z.array(ConfirmedLine).min(1).max(MOST_BOOKED);
type ConfirmedLine = z.output<typeof ConfirmedLine>;

/** A line whose choice was found again, or was not. */
interface FoundLine<Asked extends ChosenLine> {
  readonly asked: Asked;
  readonly key: string;
  readonly line: BankLineRow;
  readonly choice: Choice | undefined;
}

async function foundOf<Asked extends ChosenLine>(
  cx: Reader,
  chosen: readonly Asked[],
): Promise<readonly FoundLine<Asked>[]> {
  const lines = await linesNamed(
    cx,
    chosen.map(({ id }) => id),
  );
  const choices = await choicesOf(cx, lines);
  const of = new Map(lines.map((line) => [line.id, line]));
  return chosen.flatMap((asked) => {
    const line = of.get(asked.id);
    if (line === undefined) return [];
    const choice = choices.get(asked.id)?.find(({ becomes }) => becomes.key === asked.key);
    return [{ asked, key: asked.key, line, choice }];
  });
}

/** A return has no entries before it is booked, so that its key alone is compared. */
function isReturn(choice: Choice | undefined): boolean {
  return choice !== undefined && "reverse" in choice.does;
}

function bodyOf(found: readonly FoundLine<ChosenLine>[]): BankLinesBook {
  return {
    lines: found.flatMap(({ line, choice }) =>
      choice === undefined ? [] : [{ bank_line: line.id, ...choice.does }],
    ),
  };
}

function refusedIn(
  line: BankLineRow,
  choice: Choice | undefined,
  outcome: Outcome | undefined,
): BookAhead["refused"] {
  if (line.state === "booked") return refusalOf(new Problem("BANK_LINE_BOOKED"));
  if (line.state === "ignored") return refusalOf(new Problem("BANK_LINE_IGNORED"));
  if (choice === undefined || outcome === undefined) return "gone";
  return refusalIn(outcome);
}

/** Returns the refusal of a line, that of its first field where there is one. */
export function refusalIn({ state, code, message, details }: Outcome): Refusal | null {
  if (state !== "refused") return null;
  const [field] = Array.isArray(details) ? (details as readonly Refusal[]) : [];
  const of_call = { code: code as Refusal["code"], message: message ?? "" };
  return field === undefined ? of_call : { code: field.code, message: field.message };
}

function digestOf(key: string, entries: unknown): string {
  return contentHash([key, entries]).toString("base64url").slice(0, DIGEST_LENGTH);
}

const DIGEST_LENGTH = 16;

/** Books lines as shown. A line of which anything would be different is left out, and has no outcome. */
const bookAsShown = defineCommand({
  ...bookBankLines,
  input: ConfirmedLines,

  async plan(tx: Tx, confirmed: readonly ConfirmedLine[]) {
    let found = (await foundOf(tx, confirmed)).filter(({ choice }) => choice !== undefined);
    for (;;) {
      const plan = await bookBankLines.plan(tx, bodyOf(found));
      const entries = new Map(
        plan.lines.map(({ id, planned }) => [
          id,
          planned.as === "payment"
            ? shownEntries(planned.plan.entries, plan.functional_currency)
            : [],
        ]),
      );
      const same = found.filter(
        ({ asked, key, line }) => digestOf(key, entries.get(line.id)) === asked.token,
      );
      if (same.length === found.length) return plan;
      // Payments see those before them: without one of them the others are decided again.
      found = same;
    }
  },
});

/** The booking as work that may be long. Returns the ids of the lines that are booked then. */
export const bookingAsShown = defineLongWork({
  name: "pages.book_lines_as_shown",
  is_read: false,
  async work(cx, confirmed: readonly ConfirmedLine[]): Promise<readonly string[]> {
    if (cx.leaves_if_long && confirmed.length > MOST_AT_ONCE) throw new TakesLong();
    await run(bookAsShown, cx, [...confirmed]);
    const lines = await linesNamed(
      cx,
      confirmed.map(({ id }) => id),
    );
    return lines.filter(({ state }) => state === "booked").map(({ id }) => id);
  },
});
