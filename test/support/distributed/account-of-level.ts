/**
 * Rule 3: each level of a statement that reads tables of an account compares `account_id` of one of them with a parameter, and
 * the others with that one or with the level around it.
 */
import type { Catalogue } from "./catalogue.ts";
import { columnIn, fieldsOf, isTree, listOf, nameIn, type Tree } from "./parse-tree.ts";

/** The fault of a level: the tables whose account is not known. */
interface UnboundLevel {
  readonly tables: readonly string[];
  /** Whether the level locks its rows. */
  readonly is_locked: boolean;
}

/** A table, subselect or function in FROM. */
interface Source {
  readonly alias: string;
  readonly table: string;
  /** Whether it is a table that is distributed by the account. */
  readonly needs: boolean;
  /** Whether it is a table that every machine has whole: it is on no machine of its own, so it binds nothing below its level. */
  readonly is_whole: boolean;
  is_bound: boolean;
}

/** What a level can refer to: the sources around it, and the named subselects. */
interface Around {
  readonly sources: readonly Source[];
  /** Whether the account of each named subselect is known. */
  readonly named: ReadonlyMap<string, boolean>;
}

/** What FROM has: its sources, the conditions of the level, and the subselects among the sources. */
interface Found {
  readonly sources: Source[];
  readonly conditions: unknown[];
  readonly selected: { readonly source: Source; readonly subquery: unknown }[];
}

const NOTHING: Around = { sources: [], named: new Map() };

/** Returns the faults of every level of a statement. */
export function unboundLevels(statement: Tree, catalogue: Catalogue): UnboundLevel[] {
  const levels = new Levels(catalogue);
  levels.visit(statement, NOTHING);
  return levels.faults;
}

class Levels {
  readonly faults: UnboundLevel[] = [];
  readonly #catalogue: Catalogue;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Visits a statement; returns whether the account of its rows is known. */
  visit(node: unknown, around: Around): boolean {
    const select = fieldsOf(node, "SelectStmt");
    if (select !== undefined) return this.#select(select, around);
    const insert = fieldsOf(node, "InsertStmt");
    if (insert !== undefined) {
      const inside = this.#withNamed(insert, around);
      this.#below([insert.onConflictClause, insert.returningClause], inside);
      return insert.selectStmt === undefined || this.visit(insert.selectStmt, inside);
    }
    const change = fieldsOf(node, "UpdateStmt") ?? fieldsOf(node, "DeleteStmt");
    if (change === undefined) return false;
    const inside = this.#withNamed(change, around);
    const from = [
      { RangeVar: change.relation },
      ...listOf(change.fromClause ?? change.usingClause),
    ];
    return this.#level(change, from, inside);
  }

