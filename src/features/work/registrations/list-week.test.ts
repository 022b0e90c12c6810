/**
 * A person's week over real drafts, retainers and invoices: its lines, and that a cell is open exactly when the commands accept
 * changes.
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { personContext } from "../../../../test/support/mcp/tools.ts";
import { useWork } from "../../../../test/support/world/work.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { addDays, type CalendarDate } from "../../../domain/base/calendar.ts";
import { Problem } from "../../../domain/base/problem.ts";
import type { PersonContext } from "../../../platform/commands/context.ts";
import { txOf } from "../../../platform/commands/tx.ts";
import { rolledBack } from "../../../platform/database/transaction.ts";
import { changeWork, removeWork } from "./change.ts";
import { listTeam } from "./list-team.ts";
import { listWeek, type Week, type WeekCell, type WeekLine } from "./list-week.ts";
import { registerWork } from "./register.ts";

const {
  world,
  line,
  hours,
  active,
  at,
  bo,
  eva,
  newUser,
  registered,
  skip,
  issue,
  issued,
  cancel,
  lineIn,
  invoice,
} = useWork();

const MONDAY = "2027-03-29" as CalendarDate;
const to = (...users: string[]): Json => ({ assignees: users.map((user_id) => ({ user_id })) });
const progress = (fields: Json): Json =>
  line({ recognition_method: "progress", budget_hours: 165, ...fields });
const end_of_period = { issue_timing: { mode: "end-of-period" } };

beforeEach(() => at("2027-04-01"));

async function weekOf(user_id: string, by = user_id, monday = MONDAY): Promise<Week> {
  const cx = await personContext(world, by);
  return listWeek(cx, { id: user_id, active: true }, monday);
}

/** `7.5`, `WORK_DATE_IN_FUTURE` or both, for each day: its hours, and the refusal that closes its cell. */
const summary = ({ cells }: WeekLine): string[] =>
  cells.map(({ registered: works, rights }) => {
    const sum = works.reduce((all, { hours: one }) => all + one, 0);
    return `${sum === 0 ? "" : sum}${rights.change === null ? "" : ` ${rights.change.code}`}`.trim();
  });

