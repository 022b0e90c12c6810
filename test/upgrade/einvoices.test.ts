/**
 * What was issued and sent before the service handed e-invoices over itself is the same after the migration: documents and their files
 * byte by byte, and deliveries of every channel and state. Nothing is looked up or sent again for them. The older installation had only
 * mails in its outbox, so that the other deliveries are added to its backup.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { to as copyTo } from "pg-copy-streams";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { restore } from "../../src/platform/database/backup.ts";
import { withClient } from "../../src/platform/database/client.ts";
import { resumeBackground } from "../../src/platform/runtime/background.ts";
import { createDatabase, dropDatabase, type Json } from "../support/world/world.ts";
import { BACKUP } from "./before.ts";

/** The states of the older version, in each of its channels. */
const STATES = [
  ["written_to_outbox", null],
  ["accepted", null],
  ["failed_permanent", "e-invoice sending is not configured"],
  ["failed_temporary", "the ledger does not answer"],
  ["unknown", "the sending is unconfirmed: the ledger is asked whether it has sent the document"],
  ["queued", null],
] as const;

interface Table {
  readonly columns: readonly string[];
  /** In COPY form. */
  readonly rows: readonly string[];
}

let folder: string;
let url: string;
const before = new Map<string, Table>();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-upgrade-"));
  const lines = withDeliveries(gunzipSync(readFileSync(BACKUP)).toString().split("\n"));
  for (const [name, table] of tablesIn(lines)) before.set(name, table);
  const file = join(folder, "books.backup");
  writeFileSync(file, gzipSync(lines.join("\n")));
  url = await createDatabase(inject("template_url"));
  await restore(url, file);
});
afterAll(async () => {
  if (url !== undefined) await dropDatabase(inject("template_url"), url);
  await rm(folder, { recursive: true, force: true });
});

/** Adds deliveries of a document in every state, after the first one, from which they have all else. */
function withDeliveries(lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => line.startsWith('{"name":"deliveries"'));
  const { columns } = JSON.parse(lines[at] ?? "{}") as { readonly columns: readonly string[] };
  const added = ["email", "einvoice"].flatMap((channel, kind) =>
    STATES.map(([state, send_error], number) => {
      const cells = (lines[at + 1] ?? "").split("\t");
      const put = (column: string, value: string | null): void => {
        cells[columns.indexOf(column)] = value ?? "\\N";
      };
      put("id", `01a20206-b379-7602-b2dd-${kind}0000000000${number}`);
      put("channel", channel);
      put("state", state);
      put("send_error", send_error);
      put("error_code", send_error === null ? null : "earlier");
      return cells.join("\t");
    }),
  );
  return [...lines.slice(0, at + 2), ...added, ...lines.slice(at + 2)];
}

function* tablesIn(lines: readonly string[]): Generator<[string, Table]> {
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('{"name":')) continue;
    const { name, columns } = JSON.parse(line);
    yield [name, { columns, rows: lines.slice(at + 1, lines.indexOf("\\.", at)) }];
  }
}

/** The rows of a table as the older version had them, in COPY form. */
async function rowsNow(name: string): Promise<string[]> {
  const columns = before.get(name)?.columns.join(", ");
  return withClient({ connectionString: url }, async (client) => {
    await client.query("set timezone to 'UTC'");
    const copied = await text(client.query(copyTo(`copy ${name} (${columns}) to stdout`)));
    return copied.split("\n").slice(0, -1).sort();
  });
}

const sql = (statement: string): Promise<Json[]> =>
  withClient({ connectionString: url }, async (client) => (await client.query(statement)).rows);

it.each([
  ["issued_documents", 20],
  ["document_files", 3],
  ["deliveries", 4 + 2 * STATES.length],
  ["ledger_entries", 34],
  ["ledger_postings", 102],
])("leaves %s as they were", async (name, count) => {
  const was = [...(before.get(name)?.rows ?? [])].sort();
  expect(was).toHaveLength(count);
  expect(await rowsNow(name)).toEqual(was);
});

it("looks nothing up for what was sent before, also after background work was resumed", async () => {
  await resumeBackground(url);
  const was = [...(before.get("deliveries")?.rows ?? [])].sort();
  expect(await rowsNow("deliveries")).toEqual(was);
  const new_columns =
    "einvoice_look_at, einvoice_file_id, einvoice_connection_id, format, file_sha256, delivered_at, response, corrections";
  expect(await sql(`select id from deliveries where num_nonnulls(${new_columns}) > 0`)).toEqual([]);
  for (const table of ["delivery_events", "einvoice_files", "einvoice_connections"]) {
    expect(await sql(`select count(*)::int from ${table}`), table).toEqual([{ count: 0 }]);
  }
});
