/**
 * SQL statements whose values are written where they are used. A value becomes a parameter, never text; a fragment, made with the
 * same tag, becomes part of the text. Each template in the program always makes the same text, whatever the values, so that the
 * statement stays prepared (`preparing-client.ts`); only other fragments make another text.
 */
import type { Insertable, Updatable } from "./columns.ts";
import type { Tables } from "./tables.ts";

const forms = new WeakMap<readonly string[], Form>();

/** A statement, or a part of one. */
export class Sql {
  /** The texts before, between and after the values. */
  readonly parts: readonly string[];
  readonly values: readonly unknown[];

  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.parts = parts;
    this.values = values;
  }

  /** The text, with `$1` for the first value, and so on. Made once for each template in the program. */
  get text(): string {
    return this.#form().text;
  }

  /** The values in the order in which the text numbers them. Throws when they belong to several accounts. */
  get sent(): readonly unknown[] {
    const { accounts } = this.#form();
    const [first, ...others] = accounts;
    if (first === undefined || others.length === 0) return this.values;
    if (others.some((at) => this.values[at] !== this.values[first])) {
      throw new Error(`a statement of two accounts: ${this.text}`);
    }
    return this.values.filter((_, at) => !others.includes(at));
  }

  #form(): Form {
    const known = forms.get(this.parts);
    if (known !== undefined) return known;
    const form = formOf(this.parts);
    forms.set(this.parts, form);
    return form;
  }
}

/** The text of parts, and which of their values are the account. */
interface Form {
  readonly text: string;
  readonly accounts: readonly number[];
}

/** Returns the text of parts. The account is one parameter, so that PostgreSQL sees equal values and keeps its plan. */
function formOf(parts: readonly string[]): Form {
  const accounts: number[] = [];
  let text = parts[0] ?? "";
  let number = 0;
  let account = 0;
  for (const [at, part] of parts.slice(1).entries()) {
    const is_account = /\baccount_id = $/.test(text);
    if (is_account) accounts.push(at);
    if (!is_account || account === 0) number += 1;
    if (is_account && account === 0) account = number;
    text += `$${is_account ? account : number}${part}`;
  }
  return { text, accounts };
}

/** The values that a template accepts. `undefined` is a mistake: an absent value is null. */
type Held = Sql | string | number | bigint | boolean | null | Uint8Array | readonly unknown[];

/** Returns the statement of a template: its values in order, with those of its fragments. */
export function sql(strings: readonly string[], ...held: readonly Held[]): Sql {
  if (!held.some((one) => one instanceof Sql)) return new Sql(strings, held);
  const values: unknown[] = [];
  let filling = fillings.get(strings) ?? newFilling();
  fillings.set(strings, filling);
  for (const one of held) {
    if (one instanceof Sql) values.push(...one.values);
    else values.push(one);
    filling = fillingWith(filling, one instanceof Sql ? one.parts : VALUE);
  }
  filling.parts ??= partsOf(strings, held);
  return new Sql(filling.parts, values);
}

/** The earlier fillings of a template, step by step. The same fragments give the same parts, whose text is known. */
interface Filling {
  parts: readonly string[] | null;
  readonly filled: Map<readonly string[], Filling>;
}

const fillings = new WeakMap<readonly string[], Filling>();
const VALUE: readonly string[] = [];

function newFilling(): Filling {
  return { parts: null, filled: new Map() };
}

function fillingWith(filling: Filling, parts: readonly string[]): Filling {
  const known = filling.filled.get(parts);
  if (known !== undefined) return known;
  const next = newFilling();
  filling.filled.set(parts, next);
  return next;
}

function partsOf(strings: readonly string[], held: readonly Held[]): readonly string[] {
  const parts = [strings[0] ?? ""];
  held.forEach((one, index) => {
    const following = strings[index + 1] ?? "";
    if (one instanceof Sql) {
      const [first = "", ...rest] = one.parts;
      parts.push(parts.pop() + first, ...rest);
      parts.push(parts.pop() + following);
    } else {
      parts.push(following);
    }
  });
  return parts;
}