describe("a week", () => {
  it("has the lines that wait for the person and the lines that they worked on, by customer", async () => {
    const other = await world.done("POST /customers", { name: "A first customer" });
    const campaign = await invoice([hours({ ...to(bo()), hourly_rate: 1150 })], {
      title: "Campaign",
    });
    const shop = await invoice([progress(to(bo())), line(to(eva()))], {
      customer_id: other.id,
      title: "Shop",
    });
    const any_user = await invoice([hours()], { title: "For any user" });
    await registered(any_user.lines[0].id, { date: "2027-03-29", hours: 1 });
    await registered(shop.lines[0].id, { date: "2027-03-30", hours: 7.5, note: "Cart" });
    await registered(shop.lines[0].id, { date: "2027-03-30", hours: 0.5, billable: false });
    await registered(shop.lines[0].id, { date: "2027-02-01", user_id: eva(), hours: 10 });

    const week = await weekOf(bo());
    expect(week.today).toBe("2027-04-01");
    expect(week.functional_currency).toBe("DKK");
    expect(week.lines.map(({ customer_name, title }) => [customer_name, title])).toEqual([
      ["A first customer", "Shop"],
      ["Acme A/S", "Campaign"],
      ["Acme A/S", "For any user"],
    ]);
    const [first, second] = week.lines;
    expect(first).toMatchObject({
      name: "Retainer",
      method: "progress",
      rate: null,
      used: 1_750n,
      budget: { part: 16_500n, whole: 1n },
      issued: null,
      is_of_last_week: false,
    });
    expect(first && summary(first)).toEqual([
      "",
      "800",
      "",
      "",
      ...Array(3).fill("WORK_DATE_IN_FUTURE"),
    ]);
    expect(first?.cells[1]?.registered).toMatchObject([
      { hours: 750, note: "Cart", billable: true },
      { hours: 50, note: null, billable: false },
    ]);
    expect(second).toMatchObject({
      line_id: campaign.lines[0].id,
      rate: 11_500_000n,
      budget: null,
    });
  });

  it("has both periods of a retainer that meet in it, each locked on the days of the other", async () => {
    at("2027-04-03");
    await active({ lines: [hours(to(bo()))], start_date: "2027-03-01", ...end_of_period });
    const { lines } = await weekOf(bo());
    expect(lines.map(({ period }) => period?.from)).toEqual(["2027-03-01", "2027-04-01"]);
    const [march, april] = lines.map(({ cells }) => cells.map(({ rights }) => rights.change));
    const late = { code: "WORK_DATE_OUTSIDE_PERIOD", starts_on: null, ended_on: "2027-03-31" };
    const early = { code: "WORK_DATE_OUTSIDE_PERIOD", starts_on: "2027-04-01", ended_on: null };
    expect(march?.slice(0, 4)).toEqual([null, null, null, late]);
    expect(april?.slice(0, 4)).toEqual([early, early, early, null]);
    // The previous week has no line of April.
    const before = await weekOf(bo(), bo(), "2027-03-22" as CalendarDate);
    expect(before.lines.map(({ period }) => period?.from)).toEqual(["2027-03-01"]);
  });

  it("names the invoice of an issued period, and accepts late work on the next one", async () => {
    const { id } = await active({
      lines: [hours(to(bo()))],
      start_date: "2027-03-01",
      ...end_of_period,
    });
    await registered(await lineIn(id, "2027-03"), { date: "2027-03-30", hours: 3 });
    const invoiced = await issued(id, "2027-03");
    const { lines } = await weekOf(bo());
    expect(lines.map(summary)).toEqual([
      [
        "INVOICE_ALREADY_ISSUED",
        "300 INVOICE_ALREADY_ISSUED",
        ...Array(5).fill("INVOICE_ALREADY_ISSUED"),
      ],
      ["", "", "", "", ...Array(3).fill("WORK_DATE_IN_FUTURE")],
    ]);
    expect(lines[0]?.issued).toMatchObject({ on: "2027-04-01" });
    expect(`${lines[0]?.issued?.number}`).toBe(`${invoiced.ledger_invoice_number}`);
    expect(lines[1]?.issued).toBeNull();
  });

  it("marks lines that had work in the week before and are still open", async () => {
    const open = await invoice([hours()], { title: "Open" });
    await registered(open.lines[0].id, { date: "2027-03-24" });
    const gone = await invoice([hours()], { title: "Issued" });
    await registered(gone.lines[0].id, { date: "2027-03-24" });
    await world.done(`POST /invoices/${gone.id}/issue`);
    const { lines } = await weekOf(bo());
    expect(lines.map(({ title, is_of_last_week }) => [title, is_of_last_week])).toEqual([
      ["Open", true],
    ]);
  });

  it("has at most as many lines of a series as a page shows: those with hours, then those of the first periods", async () => {
    const user = await newUser();
    const { id } = await active({
      frequency: "weekly",
      lines: [1, 2, 3].map((position) => hours({ ...to(user), position })),
      start_date: "2026-03-30",
      issue_timing: { mode: "manual" },
    });
    const { data } = await world.done(`GET /recurring-series/${id}/occurrences/2027-03-29/lines`);
    // Work from before the series is in the period that it was registered for.
    const date = "2026-03-18";
    await registered(data[1].id, { user_id: user, date, hours: 2 });
    const { lines } = await weekOf(user, user, "2026-03-16" as CalendarDate);
    expect(lines).toHaveLength(120);
    expect(lines.at(-1)).toMatchObject({ line_id: data[1].id, rank: 0 });
    expect(lines.slice(0, -1).map(({ period }) => period?.from)).toEqual(
      Array.from({ length: 119 }, (_, at) =>
        addDays("2026-03-30" as CalendarDate, 7 * Math.floor(at / 3)),
      ),
    );
    // On its own days each period has all of its lines, and no earlier period has any.
    const now = await weekOf(user);
    expect(now.lines.map(({ period }) => period?.from)).toEqual(Array(3).fill(MONDAY));
  });

  it("has no lines of another account", async () => {
    await invoice([hours(to(bo()))]);
    const another = await world.openAnother();
    const cx = await personContext(world, another.admin.user_id, another.account_id);
    expect((await listWeek(cx, { id: bo(), active: true }, MONDAY)).lines).toEqual([]);
  });
});

