/** The tree that PostgreSQL's own parser makes of a statement, and how to walk it. */
import { loadModule, parsePlPgSQLSync, parseSync } from "libpg-query";

/** A node with its fields; a node within another one is `{ Kind: fields }`. */
export type Tree = Readonly<Record<string, unknown>>;

await loadModule();

/** The statements of a text. Throws when PostgreSQL's parser refuses it. */
export function statementsOf(text: string): Tree[] {
  const { stmts = [] } = parseSync(text);
  return stmts.map(({ stmt }) => stmt as Tree);
}

/** The statements and expressions of a function in PL/pgSQL, as texts. */
export function textsOfFunction(definition: string): string[] {
  const texts: string[] = [];
  const walk = (part: unknown): void => {
    if (!isTree(part)) {
      if (Array.isArray(part)) for (const one of part) walk(one);
      return;
    }
    if (isTree(part.PLpgSQL_expr)) texts.push(String(part.PLpgSQL_expr.query));
    for (const one of Object.values(part)) walk(one);
  };
  walk(parsePlPgSQLSync(definition));
  return texts;
}

export function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of the node if it is of the kind. */
export function fieldsOf(node: unknown, kind: string): Tree | undefined {
  const fields = isTree(node) ? node[kind] : undefined;
  return isTree(fields) ? fields : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The text of a `String` node; that of the last one in a list, as in a name with its schema. */
export function nameIn(value: unknown): string {
  const node = Array.isArray(value) ? value.at(-1) : value;
  return String(fieldsOf(node, "String")?.sval ?? "");
}

/** The parts of a column reference; `*` is left out. */
export function columnIn(node: unknown): string[] {
  return listOf(fieldsOf(node, "ColumnRef")?.fields)
    .map(nameIn)
    .filter((name) => name !== "");
}

/** Every node of the kind in a tree, the outer ones first. */
export function nodesOf(tree: unknown, kind: string): Tree[] {
  const found: Tree[] = [];
  const walk = (part: unknown): void => {
    if (Array.isArray(part)) for (const one of part) walk(one);
    if (!isTree(part)) return;
    const fields = fieldsOf(part, kind);
    if (fields !== undefined) found.push(fields);
    for (const one of Object.values(part)) walk(one);
  };
  walk(tree);
  return found;
}
