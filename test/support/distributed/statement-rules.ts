/**
 * The rules that a statement keeps so that a Citus cluster can run it (docs/scaling.md). They are read off the statement itself,
 * because the suite runs on an ordinary PostgreSQL.
 */
import { unboundLevels } from "./account-of-level.ts";
import type { Catalogue } from "./catalogue.ts";
import { exceptionOf } from "./exceptions.ts";
import {
  fieldsOf,
  isTree,
  listOf,
  nodesOf,
  statementsOf,
  type Tree,
  textsOfFunction,
} from "./parse-tree.ts";
import { refusedIn } from "./volatile-calls.ts";

/** The rules by number, as one reads them in a fault. */
const RULES = {
  1: "an UPDATE or DELETE has nothing volatile outside of a subselect without FROM, nothing stable in CASE and COALESCE, and nothing stable with a column",
  2: "ON CONFLICT and RETURNING have immutable calls alone and no subselect, VALUES have no subselect",
  3: "each level compares account_id with a parameter",
  4: "FOR UPDATE, FOR SHARE and WITH RECURSIVE stand only where rule 3 holds without exception",
  5: "ON CONFLICT and RETURNING of INSERT … SELECT have no parameter",
  6: "no trigger has a transition table, and its function keeps the rules 1 to 5",
  7: "a statement of several accounts only reads",
} as const;

interface DistributionFault {
  readonly rule: keyof typeof RULES;
  readonly what: string;
}

/** Returns the faults of a statement. A text that is not a statement has none: `begin`, `commit`. */
export function faultsOfText(text: string, catalogue: Catalogue): DistributionFault[] {
  const faults: DistributionFault[] = [];
  for (const statement of statementsOf(text)) {
    const add = (rule: DistributionFault["rule"], found: readonly string[]) =>
      faults.push(...[...new Set(found)].map((what) => ({ rule, what })));
    add(1, ofChanges(statement, catalogue));
    add(2, ofInserts(statement, catalogue));
    add(5, ofConflicts(statement));
    const unbound = unboundLevels(statement, catalogue);
    if (unbound.length === 0) continue;
    const exception = exceptionOf(text);
    if (exception === undefined) {
      add(
        3,
        unbound.map(({ tables }) => `the account of ${tables.join(", ")} is not known`),
      );
    }
    const recursive = [...nodesOf(statement, "SelectStmt"), ...changesIn(statement)].filter(
      ({ withClause }) => isTree(withClause) && withClause.recursive === true,
    );
    add(
      4,
      recursive.map(() => "WITH RECURSIVE over several accounts"),
    );
    add(
      4,
      unbound.filter(({ is_locked }) => is_locked).map(() => "locks rows of several accounts"),
    );
    const writes = changesIn(statement).length + nodesOf(statement, "InsertStmt").length > 0;
    if (writes && exception !== undefined && !exception.writes) {
      add(7, ["writes to several accounts"]);
    }
  }
  return faults;
}

/** Returns the faults of all triggers, with the name of the trigger or of its function. */
export function faultsOfTriggers(catalogue: Catalogue): string[] {
  const of_functions = catalogue.trigger_functions.flatMap(({ name, definition }) =>
    textsOfFunction(definition)
      .filter((text) => /^\s*(select|insert|update|delete|with)\b/i.test(text))
      .flatMap((text) =>
        faultsOfText(text, catalogue).map(({ rule, what }) => `${name}: rule ${rule}, ${what}`),
      ),
  );
  const seen_whole = catalogue.with_transition_table.map(
    (name) => `${name} has a transition table`,
  );
  return [...seen_whole, ...of_functions];
}

/** A fault as one reads it: the place, the rule, what breaks it, and the text. */
export function describeFault(place: string, { rule, what }: DistributionFault, text: string) {
  return `${place} breaks rule ${rule} (${RULES[rule]}): ${what}, in: ${text}`;
}

function changesIn(statement: unknown) {
  return [...nodesOf(statement, "UpdateStmt"), ...nodesOf(statement, "DeleteStmt")];
}

/** Whether a change is one of a table that a cluster knows. */
const isOfCluster =
  ({ alone }: Catalogue) =>
  ({ relation }: Tree): boolean =>
    !alone.has(String(isTree(relation) ? relation.relname : ""));

function ofChanges(statement: unknown, catalogue: Catalogue): string[] {
  const changes = changesIn(statement).filter(isOfCluster(catalogue));
  return changes.flatMap(({ returningClause: _, withClause: __, ...parts }) =>
    refusedIn(Object.values(parts), "change", catalogue),
  );
}

function ofInserts(statement: unknown, catalogue: Catalogue): string[] {
  const changes = changesIn(statement).filter(isOfCluster(catalogue));
  const inserts = nodesOf(statement, "InsertStmt").filter(isOfCluster(catalogue));
  const strict = [...inserts, ...changes].flatMap(({ onConflictClause, returningClause }) =>
    refusedIn([onConflictClause, returningClause], "immutable", catalogue),
  );
  const values = inserts.flatMap(({ selectStmt }) =>
    listOf(fieldsOf(selectStmt, "SelectStmt")?.valuesLists),
  );
  return [...strict, ...(nodesOf(values, "SubLink").length > 0 ? ["a subselect in VALUES"] : [])];
}

function ofConflicts(statement: unknown): string[] {
  return nodesOf(statement, "InsertStmt").flatMap(
    ({ selectStmt, onConflictClause, returningClause }) => {
      const select = fieldsOf(selectStmt, "SelectStmt");
      if (select === undefined || listOf(select.valuesLists).length > 0) return [];
      const has_parameter = nodesOf([onConflictClause, returningClause], "ParamRef").length > 0;
      return has_parameter ? ["a parameter beside INSERT … SELECT"] : [];
    },
  );
}