  #select(select: Tree, around: Around): boolean {
    const inside = this.#withNamed(select, around);
    if (select.op !== "SETOP_NONE") {
      const left = this.#select(select.larg as Tree, inside);
      return this.#select(select.rarg as Tree, inside) && left;
    }
    return this.#level(select, listOf(select.fromClause), inside);
  }

  #withNamed({ withClause }: Tree, around: Around): Around {
    if (!isTree(withClause)) return around;
    const named = new Map(around.named);
    for (const one of listOf(withClause.ctes)) {
      const cte = fieldsOf(one, "CommonTableExpr");
      const name = String(cte?.ctename);
      const first = fieldsOf(cte?.ctequery, "SelectStmt")?.larg;
      // A recursive subselect refers to itself, with the account of its first part.
      if (withClause.recursive === true && isTree(first)) {
        const before = this.faults.length;
        named.set(name, this.#select(first, { ...around, named }));
        this.faults.length = before;
      }
      named.set(name, this.visit(cte?.ctequery, { ...around, named }));
    }
    return { ...around, named };
  }

  #level(level: Tree, from: readonly unknown[], around: Around): boolean {
    const found: Found = { sources: [], conditions: [level.whereClause], selected: [] };
    for (const one of from) this.#source(one, found, around);
    const { sources, conditions, selected } = found;
    const inside = { ...around, sources: [...sources, ...around.sources] };
    const compare = (): void => {
      spread(
        conditions.flatMap(conjuncts).flatMap((one) => this.#equalities(one, inside)),
        sources,
      );
    };
    compare();
    // A subselect may refer to the tables beside it, whose account is known by now.
    for (const { source, subquery } of selected) source.is_bound = this.visit(subquery, inside);
    compare();
    const unbound = sources.filter(({ needs, is_bound }) => needs && !is_bound);
    if (unbound.length > 0) {
      const tables = unbound.map(({ table }) => table);
      this.faults.push({ tables, is_locked: listOf(level.lockingClause).length > 0 });
    }
    const { fromClause: _, usingClause: __, withClause: ___, relation: ____, ...parts } = level;
    this.#below([parts, ...conditions.slice(1)], inside);
    return unbound.length === 0 && sources.some(({ is_bound }) => is_bound);
  }

  /** Adds the sources of an item of FROM, and the conditions of its joins. */
  #source(item: unknown, found: Found, around: Around): void {
    const { sources, conditions, selected } = found;
    const join = fieldsOf(item, "JoinExpr");
    if (join !== undefined) {
      const left_at = sources.length;
      this.#source(join.larg, found, around);
      const right_at = sources.length;
      this.#source(join.rarg, found, around);
      const [left, right] = [sources[left_at], sources[right_at]];
      conditions.push(join.quals);
      if (left && right && listOf(join.usingClause).some((name) => nameIn(name) === "account_id"))
        conditions.push(equality(left.alias, right.alias));
      return;
    }
    const table = fieldsOf(item, "RangeVar");
    if (table !== undefined) sources.push(this.#table(table, around));
    const derived = fieldsOf(item, "RangeSubselect") ?? fieldsOf(item, "RangeFunction");
    if (derived === undefined) return;
    const alias = aliasOf(derived);
    const source = { alias, table: "", needs: false, is_whole: false, is_bound: false };
    sources.push(source);
    if (derived.subquery !== undefined) selected.push({ source, subquery: derived.subquery });
  }

  #table(table: Tree, { named }: Around): Source {
    const name = String(table.relname);
    const is_bound = named.get(name) ?? false;
    const needs = !named.has(name) && this.#catalogue.distributed.has(name);
    const is_whole = !named.has(name) && !needs;
    return { alias: aliasOf(table) || name, table: name, needs, is_whole, is_bound };
  }

  /** Visits the subselects of expressions. */
  #below(part: unknown, inside: Around): void {
    if (Array.isArray(part)) for (const one of part) this.#below(one, inside);
    if (!isTree(part)) return;
    const sublink = fieldsOf(part, "SubLink");
    if (sublink !== undefined) this.visit(sublink.subselect, inside);
    for (const [name, one] of Object.entries(part)) {
      if (name !== "subselect") this.#below(one, inside);
    }
  }

  /** The pairs of accounts that a condition compares; null is a parameter. */
  #equalities(condition: unknown, inside: Around): Equal[] {
    const sublink = fieldsOf(condition, "SubLink");
    if (sublink?.subLinkType === "ANY_SUBLINK") {
      return this.#equal(sublink.testexpr, { SubLink: sublink }, inside);
    }
    const compared = fieldsOf(condition, "A_Expr");
    if (compared === undefined || compared.kind !== "AEXPR_OP" || nameIn(compared.name) !== "=")
      return [];
    return this.#equal(compared.lexpr, compared.rexpr, inside);
  }

  #equal(left: unknown, right: unknown, inside: Around): Equal[] {
    const lefts = elementsOf(left);
    const rights = elementsOf(right);
    if (lefts.length > 1 && lefts.length === rights.length) {
      return lefts.flatMap((one, at) => this.#equal(one, rights[at], inside));
    }
    const sublink = fieldsOf(right, "SubLink");
    if (sublink !== undefined) {
      const before = this.faults.length;
      const is_bound = this.visit(sublink.subselect, inside);
      this.faults.length = before;
      const account = accountIn(lefts[0], inside.sources);
      return is_bound && account ? [[account, null]] : [];
    }
    const [a, b] = [left, right].map((side) =>
      isValue(side, inside.sources) ? null : accountIn(side, inside.sources),
    );
    return a === undefined || b === undefined || (a === null && b === null) ? [] : [[a, b]];
  }
}

type Equal = readonly [Source | null, Source | null];

/** Binds the sources whose account equals a parameter, directly or by another source. */
function spread(equal: readonly Equal[], sources: readonly Source[]): void {
  const isKnown = (one: Source | null) =>
    one === null || (one.is_bound && (!one.is_whole || sources.includes(one)));
  for (let round = 0; round < sources.length; round += 1) {
    for (const [a, b] of equal) {
      if (a !== null && isKnown(b) && sources.includes(a)) a.is_bound = true;
      if (b !== null && isKnown(a) && sources.includes(b)) b.is_bound = true;
    }
  }
}

function conjuncts(condition: unknown): unknown[] {
  const all = fieldsOf(condition, "BoolExpr");
  if (all?.boolop === "AND_EXPR") return listOf(all.args).flatMap(conjuncts);
  return condition === undefined ? [] : [condition];
}

function elementsOf(side: unknown): readonly unknown[] {
  const row = fieldsOf(side, "RowExpr");
  return row === undefined ? [side] : listOf(row.args);
}

/** A parameter; in a trigger also the account of a row variable, which is no source: `new.account_id`. */
function isValue(side: unknown, sources: readonly Source[]): boolean {
  const cast = fieldsOf(side, "TypeCast");
  if (cast !== undefined) return isValue(cast.arg, sources);
  const [row, column] = columnIn(side);
  if (column === "account_id") return !sources.some(({ alias }) => alias === row);
  return fieldsOf(side, "ParamRef") !== undefined;
}

/** The source whose account a column is. Without an alias it is that of the only source that may have it. */
function accountIn(side: unknown, sources: readonly Source[]): Source | undefined {
  const parts = columnIn(side);
  const column = parts.at(-1);
  const alias = parts.length > 1 ? parts[0] : undefined;
  const of = (one: Source) => alias === undefined || one.alias === alias;
  if (column === "id") return sources.find((one) => one.table === "accounts" && of(one));
  if (column !== "account_id") return undefined;
  if (alias !== undefined) return sources.find(of);
  return sources.find(({ needs }) => needs) ?? sources[0];
}

function aliasOf({ alias }: Tree): string {
  return isTree(alias) ? String(alias.aliasname) : "";
}

function equality(left: string, right: string): Tree {
  const column = (alias: string) => ({
    ColumnRef: { fields: [alias, "account_id"].map((sval) => ({ String: { sval } })) },
  });
  const name = [{ String: { sval: "=" } }];
  return { A_Expr: { kind: "AEXPR_OP", name, lexpr: column(left), rexpr: column(right) } };
}
