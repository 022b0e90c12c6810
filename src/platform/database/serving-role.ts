/**
 * The privileges of the serving role, which only reads and writes rows. It owns nothing, so that no statement can
 * change the rules or append-only rows. The owner grants them after each migration and corrects all deviations.
 */
import type pg from "pg";
import { withClient } from "./client.ts";
import { migrate, SCHEMA_LOCK } from "./migrate.ts";

/** One database under two roles. Both connection strings are equal when one role does everything. */
export interface DatabaseRoles {
  /** The serving role. */
  readonly url: string;
  /** The role that owns the tables: it migrates, backs up and restores. */
  readonly owner_url: string;
}

/**
 * Brings the database to the newest schema with its owner, and grants the serving role what it needs. Returns the names of the
 * migrations applied now. Leaves no connection open. Throws an Error as `migrate` does, when the two connection strings are not
 * of one database, and when the serving role could still change what it must not.
 */
export async function migrateForServing(roles: DatabaseRoles): Promise<string[]> {
  const applied = await migrate(roles.owner_url);
  if (roles.url !== roles.owner_url) await grantServing(roles);
  return applied;
}

async function grantServing(roles: DatabaseRoles): Promise<void> {
  const serving = await withClient({ connectionString: roles.url }, whereAndWho);
  await withClient({ connectionString: roles.owner_url }, async (owner) => {
    const { role, place } = await whereAndWho(owner);
    if (place !== serving.place) {
      throw new Error(
        "The settings are not valid. MATCHBOOK_MIGRATION_DATABASE_URL: names another database than DATABASE_URL",
      );
    }
    if (role === serving.role) return;
    await owner.query("begin");
    await owner.query("select pg_advisory_xact_lock($1)", [SCHEMA_LOCK]);
    for (const statement of await differences(owner, serving.role)) await owner.query(statement);
    await requireNoMore(owner, serving.role);
    await owner.query("commit");
  });
}

/** Returns the role of a connection, and the identity of its database. */
async function whereAndWho(client: pg.Client): Promise<{ role: string; place: string }> {
  const { rows } = await client.query<{ role: string; place: string }>(
    `select current_user as role, concat_ws(' ', pg_postmaster_start_time(), d.oid) as place
     from pg_database d where d.datname = current_database()`,
  );
  const [found] = rows;
  if (found === undefined) throw new Error("The database does not say what it is called.");
  return found;
}

/** The MAINTAIN privilege, which updating statistics of growing tables needs, exists since PostgreSQL 17. */
const SINCE_17 = "MAINTAIN";
const PRIVILEGES = ["SELECT", "INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"];

/** The events on which a trigger calls `refuse_change`, as bits of `pg_trigger.tgtype`. */
const FOR_EACH_ROW = 1;
const ON_DELETE = 8;
const ON_UPDATE = 16;

/** Returns wrong and missing table privileges. Triggers mark append-only tables, which allow no update or delete. */
async function wrongPrivileges(
  owner: pg.Client,
  role: string,
): Promise<{ table: string; privilege: string; is_wanted: boolean }[]> {
  const version = await owner.query<{ number: number }>(
    "select current_setting('server_version_num')::int as number",
  );
  const has_maintain = (version.rows[0]?.number ?? 0) >= 170_000;
  const { rows } = await owner.query<{ table: string; privilege: string; is_wanted: boolean }>(
    `with refused as (
       select tgrelid, bit_or(tgtype::int) as bits from pg_trigger
       where tgfoid = to_regproc('public.refuse_change') and tgqual is null and tgtype & ${FOR_EACH_ROW} <> 0
       group by tgrelid),
     wish as (
       select c.oid, c.relname as "table", p.privilege,
         case
           when p.privilege in ('SELECT', '${SINCE_17}') then true
           when c.relname = 'schema_migrations' then false
           when p.privilege = 'INSERT' then true
           when p.privilege = 'UPDATE' then coalesce(r.bits, 0) & ${ON_UPDATE} = 0
           when p.privilege = 'DELETE' then coalesce(r.bits, 0) & ${ON_DELETE} = 0
           else false
         end as is_wanted
       from pg_class c cross join unnest($2::text[]) as p (privilege)
       left join refused r on r.tgrelid = c.oid
       where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
         -- Objects of extensions are not granted.
         and pg_has_role(current_user, c.relowner, 'usage'))
     select "table", privilege, is_wanted from wish
     where is_wanted <> has_table_privilege($1, oid, privilege) order by 1, 2`,
    [role, has_maintain ? [...PRIVILEGES, SINCE_17] : PRIVILEGES],
  );
  return rows;
}

