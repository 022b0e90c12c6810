/** Migrations: applied once, in order, by one process at a time; inconsistent histories are refused. */
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { copyDatabase, dropDatabase } from "../../../test/support/world/world.ts";
import { migrate, pendingMigrations, readMigrations } from "./migrate.ts";

let url: string;
beforeEach(async () => {
  url = await copyDatabase(inject("template_url"));
});
afterEach(() => dropDatabase(inject("template_url"), url));

// biome-ignore lint/suspicious/noExplicitAny: rows are compared, not computed with.
async function sql(text: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const empty = () => sql("drop schema public cascade; create schema public");

const tables = async () =>
  (await sql("select tablename from pg_tables where schemaname = 'public' order by 1")).map(
    (row) => row.tablename,
  );

describe("migrate", () => {
  it("applies all files in order to an empty database, and none afterwards", async () => {
    const built = await tables();
    await empty();
    const names = (await readMigrations()).map((migration) => migration.name);

    expect(await migrate(url)).toEqual(names);
    expect(names).toEqual([...names].sort());
    expect(await tables()).toEqual(built);
    expect(await migrate(url)).toEqual([]);
  });

  it("applies each file once for simultaneous callers", async () => {
    await empty();

    const applied = await Promise.all([migrate(url), migrate(url), migrate(url)]);

    const names = (await readMigrations()).map((migration) => migration.name);
    expect(applied.flat()).toEqual(names);
  });

  it("refuses a file changed after it was applied", async () => {
    await sql("update schema_migrations set digest = 'other' where name like '0002%'");

    await expect(migrate(url)).rejects.toThrow(/changed after it was applied: 0002/);
  });

  it("refuses a database newer than the program, and changes nothing", async () => {
    await sql("insert into schema_migrations (name, digest) values ('9999_future.sql', 'x')");
    const before = await tables();

    await expect(migrate(url)).rejects.toThrow(/newer than this program: it has 9999_future.sql/);
    expect(await tables()).toEqual(before);
  });

  it("rolls back a failing file and names it", async () => {
    await empty();
    const [first, second] = await readMigrations();
    // A table of the second file already exists, so the file cannot be applied.
    await sql("create table customers (id int)");

    await expect(migrate(url)).rejects.toThrow(`Migration ${second?.name} failed`);

    expect(await sql("select name from schema_migrations")).toEqual([{ name: first?.name }]);
    expect(await tables()).not.toContain("products");
  });
});

describe("pendingMigrations", () => {
  const file = (name: string) => ({ name, digest: name, run: async () => {} });

  it("returns the files that are not applied, in their order", () => {
    const files = [file("1"), file("2"), file("3")];

    expect(pendingMigrations(files, new Map())).toEqual(files);
    expect(pendingMigrations(files, new Map([["2", "2"]]))).toEqual([files[0], files[2]]);
  });
});
