import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Month } from "../base/calendar.ts";
import type { VatCode } from "../sales/vat-code.ts";
import { type EntryUnder, type RevenueUnder, revenueUnder, splitByVat } from "./voucher-vat.ts";

const under = (account_number: number, vat_code: VatCode, amount: bigint): RevenueUnder => ({
  account_number,
  vat_code,
  amount,
});
const liability = (amount: bigint): EntryUnder => ({
  account_role: "contract_liability",
  account_number: 8070,
  amount,
});
const revenue = (account_number: number, amount: bigint, vat_code?: VatCode): EntryUnder => ({
  account_role: "revenue",
  account_number,
  amount,
  ...(vat_code && { vat_code }),
});

describe("the revenue of a voucher by VAT code", () => {
  it.each([
    {
      title: "names the one code of an account",
      entries: [liability(-300n), revenue(1000, 300n)],
      now: [under(1000, "DK25", -300n)],
      booked: [],
      split: [liability(-300n), revenue(1000, 300n, "DK25")],
    },
    {
      title: "splits an account whose sales are taxed in two ways",
      entries: [liability(-300n), revenue(1000, 300n)],
      now: [under(1000, "DK25", -500n), under(1000, "EU_SERVICES_RC", 200n)],
      booked: [],
      split: [
        liability(-300n),
        revenue(1000, 500n, "DK25"),
        revenue(1000, -200n, "EU_SERVICES_RC"),
      ],
    },
    {
      title: "moves only amounts that are not booked yet",
      entries: [liability(100n), revenue(1000, -100n)],
      now: [under(1000, "DK25", -200n)],
      booked: [under(1000, "DK25", -300n)],
      split: [liability(100n), revenue(1000, -100n, "DK25")],
    },
    {
      title: "reverses under the former code the revenue that now has another code",
      entries: [liability(-50n), revenue(1000, 50n)],
      now: [under(1000, "EU_SERVICES_RC", -350n)],
      booked: [under(1000, "DK25", -300n)],
      split: [liability(-50n), revenue(1000, -300n, "DK25"), revenue(1000, 350n, "EU_SERVICES_RC")],
    },
    {
      title: "moves revenue between the codes of an account whose total does not change",
      entries: [liability(-50n), revenue(1010, 50n)],
      now: [under(1000, "DK0", -300n), under(1010, "DK25", -50n)],
      booked: [under(1000, "DK25", -300n)],
      split: [
        liability(-50n),
        revenue(1000, 300n, "DK0"),
        revenue(1000, -300n, "DK25"),
        revenue(1010, 50n, "DK25"),
      ],
    },
    {
      title: "does not split an account whose lines disagree with its entry",
      entries: [liability(-300n), revenue(1000, 300n)],
      now: [under(1000, "DK25", -299n)],
      booked: [],
      split: [liability(-300n), revenue(1000, 300n)],
    },
  ])("$title", ({ entries, now, booked, split }) => {
    expect(splitByVat(entries, now, booked)).toEqual(split);
  });

  it("adds up, account by account, to the entries that were split, whatever was booked before", () => {
    const codes: VatCode[] = ["DK25", "DK0", "EU_SERVICES_RC"];
    const part = fc.record({
      account_number: fc.constantFrom(1000, 1010),
      vat_code: fc.constantFrom(...codes),
      amount: fc.bigInt(-1000n, 1000n),
    });
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (now, booked) => {
        const sumOf = (parts: readonly { account_number: number | null; amount: bigint }[]) =>
          [1000, 1010].map((number) =>
            parts
              .filter(({ account_number }) => account_number === number)
              .reduce((sum, { amount }) => sum + amount, 0n),
          );
        const moved = sumOf(now).map((sum, at) => sum - (sumOf(booked)[at] ?? 0n));
        const entries = [1000, 1010].flatMap((number, at) => {
          const amount = -(moved[at] ?? 0n);
          return amount === 0n ? [] : [revenue(number, amount)];
        });
        const split = splitByVat(entries, now, booked);
        expect(sumOf(split)).toEqual(sumOf(entries));
        expect(split.every(({ vat_code, amount }) => vat_code !== undefined && amount !== 0n)).toBe(
          true,
        );
      }),
    );
  });
});

describe("the revenue of lines under their codes", () => {
  const MARCH = "2026-03" as Month;
  const month = (earned: bigint | null, invoiced: bigint, at: string = MARCH) => ({
    month: at as Month,
    earned: 0n,
    invoiced: 0n,
    earned_functional: earned,
    invoiced_functional: invoiced,
    exchange_difference: 0n,
  });

  it("is their earned amount less their invoiced amount", () => {
    const line = { account_number: 1000, vat_code: "DK25" as const };
    expect(revenueUnder([{ ...line, now: [month(100n, 300n), month(50n, 0n)] }], MARCH)).toEqual([
      under(1000, "DK25", -150n),
    ]);
  });

  it("is unknown while a closing rate is missing", () => {
    const line = { account_number: 1000, vat_code: "DK25" as const };
    expect(revenueUnder([{ ...line, now: [month(null, 0n)] }], MARCH)).toBeNull();
  });

  it("ignores later months", () => {
    const line = { account_number: 1000, vat_code: "DK25" as const };
    const now = [month(100n, 0n), month(0n, 500n, "2026-04")];
    expect(revenueUnder([{ ...line, now }], MARCH)).toEqual([under(1000, "DK25", 100n)]);
  });
});
