/** The text of a migration becomes single statements, as PostgreSQL's own parser sees them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { statementsOf } from "../../../test/support/distributed/parse-tree.ts";
import { packageRoot } from "../runtime/paths.ts";
import { splitStatements } from "./split-statements.ts";

describe("the statements of a text", () => {
  it.each([
    ["select 1; select 2;", ["select 1", " select 2"]],
    ["-- one; two\nselect 1", ["-- one; two\nselect 1"]],
    ["/* a; b */ select 1;\n-- the end\n", ["/* a; b */ select 1"]],
    ["select ';', 'it''s; so';select 2", ["select ';', 'it''s; so'", "select 2"]],
    ['select 1 as "a;b"', ['select 1 as "a;b"']],
    ["do $$ begin a; end $$; select 1", ["do $$ begin a; end $$", " select 1"]],
    ["do $x$ select $$;$$; $x$;", ["do $x$ select $$;$$; $x$"]],
    [" ;;\n", []],
  ])("of %j", (text, statements) => {
    expect(splitStatements(text)).toEqual(statements);
  });

  const folder = join(packageRoot, "migrations");
  it.each(readdirSync(folder).filter((name) => name.endsWith(".sql")))(
    "of %s are those that PostgreSQL's parser sees",
    (name) => {
      const text = readFileSync(join(folder, name), "utf8");
      const split = splitStatements(text);
      expect(split.flatMap(statementsOf)).toHaveLength(split.length);
      expect(statementsOf(text)).toHaveLength(split.length);
    },
  );
});
