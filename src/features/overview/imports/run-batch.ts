/**
 * Rows that somebody brings along from elsewhere, so many at a time: each by the command that makes one, past those that are
 * there already and those that are refused. What comes of them is shown before it is done: the same, taken back.
 */
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import { type Command, defineCommand } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { fieldErrorsFrom } from "../../../platform/http/problems.ts";
import { text } from "../../../platform/http/schemas.ts";
import { freeze, type JsonText, sha256 } from "../../../platform/runtime/json.ts";

/** So many rows are one transaction: it is over before anybody waits for it. */
const MOST_ROWS = 100;

export const ImportedRows = z.object({
  rows: z.array(z.record(z.string(), z.unknown())).min(1).max(MOST_ROWS),
});
type ImportedRows = z.output<typeof ImportedRows>;

/** The same, and what stands for what was shown of them. */
export const AgreedRows = ImportedRows.extend({ agreed: text(100) });
type AgreedRows = z.output<typeof AgreedRows>;

/** Why a row is refused; `field` is that of the row that is to blame, empty where none is. */
interface RowRefusal {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

type RowOutcome =
  | { readonly state: "new" }
  /** `id` of what is there. */
  | { readonly state: "exists"; readonly id: string }
  | { readonly state: "refused"; readonly reason: RowRefusal };

/** What comes of rows, in their order; `agreed` stands for all of it and for what it was decided from. */
interface LookedAt {
  readonly outcomes: readonly RowOutcome[];
  readonly agreed: string;
}

/** What a row becomes: something new, or nothing, because the thing with the id is it already. */
type Became = { readonly made: JsonText } | { readonly exists: string };

/** One kind of what rows become. */
export interface Imported<Row> {
  /** Of the command. */
  readonly name: string;
  readonly row: z.ZodType<Row>;
  /** Takes the locks of all rows in their order and reads what decides; answers what makes a row. That throws what refuses it. */
  begin(tx: Tx, rows: readonly Row[]): Promise<(row: Row) => Promise<Became>>;
}

/** What an import of the rows would do. Nothing is changed. */
export function lookAt<Row>(
  cx: Context,
  kind: Imported<Row>,
  { rows }: ImportedRows,
): Promise<LookedAt> {
  return dryRun(cx, (tx) => made(tx, kind, rows));
}

/** The import itself; answers how many were made. Throws CHANGED_MEANWHILE, and makes nothing, where more or less would come of it than was shown. */
export function importOf<Row>(
  kind: Imported<Row>,
): Command<AgreedRows, AgreedRows, number, number> {
  return defineCommand({
    name: kind.name,
    access: "write",
    input: AgreedRows,
    plan: async (_tx: Tx, sent: AgreedRows) => sent,
    async commit(tx: Tx, { rows, agreed }: AgreedRows) {
      const done = await made(tx, kind, rows);
      if (done.agreed !== agreed) throw new Problem("CHANGED_MEANWHILE");
      return done.outcomes.filter(({ state }) => state === "new").length;
    },
  });
}

/** Whoever imports for the account takes turns, so that a repetition finds what the first call has made. */
export function takeTurn(tx: Tx, name: string): void {
  tx.lock(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${name} `} || ${tx.caller.account_id}::text, 2))`,
  );
}

async function made<Row>(
  tx: Tx,
  kind: Imported<Row>,
  sent: ImportedRows["rows"],
): Promise<LookedAt> {
  const read = sent.map((row) => kind.row.safeParse(row, { reportInput: true }));
  const rows = read.flatMap(({ success, data }) => (success ? [data] : []));
  const make = rows.length === 0 ? null : await kind.begin(tx, rows);
  const outcomes: RowOutcome[] = [];
  const seen: unknown[] = [];
  for (const { success, data, error } of read) {
    tx.signal.throwIfAborted();
    const became = success ? await attempted(make, data) : refusedBy(fieldErrorsFrom(error)[0]);
    const outcome: RowOutcome = "made" in became ? { state: "new" } : became;
    outcomes.push(outcome);
    // What is there may have been made by a row above, with an id that is another each time.
    seen.push("made" in became ? contentOf(became.made) : { ...outcome, id: null });
  }
  return { outcomes, agreed: sha256(freeze(seen)).toString("base64url") };
}

async function attempted<Row>(
  make: ((row: Row) => Promise<Became>) | null,
  row: Row,
): Promise<RowOutcome | { readonly made: JsonText }> {
  try {
    const became = await make?.(row);
    if (became === undefined) throw new Error("a row was not begun");
    return "made" in became ? became : { state: "exists", id: became.exists };
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    const { field_errors } = thrown.extras;
    return refusedBy(
      field_errors?.[0] ?? { field: "", code: thrown.code, message: thrown.message },
    );
  }
}

function refusedBy(reason: RowRefusal | undefined): RowOutcome {
  if (reason === undefined) throw new Error("a row was refused without a reason");
  return { state: "refused", reason };
}

/** What was shown of a thing, without what is another each time. */
function contentOf(document: JsonText): unknown {
  const { id: _, created_at: __, updated_at: ___, ...content } = JSON.parse(document);
  return content;
}
