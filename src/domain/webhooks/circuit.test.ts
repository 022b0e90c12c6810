/** The circuit of an endpoint: failing, probed, recovered, disabled. */
import { describe, expect, it } from "vitest";
import {
  afterFailure,
  afterSuccess,
  allowedPerSecond,
  type Circuit,
  type CircuitNews,
  CLOSED,
  isSlow,
  usualDuration,
} from "./circuit.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const refused = { status: null, asked_ms: null };

/** The circuit after failures at the given moments, with what was new at each. */
function failed(moments: readonly number[], begin: Circuit = CLOSED): [Circuit, CircuitNews[]] {
  let circuit = begin;
  const news = moments.map((at) => {
    const after = afterFailure(circuit, {
      at,
      ...refused,
      is_probe: circuit.failing_since !== null,
    });
    circuit = after.circuit;
    return after.news;
  });
  return [circuit, news];
}

const [FAILING] = failed([0, 1, 2, 3, 4]);

describe("failures in a row", () => {
  it("open the circuit at the fifth", () => {
    const [circuit, news] = failed([0, 1, 2, 3, 4]);
    expect(news).toEqual([null, null, null, null, "failing"]);
    expect(circuit).toMatchObject({ status: "failing", failing_since: 4, probe_at: 4 + MINUTE });
    expect(failed([0, 1, 2, 3])[0].status).toBe("enabled");
  });

  it("are counted from zero after a success", () => {
    const [almost] = failed([0, 1, 2, 3]);
    const { circuit, news } = afterSuccess(almost, 4);
    expect([circuit.failures_in_row, circuit.recovered_at, news]).toEqual([0, null, null]);
  });

  it("are probed after one minute, then after twice the time, at most after an hour", () => {
    let circuit = FAILING;
    const waits = Array.from({ length: 9 }, () => {
      const at = circuit.probe_at ?? 0;
      circuit = failed([at], circuit)[0];
      return ((circuit.probe_at ?? 0) - at) / MINUTE;
    });
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60]);
  });

  it("that had begun before change no probe", () => {
    const late = { at: 5, ...refused, is_probe: false };
    const { circuit, news } = afterFailure(FAILING, late);
    expect([circuit, news]).toEqual([{ ...FAILING, failures_in_row: 6 }, null]);
  });

  it("delay the probe as the receiver asks, up to a day", () => {
    const asked = { at: MINUTE, status: 503, asked_ms: 3 * HOUR, is_probe: true };
    expect(afterFailure(FAILING, asked).circuit.probe_at).toBe(MINUTE + 3 * HOUR);
    const long = { ...asked, asked_ms: 3 * DAY };
    expect(afterFailure(FAILING, long).circuit.probe_at).toBe(MINUTE + DAY);
  });

  it("are mailed after 24 hours, once, and disable the endpoint after five days", () => {
    const [circuit, news] = failed([DAY - 1, DAY + 4, DAY + HOUR, 5 * DAY, 5 * DAY + 4], FAILING);
    expect(news).toEqual([
      "probe_failed",
      "still_failing",
      "probe_failed",
      "probe_failed",
      "disabled",
    ]);
    expect(circuit).toMatchObject({
      status: "disabled",
      disabled_reason: "failing",
      probe_at: null,
    });
  });
});

it("410 disables at once", () => {
  const { circuit, news } = afterFailure(CLOSED, {
    at: 0,
    status: 410,
    asked_ms: null,
    is_probe: false,
  });
  expect([circuit.status, circuit.disabled_reason, news]).toEqual(["disabled", "gone", "disabled"]);
});

describe("the first success", () => {
  it("closes the circuit and begins the ramp", () => {
    const { circuit, news } = afterSuccess(FAILING, HOUR);
    expect(circuit).toEqual({ ...CLOSED, recovered_at: HOUR });
    expect(news).toBe("recovered");
  });

  it.each([
    [0, 5],
    [9_999, 5],
    [10_000, 10],
    [20_000, 20],
    [30_000, 40],
    [40_000, 50],
    [DAY, 50],
    [-1, 50],
  ])("%i ms later %i attempts a second are allowed", (after_ms, expected) => {
    expect(allowedPerSecond(HOUR + after_ms, HOUR, 50)).toBe(expected);
  });

  it("never allows more than the endpoint takes", () => {
    expect(allowedPerSecond(0, 0, 2)).toBe(2);
    expect(allowedPerSecond(0, null, 100)).toBe(100);
  });
});

it("an endpoint is slow by its usual duration, and fast again after fast answers", () => {
  const after = (durations: number[]) => isSlow(durations.reduce(usualDuration, null as never));
  expect(after([100, 100])).toBe(false);
  expect(after([5_000])).toBe(true);
  expect(after([100, 3_000])).toBe(false);
  expect(after([100, 15_000])).toBe(true);
  expect(after([15_000, 100, 100, 100])).toBe(false);
  expect(isSlow(null)).toBe(false);
});
