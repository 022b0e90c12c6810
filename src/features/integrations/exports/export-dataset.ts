/** Writes a dataset as a file. All rows are of one snapshot, whose place in the feed of events is named with it (spec 15.4). */
import { csvLine } from "../../../domain/base/csv-text.ts";
import type { Context, Reader } from "../../../platform/commands/context.ts";
import { openSnapshot } from "../../../platform/database/transaction.ts";
import { CSV_TYPE, csvOfResources } from "../../../platform/http/csv.ts";
import { NDJSON_TYPE } from "../../../platform/http/ndjson.ts";
import type { ReplyStream } from "../../../platform/http/route.ts";
import { readFeedHeaders } from "../events/queries.ts";
import type { Dataset, ExportRow } from "./list-datasets.ts";
import type { ExportFormat } from "./schemas.ts";

interface FileFormat {
  readonly content_type: string;
  /** Returns the text before the rows. */
  begin(dataset: Dataset): string;
  textOf(dataset: Dataset, rows: readonly ExportRow[]): string;
}

const formats: Readonly<Record<ExportFormat, FileFormat>> = {
  ndjson: {
    content_type: NDJSON_TYPE,
    begin: () => "",
    textOf: (_dataset, rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
  },
  csv: {
    content_type: CSV_TYPE,
    begin: ({ columns }) => csvLine(columns),
    textOf: ({ columns }, rows) => csvOfResources(columns, rows),
  },
};

/** Returns the file of a dataset, which holds one connection until it is sent. */
export async function exportDataset(
  cx: Context,
  dataset: Dataset,
  format: ExportFormat,
): Promise<ReplyStream> {
  const snapshot = await snapshotOf(cx);
  try {
    const inside: Reader = { ...cx, ...snapshot };
    const { content_type, ...writer } = formats[format];
    const headers = {
      ...(await readFeedHeaders(inside)),
      "matchbook-schema": `${dataset.name}/${dataset.columns.length}`,
    };
    const lines = linesOf(inside, dataset, writer, snapshot.end);
    return { content_type, filename: `${dataset.name}.${format}`, headers, lines };
  } catch (error) {
    await snapshot.end();
    throw error;
  }
}

/** Opens a snapshot; a replica reads from one already. */
async function snapshotOf({ db }: Context): ReturnType<typeof openSnapshot> {
  if (!db.is_snapshot) return openSnapshot(db);
  return { rows: db.rows, row: db.row, end: async () => {} };
}

/** A client that takes nothing for this long gets no more, so that its snapshot does not stay open. */
const MOST_STALL_MS = 60_000;

async function* linesOf(
  cx: Reader,
  dataset: Dataset,
  { begin, textOf }: Omit<FileFormat, "content_type">,
  end: () => Promise<void>,
): AsyncGenerator<string> {
  let ended: Promise<void> | undefined;
  const endOnce = (): Promise<void> => {
    ended ??= end();
    return ended;
  };
  try {
    yield begin(dataset);
    for await (const rows of dataset.rows(cx)) {
      if (rows.length === 0) continue;
      const stalled = setTimeout(endOnce, MOST_STALL_MS);
      yield textOf(dataset, rows);
      clearTimeout(stalled);
      if (ended !== undefined) throw new Error("the client takes nothing");
    }
  } finally {
    await endOnce();
  }
}
