/** Writes a dataset as a file. All rows are of one snapshot, whose place in the feed of events is named with it (spec 15.4). */
import * as z from "zod";
import { monthsApart } from "../../../domain/base/calendar.ts";
import { csvLine } from "../../../domain/base/csv-text.ts";
import { invalidField } from "../../../domain/base/problem.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { openSnapshot } from "../../../platform/database/transaction.ts";
import { CSV_TYPE, columnsOf, csvOfResources } from "../../../platform/http/csv.ts";
import { NDJSON_TYPE } from "../../../platform/http/ndjson.ts";
import type { ReplyStream } from "../../../platform/http/route.ts";
import { MOST_MONTHS } from "../../revenue/reports/schemas.ts";
import { readFeedHeaders } from "../events/queries.ts";
import { PARQUET_TYPE, parquetColumnsOf, parquetOf } from "./format-parquet.ts";
import type { Dataset } from "./list-datasets.ts";
import type { ExportFormat, ExportQuery, ExportRow, MonthRange } from "./schemas.ts";

interface FileFormat {
  readonly content_type: string;
  /** Yields the file of rows. */
  partsOf(
    rows: Pick<Dataset, "row" | "columns">,
    portions: AsyncIterable<readonly ExportRow[]>,
  ): AsyncIterable<string | Uint8Array>;
}

const formats: Readonly<Record<ExportFormat, FileFormat>> = {
  ndjson: {
    content_type: NDJSON_TYPE,
    async *partsOf(_dataset, portions) {
      for await (const rows of together(portions)) {
        yield rows.map((row) => `${JSON.stringify(row)}\n`).join("");
      }
    },
  },
  csv: {
    content_type: CSV_TYPE,
    async *partsOf({ columns }, portions) {
      yield csvLine(columns);
      for await (const rows of together(portions)) yield csvOfResources(columns, rows);
    },
  },
  parquet: {
    content_type: PARQUET_TYPE,
    partsOf: ({ row }, portions) => parquetOf(parquetColumnsOf(row), portions),
  },
};

/** Returns the file of a dataset, which holds one connection until it is sent. Throws VALIDATION_FAILED. */
export async function exportDataset(
  cx: Context,
  dataset: Dataset,
  { format, after, ...query }: ExportQuery,
): Promise<ReplyStream> {
  const months = monthsFrom(dataset, query);
  const { name, changed } = dataset;
  if (after !== undefined && changed === null) {
    throw invalidField("after", "not_allowed", `The dataset ${name} is loaded by month.`);
  }
  const snapshot = await snapshotOf(cx);
  try {
    const inside: Reader = { ...cx, ...snapshot };
    const { content_type, partsOf } = formats[format];
    const feed = await readFeedHeaders(inside);
    const head = BigInt(feed["matchbook-sequence"] ?? 0);
    if (after !== undefined && BigInt(after) > head) {
      throw invalidField("after", "too_large", `The last event has the sequence ${head}.`);
    }
    const headers = { ...feed, "matchbook-schema": `${name}/${dataset.columns.length}` };
    const left: Left[] = [];
    const parts =
      after !== undefined && changed !== null
        ? partsOf(withSequence(dataset), changed(inside, BigInt(after), head))
        : partsOf(
            dataset,
            dataset.rows(inside, months, (work) => left.push(work)),
          );
    const lines = sent(parts, async () => {
      await snapshot.end();
      for (const work of left.splice(0)) await work(cx.primary ?? cx);
    });
    return { content_type, filename: `${name}.${format}`, headers, lines };
  } catch (error) {
    await snapshot.end();
    throw error;
  }
}

/** The columns of changed rows: new columns of a dataset are last, so these are first. */
function withSequence({ row }: Dataset): Pick<Dataset, "row" | "columns"> {
  const changed = z.object({ _sequence: z.int(), _deleted: z.boolean(), ...row.shape });
  return { row: changed, columns: columnsOf(changed) };
}

type Left = Parameters<Parameters<Dataset["rows"]>[2]>[0];

/** Returns the months of the query. Throws VALIDATION_FAILED for a dataset without them, and for a longer range of revenue. */
function monthsFrom(
  { name, has_months }: Dataset,
  query: Pick<ExportQuery, "from" | "to">,
): MonthRange {
  const { from = null, to = null } = query;
  const field = from === null ? "to" : "from";
  if ((from !== null || to !== null) && !has_months) {
    throw invalidField(field, "not_allowed", `The dataset ${name} has no months.`);
  }
  if (name === "revenue" && from !== null && to !== null) {
    if (monthsApart(from, to) > MOST_MONTHS) {
      throw invalidField("to", "too_large", `At most ${MOST_MONTHS} months apart.`);
    }
  }
  return { from, to };
}

/** Opens a snapshot; a replica reads from one already. */
async function snapshotOf({ db }: Context): ReturnType<typeof openSnapshot> {
  if (!db.is_snapshot) return openSnapshot(db);
  return { rows: db.rows, row: db.row, end: async () => {} };
}

/** A client that takes nothing for this long gets no more, so that its snapshot does not stay open. */
const MOST_STALL_MS = 60_000;

/** Yields the parts of a file, then ends its snapshot. */
async function* sent<Part>(
  parts: AsyncIterable<Part>,
  end: () => Promise<void>,
): AsyncGenerator<Part> {
  let ended: Promise<void> | undefined;
  const endOnce = (): Promise<void> => {
    ended ??= end();
    return ended;
  };
  try {
    for await (const part of parts) {
      const stalled = setTimeout(endOnce, MOST_STALL_MS);
      yield part;
      clearTimeout(stalled);
      if (ended !== undefined) throw new Error("the client takes nothing");
    }
  } finally {
    await endOnce();
  }
}

/** The number of rows that are sent together at least. */
const SENT_TOGETHER = 500;

/** Joins small portions. */
async function* together(
  portions: AsyncIterable<readonly ExportRow[]>,
): AsyncGenerator<readonly ExportRow[]> {
  let some: ExportRow[] = [];
  for await (const rows of portions) {
    some.push(...rows);
    if (some.length < SENT_TOGETHER) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}
