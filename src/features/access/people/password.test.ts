/** Hashing is deliberately costly: a flood of passwords is refused before it overloads the service. */
import { expect, it } from "vitest";
import { Problem } from "../../../domain/base/problem.ts";
import { hashPassword, isPassword } from "./password.ts";

it("compares a few passwords at a time, and refuses further ones with RATE_LIMITED", async () => {
  const flood = Array.from({ length: 200 }, () => isPassword(null, "a guess"));
  const outcomes = await Promise.allSettled(flood);

  const refusals = outcomes.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refusals.length).toBeGreaterThan(100);
  expect(refusals.length).toBeLessThan(200);
  for (const reason of refusals) {
    expect(reason).toBeInstanceOf(Problem);
    expect(reason).toMatchObject({ code: "RATE_LIMITED", extras: { retry_after_seconds: 5 } });
  }

  const stored = await hashPassword("a password");
  expect(await isPassword(stored, "a password")).toBe(true);
  expect(await isPassword(stored, "another")).toBe(false);
});

it("compares all of 20 parallel passwords", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => isPassword(null, "a guess")));
  expect(answers).toEqual(Array(20).fill(false));
});
