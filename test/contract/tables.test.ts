/**
 * src/platform/database/tables.ts (with the tables-*.ts files next to it) matches the live database: every table, every
 * column, its type, whether it may be null, and that columns marked as generated have a default.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { useWorld } from "../support/world/world.ts";

/** Maintained by the migrations themselves. */
const OTHER_TABLES = ["schema_migrations"];

/** The TypeScript types that a column's type permits. */
const KINDS: Readonly<Record<string, RegExp>> = {
  uuid: /^string$/,
  text: /^(string|"[\w.-]+"( \| "[\w.-]+")*|[A-Z]\w+State|Month)$/,
  boolean: /^boolean$/,
  integer: /^number$/,
  bigint: /^bigint$/,
  bytea: /^Buffer$/,
  date: /^CalendarDate$/,
  "timestamp with time zone": /^(Timestamp|Stamped)$/,
  json: /^(Json|Record)$/,
  ARRAY: /^(string|number|CalendarDate)\[\]$/,
};

interface Column {
  readonly kind: string;
  readonly is_nullable: boolean;
  readonly is_generated: boolean;
}

interface LiveColumn {
  readonly table_name: string;
  readonly column_name: string;
  readonly data_type: string;
  readonly is_nullable: boolean;
  readonly has_default: boolean;
}

let live: LiveColumn[];
const world = useWorld();
beforeAll(async () => {
  live = await world.sql(
    `select c.table_name, c.column_name, c.data_type, c.is_nullable = 'YES' as is_nullable,
       c.column_default is not null or c.is_generated = 'ALWAYS' as has_default
     from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and not c.table_name = any($1)
     order by c.table_name, c.ordinal_position`,
    [OTHER_TABLES],
  );
});

const DATABASE = join(packageRoot, "src", "platform", "database");
const written = new Map(
  readdirSync(DATABASE)
    .filter((file) => /^tables.*\.ts$/.test(file))
    .flatMap((file) => [...tablesFrom(readFileSync(join(DATABASE, file), "utf8"))]),
);

describe("tables.ts", () => {
  it("names the tables of the database", () => {
    const tables = new Set(live.map((column) => column.table_name));
    expect([...written.keys()].sort()).toEqual([...tables].sort());
  });

  it.each([...written.keys()])(
    "has the columns of %s, in their order and with their types",
    (table) => {
      const columns = live.filter((column) => column.table_name === table);
      const own_tables = written.get(table) ?? new Map<string, Column>();
      expect([...own_tables.keys()]).toEqual(columns.map((column) => column.column_name));
      for (const column of columns) {
        const { kind, is_nullable, is_generated } = own_tables.get(column.column_name) ?? NOTHING;
        const name = `${table}.${column.column_name}`;
        expect(is_nullable, `${name} may be null`).toBe(column.is_nullable);
        expect(kind, `${name} is ${column.data_type}`).toMatch(KINDS[column.data_type] ?? /^$/);
        if (is_generated) expect(column.has_default, `${name} has a default`).toBe(true);
      }
    },
  );

  it("is parsed with every kind of column type", () => {
    const columns = tablesFrom(`export interface Tables {
  a: { id: string; at: Generated<Timestamp> };
  b: {
    kind: "x" | "y";
    note: string | null;
    seller: ColumnType<Record<string, string | null> | null, string | null>;
    plain: Json<Value | null>;
  };
}`);
    expect([...columns].map(([table, fields]) => [table, [...fields]])).toEqual([
      [
        "a",
        [
          ["id", column("string")],
          ["at", column("Timestamp", false, true)],
        ],
      ],
      [
        "b",
        [
          ["kind", column('"x" | "y"')],
          ["note", column("string", true)],
          ["seller", column("Record", true)],
          ["plain", column("Json")],
        ],
      ],
    ]);
  });
});

const NOTHING = column("");

function column(kind: string, is_nullable = false, is_generated = false): Column {
  return { kind, is_nullable, is_generated };
}

/** The tables and columns of the interface of tables in a TypeScript text. */
function tablesFrom(text: string): Map<string, Map<string, Column>> {
  const body =
    /export interface \w*Tables(?:\s+extends [\w,\s]+?)? \{\n([\s\S]*?)\n\}/.exec(text)?.[1] ?? "";
  return new Map(
    [...body.matchAll(/^ {2}(\w+): \{([^}]*)\};$/gm)].map(([, table = "", columns = ""]) => [
      table,
      new Map(
        columns
          .split(";")
          .filter((entry) => entry.trim() !== "")
          .map((entry) => {
            const [, name = "", type = ""] = /^\s*(\w+):\s*([\s\S]*)$/.exec(entry) ?? [];
            return [name, columnFrom(type.trim())];
          }),
      ),
    ]),
  );
}

function columnFrom(type: string): Column {
  const generated = /^Generated<(.*)>$/.exec(type);
  if (generated) return { ...columnFrom(generated[1] ?? ""), is_generated: true };
  // The first argument of ColumnType is the type of a read.
  const selected = /^ColumnType<([\s\S]*)>$/.exec(type)?.[1] ?? type;
  const first = /^(?:<[^>]*>|[^<,])*/.exec(selected)?.[0] ?? selected;
  const parts = first.replace(/<[^>]*>/g, "").split("|");
  const named = parts.map((part) => part.trim()).filter((part) => part !== "");
  const kind = named.filter((part) => part !== "null").join(" | ");
  return column(kind, named.includes("null"));
}
