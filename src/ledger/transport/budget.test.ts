/** The pace of an organisation's requests, and the turns that all processes reserve in one row. */
import { describe, expect, it } from "vitest";
import { useWorld } from "../../../test/support/world/world.ts";
import { sql } from "../../platform/database/sql.ts";
import { paceOf, retryAfterMs } from "./budget.ts";
import { awaitTurn, type Limited, stopTurns, takeTurn, type Urgency } from "./queue-turn.ts";

const START = Date.parse("2026-03-10T09:00:00.000Z");

describe("the pace", () => {
  it.each([
    [1, 1],
    [10, 1],
    [60, 3],
    [100, 3],
    [1_200, 36],
  ])(
    "of %i requests a minute permits a burst of %i, and at most the limit in any minute",
    (limit, at_once) => {
      const { interval_ms, tolerance_ms } = paceOf(limit);
      expect(tolerance_ms).toBeCloseTo((at_once - 1) * interval_ms, 6);
      // The requests arrive within a time half a second shorter than they were sent.
      expect(at_once + Math.floor(60_499 / interval_ms)).toBeLessThanOrEqual(limit);
      if (limit >= 60) expect(60_000 / interval_ms / limit).toBeGreaterThan(0.95);
    },
  );

  it.each<[string | undefined, number]>([
    ["30", 30_000],
    ["Tue, 10 Mar 2026 09:00:05 GMT", 5_000],
    ["Tue, 10 Mar 2026 08:00:00 GMT", 60_000],
    ["0", 60_000],
    ["soon", 60_000],
    ["999999999", 86_400_000],
    [undefined, 60_000],
  ])("pauses after a 429 with Retry-After %s for %i ms", (header, expected) => {
    expect(retryAfterMs(header, START)).toBe(expected);
  });
});

describe("the turns of requests", () => {
  const world = useWorld();
  let count = 0;
  const organisation = (per_minute: number): Limited => {
    count += 1;
    return { organisation_key: `test ${count}`, pace: paceOf(per_minute) };
  };
  const at = (milliseconds: number) =>
    sql`${new Date(START + milliseconds).toISOString()}::timestamptz`;

  it.each<[number, Urgency]>([
    [60, "interactive"],
    [100, "interactive"],
    [60, "bulk"],
  ])("do not exceed %i in any minute for all processes together (%s)", async (limit, urgency) => {
    const one = organisation(limit);
    const granted: number[] = [];
    for (let now = 0; now < 130_000; now += 2_500) {
      const asked = Array.from({ length: 6 }, (_, index) =>
        takeTurn(
          index % 2 === 0 ? world.db : world.services.pools.background,
          one,
          urgency,
          at(now),
        ),
      );
      for (const { is_granted, wait_ms } of await Promise.all(asked)) {
        if (is_granted) granted.push(now + wait_ms);
      }
    }
    granted.sort((a, b) => a - b);
    const most = Math.max(
      ...granted.map((from) => granted.filter((to) => to >= from && to < from + 60_000).length),
    );
    expect(most).toBeLessThanOrEqual(limit);
    expect(most).toBeGreaterThan(limit * (urgency === "bulk" ? 0.5 : 0.9));
  });

  it("are assigned to interactive requests before bulk ones", async () => {
    const one = organisation(60);
    const bulk = () => takeTurn(world.db, one, "bulk", at(0));
    for (const expected of [true, true, true, false]) {
      expect((await bulk()).is_granted).toBe(expected);
    }
    const next = await takeTurn(world.db, one, "interactive", at(0));
    expect(next).toMatchObject({ is_granted: true, wait_ms: expect.closeTo(1043, -1) });
    // Bulk requests wait until the next request of the same user has had time to arrive.
    expect(await takeTurn(world.db, one, "bulk", at(1100))).toMatchObject({ is_granted: false });
    expect(await takeTurn(world.db, one, "bulk", at(2200))).toMatchObject({ is_granted: true });
  });

  it("pause after a 429, and are not reserved if they are too late", async () => {
    const one = organisation(100);
    await stopTurns(world.db, one, 60_000, at(0));
    const early = await takeTurn(world.db, one, "interactive", at(30_000));
    expect(early).toEqual({ is_granted: false, wait_ms: 30_000 });
    expect((await takeTurn(world.db, one, "bulk", at(59_999))).is_granted).toBe(false);
    expect(await takeTurn(world.db, one, "bulk", at(60_000))).toEqual({
      is_granted: true,
      wait_ms: 0,
    });
  });

  it("are awaited until the caller gives up", async () => {
    const one = organisation(1);
    const signal = AbortSignal.timeout(20);
    expect(await awaitTurn(world.db, one, "bulk", signal)).toBe("granted");
    const waited = await awaitTurn(world.db, one, "bulk", signal);
    expect(waited).toMatchObject({ retry_after_ms: expect.any(Number) });
    const far = await awaitTurn(world.db, one, "interactive", new AbortController().signal);
    expect(far).toMatchObject({ retry_after_ms: expect.any(Number) });
  });
});
