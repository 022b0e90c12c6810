/**
 * The row type that the program declares for a statement equals the result of PostgreSQL: the same columns, of the same
 * kind, and null if PostgreSQL may return null.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { copyDatabase, dropDatabase } from "../support/world/world.ts";
import { sourceFiles } from "./source-tree.ts";
import type { DeclaredRow } from "./statements/declared-row.ts";
import { type DescribedColumn, type Describer, openDescriber } from "./statements/described-row.ts";
import { readStatements, type Statement } from "./statements/read-statements.ts";

/** Columns that may be null, but not in the rows of the statement. */
const NEVER_NULL: Readonly<Record<string, readonly string[]>> = {
  // Both columns of a booking have values after the state pending.
  "src/features/revenue/accruals/list-history.ts": ["booked_at", "booked_by"],
  // Work of a series has a period.
  "src/features/sales/hours/queries.ts": ["period_index", "period"],
  // Invoices of a series have a period.
  "src/features/sales/invoices/list.ts": ["period", "period_from", "period_to"],
  "src/features/recurring/occurrences/bookable.ts": ["series_id", "period_index"],
  // Only a letter has no number.
  "src/features/documents/issued/issued-documents.ts": ["number"],
  "src/features/documents/document-links/find-linked.ts": ["number"],
  "src/features/overview/inspection/read-issued-record.ts": ["number"],
  // An invoice with a number has a date.
  "src/features/sales/invoices/warnings.ts": ["issue_date"],
};

/** A function with the row type of its callers, whose statements are compared. */
const LEFT_TO_CALLERS = /^src\/platform\/database\/page\.ts:.* cx\.rows<Row>\($/;

/** A row type, a statement, and the faults of the type. */
const EXAMPLES: readonly (readonly [row: string, statement: string, faults: readonly string[]])[] =
  [
    ["{ id: string; name: string }", "select id, name from customers", []],
    ["Pick<Named, 'id'> & { name?: Name }", "select id@name from customers", []],
    ["Named", "select id from customers", ["name is not answered"]],
    ["Pick<Named, 'id'>", "select id, name from users", ["name is answered and not declared"]],
    ["{ count: number }", "select count(*) from users", ["count is bigint, not number"]],
    ["{ at: Date | null }", "select issued_at as at from invoices", ["at is string, not object"]],
    ["{ printed: Name }", "select printed from invoices", ["printed is object, not string"]],
    ["{ email: string }", "select email from customers", ["email may be null"]],
    ["{ day: string }", "select max(issue_date) as day from invoices", ["day may be null"]],
    [
      "{ name: string; email: string }",
      "select u.name, l.email from logins l left join users u on u.login_id = l.id",
      ["name may be null"],
    ],
  ];

const TEXT = `import type { Reads } from ${JSON.stringify(join(packageRoot, "src/platform/database/database.ts"))};
import { sql } from ${JSON.stringify(join(packageRoot, "src/platform/database/sql.ts"))};
type Name = string & { readonly brand: unique symbol };
interface Named { readonly id: string; readonly name: Name }
export function examples(reads: Reads, is_named: boolean) {
const name = is_named ? sql\`, name\` : sql\`\`;
return [
${EXAMPLES.map(([row, statement]) => `reads.rows<${row}>(sql\`${statement.replace(/@(\w+)/, "$${$1}")}\`),`).join("\n")}
];
}
`;
const FIRST_EXAMPLE = TEXT.split("\n").findIndex((line) => line.startsWith("reads.rows")) + 1;

let statements: Statement[];
let describer: Describer;
let database_url: string;

beforeAll(async () => {
  database_url = await copyDatabase(inject("template_url"));
  describer = await openDescriber(database_url);
  statements = await readStatements(TEXT);
});
afterAll(async () => {
  await describer?.end();
  await dropDatabase(inject("template_url"), database_url);
});

describe("the row type of a statement", () => {
  it("equals the description of PostgreSQL", async () => {
    const faults: string[] = [];
    const not_needed = new Set(
      Object.entries(NEVER_NULL).flatMap(([file, names]) =>
        names.map((name) => `${file} ${name} may be null`),
      ),
    );
    for (const statement of statements) {
      const [file = ""] = statement.place.split(":");
      if (file === "example.ts") continue;
      for (const fault of await faultsOf(statement)) {
        const is_known = not_needed.delete(`${file} ${fault}`);
        if (!is_known) faults.push(`${statement.place} ${fault}`);
      }
    }
    expect(faults).toEqual([]);
    expect([...not_needed]).toEqual([]);
  });

  it("is compared at every place with a row type", () => {
    const compared = new Set(statements.map(({ place }) => place));
    const places = sourceFiles()
      .filter(({ path }) => path.startsWith("src/") && !/\.test\.tsx?$/.test(path))
      .flatMap(({ path, text }) => text.split("\n").map((line, at) => `${path}:${at + 1} ${line}`))
      .filter((line) => /\.rows?</.test(line) && !LEFT_TO_CALLERS.test(line));
    expect(places.length).toBeGreaterThan(100);
    expect(places.filter((line) => !compared.has(line.split(" ")[0] ?? ""))).toEqual([]);
  });

  it.each(EXAMPLES)("has the expected faults: %s for `%s`", async (row, statement, faults) => {
    const at = EXAMPLES.findIndex((one) => one[0] === row && one[1] === statement);
    const read = statements.find(({ place }) => place === `example.ts:${FIRST_EXAMPLE + at}`);
    expect(read && (await faultsOf(read))).toEqual(faults);
  });
});

/** The faults of all texts. A text that PostgreSQL refuses is no fault if it accepts another one. */
async function faultsOf({ row, texts }: Statement): Promise<string[]> {
  const faults = new Set<string>();
  const refused: string[] = [];
  for (const text of texts) {
    const described = await describer.describe(text).catch(String);
    if (typeof described === "string") refused.push(described);
    else for (const fault of faultsOfRow(row, described)) faults.add(fault);
  }
  return refused.length === texts.length ? ["cannot be described", ...refused] : [...faults];
}

function faultsOfRow(row: DeclaredRow, described: readonly DescribedColumn[]): string[] {
  if (row === undefined) return [];
  const answered = new Set(described.map(({ name }) => name));
  const absent = [...row].filter(([name, { may_lack }]) => !may_lack && !answered.has(name));
  const others = described.flatMap(({ name, kind, may_be_null }) => {
    const column = row.get(name);
    if (column === undefined) return [`${name} is answered and not declared`];
    const wrong = column.kinds.filter((one) => one !== "unknown" && !fits(one, kind));
    return [
      ...wrong.map((one) => `${name} is ${kind}, not ${one}`),
      ...(may_be_null && !column.may_be_null ? [`${name} may be null`] : []),
    ];
  });
  return [...absent.map(([name]) => `${name} is not answered`), ...others];
}

/** A list in JSON is an object for PostgreSQL, whatever its elements. */
const fits = (declared: string, kind: string | undefined): boolean =>
  declared === kind || (kind === "object" && declared.endsWith("[]"));
