/** Reading series: the list with its filters and cursors, and one series with its effective lines (spec 4.8 and 11.3). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID, useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, line, at, draft, active, rest, show, change, cancel, issued, skip } =
  useSeries();
const INVALID = "422 VALIDATION_FAILED";

const list = async (query = ""): Promise<Json> => world.done(`GET /recurring-series?${query}`);
const idsOf = (page: Json): string[] => page.data.map(({ id }: Json) => id);

describe("GET /recurring-series", () => {
  let other: Json;
  /** From the newest to the oldest. */
  let made: Json[];
  let since: string;
  beforeAll(async () => {
    other = await world.done("POST /customers", { name: "Beta", external_id: "beta" });
    const oldest = await draft({ external_id: "one" });
    const second = await active({ customer_id: other.id });
    const rows = await world.sql(
      `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
    );
    since = rows[0].now;
    const third = await active({ external_id: "three" });
    const discarded = await draft({ customer_id: other.id });
    await cancel(discarded.id);
    await change(oldest.id, { end_date: "2030-12-31" });
    made = [discarded, third, second, oldest];
  });

  const pick = (...places: number[]): string[] => places.map((place) => made[place].id);
  /** The series of these tests on a page: other tests create series as well. */
  const madeOn = (page: Json): Json[] =>
    page.data.filter(({ id }: Json) => made.some((one) => one.id === id));

  it("shows all series from the newest to the oldest, including discarded ones", async () => {
    const page = await list("limit=100");

    expect(page).toMatchObject({ object: "list", has_more: false, next_cursor: null });
    expect(madeOn(page)).toEqual(await Promise.all(made.map(({ id }) => show(id))));
  });

  it.each<[string, () => string, number[]]>([
    ["by status draft", () => "status=draft", [0, 3]],
    ["by status active", () => "status=active", [1, 2]],
    ["by customer", () => `customer=${other.id}`, [0, 2]],
    ["by customer's external id", () => "customer=ext:beta", [0, 2]],
    ["by customer and status", () => "customer=ext:beta&status=active", [2]],
    ["by external id", () => "external_id=three", [1]],
    ["by an unknown external id", () => "external_id=four", []],
    ["by an unknown customer", () => `customer=${UNKNOWN_ID}`, []],
    ["by change since", () => `updated_since=${since}`, [0, 1, 3]],
    ["by everything", () => `updated_since=${since}&status=draft&customer=ext:beta`, [0]],
  ])("filters %s", async (_what, query, places) => {
    const page = await list(`limit=100&${query()}`);
    expect(madeOn(page).map(({ id }) => id)).toEqual(pick(...places));
  });

  it.each(["", "status=draft", "customer=ext:beta"])(
    "pages through ?%s, whatever is created in the meantime",
    async (query) => {
      const whole = idsOf(await list(`limit=100&${query}`));
      const seen: string[] = [];
      let cursor = "";
      for (;;) {
        const page = await list(`${query}&limit=1${cursor}`);
        expect(page.data).toHaveLength(1);
        seen.push(...idsOf(page));
        if (!page.has_more) break;
        cursor = `&cursor=${page.next_cursor}`;
        await draft({ customer_id: other.id });
      }
      expect(seen).toEqual(whole);
    },
  );

  it.each([
    ["status=cancelled", "status invalid_value"],
    ["limit=0", "limit too_small"],
    ["limit=101", "limit too_large"],
    ["cursor=abc", "cursor invalid_value"],
    ["customer=acme", "customer invalid_format"],
    ["external_id=", "external_id too_short"],
    ["updated_since=today", "updated_since invalid_format"],
  ])("refuses ?%s", async (query, fault) => {
    expect(refusal(await world.rest(`GET /recurring-series?${query}`))).toBe(`${INVALID} ${fault}`);
  });

  it("shows nothing of another account", async () => {
    const { keys } = await world.openAnother();

    expect((await world.done("GET /recurring-series", undefined, keys.read)).data).toEqual([]);
    const call = `GET /recurring-series/${made[0].id}`;
    expect(refusal(await world.rest(call, undefined, keys.read))).toBe("404 NOT_FOUND");
  });
});

describe("GET /recurring-series/{ref}", () => {
  it("reads by UUID in any case and by external id", async () => {
    const series = await draft({ external_id: "a/b ø" });

    expect(await show(series.id.toUpperCase())).toEqual(series);
    expect(await show(`ext:${encodeURIComponent("a/b ø")}`)).toEqual(series);
  });

  it.each([
    [UNKNOWN_ID, "404 NOT_FOUND"],
    ["ext:unknown", "404 NOT_FOUND"],
    ["17", "400 MALFORMED_REQUEST"],
    ["ext:", "400 MALFORMED_REQUEST"],
  ])("refuses %s with %s", async (ref, expected) => {
    for (const path of [
      "",
      "/lines",
      "/occurrences",
      "/occurrences/2027-01",
      "/preview?until=2027-01-01",
    ]) {
      expect(refusal(await world.rest(`GET /recurring-series/${ref}${path}`))).toBe(expected);
    }
  });

  it("shows the effective lines of the first open period, without overrides", async () => {
    at("2026-03-10");
    const { id } = await active();
    const { line_id } = (await world.done(`GET /recurring-series/${id}/lines`)).data[0];
    const edit = (scope: string, period: string, agreed_value: number) =>
      rest("PATCH", id, `/lines/${line_id}`, { scope, period, line: { agreed_value } });
    await edit("this_only", "2027-01", 1);
    await edit("this_and_following", "2027-02", 2);
    await edit("this_and_following", "2027-04", 4);
    const price = async (): Promise<number> => (await show(id)).lines[0].agreed_value;

    expect(await price()).toBe(3100);
    await issued(id, "2027-01");
    expect(await price()).toBe(2);
    // Issued ahead of time, out of order: the first open period still decides.
    await issued(id, "2027-03");
    expect(await price()).toBe(2);
    await issued(id, "2027-02");
    expect(await price()).toBe(4);
  });

  it("shows the lines of the last period when none is open", async () => {
    at("2026-03-10");
    const { id } = await active({ end_date: "2027-02-28" });
    const { line_id } = (await world.done(`GET /recurring-series/${id}/lines`)).data[0];
    const changed = { scope: "this_and_following", period: "2027-02", line: { discount: 50 } };
    await rest("PATCH", id, `/lines/${line_id}`, changed);
    await issued(id, "2027-01");
    await skip(id, "2027-02");

    expect((await show(id)).lines).toMatchObject([{ discount: 50 }]);
  });
});

describe("GET /recurring-series/{ref}/lines", () => {
  it("lists the effective lines with their permanent ids, or those of a period with overrides", async () => {
    const { id, lines } = await draft({ lines: [line({ position: 9 }), line({ position: 2 })] });
    const read = async (query = "") =>
      (await world.done(`GET /recurring-series/${id}/lines${query}`)).data;

    const active = await read();
    const { line_id } = active[0];
    const removed = await rest("DELETE", id, `/lines/${line_id}?scope=this_only&period=2027-03`);

    expect(active).toEqual(
      lines.map((one: Json) => ({ object: "series_line", line_id: expect.any(String), ...one })),
    );
    expect(removed.status).toBe(200);
    expect(await read()).toEqual(active);
    expect(await read("?period=2027-03")).toEqual([active[1]]);
    expect(await read("?period=2027-04-01")).toEqual(active);
  });

  it("refuses a malformed period with 400, and an unknown one with 404", async () => {
    const { id } = await draft({ end_date: "2027-03-31" });
    const read = async (period: string) =>
      refusal(await rest("GET", id, `/lines?period=${period}`));

    expect(await read("March")).toBe("400 MALFORMED_REQUEST");
    expect(await read("2027-04")).toBe("404 NOT_FOUND");
    expect(customer.name).toBe("Acme A/S");
  });
});
