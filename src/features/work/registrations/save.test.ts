/** Saving a cell of a week: it gets the given entries, once, unless another person has changed it in the meantime. */
import { beforeEach, describe, expect, it } from "vitest";
import { personContext } from "../../../../test/support/mcp/tools.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { run } from "../../../platform/commands/command.ts";
import { CellSave, type SavedCell, saveCell } from "./save.ts";

const { world, at, bo, eva, draftLine, registered, list, patch, removed } = useWork();

const DATE = "2027-03-30";
const entry = (hours: number, fields: Json = {}): Json => ({
  id: null,
  hours,
  billable: true,
  note: null,
  ...fields,
});

let line_id = "";

beforeEach(async () => {
  at("2027-04-01");
  line_id = await draftLine();
});

async function save(seen: readonly Json[], entries: Json[], fields: Json = {}): Promise<SavedCell> {
  const { by = bo(), ...others } = fields;
  const cx = await personContext(world, by);
  const input = { user_id: bo(), line_id, date: DATE, seen: versions(seen), entries, ...others };
  return run(saveCell, cx, CellSave.parse(input));
}
const versions = (works: readonly Json[]): Json[] =>
  works.map(({ id, updated_at }) => ({ id, updated_at }));
/** `7.5 Cart`, in the order of creation. */
const stands = async (): Promise<string[]> =>
  (await list(`line=${line_id}`))
    .toReversed()
    .map(
      ({ hours, note, billable }) => `${hours}${note ? ` ${note}` : ""}${billable ? "" : " free"}`,
    );
const codeOf = (saving: Promise<unknown>): Promise<string | null> =>
  saving.then(
    () => null,
    (error) => (error instanceof Problem ? error.code : Promise.reject(error)),
  );

describe("a cell is saved", () => {
  it("by registering, changing and deleting", async () => {
    const made = await save([], [entry(7.5, { note: "Cart" })]);
    expect(made).toMatchObject({ saved: true, registered: [{ hours: 750, note: "Cart" }] });
    const [{ id } = { id: "" }] = made.registered;
    const more = await save(made.registered, [entry(3, { id, billable: false }), entry(1)]);
    expect(more.saved).toBe(true);
    expect(await stands()).toEqual(["3 free", "1"]);
    const [, second] = more.registered;
    const less = await save(more.registered, [entry(2, { id: second?.id, note: "Rest" })]);
    expect(await stands()).toEqual(["2 Rest"]);
    expect(await save(less.registered, [])).toEqual({ saved: true, registered: [] });
    expect(await stands()).toEqual([]);
    const actions = await world.sql(
      "select action from audit_events where account_id = $1 and resource_type = 'work_registration' order by seq desc limit 5",
      [world.account.account_id],
    );
    expect(actions.map(({ action }) => action).sort()).toEqual([
      "created",
      "deleted",
      "deleted",
      "updated",
      "updated",
    ]);
  });

  it("once, however often its answer is lost", async () => {
    const first = await save([], [entry(7.5)]);
    expect(await save([], [entry(7.5)])).toEqual(first);
    const twice = await Promise.all(
      [1, 2, 3].map(() => save(first.registered, [entry(8), entry(1)])),
    );
    expect(twice.map(({ saved }) => saved)).toEqual([true, true, true]);
    expect(await stands()).toEqual(["8", "1"]);
    const seen = twice[0]?.registered ?? [];
    await save(seen, []);
    expect(await save(seen, [])).toEqual({ saved: true, registered: [] });
  });

  it("for the first of two users, and the other gets the stored cell", async () => {
    const two = await Promise.all([save([], [entry(7.5)]), save([], [entry(6)])]);
    expect(two.map(({ saved }) => saved).sort()).toEqual([false, true]);
    expect(await stands()).toHaveLength(1);
    const [winner, loser] = [two.find((one) => one.saved), two.find((one) => !one.saved)];
    expect(loser?.registered).toEqual(winner?.registered);
    const { id = "" } = winner?.registered[0] ?? {};
    await patch(id, { hours: 2 });
    expect(await save(winner?.registered ?? [], [])).toMatchObject({
      saved: false,
      registered: [{ hours: 200 }],
    });
    await removed(id);
    const late = await save(winner?.registered ?? [], [entry(4, { id })]);
    expect(late).toEqual({ saved: false, registered: [] });
  });

  it("with entries that are created again after a deletion", async () => {
    const { registered: seen } = await save([], [entry(1, { note: "a" }), entry(2, { note: "b" })]);
    await save(seen, []);
    const [a, b] = seen;
    const again = await save(
      [],
      [entry(1, { id: a?.id, note: "a" }), entry(2, { id: b?.id, note: "b" })],
    );
    expect(again.saved).toBe(true);
    expect(await stands()).toEqual(["1 a", "2 b"]);
  });

  it("completely or not at all", async () => {
    const { registered: seen } = await save([], [entry(1), entry(2)]);
    const [a] = seen;
    await registered(await draftLine(), { hours: 20, date: DATE });
    expect(await codeOf(save(seen, [entry(0.5, { id: a?.id }), entry(5)]))).toBe(
      "DAILY_HOURS_EXCEEDED",
    );
    expect(await stands()).toEqual(["1", "2"]);
  });

  it.each<[string, () => Json, string]>([
    ["by another standard user", () => ({ by: eva() }), "REGISTRATION_FOR_OTHERS_FORBIDDEN"],
    ["tomorrow", () => ({ date: "2027-04-02" }), "WORK_DATE_IN_FUTURE"],
    ["on an unknown line", () => ({ line_id: bo() }), "NOT_FOUND"],
  ])("not %s", async (_, fields, code) => {
    expect(await codeOf(save([], [entry(1)], fields()))).toBe(code);
    expect(await stands()).toEqual([]);
  });

  it("by an admin for any user, also when it is locked for others", async () => {
    await world.done("PATCH /configuration", { work_lock_date: DATE });
    expect(await codeOf(save([], [entry(1)]))).toBe("WORK_PERIOD_LOCKED");
    await save([], [entry(1)], { by: world.account.admin.user_id });
    expect(await stands()).toEqual(["1"]);
    await world.done("PATCH /configuration", { work_lock_date: null });
  });
});
