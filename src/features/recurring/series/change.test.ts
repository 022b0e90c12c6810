/** Changing the header: the free fields, those that the first invoice fixes, and the data that moves with it (spec 4.9). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { UNKNOWN_ID, useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const {
  world,
  customer,
  line,
  hours,
  at,
  draft,
  active,
  rest,
  show,
  change,
  cancel,
  issued,
  skip,
  statuses,
  occurrences,
} = useSeries();
const INVALID = "422 VALIDATION_FAILED";

const refusedChange = async (id: string, changes: Json): Promise<string> =>
  refusal(await change(id, changes));

const made = {
  draft: () => draft(),
  "active, nothing issued": () => active(),
  "active, something issued": async () => {
    const series = await active();
    await issued(series.id, "2027-01");
    return show(series.id);
  },
};

let other: Json;
beforeAll(async () => {
  at("2026-03-10");
  other = await world.done("POST /customers", { name: "Beta" });
});

describe.each(["draft", "active, nothing issued"] as const)(
  "PATCH of a series that is %s",
  (state) => {
    it.each<[string, () => Json]>([
      ["customer", () => ({ customer_id: other.id })],
      ["currency", () => ({ currency: "EUR" })],
      ["frequency", () => ({ frequency: "weekly" })],
      ["start", () => ({ start_date: "2027-01-15" })],
      ["end", () => ({ end_date: "2027-06-30" })],
      ["alignment", () => ({ alignment: "calendar" })],
      ["timing", () => ({ issue_timing: { mode: "manual" } })],
      ["auto_send", () => ({ auto_send: true })],
      ["nothing", () => ({})],
    ])("changes only %s", async (_what, changes) => {
      const before = await made[state]();

      const { status, body: after } = await change(before.id, changes());

      expect([status, after]).toEqual([200, { ...before, ...changes() }]);
      expect(await show(before.id)).toEqual(after);
    });
  },
);

describe("PATCH of a series with an issued period", () => {
  it.each<[string, () => Json]>([
    ["customer_id", () => ({ customer_id: other.id })],
    ["currency", () => ({ currency: "EUR" })],
    ["frequency", () => ({ frequency: "weekly" })],
    ["start_date", () => ({ start_date: "2027-01-15" })],
    ["alignment", () => ({ alignment: "calendar" })],
  ])("does not change %s: SERIES_FIELD_FROZEN", async (field, changes) => {
    const before = await made["active, something issued"]();

    const reply = await change(before.id, { auto_send: true, ...changes() });

    expect(reply).toMatchObject({
      status: 409,
      body: { error: { code: "SERIES_FIELD_FROZEN", details: { fields: [field] } } },
    });
    expect(await show(before.id)).toEqual(before);
  });

  it("names all frozen fields, and accepts their present values as no change", async () => {
    const { id, customer_id, currency, frequency, start_date } =
      await made["active, something issued"]();

    const frozen = await change(id, { currency: "EUR", customer_id: other.id });
    expect(frozen.body.error.details.fields).toEqual(["customer_id", "currency"]);
    const same = { customer_id, currency, frequency, start_date, alignment: "anniversary" };
    expect((await change(id, same)).status).toBe(200);
  });

  it.each<[Json]>([
    [{ issue_timing: { mode: "end-of-period", offset_days: 3 } }],
    [{ auto_send: true }],
    [{ end_date: "2027-01-31" }],
    [{ end_date: "2027-03-15" }],
    [{ end_date: "2099-12-31" }],
  ])("accepts %j", async (changes) => {
    const { id } = await made["active, something issued"]();

    expect(await change(id, changes)).toMatchObject({ status: 200, body: changes });
  });

  it("dates open periods by the new timing, but leaves issued ones", async () => {
    const { id } = await made["active, something issued"]();
    await change(id, { issue_timing: { mode: "end-of-period", offset_days: 2 } });

    const [january, february] = await occurrences(id, "to=2027-02-28");

    expect(january.issue_date).toBe("2026-03-10");
    expect(february.issue_date).toBe("2027-03-02");
  });
});

describe("PATCH of end_date", () => {
  it("does not cut an issued period: SERIES_END_BEFORE_ISSUED, with the earliest end", async () => {
    const { id } = await active();
    await issued(id, "2027-03");

    const reply = await change(id, { end_date: "2027-03-30" });

    expect(refusal(reply)).toBe("409 SERIES_END_BEFORE_ISSUED");
    expect(reply.body.error.details).toEqual({ last_issued_period_to: "2027-03-31" });
    expect((await change(id, { end_date: "2027-03-31" })).status).toBe(200);
  });

  it("is not possible once a final partial period is issued: FINAL_PERIOD_ALREADY_ISSUED", async () => {
    const { id } = await active({ end_date: "2027-02-15" });
    await issued(id, "2027-02");

    for (const end_date of [null, "2027-02-28", "2027-02-14"]) {
      expect(await refusedChange(id, { end_date })).toBe("409 FINAL_PERIOD_ALREADY_ISSUED");
    }
    expect((await change(id, { end_date: "2027-02-15", auto_send: false })).status).toBe(200);
  });

  it("is possible after a last period that was whole", async () => {
    const { id } = await active({ end_date: "2027-02-28" });
    await issued(id, "2027-02");

    expect((await change(id, { end_date: null })).status).toBe(200);
    expect((await occurrences(id, "to=2027-12-31")).length).toBe(12);
  });

  it("removes periods, and null restores them with their skips", async () => {
    const { id } = await active();
    await skip(id, "2027-03");

    await change(id, { end_date: "2027-02-10" });
    expect(await statuses(id, "to=2027-12-31")).toEqual(["2027-01 scheduled", "2027-02 scheduled"]);
    expect((await rest("GET", id, "/occurrences/2027-03")).status).toBe(404);

    expect((await change(id, { end_date: null })).body.end_date).toBeNull();
    expect(await statuses(id, "from=2027-02-01&to=2027-04-30")).toEqual([
      "2027-02 scheduled",
      "2027-03 skipped",
      "2027-04 scheduled",
    ]);
  });
});

describe("PATCH of a series refuses", () => {
  it.each<[Json, string]>([
    [{ customer_id: UNKNOWN_ID }, "customer_id unknown_reference"],
    [{ customer_id: null }, "customer_id invalid_type"],
    [{ currency: null }, "currency invalid_type"],
    [{ frequency: "daily" }, "frequency invalid_value"],
    [{ start_date: null }, "start_date invalid_type"],
    [{ end_date: "2026-12-31" }, "end_date too_small"],
    [{ start_date: "2027-02-01", end_date: "2027-01-31" }, "end_date too_small"],
    [{ issue_timing: null }, "issue_timing invalid_type"],
    [{ issue_timing: { mode: "manual", offset_days: 2 } }, "issue_timing.offset_days not_allowed"],
  ])("%j with 422, also when the series is cancelled", async (changes, fault) => {
    const { id } = await draft();

    expect(await refusedChange(id, changes)).toBe(`${INVALID} ${fault}`);
    await cancel(id, { end_date: "2027-12-31" });
    expect(await refusedChange(id, changes)).toBe(`${INVALID} ${fault}`);
  });

  it("a currency that lacks the decimals of the lines", async () => {
    const { id } = await draft({ lines: [line({ agreed_value: 10.5 })] });

    expect(await refusedChange(id, { currency: "JPY" })).toBe(
      `${INVALID} currency too_many_decimals`,
    );
    expect((await change(id, { currency: "KWD" })).body.lines[0].agreed_value).toBe(10.5);
  });

  it("an inactive customer, unless it has it already", async () => {
    const { id: gone } = await world.done("POST /customers", { name: "Gone" });
    const own = await draft({ customer_id: gone });
    const { id } = await draft();
    await world.done(`POST /customers/${gone}/deactivate`);

    expect(await refusedChange(id, { customer_id: gone })).toBe("409 CUSTOMER_INACTIVE");
    const same = await change(own.id, { customer_id: gone, auto_send: true });
    expect(same.status).toBe(200);
  });

  it("start-of-period for work that is measured: SERIES_TIMING_CONFLICT", async () => {
    const { id } = await draft({ lines: [hours()], issue_timing: { mode: "manual" } });

    const changes = { issue_timing: { mode: "start-of-period" } };
    expect(await refusedChange(id, changes)).toBe("409 SERIES_TIMING_CONFLICT");
    const late = { issue_timing: { mode: "end-of-period" } };
    expect((await change(id, late)).status).toBe(200);
  });

  it("anything of a cancelled series, even an empty change: SERIES_CANCELLED", async () => {
    const { id } = await active();
    await cancel(id, { end_date: "2027-06-30" });

    for (const changes of [
      {},
      { auto_send: true },
      { end_date: null },
      { end_date: "2027-03-31" },
    ]) {
      expect(await refusedChange(id, changes)).toBe("409 SERIES_CANCELLED");
    }
  });

  it("an unknown series, and a malformed body", async () => {
    expect(await refusedChange(UNKNOWN_ID, {})).toBe("404 NOT_FOUND");
    expect(await refusedChange("17", {})).toBe("400 MALFORMED_REQUEST");
    const { id } = await draft();
    expect(await refusedChange(id, [])).toBe("400 MALFORMED_REQUEST");
  });
});

describe("a change that changes nothing", () => {
  it("writes no audit event and keeps updated_at", async () => {
    const { id } = await draft();
    const stamp = () => world.sql("select updated_at from recurring_series where id = $1", [id]);
    const events = async () =>
      (await world.done(`GET /audit-events?resource_id=${id}`)).data.length;
    const before = [await stamp(), await events()];

    await change(id, { customer_id: customer.id, frequency: "monthly" });

    expect([await stamp(), await events()]).toEqual(before);
    await change(id, { auto_send: true });
    expect(await events()).toBe(2);
  });
});
