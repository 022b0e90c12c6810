/**
 * Spreads the tables over the machines of a Citus cluster: those of an account by `account_id`, the others whole on every machine.
 * Everything happens in one transaction, so an interrupted run leaves nothing behind, and a run can be repeated.
 */
import type pg from "pg";
import { withClient } from "./client.ts";
import { isCluster } from "./cluster.ts";
import { SCHEMA_LOCK } from "./migrate.ts";
import { COORDINATOR_TABLES, REFERENCE_TABLES, SHARED_TABLES } from "./table-owners.ts";

/** How Citus has a table; null for a table of the coordinator alone. */
type Kind = "distributed" | "reference" | null;

/** What a run does, in its order. */
interface DistributionPlan {
  /** Tables that become ordinary tables of the coordinator again. */
  readonly alone: readonly string[];
  readonly reference: readonly string[];
  readonly distributed: readonly string[];
  /** A table that is distributed already, with whose rows those of an account are kept together; null when none is. */
  readonly together_with: string | null;
}

/** Returns what is to be done so that each table is as it should be. `tables` has the kind of each table that exists. */
export function planDistribution(tables: ReadonlyMap<string, Kind>): DistributionPlan {
  const names = [...tables.keys()].sort();
  const isWhole = (name: string) => name in REFERENCE_TABLES || name in SHARED_TABLES;
  const isAlone = (name: string) => name in COORDINATOR_TABLES;
  const isOfAccount = (name: string) => !isWhole(name) && !isAlone(name);
  const lacks = (kind: Kind) => (name: string) => tables.get(name) !== kind;
  return {
    alone: names.filter(isAlone).filter(lacks(null)),
    reference: names.filter(isWhole).filter(lacks("reference")),
    distributed: names.filter(isOfAccount).filter(lacks("distributed")),
    together_with: names.filter(isOfAccount).find((name) => !lacks("distributed")(name)) ?? null,
  };
}

/** Distributes the tables of a migrated database and returns what was done; null on a server without Citus, where nothing is. */
export function distribute(url: string): Promise<DistributionPlan | null> {
  return withClient({ connectionString: url }, async (client) => {
    if (!(await isCluster(async (text) => (await client.query(text)).rows))) return null;
    await client.query("begin");
    await client.query("select pg_advisory_xact_lock($1)", [SCHEMA_LOCK]);
    // Tables that refer to each other are changed on one connection to each machine.
    await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
    const plan = planDistribution(await kindsOf(client));
    const is_needed = [plan.alone, plan.reference, plan.distributed].some(({ length }) => length);
    if (is_needed) await carryOut(client, plan);
    await client.query("commit");
    return plan;
  });
}

async function kindsOf(client: pg.Client): Promise<Map<string, Kind>> {
  const { rows } = await client.query<{ name: string; kind: string | null }>(
    `select c.relname as name, t.citus_table_type as kind
     from pg_class c left join citus_tables t on t.table_name = c.oid
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const known = (kind: string | null): Kind =>
    kind === "distributed" || kind === "reference" ? kind : null;
  return new Map(rows.map(({ name, kind }) => [name, known(kind)]));
}

interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Foreign keys go before the tables change and come again afterwards: Citus takes none to a table that it does not know yet. */
async function carryOut(client: pg.Client, plan: DistributionPlan): Promise<void> {
  const { rows: keys } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  for (const { table, name } of keys) {
    await client.query(`alter table ${table} drop constraint ${name}`);
  }
  for (const name of plan.alone) await client.query("select undistribute_table($1)", [name]);
  for (const name of plan.reference) {
    await client.query("select create_reference_table($1)", [name]);
  }
  let together_with = plan.together_with ?? "none";
  for (const name of plan.distributed) {
    await client.query("select create_distributed_table($1, 'account_id', colocate_with => $2)", [
      name,
      together_with,
    ]);
    if (together_with === "none") together_with = name;
  }
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
}