/** Returns the single list of parts for a text, however often it is requested. Texts come from the program, so there are few. */
function alone(text: string): readonly string[] {
  const known = lonely.get(text) ?? [text];
  lonely.set(text, known);
  return known;
}

const lonely = new Map<string, readonly string[]>();

/** Returns a long statement whose text numbers its values itself, from `$1`, and may repeat them. */
export function numbered(text: string, values: readonly unknown[]): Sql {
  return new Sql(alone(text), values);
}

/** Returns text of the program as a fragment: the name of a table or column, or a list of them. Never text that a caller sent. */
export function raw(text: string | number): Sql {
  return new Sql(alone(String(text)), []);
}

/** Joins fragments and values with a text between them. At least one. */
export function joined(held: readonly Held[], between: string): Sql {
  const key = `${held.length} ${between}`;
  const strings = gaps.get(key) ?? ["", ...Array<string>(held.length - 1).fill(between), ""];
  gaps.set(key, strings);
  return sql(strings, ...held);
}

const gaps = new Map<string, readonly string[]>();

/** Each column as its type, or as a fragment that computes it. */
type OrSql<Row> = { readonly [Name in keyof Row]: Row[Name] | Sql };

/** Returns `insert into … (…) values (…)` for one row; the caller adds further clauses such as `on conflict`. */
export function insert<Name extends keyof Tables>(
  table: Name,
  row: OrSql<Insertable<Tables[Name]>>,
): Sql {
  const { columns, values } = written<Name>(row);
  return sql`insert into ${raw(table)} (${columns}) values (${values})`;
}

/** Returns the names and the values of columns, in the same order: for a row that is stored with data that a statement finds. */
export function written<Name extends keyof Tables>(
  row: OrSql<Updatable<Tables[Name]>>,
): { readonly columns: Sql; readonly values: Sql } {
  const columns = columnsOf(row);
  return {
    columns: raw(columns.map(([column]) => column).join(", ")),
    values: joined(
      columns.map(([, value]) => value),
      ", ",
    ),
  };
}

/** How a column of many rows is sent: as an array of a PostgreSQL type, or as `lines` of one text. */
type Sent<Row> = readonly [kind: string, value: (row: Row) => unknown];

/**
 * Returns many rows as a table `unnest($1::uuid[], …)` and its columns in order. The text is the same for any number
 * of rows. `lines` sends texts without line breaks (JSON) as one text: an array would escape their quotes.
 */
export function tableOf<Row>(
  rows: readonly Row[],
  sent: { readonly [column: string]: Sent<Row> },
): { readonly columns: Sql; readonly table: Sql } {
  const arrays = Object.values(sent).map(([kind, value]) => {
    const values = rows.map(value);
    return kind === "lines"
      ? sql`string_to_array(${values.join("\n")}, E'\\n')`
      : sql`${values}::${raw(kind)}[]`;
  });
  return {
    columns: raw(Object.keys(sent).join(", ")),
    table: sql`unnest(${joined(arrays, ", ")})`,
  };
}

/** Returns `update … set …` for some columns; the caller adds the condition for the rows. */
export function update<Name extends keyof Tables>(
  table: Name,
  row: OrSql<Updatable<Tables[Name]>>,
): Sql {
  const set = columnsOf(row).map(([column, value]) => sql`${raw(column)} = ${value}`);
  return sql`update ${raw(table)} set ${joined(set, ", ")}`;
}

/** Returns columns in alphabetical order, so that the same columns make the same text; undefined columns are left out. */
function columnsOf(row: object): [string, Held][] {
  return Object.entries(row)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * A condition that is always true. The commit of its transaction does not wait for the disk, so that a crash of the database may lose what it
 * has stored; any later commit that waits keeps it.
 */
export const unsynced: Sql = sql`(select set_config('synchronous_commit', 'off', true)) = 'off'`;
