/**
 * Every statement can be run by a Citus cluster, where the rows of an account are on one machine and another account's on another
 * (docs/scaling.md). The statements are read off the source here; all others are checked while the suite runs
 * (`test/support/run/watch-statements.ts`).
 */
import { beforeAll, describe, expect, inject, it } from "vitest";
import { CLEANING } from "../../src/features/access/sign-in/clean.ts";
import { readSentStatements, type SentStatement } from "../house/statements/read-statements.ts";
import { type Catalogue, readCatalogue } from "../support/distributed/catalogue.ts";
import { unneededExceptions } from "../support/distributed/exceptions.ts";
import { statementsOf } from "../support/distributed/parse-tree.ts";
import {
  describeFault,
  faultsOfText,
  faultsOfTriggers,
} from "../support/distributed/statement-rules.ts";

let catalogue: Catalogue;
let statements: SentStatement[];
beforeAll(async () => {
  catalogue = await readCatalogue(inject("template_url"));
  statements = await readSentStatements();
});

describe("every statement of the source", () => {
  it("keeps the rules for distributed tables", () => {
    const known = statements.filter(({ texts }) => texts.some(isWhole));
    expect(known.length).toBeGreaterThan(400);
    const faults = known.flatMap(({ place, texts }) =>
      texts
        .filter(isWhole)
        .flatMap((text) =>
          faultsOfText(text, catalogue).map((fault) => describeFault(place, fault, text)),
        ),
    );
    expect([...new Set(faults)]).toEqual([]);
  });

  it("needs every exception", () => {
    const texts = [...statements.flatMap((one) => one.texts), ...CLEANING.map(({ text }) => text)];
    expect(unneededExceptions(texts)).toEqual([]);
  });

  it("is judged also where it is one of a list", () => {
    const faults = CLEANING.flatMap(({ text }) =>
      faultsOfText(text, catalogue).map((fault) => describeFault("clean.ts", fault, text)),
    );
    expect(faults).toEqual([]);
  });
});

describe("every trigger", () => {
  it("keeps the rules for distributed tables", () => {
    expect(faultsOfTriggers(catalogue)).toEqual([]);
  });
});

/** Whether a text is a whole statement: a condition that only a caller knows is `true` or absent, and other parts may be no SQL. */
function isWhole(text: string): boolean {
  if (/ from \w+ where true| from \w+$/.test(text.trimEnd())) return false;
  try {
    return statementsOf(text).length > 0;
  } catch {
    return false;
  }
}

/** Statements with the numbers of the rules that they break. */
const EXAMPLES: readonly (readonly [text: string, rules: readonly number[]])[] = [
  ["update sessions set last_seen_at = clock_timestamp() where hash = $1", [1]],
  ["update sessions set last_seen_at = (select clock_timestamp()) where hash = $1", []],
  ["update customers set updated_at = stamp($1) where account_id = $1 and id = $2", [1]],
  ["update customers set updated_at = (select stamp($1)) where account_id = $1 and id = $2", []],
  ["delete from plans where account_id = $1 and expires_at < clock_timestamp()", [1]],
  ["delete from plans where account_id = $1 and expires_at < statement_timestamp()", []],
  [
    "update studios set put_away_at = case when $2 then statement_timestamp() end where account_id = $1",
    [1],
  ],
  [
    "update studios set put_away_at = case when $2 then (select clock_timestamp()) end where account_id = $1",
    [],
  ],
  ["update studios set lease_until = lease_until + interval '1 day' where account_id = $1", [1]],
  [
    "insert into studios (account_id) values ($1) on conflict (account_id) do update set lease_until = statement_timestamp()",
    [2],
  ],
  [
    "insert into studios (account_id) values ($1) on conflict (account_id) do update set lease_until = excluded.lease_until",
    [],
  ],
  ["insert into studios (account_id) values ($1) returning lease_until::text", [2]],
  ["insert into studios (account_id) values ($1) returning (select 1)", [2]],
  ["insert into studios (account_id) values ((select id from accounts where id = $1))", [2]],
  ["select id from customers where id = $1", [3]],
  ["select id from customers where account_id = $1", []],
  ["select id from customers where account_id = any($1)", [3]],
  [
    "select c.id from customers c join invoices i on i.account_id = c.account_id where c.account_id = $1",
    [],
  ],
  [
    "select c.id from customers c join invoices i on i.customer_id = c.id where c.account_id = $1",
    [3],
  ],
  [
    "select c.id from customers c where c.account_id = $1 and exists (select from invoices i where i.account_id = c.account_id)",
    [],
  ],
  [
    "select c.id from customers c where c.account_id = $1 and exists (select from invoices i where i.customer_id = c.id)",
    [3],
  ],
  ["select a.id from accounts a join customers c on c.account_id = a.id where a.id = $1", []],
  [
    "select a.id from accounts a where exists (select from customers c where c.account_id = a.id)",
    [3],
  ],
  [
    "with due as (select account_id, id from invoices where account_id = $1) update invoices i set title = null from due where i.account_id = due.account_id and i.id = due.id",
    [],
  ],
  ["select id from customers where id = $1 for update", [3, 4]],
  ["select id from customers where account_id = $1 for update skip locked", []],
  [
    "with recursive w (account_id) as (select account_id from customers union all select c.account_id from customers c join w on c.account_id > w.account_id) select from w",
    [3, 4],
  ],
  [
    "insert into studios (account_id) select $1 on conflict (account_id) do update set finished_at = $2",
    [5],
  ],
];

describe("the rules", () => {
  it.each(EXAMPLES)("judge `%s`", (text, rules) => {
    expect(faultsOfText(text, catalogue).map(({ rule }) => rule)).toEqual(rules);
  });
});