describe("the rights of a week's cells", () => {
  let user = "";
  let admin = "";

  beforeAll(async () => {
    at("2027-04-01");
    user = await newUser();
    admin = world.account.admin.user_id;
    const own = { ...to(user) };
    const mine = (fields: Json = {}): Json => ({ user_id: user, hours: 1, ...fields });
    const both = { lines: [hours(own)], start_date: "2027-02-01", ...end_of_period };
    const draft = await invoice([hours(own), hours()]);
    await registered(draft.lines[0].id, mine({ date: "2027-03-30" }));
    await registered(draft.lines[1].id, mine({ date: "2027-03-29" }));
    await registered(draft.lines[1].id, mine({ date: "2027-03-29" }));
    // Reassigned to another person after they worked on it.
    const taken = await invoice([hours(own)]);
    await registered(taken.lines[0].id, mine({ date: "2027-03-31" }));
    await world.done(`PATCH /invoices/${taken.id}`, {
      lines: [{ ...hours(to(admin)), id: taken.lines[0].id }],
    });
    const billed = await invoice([hours(own)]);
    await registered(billed.lines[0].id, mine({ date: "2027-03-31" }));
    await world.done(`POST /invoices/${billed.id}/issue`);
    for (const what of ["open", "issued", "skipped", "cancelled"]) {
      const { id } = await active(both);
      await registered(await lineIn(id, "2027-03"), mine({ date: "2027-03-30" }));
      if (what === "issued") await issue(id, "2027-02").then(() => issue(id, "2027-03"));
      if (what === "skipped") {
        const [work] = (await world.done(`GET /work-registrations?series=${id}`)).data;
        await world.done(`DELETE /work-registrations/${work.id}`);
        await skip(id, "2027-03");
        await registered(await lineIn(id, "2027-04"), mine({ date: "2027-03-31" }));
      }
      if (what === "cancelled") await cancel(id, { end_date: "2027-02-28" });
    }
  });

  const codeOf = async (work: Promise<unknown>): Promise<string | null> => {
    const error: unknown = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (error === null) return null;
    if (error instanceof Problem) return error.code;
    throw error;
  };

  /** The results of the commands for a hundredth of an hour more, and for deleting the work; rolled back. */
  async function asked(cx: PersonContext, line_id: string, { date, registered: works }: WeekCell) {
    const inside = (work: (tx: ReturnType<typeof txOf<PersonContext>>) => Promise<unknown>) =>
      codeOf(rolledBack(cx.db, (opened) => work(txOf(cx, opened))));
    const last = works.at(-1);
    const change = await inside((tx) =>
      last === undefined
        ? registerWork.plan(tx, { line_id, user_id: user, date, hours: 0.01, billable: true })
        : changeWork.plan(tx, { ref: last.id, changes: { hours: last.hours / 100 + 0.01 } }),
    );
    let remove: string | null = null;
    for (const { id } of works) remove ??= await inside((tx) => removeWork.plan(tx, { ref: id }));
    return { change, remove };
  }

  it.each<[string, Json, () => string]>([
    ["their own", {}, () => user],
    ["their own before the lock date", { work_lock_date: "2027-03-30" }, () => user],
    ["by an admin", { work_lock_date: "2027-03-30" }, () => admin],
    ["of another user", {}, eva],
  ])(
    "match the answers of the commands: %s",
    async (_, configuration, by) => {
      await world.done("PATCH /configuration", { work_lock_date: null, ...configuration });
      const cx = await personContext(world, by());
      const codes = new Set<string | null>();
      for (const monday of ["2027-02-22", "2027-03-29"]) {
        const { lines } = await listWeek(cx, { id: user, active: true }, monday as CalendarDate);
        expect(lines.length).toBeGreaterThan(4);
        for (const { line_id, cells } of lines) {
          for (const cell of cells) {
            const { change, remove } = cell.rights;
            const said = { change: change?.code ?? null, remove: remove?.code ?? null };
            expect({ date: cell.date, line_id, ...said }).toEqual({
              date: cell.date,
              line_id,
              ...(await asked(cx, line_id, cell)),
            });
            codes.add(said.change);
          }
        }
      }
      expect(codes.size).toBeGreaterThan(1);
      await world.done("PATCH /configuration", { work_lock_date: null });
    },
    60_000,
  );
});

describe("a team", () => {
  it("contains every user who is active or worked, with the hours of each day", async () => {
    const gone = await newUser();
    const line_id = (await invoice([hours()])).lines[0].id;
    await registered(line_id, { user_id: gone, hours: 2, date: "2027-03-30" });
    await registered(line_id, { user_id: gone, hours: 1.5, date: "2027-03-30" });
    await world.done(`PATCH /users/${gone}`, { active: false });
    const cx = await personContext(world, world.account.admin.user_id);
    const days = (from: string, until: string) =>
      listTeam(cx, from as CalendarDate, until as CalendarDate);
    const found = (await days("2027-03-29", "2027-04-04")).find(({ id }) => id === gone);
    expect(found).toMatchObject({ active: false, hours: new Map([["2027-03-30", 350n]]) });
    const later = await days("2027-04-05", "2027-04-11");
    expect(later.some(({ id }) => id === gone)).toBe(false);
    expect(later.map(({ id }) => id)).toContain(bo());
    expect(later.every(({ hours: none }) => none.size === 0)).toBe(true);
  });
});
