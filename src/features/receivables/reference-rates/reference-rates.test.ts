/** Reference rates over REST (spec 13.6). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();
const put = (date: string, rate: unknown) => world.rest(`PUT /reference-rates/${date}`, { rate });

describe("PUT /reference-rates/{date}", () => {
  it("stores the rate of a half-year, and replaces it", async () => {
    const first = { object: "reference_rate", date: "2026-01-01", rate: 1.75 };
    expect((await put("2026-01-01", 1.75)).body).toEqual(first);
    expect((await put("2026-01-01", -0.35)).body).toEqual({ ...first, rate: -0.35 });
    expect((await put("2026-01-01", -0.35)).status).toBe(200);
    const { data } = await world.done("GET /audit-events?resource_type=reference_rate");
    expect(data.map(({ action, after }: Json) => [action, after.rate])).toEqual([
      ["updated", -0.35],
      ["created", 1.75],
    ]);
  });

  it.each<[string, unknown, string]>([
    ["2026-07-01", 1.755, "422 VALIDATION_FAILED rate too_many_decimals"],
    ["2026-07-01", 101, "422 VALIDATION_FAILED rate too_large"],
    ["2026-07-01", "1.75", "422 VALIDATION_FAILED rate invalid_type"],
    ["2026-04-01", 1, "422 VALIDATION_FAILED date invalid_value"],
    ["2026-07-02", 1, "422 VALIDATION_FAILED date invalid_value"],
    ["2026-13-01", 1, "400 MALFORMED_REQUEST"],
    ["soon", 1, "400 MALFORMED_REQUEST"],
  ])("refuses %s with %j", async (date, rate, expected) => {
    expect(refusal(await put(date, rate))).toBe(expected);
  });
});

describe("GET /reference-rates", () => {
  it("lists the newest first, in pages, and only the account's own", async () => {
    const { keys } = await world.openAnother();
    const key = keys.read_write;
    for (const [date, rate] of [
      ["2025-07-01", 1.6],
      ["2026-07-01", 2],
      ["2026-01-01", 1.75],
    ]) {
      await world.done(`PUT /reference-rates/${date}`, { rate }, key);
    }
    const page = await world.done("GET /reference-rates?limit=2", undefined, key);
    expect(page.data.map((one: Json) => [one.date, one.rate])).toEqual([
      ["2026-07-01", 2],
      ["2026-01-01", 1.75],
    ]);
    const rest = await world.done(
      `GET /reference-rates?limit=2&cursor=${page.next_cursor}`,
      undefined,
      key,
    );
    expect(rest.data.map((one: Json) => one.date)).toEqual(["2025-07-01"]);
    expect(rest.has_more).toBe(false);
    const foreign = Buffer.from("2026-13-01|1").toString("base64url");
    expect(refusal(await world.rest(`GET /reference-rates?cursor=${foreign}`))).toBe(
      "422 VALIDATION_FAILED cursor invalid_value",
    );
  });
});
