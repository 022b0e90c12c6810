/**
 * Shapes: the fields of rows in memory, each declared once, with how it is read and written. A row travels as a JSON array in the
 * order of the declaration, which no other code has to know; amounts travel as text, because JSON numbers lose digits.
 */
import { raw, type Sql, sql } from "./sql.ts";

/** A row as PostgreSQL sends it. */
export type Packed<Row> = readonly unknown[] & { readonly __row?: Row };

export interface Field<Value> {
  /** Returns the SQL expression of the value; without it, the value of the stored column is read. */
  readonly from?: (alias: string) => string;
  readonly json: (expression: string) => string;
  /** Converts the JSON value when it differs from the value in memory; `undefined` leaves out an optional field. */
  readonly parse?: (json: unknown) => Value;
  readonly may_lack?: true;
  /** The columns that store the value, with their types; a type alone stands for one column with the field's name. */
  readonly stored: string | Readonly<Record<string, string>>;
  /** Returns the JSON that is sent: the value for one column, an object for several. */
  readonly write: (value: Value) => unknown;
}

type Fields<Row> = { readonly [Name in keyof Row]-?: Field<Row[Name]> };

const itself = (expression: string): string => expression;

/** A value that is the same in JSON and in memory; `type` is PostgreSQL's. */
export function plain<Value>(type: string): Field<Value> {
  return {
    json: itself,
    stored: type,
    write: (value) => value ?? null,
  };
}

/** A value as `plain`, for a field that is left out instead of being null. */
export function optional<Value>(type: string): Field<Value | undefined> {
  return {
    ...plain<Value | undefined>(type),
    parse: (json) => (json ?? undefined) as Value | undefined,
    may_lack: true,
  };
}

export const bigintFromText = (json: unknown): bigint | null =>
  json === null ? null : BigInt(json as string);

/** An integer that may be too large for a JSON number. */
export const bigints: Field<bigint> = {
  json: (expression) => `${expression}::text`,
  parse: (json) => BigInt(json as string),
  stored: "bigint",
  write: String,
};

export const bigintsOrNull: Field<bigint | null> = {
  ...bigints,
  parse: bigintFromText,
  write: (value) => value?.toString() ?? null,
};

/** Returns the field, read from an SQL expression. */
export function from<Value>(expression: string, field: Field<Value>): Field<Value> {
  return { ...field, from: () => expression };
}

/** Returns a field for a row nested as a JSON object in another row; `alias` names its table in the statement. */
export function nested<Row>(shape: Shape<Row>, alias: string): Field<Row> {
  return from(shape.packed(alias), {
    ...plain<Row>("json"),
    parse: (json) => shape.parse(json as Packed<Row>),
  });
}

export class Shape<Row> {
  readonly #names: readonly string[];
  readonly #fields: readonly Field<unknown>[];
  /** The columns in which rows are stored, with their types. */
  readonly #columns: Readonly<Record<string, string>>;
  /** A row with every required field: filling a copy of it is quicker than filling an empty object. */
  readonly #blank: Readonly<Record<string, unknown>>;

  constructor(fields: Fields<Row>) {
    this.#names = Object.keys(fields);
    this.#fields = Object.values(fields) as Field<unknown>[];
    const stored = this.#fields.map(({ stored }, at) =>
      typeof stored === "string" ? { [this.#names[at] ?? ""]: stored } : stored,
    );
    this.#columns = Object.assign({}, ...stored);
    const present = this.#names.filter((_, at) => this.#fields[at]?.may_lack !== true);
    this.#blank = JSON.parse(`{${present.map((name) => `"${name}":null`).join()}}`);
  }

  /** The columns in which rows are stored. */
  get columns(): readonly string[] {
    return Object.keys(this.#columns);
  }

  /** Returns the SQL expression for a row of the table with this alias. */
  packed(alias = ""): string {
    const values = this.#fields.map(({ from, json }, at) =>
      json(from ? from(alias) : `${alias}.${this.#names[at]}`),
    );
    return `json_build_array(${values.join(", ")})`;
  }

  parse(values: Packed<Row>): Row {
    const row: Record<string, unknown> = { ...this.#blank };
    for (let at = 0; at < this.#fields.length; at += 1) {
      const parse = this.#fields[at]?.parse;
      const value = parse === undefined ? values[at] : parse(values[at]);
      if (value !== undefined) row[this.#names[at] as string] = value;
    }
    return row as Row;
  }

  /**
   * Returns rows as a table of the statement that stores them, and its columns in the same order. `more` columns follow those of
   * the shape, each with its type and a function for its JSON value.
   */
  recordset<Extended extends Row>(
    rows: readonly Extended[],
    more: Readonly<Record<string, readonly [type: string, value: (row: Extended) => unknown]>> = {},
  ): { readonly columns: Sql; readonly table: Sql } {
    const others = Object.entries(more);
    const columns = [...this.columns, ...others.map(([column]) => column)];
    const types = [...Object.values(this.#columns), ...others.map(([, [type]]) => type)];
    const written = rows.map((row) => {
      const json = this.#written(row);
      for (const [column, [, value]] of others) json[column] = value(row);
      return json;
    });
    const named = columns.map((column, at) => `${column} ${types[at]}`);
    return {
      columns: raw(columns.join(", ")),
      table: sql`json_to_recordset(${JSON.stringify(written)}::json) as l (${raw(named.join(", "))})`,
    };
  }

  #written(row: Row): Record<string, unknown> {
    const json: Record<string, unknown> = {};
    for (let at = 0; at < this.#fields.length; at += 1) {
      const { stored, write } = this.#fields[at] as Field<unknown>;
      const name = this.#names[at] as keyof Row & string;
      const value = write(row[name]);
      if (typeof stored === "string") json[name] = value;
      else Object.assign(json, value);
    }
    return json;
  }
}
