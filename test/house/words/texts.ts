/** Every text of the repository that people read, in parts: identifiers, and prose such as comments, sentences and pages. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "rolldown/utils";
import { packageRoot } from "../../../src/platform/runtime/paths.ts";

export interface Text {
  readonly kind: "identifier" | "prose";
  readonly text: string;
}

export interface TextFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly texts: readonly Text[];
}

const FOLDERS = [".ci", "bench", "bin", "docs", "migrations", "src", "test"];
const PROGRAM = /\.(ts|tsx|mjs)$/;
const PAGE = /\.(md|yaml)$/;
/** Data, generated files, the files of these tests, and the wording that stored plans have. */
const SKIPPED =
  /^((test\/data|test\/upgrade\/before|test\/house\/words)\/|src\/assistant\/protocol\/earlier-wording\.ts$)/;
/** Migrations up to this one are applied in installations, and a digest protects their text. */
const LAST_APPLIED = "0056";

/** Every file with its texts. */
export function textFiles(): TextFile[] {
  return paths().flatMap((path) => {
    const texts = textsOf(path, () => readFileSync(join(packageRoot, path), "utf8"));
    return texts === undefined ? [] : [{ path, texts }];
  });
}

/** Every file below the folders with texts, and the files of the root. */
export function paths(): string[] {
  const root = readdirSync(packageRoot, { withFileTypes: true });
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(packageRoot.length))
      .map((path) => path.replaceAll("\\", "/").replace(/^\//, "")),
  );
  return [...root.filter((entry) => entry.isFile()).map(({ name }) => name), ...below].sort();
}

/** The texts of a file; undefined for a file without texts. */
export function textsOf(path: string, read: () => string): Text[] | undefined {
  if (SKIPPED.test(path)) return undefined;
  if (PROGRAM.test(path)) return [...namesIn(path), ...textsOfProgram(path, read())];
  if (PAGE.test(path)) return [...namesIn(path), prose(withoutCode(read()))];
  if (path.endsWith(".css")) return [...namesIn(path), ...textsOfStyles(read())];
  if (path.endsWith(".sql")) {
    const [number = ""] = /(?<=^migrations\/)\d{4}/.exec(path) ?? [];
    return path.startsWith("migrations/") && number <= LAST_APPLIED ? undefined : sqlTexts(read());
  }
  if (path === ".ci/run") return [prose(read())];
  return undefined;
}

const prose = (text: string): Text => ({ kind: "prose", text });
const identifier = (text: string): Text => ({ kind: "identifier", text });

/** The name of a file counts as an identifier. */
function namesIn(path: string): Text[] {
  const name = path.split("/").at(-1) ?? "";
  return [identifier(name.replace(/\.[^.]*$/, ""))];
}

function textsOfProgram(path: string, source: string): Text[] {
  const { program, comments, errors } = parseSync(path, source);
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const texts = comments.map(({ value }) => prose(value));
  const name = ({ name }: { readonly name: string }) => {
    texts.push(identifier(name));
  };
  const imported = new Set<number>();
  const statements = new Set<number>();
  const source_of = ({ source }: { readonly source?: { readonly start: number } | null }) => {
    if (source) imported.add(source.start);
  };
  new Visitor({
    ImportDeclaration: source_of,
    ExportNamedDeclaration: source_of,
    ExportAllDeclaration: source_of,
    ImportExpression: source_of,
    TSImportType: source_of,
    Identifier: name,
    JSXIdentifier: name,
    PrivateIdentifier: name,
    Literal({ value, start }) {
      if (typeof value === "string" && !imported.has(start)) texts.push(textOf(value));
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== "Identifier" || tag.name !== "sql") return;
      statements.add(quasi.start);
      for (const { value } of quasi.quasis) texts.push(...sqlTexts(value.raw));
    },
    TemplateLiteral({ quasis, start }) {
      if (statements.has(start)) return;
      for (const { value } of quasis) texts.push(textOf(value.cooked ?? value.raw));
    },
    JSXText({ value }) {
      texts.push(prose(value));
    },
  }).visit(program);
  return texts;
}

/** A string of one word is an identifier. */
function textOf(value: string): Text {
  return /\s/.test(value.trim()) ? prose(value) : identifier(value);
}

function textsOfStyles(text: string): Text[] {
  const comments = [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(([comment]) => prose(comment));
  const names = [...text.matchAll(/(?<=\.|--)[a-z][\w-]*/gi)].map(([name]) => identifier(name));
  return [...comments, ...names];
}

function sqlTexts(text: string): Text[] {
  const comments = [...text.matchAll(/--.*$/gm)].map(([comment]) => prose(comment));
  const names = [...text.replaceAll(/--.*$/gm, "").matchAll(/\w+/g)].map(([name]) =>
    identifier(name),
  );
  return [...comments, ...names];
}

/** A page without its code and the addresses of its links. */
function withoutCode(text: string): string {
  return text
    .replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, "")
    .replaceAll(/`[^`]*`/g, "")
    .replaceAll(/\]\([^)]*\)/g, "]");
}
