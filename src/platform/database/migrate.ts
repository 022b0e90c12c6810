/**
 * Applies the SQL files of `migrations/` in order, and between them steps in code, each in its own transaction. An
 * advisory lock lets processes start simultaneously. An applied file never changes, which a stored digest checks.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { packageRoot } from "../runtime/paths.ts";
import { withClient } from "./client.ts";
import { keepHashedLineIds } from "./keep-line-ids.ts";
import { splitStatements } from "./split-statements.ts";

/** Held while a process changes the schema or its privileges. */
export const SCHEMA_LOCK = 7_420_001;

interface Migration {
  readonly name: string;
  /** For a file, the digest of its text; for a step, the version of its behaviour. */
  readonly digest: string;
  run(client: pg.Client): Promise<unknown>;
}

/** Steps in TypeScript, numbered like the files. They never change either, so they may use only rules that stored data fixes. */
const STEPS: readonly Migration[] = [
  { name: "0036_hashed_line_ids", digest: "1", run: keepHashedLineIds },
];

/**
 * Migrates to the newest schema and returns the files applied now. With `only`, it applies only files named there, as
 * a restore needs. Throws an Error if an applied file has changed or the database is newer than the code.
 */
export async function migrate(url: string, only?: readonly string[]): Promise<string[]> {
  return withClient({ connectionString: url }, async (client) => {
    await client.query("select pg_advisory_lock($1)", [SCHEMA_LOCK]);
    await client.query(
      `create table if not exists schema_migrations (
         name text primary key, digest text not null, applied_at timestamptz not null default now())`,
    );
    const applied = await appliedDigests(client);
    const all = await readMigrations();
    const unknown = (only ?? []).filter((name) => !all.some((file) => file.name === name));
    if (unknown.length > 0) {
      throw new Error(`This program lacks ${unknown.join(", ")}: restore with the newer version.`);
    }
    const pending = pendingMigrations(all, applied).filter(
      (migration) => only === undefined || only.includes(migration.name),
    );
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  });
}

export async function readMigrations(): Promise<Migration[]> {
  const folder = join(packageRoot, "migrations");
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql"));
  const files = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), "utf8");
      const digest = createHash("sha256").update(sql).digest("hex");
      return { name, digest, run: (client: pg.Client) => runEach(client, sql) };
    }),
  );
  return [...files, ...STEPS].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Runs the statements of a file one by one, because a cluster takes no text of several. */
async function runEach(client: pg.Client, text: string): Promise<void> {
  for (const statement of splitStatements(text)) await client.query(statement);
}

/** Returns the migrations to apply; throws when history and files disagree. */
export function pendingMigrations(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): Migration[] {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new Error(
      `The database is newer than this program: it has ${unknown.join(", ")}. Start the newer version.`,
    );
  }
  const changed = migrations.filter(
    ({ name, digest }) => applied.has(name) && applied.get(name) !== digest,
  );
  if (changed.length > 0) {
    const list = changed.map((migration) => migration.name).join(", ");
    throw new Error(`A migration was changed after it was applied: ${list}.`);
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

async function appliedDigests(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; digest: string }>(
    "select name, digest from schema_migrations",
  );
  return new Map(rows.map((row) => [row.name, row.digest]));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query("begin");
  try {
    await migration.run(client);
    await client.query("insert into schema_migrations (name, digest) values ($1, $2)", [
      migration.name,
      migration.digest,
    ]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
