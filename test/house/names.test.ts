/**
 * One name has one meaning: no type name is exported twice, and the setter of a state names the state. Replaced names do
 * not return (docs/internals/renames.md). Each rule has an example that it must refuse.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { sourceFiles } from "./source-tree.ts";

interface File {
  readonly path: string;
  readonly text: string;
}

const product = sourceFiles().filter(({ path }) => path.startsWith("src/"));

describe("exported types", () => {
  it("have unique names", () => {
    expect(exportedTwice(product)).toEqual([]);
  });

  it("are found in interfaces, types, classes and enums", () => {
    const files = [
      { path: "a.ts", text: "export interface Row {}\nexport type Id = string;" },
      { path: "b.ts", text: "export class Row {}\nexport type Id = number;\ninterface Own {}" },
      { path: "c.ts", text: "interface Own {}\nexport type { Row } from './a.ts';" },
    ];
    expect(exportedTwice(files)).toEqual(["Row: a.ts, b.ts", "Id: a.ts, b.ts"]);
  });
});

function exportedTwice(files: readonly File[]): string[] {
  const paths = new Map<string, string[]>();
  for (const { path, text } of files) {
    for (const [, name = ""] of text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:interface|type|class|enum) (\w+)/gm,
    )) {
      paths.set(name, [...(paths.get(name) ?? []), path]);
    }
  }
  return [...paths]
    .filter(([, where]) => where.length > 1)
    .map(([name, where]) => `${name}: ${where.join(", ")}`);
}

describe("setters of a state", () => {
  it("are named set… or dispatch…", () => {
    expect(product.flatMap(bareSetters)).toEqual([]);
  });

  it.each([
    ["const [shown, show] = useState(false);", ["show"]],
    ["const [shown, setShown] = useState<Row | null>(null);", []],
    ["const [, settle] = useState(0);", ["settle"]],
    ["const [state, apply] = useReducer(after, START);", ["apply"]],
    ["const [state, dispatch] = useReducer(after, START);", []],
    ["const [first, second] = split(text);", []],
  ])("in %s", (text, found) => {
    expect(bareSetters({ path: "a.tsx", text }).map((one) => one.split(": ")[1])).toEqual(found);
  });
});

function bareSetters({ path, text }: File): string[] {
  const setters = text.matchAll(/const \[\s*\w*,\s*(\w+)\s*\] = use(?:State|Reducer)\b/g);
  return [...setters]
    .map(([, name = ""]) => name)
    .filter((name) => !/^(set|dispatch)([A-Z]|$)/.test(name))
    .map((name) => `${path}: ${name}`);
}

describe("renames", () => {
  const renames = renamesIn(readFileSync(join(packageRoot, "docs/internals/renames.md"), "utf8"));
  const identifiers = new Set(product.flatMap(({ text }) => text.match(/[A-Za-z_]\w*/g) ?? []));

  it("replace names that no longer exist by existing ones", () => {
    expect(renames.length).toBeGreaterThan(50);
    expect(renames.flatMap((rename) => faultsOf(rename, identifiers))).toEqual([]);
  });

  it.each([
    ["| `gone` | `exportedTwice` |", ["exportedTwice does not exist"]],
    ["| `readFileSync` | `join` |", ["readFileSync still exists"]],
    ["| `src/app.ts` | `src/none.ts` |", ["src/none.ts does not exist", "src/app.ts still exists"]],
  ])("%s is refused", (row, faults) => {
    const known = new Set(["readFileSync", "join"]);
    expect(renamesIn(row).flatMap((rename) => faultsOf(rename, known))).toEqual(faults);
  });
});

interface Rename {
  readonly from: string;
  readonly to: string;
}

/** The rows of tables with two names in backticks. */
function renamesIn(text: string): Rename[] {
  const rows = text.matchAll(/^\| `([^`]+)` \| `([^`]+)` \|/gm);
  return [...rows].map(([, from = "", to = ""]) => ({ from, to }));
}

function faultsOf({ from, to }: Rename, identifiers: ReadonlySet<string>): string[] {
  const exists = (name: string): boolean =>
    name.includes("/") ? existsSync(join(packageRoot, name)) : identifiers.has(name);
  return [
    ...(exists(to) ? [] : [`${to} does not exist`]),
    ...(exists(from) ? [`${from} still exists`] : []),
  ];
}

describe("numbers of migrations", () => {
  it("are unique", () => {
    expect(numbersGivenTwice(readdirSync(join(packageRoot, "migrations")))).toEqual([]);
  });

  it("are refused if they occur twice", () => {
    const names = ["0036_a.sql", "0037_c.sql", "0038_d.sql", "0037_e.sql"];
    expect(numbersGivenTwice(names)).toEqual(["0037"]);
  });
});

function numbersGivenTwice(names: readonly string[]): string[] {
  const numbers = names.filter((name) => name.endsWith(".sql")).map((name) => name.slice(0, 4));
  return numbers.filter((number, at) => numbers.indexOf(number) !== at);
}
