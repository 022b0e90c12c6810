/** The hours of many people: `list_work_registrations` with `user: all`, and its sums. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { useWork } from "../support/world/work.ts";
import type { Json } from "../support/world/world.ts";

const { world, customer, at, hours, hourly, lineIn, invoice } = useWork();

let admin: Agent;
let bo: Agent;
let eva: Agent;
let beta: Json;
let draft_line = "";
let period_line = "";

beforeAll(async () => {
  at("2027-03-12");
  admin = await agentOf(world, { role: "admin", name: "Anna Admin" });
  bo = await agentOf(world, { name: "Bo Berg" });
  eva = await agentOf(world, { name: "Eva Ek" });
  beta = await world.done("POST /customers", { name: "Beta ApS" });
  const draft = await invoice([hours({ description_override: "Workshop" })], {
    customer_id: beta.id,
  });
  draft_line = draft.lines[0].id;
  period_line = await lineIn((await hourly()).id, "2027-03");
  for (const [user, line_id, date, count, billable] of [
    [bo, draft_line, "2027-03-08", 4, true],
    [bo, period_line, "2027-03-09", 2.5, true],
    [eva, period_line, "2027-03-09", 1, false],
    [eva, draft_line, "2027-03-11", 3, true],
    [eva, draft_line, "2027-03-01", 7, true],
  ] as const) {
    const of_user = { user_id: user.user_id, line_id, date, hours: count, billable };
    await world.done("POST /work-registrations", of_user);
  }
});

const week = { user: "all", from: "2027-03-08", to: "2027-03-14" };
const work = (args: Json, agent = admin): Promise<Json> =>
  agent.done("list_work_registrations", args);

describe("the hours of all users", () => {
  it("are listed for admins, as REST lists them", async () => {
    const { data, total_hours } = await work(week);
    const rest = await world.done("GET /work-registrations?from=2027-03-08&to=2027-03-14");
    expect(data.map(({ id }: Json) => id)).toEqual(rest.data.map(({ id }: Json) => id));
    expect(total_hours).toBe(10.5);
    expect(new Set(data.map(({ user_name }: Json) => user_name))).toEqual(
      new Set(["Bo Berg", "Eva Ek"]),
    );
  });

  it("are refused to standard users, whose own hours can be summed", async () => {
    expect(await bo.refused("list_work_registrations", week)).toBe("ROLE_FORBIDDEN");
    expect(await bo.refused("list_work_registrations", { ...week, group_by: "user" })).toBe(
      "ROLE_FORBIDDEN",
    );
    const own = await work({ group_by: "user" }, bo);
    expect(own.sums).toEqual([
      { group: bo.user_id, name: "Bo Berg", hours: 6.5, billable_hours: 6.5, registrations: 2 },
    ]);
  });
});

describe("the sums of hours", () => {
  it.each<[string, () => [string, string | null, number, number, number][]]>([
    [
      "user",
      () => [
        [bo.user_id, "Bo Berg", 6.5, 6.5, 2],
        [eva.user_id, "Eva Ek", 4, 3, 2],
      ],
    ],
    [
      "customer",
      () => [
        [beta.id, "Beta ApS", 7, 7, 2],
        [customer.id, "Acme A/S", 3.5, 2.5, 2],
      ],
    ],
    [
      "line",
      () => [
        [draft_line, "Workshop", 7, 7, 2],
        [period_line, "Retainer", 3.5, 2.5, 2],
      ],
    ],
    [
      "day",
      () => [
        ["2027-03-11", null, 3, 3, 1],
        ["2027-03-09", null, 3.5, 2.5, 2],
        ["2027-03-08", null, 4, 4, 1],
      ],
    ],
  ])("by %s are those of the registrations, also page by page", async (group_by, expected) => {
    const { text, data } = await admin.call("list_work_registrations", { ...week, group_by });
    expect(data.data).toEqual([]);
    const rowsOf = (sums: Json[]) =>
      sums.map(({ group, name, hours: sum, billable_hours, registrations }) => [
        group,
        name,
        sum,
        billable_hours,
        registrations,
      ]);
    expect(rowsOf(data.sums)).toEqual(expected());
    expect(data.total_hours).toBe(10.5);
    expect(text).toContain(`Hours under these filters: 10.50 h. By ${group_by}:`);
    for (const [group, name] of expected()) {
      expect(text).toContain(group);
      if (name !== null) expect(text).toContain(`"${name}"`);
    }
    const rows: Json[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await work({ ...week, group_by, limit: 1, ...(cursor && { cursor }) });
      rows.push(...page.sums);
      cursor = page.next_cursor ?? undefined;
      more = page.has_more;
    }
    expect(rowsOf(rows)).toEqual(expected());
  });

  it("respect filters, and refuse the cursor of another grouping", async () => {
    const of_beta = await work({ ...week, group_by: "user", customer: "Beta ApS" });
    expect(of_beta.sums.map(({ hours: sum }: Json) => sum)).toEqual([4, 3]);
    const { next_cursor } = await work({ ...week, group_by: "user", limit: 1 });
    expect(
      await admin.refused("list_work_registrations", {
        ...week,
        group_by: "day",
        cursor: next_cursor,
      }),
    ).toBe("VALIDATION_FAILED");
  });
});
