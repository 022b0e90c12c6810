/**
 * Every statement of the product that reads rows: its place, its text, and its declared row type. The types come from the
 * compiler, so the composition of a statement does not matter. The compiler's API may change with its version.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { CallExpression, Node, SourceFile } from "typescript/unstable/ast";
import {
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
} from "typescript/unstable/ast/is";
import { API, type Checker, type Project, type Type, TypeFlags } from "typescript/unstable/sync";
import { packageRoot } from "../../../src/platform/runtime/paths.ts";
import { closedText, isFragment } from "./closed-text.ts";
import { type DeclaredRow, declaredRow } from "./declared-row.ts";
import { type Probe, textsOf } from "./statement-texts.ts";

export interface Statement {
  /** File and line. */
  readonly place: string;
  readonly row: DeclaredRow;
  /** The text as far as it is known without a call; more than one if the caller decides its content. */
  readonly texts: readonly string[];
}

/** A call that sends a statement. */
interface Sent extends Probe {
  /** The name node of the called function. */
  readonly name: Node;
}

/** A call that reads rows. */
interface Call extends Sent {
  readonly row: Type;
}

/**
 * The statements of the product and, as an example, of one additional file that imports from it. Statements whose rows are not
 * read, and those that leave their row type to callers, are omitted. Throws if the compiler cannot read the program.
 */
export function readStatements(example: string): Promise<Statement[]> {
  return inProject(example, async (project, files, folder) => {
    const calls = files.flatMap((name) => callsIn(project, name, READS, callOf));
    const texts = await textsOf(calls, join(folder, "probes"));
    return calls.map((call) => ({
      place: placeOf(call, folder),
      row: declaredRow(project.checker, call.row),
      texts: texts.get(call) ?? [],
    }));
  });
}

/** A statement that reads or writes. */
export type SentStatement = Pick<Statement, "place" | "texts">;

/** All statements of the product as far as their texts are known without a call, also those whose rows are not read. */
export function readSentStatements(): Promise<SentStatement[]> {
  return inProject("", async (project, files, folder) => {
    const calls = files.flatMap((name) => callsIn(project, name, SENDS, sentBy));
    const texts = await textsOf(calls, join(folder, "probes"));
    return calls.map((call) => ({ place: placeOf(call, folder), texts: texts.get(call) ?? [] }));
  });
}

/** Opens the program in the compiler, with one more file, and removes what it has written after the work. */
async function inProject<Result>(
  example: string,
  work: (project: Project, files: readonly string[], folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "matchbook-statements-"));
  const api = new API({ cwd: packageRoot });
  try {
    const sources = join(packageRoot, "src");
    const configuration = join(folder, "tsconfig.json");
    await writeFile(join(folder, "example.ts"), example);
    await writeFile(
      configuration,
      JSON.stringify({
        extends: join(packageRoot, "tsconfig.json"),
        compilerOptions: { typeRoots: [join(packageRoot, "node_modules", "@types")] },
        include: [sources, join(folder, "example.ts")],
        exclude: [join(sources, "**", "*.test.ts")],
      }),
    );
    const [project] = api.updateSnapshot({ openProjects: [configuration] }).getProjects();
    if (project === undefined) throw new Error("the compiler opened no project");
    const files = project.program
      .getSourceFileNames()
      .filter((name) => name.startsWith(sources) || name.startsWith(folder));
    return await work(project, files, folder);
  } finally {
    api.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function placeOf({ file, name }: Sent, folder: string): string {
  const line = file.text.slice(0, name.getStart(file)).split("\n").length;
  const root = file.fileName.startsWith(folder) ? folder : packageRoot;
  return `${relative(root, file.fileName)}:${line}`;
}

/** Files without these names are not searched. */
const READS = /\.rows?\b|\blistRows\b/;
const SENDS = /\.(rows?|write|lock)\b|\b(listRows|query)\(/;

function callsIn<One>(
  project: Project,
  name: string,
  has: RegExp,
  callAt: (project: Project, file: SourceFile, node: CallExpression) => One | undefined,
): One[] {
  const file = project.program.getSourceFile(name);
  const calls: One[] = [];
  const look = (node: Node): void => {
    if (isCallExpression(node)) {
      const call = callAt(project, file as SourceFile, node);
      if (call !== undefined) calls.push(call);
    }
    node.forEachChild(look);
  };
  if (file !== undefined && has.test(file.text)) file.forEachChild(look);
  return calls;
}

/** For any call that sends a statement, also `tx.write(statement)` and `query(db, statement)`. */
function sentBy(project: Project, file: SourceFile, node: CallExpression): Sent | undefined {
  const { expression: called } = node;
  const name = isPropertyAccessExpression(called) ? called.name : called;
  if (!isIdentifier(name)) return undefined;
  const [first, second, third] = node.arguments;
  const closed = (part: Node): string => closedText(project, file, part);
  if (name !== called && ["rows", "row", "write", "lock"].includes(name.text)) {
    const is_statement = first && isFragment(project.checker.getTypeAtLocation(first));
    return is_statement ? { file, name, probe: closed(first) } : undefined;
  }
  if (second === undefined) return undefined;
  if (name.text === "query" && name === called) {
    const is_statement = isFragment(project.checker.getTypeAtLocation(second));
    return is_statement ? { file, name, probe: closed(second) } : undefined;
  }
  if (name.text !== "listRows" || third === undefined) return undefined;
  const probe = `SQL\`select \${RAW(${closed(second)})} from \${RAW(${closed(third)})}\``;
  return { file, name, probe };
}

/** For `reads.rows(statement)`, `reads.row(statement)` and `listRows(cx, columns, table, …)`. */
function callOf(project: Project, file: SourceFile, node: CallExpression): Call | undefined {
  const { expression: called } = node;
  const name = isPropertyAccessExpression(called) ? called.name : called;
  const [first, second, third] = node.arguments;
  if (!isIdentifier(name) || !["rows", "row", "listRows"].includes(name.text)) return undefined;
  const row = rowOf(project.checker, node);
  if (row === undefined || first === undefined) return undefined;
  const closed = (part: Node): string => closedText(project, file, part);
  if (name !== called) return { file, name, row, probe: closed(first) };
  if (second === undefined || third === undefined) return undefined;
  const probe = `SQL\`select \${RAW(${closed(second)})} from \${RAW(${closed(third)})}\``;
  return { file, name, row, probe };
}

/** The row type of a call; undefined if the rows are not read, or if the caller decides their type. */
function rowOf(checker: Checker, call: Node): Type | undefined {
  const [answer] = argumentsOf(checker, checker.getTypeAtLocation(call), "Promise");
  if (answer === undefined || answer.flags & TypeFlags.AnyOrUnknown) return undefined;
  const page = checker.getPropertyOfType(answer, "rows");
  const found = page === undefined ? answer : checker.getTypeOfSymbol(page);
  const [of_list] = [
    ...argumentsOf(checker, found, "Array"),
    ...argumentsOf(checker, found, "ReadonlyArray"),
  ];
  const row = of_list ?? (found && checker.getNonNullableType(found));
  if (row === undefined || row.flags & (TypeFlags.AnyOrUnknown | TypeFlags.Instantiable))
    return undefined;
  const is_reported =
    checker.getPropertiesOfType(row).length > 0 || checker.getIndexInfosOfType(row).length > 0;
  return is_reported ? row : undefined;
}

function argumentsOf(checker: Checker, type: Type | undefined, name: string): readonly Type[] {
  const is_meant = type?.isTypeReference() && type.getSymbol()?.name === name;
  return is_meant ? checker.getTypeArguments(type) : [];
}
