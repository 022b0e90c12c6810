/** The filters of the list of revenue, its pages, and its refusals (spec 3.11). */
import { beforeAll, describe, expect, it } from "vitest";
import { groupings, RANGE, sum, useReport } from "../../../../test/support/world/report.ts";
import type { Studio } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const { studio, report, list } = useReport();
let one: Studio;
let eva: string;
let beta: string;
let other: Json;
let prepaid: Json;
let open: Json;
let dollars: Json;
let series: Json;
beforeAll(() => {
  ({ one, eva, beta, other, prepaid, open, dollars, series } = report());
});

describe("the filters of GET /recognition", () => {
  it.each<[string, () => string, () => Json[]]>([
    ["a customer", () => `customer=${beta}`, () => [dollars, series]],
    ["an invoice", () => `invoice=${open.id}`, () => [open]],
    ["an invoice by external id", () => "invoice=ext:prepaid", () => [prepaid]],
    ["a series", () => `series=${series.id}`, () => [series]],
    ["a series by external id", () => "series=ext:retainer", () => [series]],
    ["two filters that agree", () => `customer=${beta}&series=${series.id}`, () => [series]],
    ["two filters that disagree", () => `customer=${beta}&invoice=${open.id}`, () => []],
  ])("keep the lines of %s, for any grouping and basis", async (_what, query, contracts) => {
    const wanted = contracts().map(({ id }) => id);
    for (const basis of ["work_month", "booking_month"]) {
      const all = await list(`${RANGE}&basis=${basis}`);
      const rows = await list(`${RANGE}&basis=${basis}&${query()}`);
      const left = all.filter((row) => wanted.includes(row.invoice_id ?? row.series_id));
      expect(rows).toEqual(left);
      const groups = await list(`${RANGE}&basis=${basis}&group_by=month&${query()}`);
      const in_dkk = left.filter(({ currency }) => currency === "DKK");
      if (in_dkk.length === left.length) expect(sum(groups, "earned")).toBe(sum(left, "earned"));
    }
  });

  it("keep a user's part of each line", async () => {
    for (const basis of ["work_month", "booking_month"]) {
      const all = await list(`${RANGE}&basis=${basis}`);
      const rows = await list(`${RANGE}&basis=${basis}&user=${eva}`);
      expect(rows).toEqual(all.filter(({ user_id }) => user_id === eva));
      const [group] = await list(
        `from=2026-02&to=2026-02&basis=${basis}&user=${eva}&group_by=month`,
      );
      expect(group).toMatchObject({ earned: 400, invoiced: 1200 });
    }
  });

  it("keep the lines of a product", async () => {
    const rows = await list(`${RANGE}&product=${other.id}`);

    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.line_id).toBe(prepaid.lines[1].id);
    const groups = await list(`${RANGE}&product=${other.id}&group_by=product`);
    expect(groups.map(({ earned }) => earned)).toEqual([33.33, 33.34, 33.33]);
  });

  it("that match nothing give an empty list", async () => {
    for (const filter of ["customer", "series", "invoice", "user", "product"]) {
      for (const group_by of groupings) {
        const query = `${RANGE}&${filter}=${UNKNOWN_ID}&group_by=${group_by}`;
        expect(await one.done(`GET /recognition?${query}`)).toEqual({
          object: "list",
          data: [],
          has_more: false,
          next_cursor: null,
        });
      }
    }
    expect(await list(`${RANGE}&customer=ext:unknown`)).toEqual([]);
  });

  it("find nothing of another account", async () => {
    const stranger = await studio();
    one.at("2026-03-10");
    for (const filter of ["", `&customer=${beta}`, `&invoice=${prepaid.id}`, `&user=${eva}`]) {
      const { data } = await stranger.done(`GET /recognition?${RANGE}${filter}`);
      expect(data).toEqual([]);
    }
  });
});

describe("the pages of GET /recognition", () => {
  it.each(groupings)("show each row by %s once, for any page size", async (group_by) => {
    for (const basis of ["work_month", "booking_month"]) {
      const query = `${RANGE}&group_by=${group_by}&basis=${basis}`;
      const whole = await list(query);
      for (const limit of [1, 2, 5]) {
        const seen: Json[] = [];
        for (let cursor = ""; ; ) {
          const page = await one.done(`GET /recognition?${query}&limit=${limit}${cursor}`);
          expect(page.data.length).toBeLessThanOrEqual(limit);
          seen.push(...page.data);
          if (!page.has_more) break;
          cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
        }
        expect(seen).toEqual(whole);
      }
    }
  });

  it.each<[string, string]>([
    ["to=2026-05", "from required"],
    ["from=2026-05", "to required"],
    ["from=2026-05&to=2026-04", "to too_small"],
    ["from=2026-01&to=2029-02", "to too_large"],
    ["from=2026-1&to=2026-05", "from invalid_format"],
    ["from=2026-01-00&to=2026-05", "from invalid_format"],
    [`${RANGE}&group_by=day`, "group_by invalid_value"],
    [`${RANGE}&basis=issue_month`, "basis invalid_value"],
    [`${RANGE}&limit=0`, "limit too_small"],
    [`${RANGE}&limit=101`, "limit too_large"],
    [`${RANGE}&cursor=strange`, "cursor invalid_value"],
  ])("cannot be requested with %s", async (query, fault) => {
    expect(await one.tried(`GET /recognition?${query}`)).toBe(`422 VALIDATION_FAILED ${fault}`);
  });

  it("cover up to 36 months, and accept no cursor of other months", async () => {
    expect(await one.tried("GET /recognition?from=2026-01&to=2029-01")).toBe("200");
    const { next_cursor } = await one.done("GET /recognition?from=2026-01&to=2026-05&limit=1");
    const query = `from=2026-02&to=2026-05&cursor=${encodeURIComponent(next_cursor)}`;
    expect(await one.tried(`GET /recognition?${query}`)).toMatch(/^422 .* cursor/);
  });

  it("need a valid reference, and a key", async () => {
    expect(await one.tried(`GET /recognition?${RANGE}&customer=Acme`)).toMatch(/^4(00|22) /);
    const { status } = await one.world.rest(
      `GET /recognition?${RANGE}`,
      undefined,
      one.account.keys.read,
    );
    expect(status).toBe(200);
  });
});

describe("a cursor of another list", () => {
  it.each(["group_by=month", "group_by=customer", "group_by=line"])(
    "of revenue with %s gives a page or a refusal, never an error",
    async (query) => {
      for (const made of ["group_by=month", "group_by=customer", "group_by=line"]) {
        const page = await one.rest(`GET /recognition?${RANGE}&limit=1&${made}`);
        const { next_cursor } = page.body;
        const reply = await one.rest(`GET /recognition?${RANGE}&${query}&cursor=${next_cursor}`);
        expect([200, 422], `${made} cursor with ${query}`).toContain(reply.status);
      }
    },
  );

  it("of the rollforward that names no possible contract is refused", async () => {
    const cursor = Buffer.from(`1|${"-".repeat(36)} ${"-".repeat(36)}`).toString("base64url");
    const reply = await one.rest(`GET /recognition/rollforward?${RANGE}&cursor=${cursor}`);

    expect(reply.status).toBe(422);
  });
});
