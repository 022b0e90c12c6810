/** Occurrences of all series in one list: upcoming and failed ones, with their amounts. */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID, useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, line, hours, at, draft, active, cancel, issued, skip, linesOf } = useSeries();

const ids: Record<string, string> = {};
const nameOf = (id: string) => Object.entries(ids).find(([, known]) => known === id)?.[0] ?? id;

/** `2026-04-01 support scheduled 3100`, one for each occurrence. */
async function onOutcome(query: string): Promise<string[]> {
  const { data } = await world.done(`GET /occurrences?limit=100&${query}`);
  return data.map(
    ({ period_from, series_id, status, net }: Json) =>
      `${period_from} ${nameOf(series_id)} ${status} ${net}`,
  );
}

const SPRING = "from=2026-03&to=2026-05";

beforeAll(async () => {
  at("2026-03-10");
  const make = async (name: string, fields: Json, is_active = true): Promise<void> => {
    ids[name] = (await (is_active ? active : draft)(fields)).id;
  };
  await make("support", { start_date: "2026-03-01" });
  await make("design", {
    start_date: "2026-03-15",
    frequency: "quarterly",
    issue_timing: { mode: "end-of-period" },
    lines: [hours()],
  });
  await make("planned", { start_date: "2026-05-01", lines: [line({ agreed_value: 500 })] }, false);
  await make("ended", { start_date: "2026-03-20" });
  await make("unmailed", { start_date: "2026-04-20", lines: [line({ agreed_value: 700 })] });
  await issued(ids.support ?? "", "2026-03");
  await skip(ids.support ?? "", "2026-04");
  await cancel(ids.ended ?? "", { end_date: "2026-04-19", credit: "none" });
});

describe("GET /occurrences", () => {
  it("lists the occurrences of all series by the first day, each with its amount", async () => {
    expect(await onOutcome(SPRING)).toEqual(
      [
        "2026-03-01 support issued 3100",
        "2026-03-15 design scheduled 0",
        "2026-03-20 ended scheduled 3100",
        "2026-04-01 support skipped 3100",
        "2026-04-20 unmailed scheduled 700",
        "2026-05-01 support scheduled 3100",
        "2026-05-01 planned scheduled 500",
        "2026-05-20 unmailed scheduled 700",
      ].sort(byPlace),
    );
  });

  it("shows a row like the list of its series, with customer, currency and net", async () => {
    const { data } = await world.done(`GET /occurrences?${SPRING}&status=issued`);
    const own = await world.done(`GET /recurring-series/${ids.support}/occurrences/2026-03`);
    const { customer_id, currency } = await world.done(`GET /recurring-series/${ids.support}`);

    expect(data).toEqual([{ ...own, customer_id, currency, net: 3100 }]);
  });

  it("counts the hours registered so far", async () => {
    const [{ id: line_id }] = (await linesOf(ids.design ?? "", "2026-Q1")) as [Json];
    const { id: user_id } = await world.done("POST /users", {
      name: "Sofie",
      email: "sofie@studio.example",
    });
    await world.done("POST /work-registrations", {
      line_id,
      user_id,
      date: "2026-03-10",
      hours: 2.5,
    });

    expect(await onOutcome("from=2026-03-15&to=2026-03-15")).toEqual([
      "2026-03-15 design scheduled 2500",
    ]);
  });

  it.each<[string, string, string[]]>([
    ["issued", "", ["2026-03-01 support"]],
    ["skipped", "", ["2026-04-01 support"]],
    ["failed", "", []],
    ["dropped", "", ["2026-04-20 ended", "2026-05-20 ended"]],
    ["scheduled", "&series_status=draft", ["2026-05-01 planned"]],
    [
      "scheduled",
      "&series_status=active",
      [
        ...["2026-03-15 design", "2026-03-20 ended", "2026-04-20 unmailed"],
        ...["2026-05-01 support", "2026-05-20 unmailed"],
      ],
    ],
  ])("shows only %s ones%s", async (status, more, expected) => {
    const listed = await onOutcome(`${SPRING}&status=${status}${more}`);

    expect(listed.map((one) => one.split(" ").slice(0, 2).join(" "))).toEqual(expected);
    expect(listed.every((one) => one.split(" ")[2] === status)).toBe(true);
  });

  it("shows a failed occurrence until it is issued", async () => {
    await world.sql(
      `insert into occurrences (account_id, series_id, period_index, state, failure_code, attempts)
       select account_id, id, 0, 'failed', 'PERIOD_LOCKED', 1 from recurring_series where id = $1`,
      [ids.unmailed],
    );

    expect(await onOutcome(`${SPRING}&status=failed`)).toEqual(["2026-04-20 unmailed failed 700"]);
    await issued(ids.unmailed ?? "", "2026-04-20");
    expect(await onOutcome(`${SPRING}&status=failed`)).toEqual([]);
  });

  it("covers the year from today by default", async () => {
    const listed = await onOutcome("series_status=draft");

    expect(listed[0]).toBe("2026-05-01 planned scheduled 500");
    expect(listed.at(-1)).toBe("2027-03-01 planned scheduled 500");
    expect((await onOutcome("")).every((one) => one >= "2026-03-10")).toBe(true);
  });

  it("lists those of one customer, by id or external id, and none of an unknown one", async () => {
    const { id } = await world.done("POST /customers", { name: "Other", external_id: "other" });
    const { id: of_other } = await active({ customer_id: id, start_date: "2026-03-01" });
    const listed = async (customer: string) => {
      const { data } = await world.done(`GET /occurrences?${SPRING}&customer=${customer}`);
      return data.map(({ series_id }: Json) => series_id);
    };

    expect(await listed(id)).toEqual([of_other, of_other, of_other]);
    expect(await listed("ext:other")).toEqual([of_other, of_other, of_other]);
    expect(await listed(UNKNOWN_ID)).toEqual([]);
  });

  it("pages through the list with any limit", async () => {
    for (const query of [SPRING, `${SPRING}&status=scheduled`, "from=2026-01-01&to=2026-12-31"]) {
      const whole = (await world.done(`GET /occurrences?limit=100&${query}`)).data;
      const pages: Json[] = [];
      let cursor = "";
      do {
        const page = await world.done(`GET /occurrences?limit=2&${query}${cursor}`);
        pages.push(...page.data);
        expect(page.has_more).toBe(page.next_cursor !== null);
        cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
      } while (cursor !== "");
      expect(pages).toEqual(whole);
      expect(pages.length).toBeGreaterThan(4);
    }
  });

  it("shows nothing of another account", async () => {
    const { keys } = await world.openAnother();

    expect((await world.done("GET /occurrences", undefined, keys.read_write)).data).toEqual([]);
  });

  it.each([
    ["status=paid", "422 VALIDATION_FAILED status invalid_value"],
    ["from=tomorrow", "422 VALIDATION_FAILED from invalid_format"],
    ["cursor=x", "422 VALIDATION_FAILED cursor invalid_value"],
    ["customer=17", "422 VALIDATION_FAILED customer invalid_format"],
  ])("refuses %s", async (query, expected) => {
    expect(refusal(await world.rest(`GET /occurrences?${query}`))).toBe(expected);
  });
});

/** By day, and within a day by the ids of the series. */
function byPlace(one: string, other: string): number {
  const place = (text: string) => {
    const [day, name = ""] = text.split(" ");
    return `${day} ${ids[name]}`;
  };
  return place(one) < place(other) ? -1 : 1;
}
