/** Which tables are to be distributed, and that nothing changes on a server without Citus. */
import { describe, expect, inject, it } from "vitest";
import { readCatalogue } from "../../../test/support/distributed/catalogue.ts";
import { useWorld } from "../../../test/support/world/world.ts";
import { distribute, planDistribution } from "./distribute.ts";

const world = useWorld();

const ALL = ["accounts", "customers", "invoices", "rate_counters", "users"];
const plain = (names: readonly string[]) => new Map(names.map((name) => [name, null]));

describe("the plan of a distribution", () => {
  it("has every table in its kind when none is distributed", () => {
    expect(planDistribution(plain(ALL))).toEqual({
      alone: [],
      reference: ["accounts", "users"],
      distributed: ["customers", "invoices"],
      together_with: null,
    });
  });

  it("has only what is missing, together with what is distributed", () => {
    const tables = new Map([
      ...plain(ALL),
      ["accounts", "reference"] as const,
      ["invoices", "distributed"] as const,
    ]);
    expect(planDistribution(tables)).toEqual({
      alone: [],
      reference: ["users"],
      distributed: ["customers"],
      together_with: "invoices",
    });
  });

  it("makes counters of the coordinator ordinary tables again", () => {
    const tables = new Map([["rate_counters", "reference"] as const]);
    expect(planDistribution(tables).alone).toEqual(["rate_counters"]);
  });

  it("is empty when everything is as it should be", () => {
    const tables = new Map([
      ["accounts", "reference"] as const,
      ["customers", "distributed"] as const,
      ["rate_counters", null] as const,
    ]);
    const { together_with, ...rest } = planDistribution(tables);
    expect([together_with, rest]).toEqual([
      "customers",
      { alone: [], reference: [], distributed: [] },
    ]);
  });

  it("distributes every table of the schema that belongs to an account", async () => {
    const { distributed } = await readCatalogue(inject("template_url"));
    const tables = await world.sql(
      "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace",
    );
    const plan = planDistribution(plain(tables.map(({ name }) => name)));
    expect(plan.distributed).toEqual([...distributed].sort());
    expect(plan.distributed.length).toBeGreaterThan(40);
  });
});

describe("distribute", () => {
  it("does nothing on a server without the extension", async () => {
    const keys = () => world.sql("select count(*) as count from pg_constraint where contype = 'f'");
    const before = await keys();
    expect(await distribute(world.database_url)).toBeNull();
    expect(await keys()).toEqual(before);
  });
});
