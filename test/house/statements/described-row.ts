/**
 * The columns that PostgreSQL returns for a statement on an empty database. A column may be null if it is a nullable column
 * of a table, on the optional side of an outer join, or an aggregate over no rows; other expressions are not checked.
 */
import pg from "pg";
import type { Kind } from "./declared-row.ts";

export interface DescribedColumn {
  readonly name: string;
  /** The kind to which `openDatabase` converts it; undefined for an unlisted type of PostgreSQL. */
  readonly kind: Kind | undefined;
  readonly may_be_null: boolean;
}

/** By the object ids of the types. */
const KINDS: Readonly<Record<number, Kind>> = {
  16: "boolean",
  17: "Buffer",
  19: "string",
  20: "bigint",
  23: "number",
  25: "string",
  114: "object",
  701: "number",
  1007: "number[]",
  1009: "string[]",
  1082: "string",
  1184: "string",
  1700: "string",
  2950: "string",
  2951: "string[]",
};

export interface Describer {
  /** Throws if PostgreSQL refuses the text. */
  describe(text: string): Promise<DescribedColumn[]>;
  end(): Promise<void>;
}

export async function openDescriber(url: string): Promise<Describer> {
  const client = new pg.Client({
    connectionString: url,
    options: "-c default_transaction_read_only=on -c plan_cache_mode=force_generic_plan",
  });
  await client.connect();
  const { rows: nullable } = await client.query<{ attrelid: number; attnum: number }>(
    `select attrelid, attnum from pg_attribute where attnum > 0 and not attnotnull`,
  );
  const may_be_null = new Set(nullable.map(({ attrelid, attnum }) => `${attrelid} ${attnum}`));
  return {
    async describe(text) {
      const fields = await fieldsOf(client, text);
      await client.query(`prepare described as ${text}`);
      try {
        const call = `execute described ${await valuesOf(client)}`;
        const left_out = await leftOut(client, call);
        const seen = await nullsWithoutRows(client, call);
        return fields.map(({ name, dataTypeID, tableID, columnID }, at) => ({
          name,
          kind: KINDS[dataTypeID],
          may_be_null:
            may_be_null.has(`${tableID} ${columnID}`) || left_out.has(at) || seen.has(name),
        }));
      } finally {
        await client.query("deallocate described");
      }
    },
    end: () => client.end(),
  };
}

/** The answer to Parse and Describe. */
function fieldsOf(client: pg.Client, text: string): Promise<pg.FieldDef[]> {
  return new Promise((resolve, reject) => {
    let fields: pg.FieldDef[] = [];
    const described = {
      submit(connection: pg.Connection) {
        connection.parse({ name: "", text, types: [] }, true);
        connection.describe({ type: "S", name: "" }, true);
        connection.sync();
      },
      handleRowDescription(given: { readonly fields: pg.FieldDef[] }) {
        ({ fields } = given);
      },
      handleError: (error: { readonly message: string }) =>
        reject(new Error(`${error.message}: ${text}`)),
      handleReadyForQuery: () => resolve(fields),
    };
    client.query(described);
  });
}

interface Plan {
  readonly Output?: readonly string[];
  readonly Plans?: readonly Plan[];
  readonly "Join Type"?: string;
  readonly "Parent Relationship"?: string;
}

/** The positions of columns that may be null because of an outer join. */
async function leftOut(client: pg.Client, call: string): Promise<Set<number>> {
  const { rows } = await client.query<{ "QUERY PLAN": readonly [{ readonly Plan: Plan }] }>(
    `explain (verbose, format json) ${call}`,
  );
  const plan = rows[0]?.["QUERY PLAN"][0].Plan ?? {};
  const outputs = leftOutBy(plan);
  const places = [...(plan.Output ?? []).entries()];
  return new Set(places.filter(([, output]) => outputs.has(output)).map(([at]) => at));
}

const LEFT_OUT_SIDES: Readonly<Record<string, readonly string[]>> = {
  Left: ["Inner"],
  Right: ["Outer"],
  Full: ["Inner", "Outer"],
};

/** The outputs of the optional sides of outer joins. */
function leftOutBy(plan: Plan): Set<string> {
  const sides = LEFT_OUT_SIDES[plan["Join Type"] ?? ""] ?? [];
  const outputs = (plan.Plans ?? []).flatMap((part) => [
    ...leftOutBy(part),
    ...(sides.includes(part["Parent Relationship"] ?? "") ? (part.Output ?? []) : []),
  ]);
  return new Set(outputs);
}

/** A value of each type. Arrays are empty. */
const VALUES: Readonly<Record<string, string>> = {
  uuid: "'00000000-0000-7000-8000-000000000000'",
  text: "''",
  boolean: "false",
  integer: "0",
  bigint: "0",
  date: "'2026-01-01'",
  "timestamp with time zone": "'2026-01-01T00:00:00Z'",
};

/** A value for each parameter of the prepared statement. */
async function valuesOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ type: string }>(
    "select unnest(parameter_types)::text as type from pg_prepared_statements",
  );
  const values = rows.map(({ type }) => (type.endsWith("[]") ? "'{}'" : (VALUES[type] ?? "null")));
  return values.length === 0 ? "" : `(${values.join(", ")})`;
}

/** The names of null columns in the row of a statement that returns a row even on empty tables. */
async function nullsWithoutRows(client: pg.Client, call: string): Promise<Set<string>> {
  // Statements that write are refused, and some need other values.
  const answer = await client.query<Record<string, unknown>>(call).catch(() => undefined);
  const nulls = Object.entries(answer?.rows[0] ?? {}).filter(([, value]) => value === null);
  return new Set(nulls.map(([name]) => name));
}
