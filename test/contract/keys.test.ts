/**
 * Every key of a table begins with its account (spec 12.1): a row of another account can then
 * not be found, overwritten or referred to by mistake. The exceptions are listed here one by one.
 */
import { describe, expect, it } from "vitest";
import {
  COORDINATOR_TABLES,
  REFERENCE_TABLES,
  SHARED_TABLES,
} from "../../src/platform/database/table-owners.ts";
import { useWorld } from "../support/world/world.ts";

/** Tables without an account, with the reason. */
const TABLES_WITHOUT: Readonly<Record<string, string>> = {
  ...REFERENCE_TABLES,
  ...COORDINATOR_TABLES,
};

/**
 * Workers use these to find due work of any account. None of them is unique. When accounts are distributed over several
 * databases, each has its own such index.
 */
const INDEXES_OF_WORKERS = [
  "deliveries_sending",
  "intents_kept",
  "period_closes_running",
  "recurring_series_announced",
  "recurring_series_waiting",
  "webhook_deliveries_age",
];

/** These find the account of a secret or a login. */
const INDEXES_OF_PEOPLE = [
  "deliveries_links",
  "invitations_hash",
  "studios_of_login",
  "users_of_login",
];

/** References to a person's login, which belongs to no account; and from a grant's tokens to the grant. */
const REFERENCES_WITHOUT = [
  "authenticators_login_id_fkey",
  "first_start_login_id_fkey",
  "oauth_refresh_tokens_grant_id_fkey",
  "passkey_challenges_login_id_fkey",
  "passkeys_login_id_fkey",
  "password_resets_login_id_fkey",
  "pending_sign_ins_login_id_fkey",
  "recovery_codes_login_id_fkey",
  "sessions_login_id_fkey",
  "sign_in_links_login_id_fkey",
  "studios_login_id_fkey",
  "users_login_id_fkey",
];

interface Key {
  readonly table_name: string;
  readonly name: string;
  readonly first_column: string;
}

const world = useWorld();

describe("the tables of an account", () => {
  it("have account_id as their first column, which is never null", async () => {
    const tables = await world.sql(
      `select t.table_name, c.column_name, c.is_nullable
       from information_schema.tables t
       join information_schema.columns c using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and ordinal_position = 1
         and not table_name = any($1)`,
      [Object.keys(TABLES_WITHOUT)],
    );
    expect(tables.length).toBeGreaterThan(10);
    expect(
      tables.filter((table) => table.column_name !== "account_id" || table.is_nullable !== "NO"),
    ).toEqual([]);
  });

  it("are all tables except for those listed here with a reason", async () => {
    const tables = await world.sql(
      `select relname as name from pg_class where relkind in ('r', 'p')
         and relnamespace = 'public'::regnamespace and relname = any($1) order by relname`,
      [Object.keys(TABLES_WITHOUT)],
    );
    expect(tables.map(({ name }) => name)).toEqual(Object.keys(TABLES_WITHOUT).sort());
  });

  it("are all of one kind: of an account, shared, or of the installation", () => {
    const shared = Object.keys(SHARED_TABLES).filter((name) => name in TABLES_WITHOUT);
    const twice = Object.keys(REFERENCE_TABLES).filter((name) => name in COORDINATOR_TABLES);
    expect([...shared, ...twice]).toEqual([]);
  });

  it("each have a primary key", async () => {
    const without = await world.sql(
      `select relname from pg_class t where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
         and not exists (select from pg_index i where i.indrelid = t.oid and i.indisprimary)`,
    );
    expect(without).toEqual([]);
  });
});

describe("every index", () => {
  it("begins with account_id, unless a worker searches all accounts", async () => {
    const unknown = (await indexes())
      .filter((index) => !(index.table_name in TABLES_WITHOUT))
      .filter((index) => index.first_column !== "account_id");
    const found = unknown.filter((index) => !INDEXES_OF_PEOPLE.includes(index.name));
    expect(found.map((index) => index.name)).toEqual(INDEXES_OF_WORKERS);
    expect(found.filter((index) => index.is_unique)).toEqual([]);
  });
});

describe("every foreign key", () => {
  it("begins with account_id, and refers to a table of an account or to the accounts", async () => {
    const references = await world.sql(
      `select c.conname as name, c.conrelid::regclass::text as table_name,
         c.confrelid::regclass::text as target, own.attname as first_column,
         other.attname as target_column
       from pg_constraint c
       join pg_attribute own on own.attrelid = c.conrelid and own.attnum = c.conkey[1]
       join pg_attribute other on other.attrelid = c.confrelid and other.attnum = c.confkey[1]
       where c.contype = 'f' order by c.conname`,
    );
    expect(references.length).toBeGreaterThan(10);
    const unknown = references.filter(
      ({ target, first_column, target_column }) =>
        first_column !== "account_id" ||
        target_column !== (target === "accounts" ? "id" : "account_id"),
    );
    expect(unknown.map((reference) => reference.name)).toEqual(REFERENCES_WITHOUT);
  });
});

/** A cluster has these tables whole on every machine, the others only on the machine of their account. */
describe("the tables that a cluster has whole", () => {
  const whole = Object.keys({ ...REFERENCE_TABLES, ...SHARED_TABLES });

  it("refer only to each other", async () => {
    const references = await world.sql(
      `select conname as name from pg_constraint where contype = 'f' and conrelid::regclass::text = any($1)
         and not confrelid::regclass::text = any($1)`,
      [whole],
    );
    expect(references).toEqual([]);
  });

  it("contain every table with a unique index without account_id", async () => {
    const indexes = await world.sql(
      `select distinct t.relname as table_name from pg_index x join pg_class t on t.oid = x.indrelid
       where t.relnamespace = 'public'::regnamespace and x.indisunique and not exists (
         select from pg_attribute a where a.attrelid = t.oid and a.attname = 'account_id' and a.attnum = any(x.indkey))
         and not t.relname = any($1) order by 1`,
      [[...whole, ...Object.keys(COORDINATOR_TABLES)]],
    );
    expect(indexes).toEqual([]);
  });

  it("do not refer to the tables of the coordinator, and neither does any other", async () => {
    const references = await world.sql(
      `select conname from pg_constraint where contype = 'f' and (confrelid::regclass::text = any($1) or conrelid::regclass::text = any($1))`,
      [Object.keys(COORDINATOR_TABLES)],
    );
    expect(references).toEqual([]);
  });
});

/** Every index of our tables with its first column. */
function indexes(): Promise<(Key & { readonly is_unique: boolean })[]> {
  return world.sql(
    `select t.relname as table_name, i.relname as name, x.indisunique as is_unique,
       pg_get_indexdef(i.oid, 1, true) as first_column
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
     where t.relnamespace = 'public'::regnamespace order by i.relname`,
  );
}
