/** Stores many rows of a table with one statement, whose text is the same for any number of them. The rows travel as JSON. */
import type { Insertable, Selectable, Updatable } from "./columns.ts";
import { joined, raw, type Sql, sql } from "./sql.ts";
import type { Tables } from "./tables.ts";

/** A column of all rows: a value, or a fragment that computes it for each row. */
type Shared<Row> = { readonly [Name in keyof Row]?: Row[Name] | Sql };

/** Columns of a row. JSON is sent as its value. */
type Sent<Name extends keyof Tables> = {
  readonly [Column in keyof Tables[Name]]?:
    | Insertable<Tables[Name]>[Column & keyof Insertable<Tables[Name]>]
    | Selectable<Tables[Name]>[Column & keyof Selectable<Tables[Name]>];
};

/** Returns `insert into … select …` for rows with the same columns, and the columns that all of them share. At least one row. */
export function insertMany<Name extends keyof Tables>(
  table: Name,
  rows: readonly Sent<Name>[],
  shared: Shared<Insertable<Tables[Name]>>,
): Sql {
  const columns = columnsOf(rows);
  const same = Object.entries(shared) as [string, string | Sql][];
  const all = raw([...columns, ...same.map(([name]) => name)].join(", "));
  const values = joined([raw(columns.join(", ")), ...same.map(([, value]) => value)], ", ");
  return sql`insert into ${raw(table)} (${all}) select ${values} from ${sentRows(table, rows)}`;
}

/** Returns `update … set …` of the rows by their ids, with the columns that all of them share. At least one row. */
export function updateMany<Name extends keyof Tables>(
  table: Name,
  account_id: string,
  rows: readonly (Updatable<Tables[Name]> & { readonly id: string })[],
  shared: Shared<Updatable<Tables[Name]>>,
): Sql {
  const own = columnsOf(rows).filter((name) => name !== "id");
  const set = [
    ...own.map((name) => raw(`${name} = p.${name}`)),
    ...Object.entries(shared).map(([name, value]) => sql`${raw(name)} = ${value as string | Sql}`),
  ];
  return sql`update ${raw(table)} t set ${joined(set, ", ")} from ${sentRows(table, rows)} as p
    where t.account_id = ${account_id} and t.id = p.id`;
}

/** Returns the rows as a table with all columns of the stored one; those that no row has are null. */
function sentRows(table: keyof Tables, rows: readonly object[]): Sql {
  const text = JSON.stringify(rows.map(withoutBytes), (_name, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  return sql`json_populate_recordset(null::${raw(table)}, ${text}::json)`;
}

/** Returns a row whose bytes are written as PostgreSQL reads them. */
function withoutBytes(row: object): object {
  const columns = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : value,
  ]);
  return Object.fromEntries(columns);
}

function columnsOf(rows: readonly object[]): string[] {
  const [first = {}] = rows;
  return Object.keys(first).sort();
}
