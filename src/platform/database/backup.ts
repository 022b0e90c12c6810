/**
 * Backs up and restores a database as one compressed text file in COPY form, read in one snapshot while in use. The
 * bundled server has no pg_dump, and must be stopped to copy its files. A restore needs an empty database.
 */
import { randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { link, lstat, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { createGunzip, createGzip } from "node:zlib";
import type pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { pauseRestored } from "../runtime/background.ts";
import { withClient } from "./client.ts";
import { migrate } from "./migrate.ts";

const FORMAT = "matchbook-backup 1";
const END_OF_TABLE = "\\.";

interface BackedUpTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Writes a new file, visible once complete; returns the names of the tables. Throws an Error if the file exists. */
export async function backUp(url: string, file: string): Promise<string[]> {
  await requireAbsent(file);
  // A unique name, because two backups to one file must not write into each other.
  const unfinished = `${file}.${randomBytes(6).toString("hex")}.unfinished`;
  try {
    return await withClient({ connectionString: url }, async (client) => {
      await client.query("begin isolation level repeatable read read only");
      const tables = await tablesInOrder(client);
      const migrations = await appliedMigrations(client);
      await pipeline(
        Readable.from(textOf(client, migrations, tables)),
        createGzip(),
        createWriteStream(unfinished, { flags: "wx", mode: 0o600, flush: true }),
      );
      await client.query("commit");
      await giveName(unfinished, file);
      return tables.map((table) => table.name);
    });
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Gives the finished file its name. Unlike a rename, a hard link is refused when the file has been created meanwhile. */
async function giveName(unfinished: string, file: string): Promise<void> {
  try {
    await link(unfinished, file);
  } catch {
    // The file exists, or the file system has no hard links.
    await requireAbsent(file);
    await rename(unfinished, file);
  }
}

async function requireAbsent(file: string): Promise<void> {
  const existing = await lstat(file).catch(() => undefined);
  if (existing !== undefined) {
    throw new Error(`${file} exists: name another file, or remove it first.`);
  }
}

/**
 * Loads a backup into an empty database: creates the schema of the backup's time, fills it in one transaction and pauses its
 * background work (`matchbook resume` resumes it), then migrates to this version. Throws an Error when the database has tables,
 * or the file is not a complete backup: the file is read to its end before anything is created.
 */
export async function restore(url: string, file: string): Promise<string[]> {
  await requireEmpty(url);
  await requireBackup(file);
  const reader = linesOf(file);
  const next = nextOf(reader);
  await next();
  await migrate(url, JSON.parse(await next()) as string[]);
  try {
    const names = await withClient({ connectionString: url }, async (client) => {
      await client.query("begin");
      const loaded: string[] = [];
      for (let header = await next(); header !== END_OF_TABLE; header = await next()) {
        const table = JSON.parse(header) as BackedUpTable;
        await loadTable(client, table, next);
        loaded.push(table.name);
      }
      await pauseRestored(client);
      await client.query("commit");
      return loaded;
    });
    await migrate(url);
    return names;
  } finally {
    await reader.return(undefined);
  }
}

/** Checks a backup file. Throws an Error for a file that is not a backup, or not a complete one. */
export async function requireBackup(file: string): Promise<void> {
  const reader = linesOf(file);
  const next = nextOf(reader);
  try {
    if ((await next()) !== FORMAT) throw new Error(NOT_A_BACKUP);
    await next();
    for (let header = await next(); header !== END_OF_TABLE; header = await next()) {
      for await (const _ of rowsUntilEnd(next));
    }
    if (!(await reader.next()).done) throw new Error(NOT_WHOLE);
  } finally {
    await reader.return(undefined);
  }
}

const NOT_A_BACKUP = "The file is not a backup of this program.";
const NOT_WHOLE = "The file is not a whole backup; nothing was restored.";

function nextOf(reader: AsyncGenerator<string, undefined>): () => Promise<string> {
  return async () => {
    const { value, done } = await reader.next();
    if (done) throw new Error(NOT_WHOLE);
    return value;
  };
}

async function* textOf(
  client: pg.Client,
  migrations: readonly string[],
  tables: readonly BackedUpTable[],
): AsyncGenerator<string | Buffer> {
  yield `${FORMAT}\n${JSON.stringify(migrations)}\n`;
  for (const table of tables) {
    yield `${JSON.stringify(table)}\n`;
    yield* client.query(copyTo(`copy ${nameOf(table)} to stdout`)) as AsyncIterable<Buffer>;
    yield `${END_OF_TABLE}\n`;
  }
  yield `${END_OF_TABLE}\n`;
}

/** Loads a table's rows. References are checked; change triggers do not run, because the rows were valid before. */
async function loadTable(
  client: pg.Client,
  table: BackedUpTable,
  next: () => Promise<string>,
): Promise<void> {
  const name = quoted(table.name);
  await client.query(`alter table ${name} disable trigger user`);
  const copy = client.query(copyFrom(`copy ${nameOf(table)} from stdin`));
  await pipeline(Readable.from(rowsUntilEnd(next)), copy);
  await client.query(`alter table ${name} enable trigger user`);
}

async function* rowsUntilEnd(next: () => Promise<string>): AsyncGenerator<string> {
  for (let line = await next(); line !== END_OF_TABLE; line = await next()) yield `${line}\n`;
}

async function* linesOf(file: string): AsyncGenerator<string, undefined> {
  const text = createGunzip();
  createReadStream(file)
    .on("error", (error) => text.destroy(error))
    .pipe(text);
  const decoder = new StringDecoder("utf8");
  let rest = "";
  try {
    for await (const chunk of text) {
      const lines = (rest + decoder.write(chunk as Buffer)).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    throw errorOfFile(error);
  }
  return undefined;
}

/** Converts the error of decompression to a sentence about the file. */
function errorOfFile(error: unknown): unknown {
  if (!(error instanceof Error && "code" in error && `${error.code}`.startsWith("Z_")))
    return error;
  return new Error(error.message === "incorrect header check" ? NOT_A_BACKUP : NOT_WHOLE);
}

/** Returns every table except that of the migrations, without computed columns; referenced tables come before those that refer to them. */
async function tablesInOrder(client: pg.Client): Promise<BackedUpTable[]> {
  const { rows } = await client.query<BackedUpTable & { needs: string[] }>(
    `select c.relname as name,
       (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       (select coalesce(json_agg(distinct r.relname), '[]') from pg_constraint k
        join pg_class r on r.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and r.oid <> c.oid) as needs
     from pg_class c
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
       and c.relname <> 'schema_migrations' order by c.relname`,
  );
  const waiting = [...rows];
  const ordered: BackedUpTable[] = [];
  while (waiting.length > 0) {
    const placed = new Set(ordered.map((table) => table.name));
    const index = waiting.findIndex((table) => table.needs.every((need) => placed.has(need)));
    const [table] = waiting.splice(index === -1 ? 0 : index, 1);
    if (table) ordered.push({ name: table.name, columns: table.columns });
  }
  return ordered;
}

async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select name from schema_migrations order by name",
  );
  return rows.map((row) => row.name);
}

async function requireEmpty(url: string): Promise<void> {
  const { rows } = await withClient({ connectionString: url }, (client) =>
    client.query(
      "select 1 from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace limit 1",
    ),
  );
  if (rows.length > 0) throw new Error("A restore needs an empty database; this one has tables.");
}

function nameOf(table: BackedUpTable): string {
  return `${quoted(table.name)} (${table.columns.map(quoted).join(", ")})`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
