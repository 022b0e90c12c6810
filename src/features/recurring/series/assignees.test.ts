/** The assignees of the lines of a series, stored in addition to their versions and overrides. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { packageRoot } from "../../../platform/runtime/paths.ts";

const { world, line, draft, active, retainer, edit, remove, skip, issued, change, bo, eva, at } =
  useWork();

const to = (...users: string[]): Json => ({ assignees: users.map((user_id) => ({ user_id })) });
/** `[user, until]` of a line, Bo before Eva. */
const assigned = async (line_id: string): Promise<unknown[]> => {
  const rows = await world.sql(
    "select user_id, until_index from series_line_assignees where line_id = $1 order by user_id",
    [line_id],
  );
  return rows.map(({ user_id, until_index }) => [user_id === bo() ? "Bo" : "Eva", until_index]);
};
const countActive = async (id: string): Promise<number> =>
  (await world.sql("select standing_index from recurring_series where id = $1", [id]))[0]
    .standing_index;

describe("the assignees of a series line", () => {
  it("are those of a version until the next one, and those of an override permanently", async () => {
    const { id, line_id } = await retainer({ lines: [line(to(bo()))] });
    expect(await assigned(line_id)).toEqual([["Bo", null]]);
    await edit(id, line_id, "this_and_following", to(eva()), "2027-05");
    expect(await assigned(line_id)).toEqual([
      ["Bo", 3],
      ["Eva", null],
    ]);
    await edit(id, line_id, "this_only", to(bo()), "2027-04");
    expect(await assigned(line_id)).toEqual([
      ["Bo", null],
      ["Eva", null],
    ]);
    await remove(id, line_id, "this_and_following", "2027-03");
    expect(await assigned(line_id)).toEqual([["Bo", null]]);
    await remove(id, line_id, "this_only", "2027-04");
    expect(await assigned(line_id)).toEqual([["Bo", 1]]);
  });

  it("move with the periods when the header changes", async () => {
    const { id, line_id } = await retainer({ lines: [line(to(bo()))] });
    await edit(id, line_id, "this_and_following", to(eva()), "2027-05");
    await change(id, { start_date: "2027-04-01" });
    expect(await assigned(line_id)).toEqual([
      ["Bo", 1],
      ["Eva", null],
    ]);
  });
});

describe("the effective period of a series", () => {
  it("is the first open period, and moves on after an issue or a skip", async () => {
    at("2027-03-10");
    const { id } = await active();
    expect(await countActive(id)).toBe(0);
    await issued(id, "2027-01");
    expect(await countActive(id)).toBe(1);
    await skip(id, "2027-02");
    expect(await countActive(id)).toBe(2);
    await skip(id, "2027-02", "unskip");
    expect(await countActive(id)).toBe(1);
  });
});

describe("the migration", () => {
  it("fills in for older rows what the service would have stored", async () => {
    at("2027-03-10");
    const { id, line_id } = await retainer({ lines: [line(to(bo()))] });
    await edit(id, line_id, "this_and_following", to(eva()), "2027-05");
    await edit(id, line_id, "this_only", { assignees: [] }, "2027-06");
    await draft({ lines: [line(to(bo(), eva())), line()] });
    const running = await active({ lines: [line(to(bo()))] });
    await issued(running.id, "2027-01");
    await skip(running.id, "2027-02");
    const state = (): Promise<unknown[]> =>
      world.sql(
        `select s.id, s.standing_index, a.line_id, a.user_id, a.until_index from recurring_series s
         left join series_lines l on l.account_id = s.account_id and l.series_id = s.id
         left join series_line_assignees a on a.account_id = s.account_id and a.line_id = l.line_id
         order by s.id, a.line_id, a.user_id`,
      );
    const kept = await state();
    const migration = await readFile(join(packageRoot, "migrations/0011_views.sql"), "utf8");
    const statements = migration
      .split(";")
      .filter((text) => /^\s*(--.*\n)*\s*(update|insert)/m.test(text));
    expect(statements).toHaveLength(2);
    await world.sql("update recurring_series set standing_index = 0");
    await world.sql("delete from series_line_assignees");
    for (const statement of statements) await world.sql(statement);
    expect(await state()).toEqual(kept);
    expect(kept.length).toBeGreaterThan(5);
  });
});
