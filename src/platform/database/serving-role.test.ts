/**
 * The serving role on a real server: its privileges, the refused ones, and a data directory of an earlier version.
 * All other tests show that the role has every privilege that the service needs, because they serve with this role.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { beforeAll, describe, expect, inject, it } from "vitest";
import {
  createDatabase,
  dropDatabase,
  servingUrl,
  useWorld,
} from "../../../test/support/world/world.ts";
import { refreshStatistics } from "./database.ts";
import { startEmbedded } from "./embedded.ts";
import { migrate } from "./migrate.ts";
import { migrateForServing } from "./serving-role.ts";

const DENIED = "42501";

let issued_id: string;
const world = useWorld();
beforeAll(async () => {
  const customer = await world.done("POST /customers", { name: "Acme" });
  const product = await world.done("POST /products", { name: "Hours" });
  const lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 100 }];
  const fields = { customer_id: customer.id, auto_send: false, lines };
  issued_id = (await world.done("POST /invoices", fields)).id;
  await world.done(`POST /invoices/${issued_id}/issue`);
});

async function ask(url: string, ...statements: string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

/** The SQLSTATE that the serving role receives; `done` without an error. All changes are rolled back. */
function codeOf(...statements: string[]): Promise<string | undefined> {
  return ask(world.serving_url, "begin", ...statements).then(
    () => "done",
    (error: pg.DatabaseError) => error.code,
  );
}

