/** Imports rows in batches: the ordinary command creates the new and valid ones. A dry run shows the outcome first. */
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import { type Command, defineCommand } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { dryRun, type Tx } from "../../../platform/commands/tx.ts";
import { sql } from "../../../platform/database/sql.ts";
import { fieldErrorsFrom } from "../../../platform/http/problems.ts";
import { text } from "../../../platform/http/schemas.ts";
import { freeze, type JsonText, sha256 } from "../../../platform/runtime/json.ts";

/** The highest number of rows in one transaction, small enough not to block other requests. */
const MOST_ROWS = 100;

export const ImportedRows = z.object({
  rows: z.array(z.record(z.string(), z.unknown())).min(1).max(MOST_ROWS),
});
type ImportedRows = z.output<typeof ImportedRows>;

/** The rows, with the confirmation token of the shown outcome. */
export const ConfirmedRows = ImportedRows.extend({ agreed: text(100) });
type ConfirmedRows = z.output<typeof ConfirmedRows>;

/** Why a row is rejected; `field` is the invalid field, empty when no single field is invalid. */
interface RowRefusal {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

type RowOutcome =
  | { readonly state: "new" }
  /** `id` names the existing record. */
  | { readonly state: "exists"; readonly id: string }
  | { readonly state: "refused"; readonly reason: RowRefusal };

/** The outcomes of rows, in their order; `agreed` is a token of all outcomes and of their inputs. */
interface LookedAt {
  readonly outcomes: readonly RowOutcome[];
  readonly agreed: string;
}

/** The result of a row: a new record, or the id of the existing one. */
type Became = { readonly made: JsonText } | { readonly exists: string };

/** One kind of import. */
export interface Imported<Row> {
  /** The name of the command. */
  readonly name: string;
  readonly row: z.ZodType<Row>;
  /** Takes the locks of all rows in order and reads the inputs. Returns a function that creates or refuses a row. */
  begin(tx: Tx, rows: readonly Row[]): Promise<(row: Row) => Promise<Became>>;
}

/** Makes a dry run of the import. Nothing is changed. */
export function lookAt<Row>(
  cx: Context,
  kind: Imported<Row>,
  { rows }: ImportedRows,
): Promise<LookedAt> {
  return dryRun(cx, (tx) => made(tx, kind, rows));
}

/** Creates the records and returns their number. Throws CHANGED_MEANWHILE if the outcome differs from the shown one. */
export function importOf<Row>(
  kind: Imported<Row>,
): Command<ConfirmedRows, ConfirmedRows, number, number> {
  return defineCommand({
    name: kind.name,
    access: "write",
    input: ConfirmedRows,
    plan: async (_tx: Tx, sent: ConfirmedRows) => sent,
    async commit(tx: Tx, { rows, agreed }: ConfirmedRows) {
      const done = await made(tx, kind, rows);
      if (done.agreed !== agreed) throw new Problem("CHANGED_MEANWHILE");
      return done.outcomes.filter(({ state }) => state === "new").length;
    },
  });
}

/** Locks the imports of an account, so that they are serialized and a repetition sees the result of the first call. */
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
    // An existing record may come from an earlier row of this run, with an id that differs in each run.
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

/** Returns the content of a record, without fields that differ in each run. */
function contentOf(document: JsonText): unknown {
  const { id: _, created_at: __, updated_at: ___, ...content } = JSON.parse(document);
  return content;
}
