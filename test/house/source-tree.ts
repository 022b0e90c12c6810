/**
 * The syntax of every TypeScript file of the product and its tests: its imports, its exports, and the length of its
 * functions. Parsed once for all rules.
 */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { type ESTree, parseSync, Visitor } from "rolldown/utils";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { pathsBelow } from "../support/run/kinds.ts";

interface SourceFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

interface Import {
  /** A path from the root for a file of the repository, a name for a package. */
  readonly from: string;
  /** `*` for an import of everything. */
  readonly names: readonly string[];
  /** Whether the import exists only for types, not at run time. */
  readonly is_of_types: boolean;
}

interface LongFunction {
  /** The first line, counted from 1. */
  readonly line: number;
  readonly lines: number;
}

export interface ReadFile extends SourceFile {
  readonly imports: readonly Import[];
  readonly exports: readonly string[];
  readonly functions: readonly LongFunction[];
}

let files: readonly SourceFile[] | undefined;

/** Every file below `src` and `test`, in order. */
export function sourceFiles(): readonly SourceFile[] {
  files ??= ["src", "test"].flatMap((folder) =>
    pathsBelow(packageRoot, folder)
      .filter((path) => /\.tsx?$/.test(path))
      .sort()
      .map((path) => ({ path, text: readFileSync(join(packageRoot, path), "utf8") })),
  );
  return files;
}

const read = new WeakMap<SourceFile, ReadFile>();

/** All files with their syntax. */
export function readFiles(): readonly ReadFile[] {
  return sourceFiles().map(readSource);
}

/** A file with its syntax; parsed once. Throws if it cannot be parsed. */
export function readSource(file: SourceFile): ReadFile {
  const known = read.get(file) ?? parsed(file);
  read.set(file, known);
  return known;
}

function parsed({ path, text }: SourceFile): ReadFile {
  const { program, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const imports: Import[] = [];
  const exports: string[] = [];
  const functions: LongFunction[] = [];
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  const lineAt = (offset: number): number => {
    const line = ends.findIndex((end) => end >= offset);
    return (line === -1 ? ends.length : line) + 1;
  };
  const importFrom = (source: string, names: readonly string[], is_of_types = false): void => {
    const from = source.startsWith(".") ? posix.join(posix.dirname(path), source) : source;
    imports.push({ from, names, is_of_types });
  };
  const measure = (node: { readonly start: number; readonly end: number }): void => {
    const line = lineAt(node.start);
    functions.push({ line, lines: lineAt(node.end) - line + 1 });
  };
  new Visitor({
    ImportDeclaration({ source, specifiers, importKind }) {
      importFrom(source.value, specifiers.map(importedName), isOfTypes(importKind, specifiers));
    },
    ImportExpression({ source }) {
      if (source.type === "Literal") importFrom(String(source.value), ["*"]);
    },
    TSImportType({ source }) {
      importFrom(source.value, ["*"], true);
    },
    ExportAllDeclaration({ source }) {
      importFrom(source.value, ["*"]);
    },
    ExportNamedDeclaration(node) {
      // The additions of a `declare module` to another module are not exports of the file.
      if (!program.body.includes(node)) return;
      const { source, specifiers, declaration } = node;
      if (source)
        importFrom(
          source.value,
          specifiers.map(({ local }) => nameOf(local)),
        );
      exports.push(...specifiers.map(({ exported }) => nameOf(exported)));
      if (declaration) exports.push(...declaredNames(declaration));
    },
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  }).visit(program);
  return { path, text, imports, exports, functions };
}

function isOfTypes(
  kind: string | null | undefined,
  specifiers: readonly ESTree.ImportDeclarationSpecifier[],
): boolean {
  const isType = (one: ESTree.ImportDeclarationSpecifier) =>
    one.type === "ImportSpecifier" && one.importKind === "type";
  return kind === "type" || (specifiers.length > 0 && specifiers.every(isType));
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string {
  return specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "*";
}

function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === "Literal" ? name.value : name.name;
}

function declaredNames(declaration: ESTree.Declaration): string[] {
  if (declaration.type !== "VariableDeclaration") {
    return "id" in declaration && declaration.id?.type === "Identifier"
      ? [declaration.id.name]
      : [];
  }
  return declaration.declarations.flatMap(({ id }) => boundNames(id));
}

function boundNames(pattern: ESTree.BindingPattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((one) =>
        one.type === "Property" ? boundNames(one.value) : boundNames(one.argument),
      );
    default:
      return [];
  }
}

/** The cycles of a graph: groups of nodes that reach each other. */
export function circles(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map<string, ReadonlySet<string>>();
  for (const start of targets.keys()) {
    const seen = new Set<string>();
    const open = [...(targets.get(start) ?? [])];
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path) || !targets.has(path)) continue;
      seen.add(path);
      open.push(...(targets.get(path) ?? []));
    }
    reached.set(start, seen);
  }
  const inCircle = [...targets.keys()].filter((path) => reached.get(path)?.has(path));
  const groups = inCircle.map((path) =>
    inCircle.filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path)),
  );
  return groups.filter((group, index) => inCircle[index] === group[0]).map((group) => group.sort());
}
