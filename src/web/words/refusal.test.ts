/** Refusals on pages, in both languages. */
import { expect, it } from "vitest";
import { lockedInLedger } from "../../domain/base/period-lock.ts";
import { Problem } from "../../domain/base/problem.ts";
import { da } from "./da.ts";
import { en } from "./en.ts";
import { refusalOf } from "./refusal.ts";

it("names the accounting system only if the lock is its own", () => {
  const remote = refusalOf(lockedInLedger("2026-03-10", "Dinero"));
  const own = refusalOf(new Problem("PERIOD_LOCKED"));
  expect([en.refused(remote), da.refused(remote), da.refused(own)]).toEqual([
    "The period of 2026-03-10 is locked in Dinero; nothing was booked.",
    "Datoen ligger i en periode, der er låst i Dinero.",
    "Datoen ligger i en låst periode.",
  ]);
});
