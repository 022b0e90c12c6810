/** Each test file is of the kind that its imports determine (test/support/run/kinds.ts). */
import { describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { absentFrom, KINDS, kindOf, testFilesByKind } from "../support/run/kinds.ts";
import { namedIn, quickOf } from "../support/run/scope.ts";

const files = testFilesByKind(packageRoot);

describe("the kinds", () => {
  it("contain each test file once", () => {
    const all = KINDS.flatMap((name) => files[name]);
    expect(new Set(all).size).toBe(all.length);
    for (const name of KINDS) expect(files[name].length).toBeGreaterThan(20);
  });

  it("name only existing slow files", () => {
    expect(absentFrom(packageRoot)).toEqual([]);
  });

  it("run the rules of the domain without a service", () => {
    const domain = files.rules.filter((path) => path.startsWith("src/domain/"));
    expect(domain.length).toBeGreaterThan(50);
  });
});

describe("the kind of a file", () => {
  const texts: Record<string, string> = {
    "test/support/world.ts":
      'import { inject } from "vitest";\nconst url = inject("template_url");',
    "test/support/sales.ts": 'export * from "./world.ts";',
    "src/rule.ts": 'import type { World } from "../test/support/world.ts";',
  };
  it.each([
    ['import { sum } from "./rule.ts";', "rules"],
    ['import { open } from "../test/support/world.ts";', "service"],
    ['import {\n  open,\n} from "../test/support/sales.ts";', "service"],
    ['import type { World } from "../test/support/world.ts";', "rules"],
    ['const { open } = await import("../test/support/world.ts");', "service"],
    ['import pg from "pg";', "service"],
  ])("depends on its imports: %s", (text, kind) => {
    const read = (path: string) => (path === "src/a.test.ts" ? text : texts[path]);
    expect(kindOf("src/a.test.ts", read)).toBe(kind);
  });

  it("is slow for the listed files", () => {
    expect(kindOf("test/revenue/histories.test.ts", () => "")).toBe("slow");
  });
});

const all = {
  rules: ["src/domain/a.test.ts"],
  service: ["src/features/sales/a.test.ts", "src/features/work/b.test.ts"],
  slow: ["test/crash/c.test.ts"],
};

describe("a run of named files", () => {
  const every = KINDS.flatMap((name) => all[name]);
  it.each([
    [["run", "src/domain"], ["src/domain/a.test.ts"]],
    [
      ["run", "domain/a", "sales/a.test.ts"],
      ["src/domain/a.test.ts", "src/features/sales/a.test.ts"],
    ],
    [["run", "src/domain", "sales"], every],
    [["run", "src/domain", "--reporter=dot"], every],
    [["run", "no/such/file"], every],
    [["watch", "src/domain"], every],
    [["run"], every],
    [[], every],
  ])("%j", (args, expected) => {
    const named = namedIn(args, all);
    expect(KINDS.flatMap((name) => named[name])).toEqual(expected);
  });
});

describe("a quick run", () => {
  it("contains all rules, and the service tests in the folders of changed files", () => {
    expect(quickOf(all, ["src/features/work/queries.ts", "README.md"])).toEqual({
      rules: ["src/domain/a.test.ts"],
      service: ["src/features/work/b.test.ts"],
      slow: [],
    });
  });
});
