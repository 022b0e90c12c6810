/** Calls, operators and casts whose result is not the same on every machine of a cluster: the rules 1 and 2. */
import type { Catalogue, Volatility } from "./catalogue.ts";
import { columnIn, fieldsOf, isTree, listOf, nameIn, nodesOf, type Tree } from "./parse-tree.ts";

/** What a part of a statement must not contain. */
type Strictness =
  /** In an UPDATE or DELETE: nothing volatile; nothing stable in CASE and COALESCE, or with a column. */
  | "change"
  /** In a subselect of an UPDATE or DELETE: nothing volatile. */
  | "beside"
  /** In ON CONFLICT and RETURNING: immutable calls alone, and no subselect. */
  | "immutable";

/** The calls, operators, casts and subselects in the tree that the strictness refuses, as words. */
export function refusedIn(tree: unknown, strictness: Strictness, catalogue: Catalogue): string[] {
  const found: string[] = [];
  const walk = (node: unknown, strict: Strictness, in_case: boolean): void => {
    if (Array.isArray(node)) for (const one of node) walk(one, strict, in_case);
    if (!isTree(node)) return;
    const sublink = fieldsOf(node, "SubLink");
    if (sublink !== undefined && strict === "immutable") found.push("a subselect");
    if (sublink !== undefined && strict !== "immutable") {
      walk(sublink.testexpr, strict, in_case);
      if (!isAskedBefore(sublink)) walk(sublink.subselect, "beside", false);
      return;
    }
    if (fieldsOf(node, "SelectStmt") !== undefined && strict === "change") {
      for (const one of Object.values(node)) walk(one, "beside", false);
      return;
    }
    const [name, volatility] = callOf(node, catalogue);
    if (isRefused(volatility, strict, in_case, node)) found.push(`${name} is ${volatility}`);
    const is_case = fieldsOf(node, "CaseExpr") ?? fieldsOf(node, "CoalesceExpr");
    for (const one of Object.values(node)) walk(one, strict, in_case || is_case !== undefined);
  };
  walk(tree, strictness, false);
  return found;
}

/** A subselect without FROM is asked once, before the statement. */
function isAskedBefore({ subLinkType, subselect }: Tree): boolean {
  const select = fieldsOf(subselect, "SelectStmt");
  return (
    subLinkType === "EXPR_SUBLINK" && select !== undefined && listOf(select.fromClause).length === 0
  );
}

function isRefused(
  volatility: Volatility,
  strict: Strictness,
  in_case: boolean,
  node: Tree,
): boolean {
  if (volatility === "immutable") return false;
  if (volatility === "volatile" || strict === "immutable") return true;
  if (strict === "beside") return false;
  return in_case || nodesOf(node, "ColumnRef").length > 0 || nodesOf(node, "SubLink").length > 0;
}

/** The name and the volatility of what a node calls itself, without its arguments. */
function callOf(node: Tree, catalogue: Catalogue): [name: string, Volatility] {
  const called = fieldsOf(node, "FuncCall");
  if (called !== undefined) {
    const name = nameIn(called.funcname);
    return [`${name}()`, catalogue.volatilityOf(name, listOf(called.args).length)];
  }
  if (fieldsOf(node, "SQLValueFunction") !== undefined) return ["the current time", "stable"];
  const operation = fieldsOf(node, "A_Expr");
  if (operation !== undefined && isMovedMoment(operation))
    return ["a sum with an interval", "stable"];
  const cast = fieldsOf(node, "TypeCast");
  if (cast !== undefined && isTextOfMoment(cast, catalogue))
    return ["the text of a moment", "stable"];
  return ["", "immutable"];
}

/** A moment plus or minus an interval depends on the time zone of the session; the difference of two moments does not. */
function isMovedMoment({ name, lexpr, rexpr }: Tree): boolean {
  if (!["+", "-"].includes(nameIn(name)) || isDifference(lexpr)) return false;
  return isInterval(rexpr) || isInterval(lexpr);
}

function isDifference(node: unknown): boolean {
  const operation = fieldsOf(node, "A_Expr");
  return operation !== undefined && nameIn(operation.name) === "-" && !isMovedMoment(operation);
}

function isInterval(node: unknown): boolean {
  const cast = fieldsOf(node, "TypeCast");
  if (cast !== undefined) return nameIn(fieldsOf({ T: cast.typeName }, "T")?.names) === "interval";
  if (nameIn(fieldsOf(node, "FuncCall")?.funcname) === "make_interval") return true;
  const operation = fieldsOf(node, "A_Expr");
  if (operation === undefined || nameIn(operation.name) !== "*") return false;
  return isInterval(operation.lexpr) || isInterval(operation.rexpr);
}

function isTextOfMoment({ arg, typeName }: Tree, catalogue: Catalogue): boolean {
  const type = nameIn(fieldsOf({ T: typeName }, "T")?.names);
  return type === "text" && catalogue.isMoment(columnIn(arg).at(-1) ?? "");
}
