/** The `sql` tag: constant texts, and values that never become part of the text. */
import { describe, expect, it } from "vitest";
import { insert, joined, raw, sql, tableOf, update, written } from "./sql.ts";

const made = ({ text, values }: { text: string; values: readonly unknown[] }) => [text, values];

describe("a statement", () => {
  it("has its values as parameters in their order", () => {
    expect(made(sql`select ${1} where a = ${"x"} and b = any(${["p", "q"]})`)).toEqual([
      "select $1 where a = $2 and b = any($3)",
      [1, "x", ["p", "q"]],
    ]);
    expect(made(sql`select 1`)).toEqual(["select 1", []]);
  });

  it("includes nested fragments with their values", () => {
    const inner = sql`b = ${2}`;
    const outer = sql`(${inner} or ${raw("c")} = ${3})`;

    expect(made(sql`${raw("select")} 1 where a = ${1} and ${outer} limit ${4}`)).toEqual([
      "select 1 where a = $1 and (b = $2 or c = $3) limit $4",
      [1, 2, 3, 4],
    ]);
    expect(made(sql`${outer}${inner}`)).toEqual(["(b = $1 or c = $2)b = $3", [2, 3, 2]]);
    expect(made(outer)).toEqual(["(b = $1 or c = $2)", [2, 3]]);
  });

  it("has the same text for all values", () => {
    const of = (value: string | null, fragment: string) => sql`a = ${value} and ${raw(fragment)}`;

    expect(of("x", "b").text).toBe(of(null, "b").text);
    expect(of("$1; drop table", "b").text).toBe(of("x", "b").text);
  });

  it("joins values and fragments", () => {
    expect(made(joined([1, sql`now()`, null], ", "))).toEqual(["$1, now(), $2", [1, null]]);
  });
});

describe("insert and update", () => {
  it("name each column once, in the same order for any order of the row", () => {
    const row = { name: "A", id: "1", sandbox: false, ledger_kind: "builtin" };
    const turned = { ledger_kind: "builtin", sandbox: false, id: "1", name: "A" };

    expect(made(insert("accounts", row))).toEqual([
      "insert into accounts (id, ledger_kind, name, sandbox) values ($1, $2, $3, $4)",
      ["1", "builtin", "A", false],
    ]);
    expect(insert("accounts", turned).text).toBe(insert("accounts", row).text);
  });

  it("accept a fragment as a value", () => {
    const changed = update("accounts", { name: sql`lower(${"A"})`, sandbox: true });

    expect(made(sql`${changed} where id = ${"1"}`)).toEqual([
      "update accounts set name = lower($1), sandbox = $2 where id = $3",
      ["A", true, "1"],
    ]);
  });

  it("omit undefined values", () => {
    const row: { name?: string; sandbox: boolean } = { sandbox: true };

    expect(update("accounts", { ...row, name: undefined as never }).text).toBe(
      "update accounts set sandbox = $1",
    );
  });
});

describe("many rows", () => {
  const kinds = {
    id: ["uuid", (row: { id: string; n: bigint | null }) => row.id],
    n: ["bigint", (row: { id: string; n: bigint | null }) => row.n],
  } as const;

  it("become a table of one array for each column", () => {
    const rows = [
      { id: "a", n: 1n },
      { id: "b", n: null },
    ];
    const { columns, table } = tableOf(rows, kinds);

    expect(made(sql`insert into t (x, ${columns}) select ${"x"}, r.* from ${table} as r`)).toEqual([
      "insert into t (x, id, n) select $1, r.* from unnest($2::uuid[], $3::bigint[]) as r",
      ["x", ["a", "b"], [1n, null]],
    ]);
    expect(tableOf([], kinds).table.text).toBe(table.text);
  });

  it("are sent as one text if their texts have no line breaks", () => {
    const { table } = tableOf(["{}", "[]"], { content: ["lines", (text) => text] });

    expect(made(table)).toEqual(["unnest(string_to_array($1, E'\\n'))", ["{}\n[]"]]);
  });
});

describe("the written fields of a row", () => {
  it("are names and values in the same order", () => {
    const { columns, values } = written<"accounts">({ sandbox: true, name: "A" });

    expect(made(sql`(${columns}) select ${values}`)).toEqual([
      "(name, sandbox) select $1, $2",
      ["A", true],
    ]);
  });
});

describe("the account of a statement", () => {
  const both = (a: string, b: string) =>
    sql`select from invoices i where i.account_id = ${a} and i.id = ${7} and exists (
      select from customers where account_id = ${b} and id = ${8})`;

  it("is one parameter for all its comparisons", () => {
    const statement = both("one", "one");
    expect(statement.text).toContain("i.account_id = $1 and i.id = $2");
    expect(statement.text).toContain("where account_id = $1 and id = $3");
    expect(statement.sent).toEqual(["one", 7, 8]);
  });

  it("is unique: a statement for two accounts throws", () => {
    expect(() => both("one", "other").sent).toThrow("a statement of two accounts");
  });
});