/** Returns whether the role could create objects, also temporary ones, because their names precede all others. */
async function wayToCreate(
  owner: pg.Client,
  role: string,
): Promise<{ may_create: boolean; may_make_temporary: boolean; may_look: boolean }> {
  const { rows } = await owner.query<{
    may_create: boolean;
    may_make_temporary: boolean;
    may_look: boolean;
  }>(
    `select has_schema_privilege($1, 'public', 'create') as may_create,
            has_database_privilege($1, current_database(), 'create')
              or has_database_privilege($1, current_database(), 'temporary') as may_make_temporary,
            has_schema_privilege($1, 'public', 'usage') as may_look`,
    [role],
  );
  return rows[0] ?? { may_create: true, may_make_temporary: true, may_look: false };
}

async function differences(owner: pg.Client, role: string): Promise<string[]> {
  const name = owner.escapeIdentifier(role);
  const { rows } = await owner.query<{ name: string }>("select current_database() as name");
  const database = owner.escapeIdentifier(rows[0]?.name ?? "");
  const may = await wayToCreate(owner, role);
  return [
    ...(may.may_make_temporary
      ? [`revoke create, temporary on database ${database} from public, ${name}`]
      : []),
    ...(may.may_create ? [`revoke create on schema public from public, ${name}`] : []),
    ...(may.may_look ? [] : [`grant usage on schema public to ${name}`]),
    ...(await wrongPrivileges(owner, role)).map(({ table, privilege, is_wanted }) =>
      is_wanted
        ? `grant ${privilege} on ${owner.escapeIdentifier(table)} to ${name}`
        : `revoke ${privilege} on ${owner.escapeIdentifier(table)} from public, ${name}`,
    ),
  ];
}

/** Throws an Error if the role can still do more, such as a superuser or a member of the role that owns the tables. */
async function requireNoMore(owner: pg.Client, role: string): Promise<void> {
  // Covers all owners of objects that enforce rules, and the migrating role; CREATEROLE would make its holder a member of any of
  // them.
  const { rows } = await owner.query<{ is_owner: boolean; is_mighty: boolean }>(
    `select exists (
       select from (
         select relowner as oid from pg_class where relnamespace = 'public'::regnamespace
         union select proowner from pg_proc where pronamespace = 'public'::regnamespace
         union select nspowner from pg_namespace where nspname = 'public'
         union select datdba from pg_database where datname = current_database()
         union select oid from pg_roles where rolname = current_user) as owners
       where pg_has_role($1, owners.oid, 'member')) as is_owner,
     exists (
       select from pg_roles where rolname = $1
         and (rolsuper or rolcreaterole or rolbypassrls or rolreplication)) as is_mighty`,
    [role],
  );
  const may = await wayToCreate(owner, role);
  const [wrong] = await wrongPrivileges(owner, role);
  const can = rows[0]?.is_owner
    ? "act as an owner of the database, its schema or what is in it"
    : rows[0]?.is_mighty
      ? "make itself an owner (SUPERUSER, CREATEROLE, BYPASSRLS or REPLICATION)"
      : may.may_create || may.may_make_temporary
        ? "create things in the database"
        : wrong && `${wrong.is_wanted ? "not " : ""}${wrong.privilege} on ${wrong.table}`;
  if (can === undefined) return;
  throw new Error(
    `The settings are not valid. DATABASE_URL: its role ${role} can ${can}. With MATCHBOOK_MIGRATION_DATABASE_URL it has to be a role that owns nothing, is no superuser and is no member of the owner.`,
  );
}
