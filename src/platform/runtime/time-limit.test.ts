import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { whileCollecting } from "../../../test/support/run/garbage.ts";
import { timeLimit } from "./time-limit.ts";

/** Resolves with the reason for which a signal aborts. */
const reasonOf = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(signal.reason), { once: true });
  });

describe("a time limit", () => {
  it("aborts when the time is over", async () => {
    const { signal } = timeLimit(20);
    expect(await reasonOf(signal)).toMatchObject({ name: "TimeoutError" });
  });

  it("aborts when the other signal does, for its reason", async () => {
    const other = new AbortController();
    const { signal } = timeLimit(60_000, other.signal);
    const reason = reasonOf(signal);
    other.abort("its client has left");
    expect(await reason).toBe("its client has left");
    expect(timeLimit(60_000, other.signal).signal).toMatchObject({
      aborted: true,
      reason: "its client has left",
    });
  });

  it("that is cleared never aborts", async () => {
    const other = new AbortController();
    const { signal, clear } = timeLimit(20, other.signal);
    clear();
    other.abort();
    await delay(60);
    expect(signal.aborted).toBe(false);
  });

  it("follows a signal beside many others without a warning of a leak", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on("warning", note);
    const other = new AbortController();
    const limits = Array.from({ length: 50 }, () => timeLimit(60_000, other.signal));
    await delay(20);
    process.off("warning", note);
    other.abort();
    expect(warnings).toEqual([]);
    expect(limits.filter(({ signal }) => !signal.aborted)).toEqual([]);
  });

  it("aborts although only what waits for it knows it, and garbage is collected meanwhile", async () => {
    const other = new AbortController();
    const waiting = Array.from({ length: 20 }, () => reasonOf(timeLimit(200, other.signal).signal));
    const reasons = await whileCollecting(() => Promise.all(waiting));
    for (const reason of reasons) expect(reason).toMatchObject({ name: "TimeoutError" });
  });
});
