/** What the rules need to know of the schema: the tables, the volatility of functions, and which columns are moments. */
import pg from "pg";
import {
  COORDINATOR_TABLES,
  REFERENCE_TABLES,
  SHARED_TABLES,
} from "../../../src/platform/database/table-owners.ts";

export type Volatility = "immutable" | "stable" | "volatile";

/** A function that a trigger executes. */
interface TriggerFunction {
  readonly name: string;
  readonly definition: string;
}

export interface Catalogue {
  /** Tables that are distributed by `account_id`. */
  readonly distributed: ReadonlySet<string>;
  /** Tables of the coordinator alone, which no rule concerns. */
  readonly alone: ReadonlySet<string>;
  /** Of a function by its name and number of arguments: the strictest of its variants. An unknown one is volatile. */
  volatilityOf(name: string, values: number): Volatility;
  /** Whether a column of this name is a moment or a day in some table. */
  isMoment(column: string): boolean;
  /** Triggers that see all rows of a statement as a table. */
  readonly with_transition_table: readonly string[];
  readonly trigger_functions: readonly TriggerFunction[];
}

const VOLATILITIES: Readonly<Record<string, Volatility>> = {
  i: "immutable",
  s: "stable",
  v: "volatile",
};

/** These are stable only for a moment; the program calls them with the difference of two moments. */
const OF_DIFFERENCES = new Set(["extract 2", "date_part 2"]);

/** A table of several arrays is syntax, and no function of so many arguments. */
const OF_ARRAYS = "unnest";

/** Reads the catalogue of a migrated database. */
export async function readCatalogue(url: string): Promise<Catalogue> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await catalogueOf(client);
  } finally {
    await client.end();
  }
}

async function catalogueOf(client: pg.Client): Promise<Catalogue> {
  const ask = async (text: string) => (await client.query<Record<string, string>>(text)).rows;
  const tables = await ask(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
  );
  const functions = await ask(
    // The strictest is the last in the alphabet: i, s, v. A function with a default value takes fewer, too.
    `select proname as name, n::text as values, max(provolatile::text) as volatility
     from pg_proc, generate_series(pronargs - pronargdefaults, case when provariadic = 0 then pronargs else 100 end) as n
     group by 1, 2`,
  );
  const moments = await ask(
    `select distinct attname as name from pg_attribute join pg_class on oid = attrelid
     where relnamespace = 'public'::regnamespace and atttypid in ('timestamptz'::regtype, 'date'::regtype)`,
  );
  const transitions = await ask(
    "select tgname as name from pg_trigger where tgoldtable is not null or tgnewtable is not null",
  );
  const trigger_functions = await ask(
    `select distinct proname as name, pg_get_functiondef(p.oid) as definition
     from pg_trigger t join pg_proc p on p.oid = t.tgfoid where not tgisinternal order by 1`,
  );
  const whole = { ...REFERENCE_TABLES, ...SHARED_TABLES, ...COORDINATOR_TABLES };
  const names = tables.map(({ name = "" }) => name);
  const volatilities = new Map(
    functions.map((one) => [`${one.name} ${one.values}`, VOLATILITIES[one.volatility ?? "v"]]),
  );
  const columns = new Set(moments.map(({ name }) => name));
  return {
    distributed: new Set(names.filter((name) => !(name in whole))),
    alone: new Set(Object.keys(COORDINATOR_TABLES)),
    volatilityOf(name, values) {
      const known = `${name} ${values}`;
      if (name === OF_ARRAYS || OF_DIFFERENCES.has(known)) return "immutable";
      return volatilities.get(known) ?? "volatile";
    },
    isMoment: (column) => columns.has(column),
    with_transition_table: transitions.map(({ name = "" }) => name),
    trigger_functions: trigger_functions as unknown as readonly TriggerFunction[],
  };
}
