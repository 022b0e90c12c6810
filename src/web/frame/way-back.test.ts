/** The way back from a cure to the close of a month. */
import { describe, expect, it } from "vitest";
import { month } from "../../domain/base/calendar.ts";
import { curedFrom } from "./cured-from.ts";
import { wayBackOf } from "./way-back.tsx";

const JANUARY = month("2026-01");
const BASE = "https://books.example";
const wayOf = (url: string, header?: string, account_id: string | null = "a1") =>
  wayBackOf(
    { url, query: Object.fromEntries(new URL(url, BASE).searchParams), account_id },
    BASE,
    header,
  );

describe("the address of a cure", () => {
  it.each([
    ["/retainers?group=draft", "/retainers?group=draft&close=2026-01"],
    ["/ledger/queue", "/ledger/queue?close=2026-01"],
    ["/settings/vat#rates", "/settings/vat?close=2026-01#rates"],
    ["#unassigned", "#unassigned"],
    ["/close/2025-12", "/close/2025-12"],
  ])("of %s is %s", (href, address) => {
    if (JANUARY === undefined) throw new Error("2026-01 is a month");
    expect(curedFrom(href, JANUARY)).toBe(address);
  });
});

describe("the way back", () => {
  it("is kept in a cookie from the address that names the month", () => {
    const { month, cookie } = wayOf("/retainers?group=draft&close=2026-01");
    expect(month).toBe("2026-01");
    expect(cookie).toMatch(
      /^matchbook-close=2026-01\.a1; Path=\/; Max-Age=1800; HttpOnly.*Secure$/,
    );
    expect(wayOf("/customers", "matchbook=x; matchbook-close=2026-01.a1")).toEqual({
      month: "2026-01",
      cookie: null,
    });
  });

  it("ends on a page of the close", () => {
    const { month, cookie } = wayOf("/close/2026-01", "matchbook-close=2026-01.a1");
    expect(month).toBeNull();
    expect(cookie).toContain("Max-Age=0");
    expect(wayOf("/close/2026-01").cookie).toBeNull();
  });

  it.each([
    ["/customers?close=2026-13", undefined, "a1"],
    ["/customers", "matchbook-close=x", "a1"],
    ["/customers", "matchbook-close=2026-01.a1", "a2"],
    ["/customers?close=2026-01", "matchbook-close=2026-01.a1", null],
  ])(
    "is absent at %s with the cookie %s, for a person who closes in %s",
    (url, header, account_id) => {
      expect(wayOf(url, header, account_id)).toEqual({ month: null, cookie: null });
    },
  );
});
