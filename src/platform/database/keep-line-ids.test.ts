/** Series lines from before the migration keep the ids of their occurrences' lines, and the ids still refer to them. */
import { v5 } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import { useWork } from "../../../test/support/world/work.ts";
import type { Json } from "../../../test/support/world/world.ts";
import { addDays, type CalendarDate } from "../../domain/base/calendar.ts";
import { migrateForServing } from "./serving-role.ts";

const series = useWork();
const { world, hours, hourly, lineIds, lineIn, registered, tried } = series;

/** The first day of periods with new ids, by the clock of the database. */
let new_from: CalendarDate;
let sandbox: Json;
const made: Record<string, { readonly id: string; readonly line_id: string }> = {};

beforeAll(async () => {
  series.at("2026-03-10");
  const [{ today }] = await world.sql("select current_date::text as today");
  new_from = addDays(today, 400);
  const start = { start_date: "2026-01-15" };
  await make("weekly", { ...start, frequency: "weekly" });
  await make("monthly", start);
  await make("quarterly", { ...start, frequency: "quarterly", alignment: "calendar" });
  await make("half-yearly", { ...start, frequency: "half_yearly" });
  await make("yearly", { ...start, frequency: "yearly" });
  await make("later", { start_date: addDays(today, 3000) });
  await make("worked", start);
  sandbox = await inSandbox();
  await rewind();
  await world.sql("update work_registrations set line_id = $1", [
    v5("2041-07", made.worked?.line_id ?? ""),
  ]);
  const roles = { url: world.serving_url, owner_url: world.database_url };
  expect(await migrateForServing(roles)).toEqual(["0035_line_ids.sql", "0036_hashed_line_ids"]);
});

async function make(name: string, fields: Json): Promise<void> {
  const { id } = await hourly(fields);
  const [line_id = ""] = await lineIds(id);
  made[name] = { id, line_id };
  if (name !== "worked") return;
  const { user_id } = world.account.admin;
  await registered(await lineIn(id, "2041-07"), { user_id, date: "2026-01-01" });
}

/** A series of an account whose test clock was set to 2040. */
async function inSandbox(): Promise<Json> {
  const other = await world.openAnother({ sandbox: true });
  const done = (call: string, body?: Json): Promise<Json> =>
    world.done(call, body, other.keys.read_write);
  await done("PUT /test-clock", { now: "2040-01-01T08:00:00Z" });
  const customer = await done("POST /customers", { name: "Beta" });
  const product = await done("POST /products", { name: "Work" });
  const lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 1 }];
  const body = { customer_id: customer.id, frequency: "yearly", start_date: "2026-01-01", lines };
  const { id } = await done("POST /recurring-series", body);
  const { data } = await done(`GET /recurring-series/${id}/lines`);
  const idIn = async (period: string): Promise<string> =>
    (await done(`GET /recurring-series/${id}/occurrences/${period}/lines`)).data[0].id;
  return { line_id: data[0].line_id, idIn };
}

/** Restores the earlier schema. */
async function rewind(): Promise<void> {
  await world.sql("drop table hashed_line_ids");
  await world.sql("drop index series_lines_end");
  await world.sql("alter table series_lines drop column hashed_periods");
  await world.sql(
    "delete from schema_migrations where name in ('0035_line_ids.sql', '0036_hashed_line_ids')",
  );
}

const one = (name: string) => made[name] ?? { id: "", line_id: "" };

describe.each(["weekly", "monthly", "quarterly", "half-yearly", "yearly"])("a %s line", (name) => {
  it("keeps its ids in periods that begin before the day, and has new ids after it", async () => {
    const { id, line_id } = one(name);
    const around = `from=${addDays(new_from, -400)}&to=${addDays(new_from, 400)}`;
    const periods = [
      ...(await series.occurrences(id, "to=2026-03-31")),
      ...(await series.occurrences(id, around)),
    ];
    expect(periods.length).toBeGreaterThan(2);
    for (const { period, period_from } of periods) {
      const hash = v5(period, line_id);
      const found = await lineIn(id, period);
      if (period_from < new_from) expect(found, period).toBe(hash);
      else expect(found[14], period).toBe("8");
    }
  });

  it("is found by old and by new ids", async () => {
    const { id } = one(name);
    const ahead = await series.occurrences(id, `to=${addDays(new_from, 400)}&from=2026-03-01`);
    const kept = ahead.findLast(({ period_from }) => period_from < new_from) ?? ahead[0];
    for (const { period } of [kept, ahead.at(-1)]) {
      expect(await tried(await lineIn(id, period), { date: "2026-01-01" })).toBe("201");
    }
  });
});

describe("a line", () => {
  it("of a series that starts later keeps the id of its first period", async () => {
    const { id, line_id } = one("later");
    const [first, ...more] = await series.occurrences(id, `to=${addDays(new_from, 4000)}`);
    expect(await lineIn(id, first.period)).toBe(v5(first.period, line_id));
    expect((await lineIn(id, more.at(-1).period))[14]).toBe("8");
  });

  it("keeps its ids through the last stored one", async () => {
    const { id, line_id } = one("worked");
    expect(await lineIn(id, "2041-06")).toBe(v5("2041-06", line_id));
    expect((await lineIn(id, "2041-08"))[14]).toBe("8");
    const [work] = await series.list(`series=${id}`);
    expect(work).toMatchObject({ line_id: v5("2041-07", line_id), amount: 2000 });
  });

  it("keeps its ids for 400 days after the latest time of the test clock", async () => {
    expect(await sandbox.idIn("2041")).toBe(v5("2041", sandbox.line_id));
    expect((await sandbox.idIn("2042"))[14]).toBe("8");
  });

  it("keeps its ids if the periods move, without the ids of other periods", async () => {
    const { id, line_id } = one("monthly");
    await world.sql("delete from work_registrations where series_id = $1", [id]);
    for (const start_date of ["2025-11-30", "2026-02-01"]) {
      await series.change(id, { start_date });
      expect(await lineIn(id, "2026-03")).toBe(v5("2026-03", line_id));
    }
    await series.change(id, { start_date: "2025-11-30" });
    expect((await lineIn(id, "2025-12"))[14]).toBe("8");
    await series.change(id, { frequency: "quarterly" });
    expect((await lineIn(id, "2026-Q2"))[14]).toBe("8");
    expect(await tried(v5("2026-03", line_id))).toBe("404 NOT_FOUND");
  });

  it("added after the migration has only new ids", async () => {
    const { id } = one("worked");
    const added = await series.add(id, "all", 1, { line: hours({ position: 2 }) });
    const { line_id } = added.body;
    const [, line] = await series.linesOf(id, "2026-04");
    expect([line?.series_line_id, line?.id[14]]).toEqual([line_id, "8"]);
  });
});