describe("the serving role", () => {
  it.each([
    ["updating the journal", "update ledger_entries set text = 'other'"],
    ["deleting postings", "delete from ledger_postings"],
    ["updating the audit trail", "update audit_events set action = 'other'"],
    ["deleting the audit trail", "delete from audit_events"],
    ["updating a frozen document", "update issued_documents set snapshot = snapshot"],
    ["deleting a rendered file", "delete from document_files"],
    ["updating the earned amounts of a line", "update line_earnings set account_id = account_id"],
    ["deleting rows of a booked accrual", "delete from accrual_rows"],
    ["updating the lines of a credit note", "update credit_note_lines set amount = 1"],
    ["locking an entry for update", "select from ledger_entries for update"],
    ["emptying a table", "truncate sessions"],
    ["emptying the journal", "truncate ledger_entries cascade"],
    ["disabling all triggers of a table", "alter table invoices disable trigger user"],
    ["disabling one trigger", "alter table invoices disable trigger invoices_frozen"],
    ["removing a trigger", "drop trigger invoices_frozen on invoices"],
    [
      "creating a trigger",
      "create trigger t before update on customers execute function refuse_change()",
    ],
    ["changing a table", "alter table customers add column spare text"],
    ["removing a table", "drop table held_notes"],
    ["removing a function", "drop function refuse_change cascade"],
    [
      "replacing a function",
      "create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$",
    ],
    ["creating a function", "create function f() returns int language sql as 'select 1'"],
    [
      "creating a function for the session",
      "create function pg_temp.f() returns int language sql as 'select 1'",
    ],
    ["creating a table", "create table spare (n int)"],
    [
      "hiding the lock date behind a table of the session",
      "create temporary table configurations (n int)",
    ],
    ["creating a schema", "create schema spare"],
    ["disabling all triggers for its session", "set session_replication_role = replica"],
    ["becoming the owner", "set role matchbook"],
    ["deleting the record of a migration", "delete from schema_migrations"],
    ["creating a role", "create role spare"],
    ["running a program", "copy (select 1) to program 'true'"],
  ])("is refused %s", async (_, statement) => {
    expect(await codeOf(statement)).toBe(DENIED);
  });

  it.each([
    ["updates ordinary rows", "update customers set name = name"],
    ["removes drafts", "delete from invoice_lines where false"],
    ["takes locks", "select from configurations for no key update"],
    ["reads the applied migrations", "select name from schema_migrations"],
  ])("%s", async (_, statement) => {
    expect(await codeOf(statement)).toBe("done");
  });

  it("cannot grant itself privileges", async () => {
    const more = "grant update on ledger_entries to current_user";
    expect(await codeOf(more, "update ledger_entries set text = 'other'")).toBe(DENIED);
  });

  it("cannot bypass the triggers of tables that it may change", async () => {
    expect(await codeOf(`delete from invoices where id = '${issued_id}'`)).toBe("MB002");
  });

  it("owns nothing", async () => {
    const [found] = await world.sql(
      `select count(*)::int as count from pg_shdepend
       where deptype = 'o' and refobjid = 'matchbook_serve'::regrole`,
    );
    expect(found).toEqual({ count: 0 });
  });

  it("may refresh the statistics of the planner", async () => {
    await world.sql("create table grown as select n from generate_series(1, 100000) n");
    await world.sql("grant select, maintain on grown to matchbook_serve");
    await refreshStatistics(world.db, ["grown" as never, "customers"]);
    const [reported] = await world.sql(
      "select reltuples::int from pg_class where relname = 'grown'",
    );
    expect(reported).toEqual({ reltuples: 100_000 });
    const [may] = await world.sql(
      `select bool_and(has_table_privilege('matchbook_serve', c.oid, 'maintain')) as may
       from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    expect(may).toEqual({ may: true });
  });
});

describe("the grants after a migration", () => {
  const roles = () => ({ url: world.serving_url, owner_url: world.database_url });
  const held = (table: string) =>
    world
      .sql(
        `select string_agg(p, ' ' order by p) as held from unnest(array['select', 'insert', 'update', 'delete', 'truncate']) p
         where has_table_privilege('matchbook_serve', '${table}', p)`,
      )
      .then(([row]) => row.held);

  it("cover a new table, without changes and deletions if its trigger makes it append-only", async () => {
    await world.sql("create table new_one (n int)");
    await world.sql("create table new_appended (n int)");
    await world.sql(
      "create trigger appended before update or delete on new_appended for each row execute function refuse_change()",
    );
    await world.sql("revoke all on new_one, new_appended from matchbook_serve");

    expect(await migrateForServing(roles())).toEqual([]);

    expect(await held("new_one")).toBe("delete insert select update");
    expect(await held("new_appended")).toBe("insert select");
  });

  it("revoke all further privileges, also those of the role public", async () => {
    await world.sql("grant update, truncate on ledger_entries to public");
    await world.sql("grant delete on audit_events to matchbook_serve");
    await world.sql("grant create on schema public to public");

    await migrateForServing(roles());

    expect(await held("ledger_entries")).toBe("insert select");
    expect(await held("audit_events")).toBe("insert select");
    expect(await codeOf("create table spare (n int)")).toBe(DENIED);
  });

  it("are the same after simultaneous migrations", async () => {
    await world.sql("revoke all on all tables in schema public from matchbook_serve");
    await Promise.all([1, 2, 3].map(() => migrateForServing(roles())));
    expect(await held("customers")).toBe("delete insert select update");
    expect(await held("ledger_postings")).toBe("insert select");
  });

  it("are refused if the two URLs name different databases", async () => {
    const other = await createDatabase(inject("template_url"));
    try {
      const crossed = { url: world.serving_url, owner_url: other };
      await expect(migrateForServing(crossed)).rejects.toThrow(/names another database/);
    } finally {
      await dropDatabase(inject("template_url"), other);
    }
  });

  it("are not needed if one role owns the tables and serves", async () => {
    const { database_url } = world;
    expect(await migrateForServing({ url: database_url, owner_url: database_url })).toEqual([]);
    const again = `${database_url}${database_url.includes("?") ? "&" : "?"}application_name=again`;
    expect(await migrateForServing({ url: again, owner_url: database_url })).toEqual([]);
  });
});

const TO_SERVING = "alter schema public owner to matchbook_serve";

describe("a bundled database", () => {
  it("of an earlier version receives its serving role automatically and refuses to serve as an owner", async () => {
    const data_dir = mkdtempSync(join(tmpdir(), "roles-"));
    const start = () => startEmbedded({ data_dir, settings: { fsync: "off" } });
    try {
      let database = await start();
      const password = readFileSync(join(data_dir, "postgres.password"), "utf8").trim();
      const superuser = database.url.replace(/\/\/[^@]*@/, `//postgres:${password}@`);
      // Restores the state with the owner alone.
      await migrate(database.url);
      await ask(superuser, "drop role matchbook_serve");
      await database.stop();

      database = await start();
      const roles = { url: database.serving_url, owner_url: database.url };
      expect(database.serving_url).not.toContain(password);
      await expect(ask(roles.url, "select * from customers")).rejects.toThrow("permission denied");
      await migrateForServing(roles);
      expect(await ask(roles.url, "select * from customers")).toEqual([]);
      await expect(ask(roles.url, "delete from audit_events")).rejects.toThrow("permission denied");
      expect(await database.revive()).toBe(roles.url);

      await expect(migrateForServing({ ...roles, url: superuser })).rejects.toThrow(
        /DATABASE_URL: its role postgres can act as an owner of/,
      );
      await ask(
        superuser,
        "create role member login password 'member'",
        "grant matchbook to member with inherit false",
        "create role maker login createrole password 'maker'",
      );
      const member = superuser.replace(/\/\/[^@]*@/, "//member:member@");
      await expect(migrateForServing({ ...roles, url: member })).rejects.toThrow(
        /its role member can act as an owner of/,
      );
      const maker = superuser.replace(/\/\/[^@]*@/, "//maker:maker@");
      await expect(migrateForServing({ ...roles, url: maker })).rejects.toThrow(
        /its role maker can make itself an owner/,
      );
      // The owner of the schema may drop other roles' objects in it.
      await ask(database.url.replace(/\/\/[^@]*@/, `//postgres:${password}@`), TO_SERVING);
      await expect(migrateForServing(roles)).rejects.toThrow(/can act as an owner of/);
      await database.stop();
    } finally {
      rmSync(data_dir, { recursive: true, force: true });
    }
  });
});

it("the tests serve with the serving role", async () => {
  expect(servingUrl(world.database_url)).toBe(world.serving_url);
  const [row] = await ask(world.serving_url, "select current_user as role");
  expect(row).toEqual({ role: "matchbook_serve" });
});
