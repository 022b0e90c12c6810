/** Refusals on pages, in both languages. */
import { expect, it } from "vitest";
import { lockedInLedger } from "../../domain/base/period-lock.ts";
import { Problem } from "../../domain/base/problem.ts";
import { da } from "./da.ts";
import { en } from "./en.ts";
import { refusalOf } from "./refusal.ts";

it("names the accounting system whose lock it is, and no other", () => {
  const there = refusalOf(lockedInLedger("2026-03-10", "Dinero"));
  const here = refusalOf(new Problem("PERIOD_LOCKED"));
  expect([en.refused(there), da.refused(there), da.refused(here)]).toEqual([
    "The period of 2026-03-10 is locked in Dinero; nothing was booked.",
    "Datoen ligger i en periode, der er låst i Dinero.",
    "Datoen ligger i en låst periode.",
  ]);
});
