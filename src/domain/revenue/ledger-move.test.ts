/** What blocks a move to another ledger, on which day the new books begin, and what opens them. */
import { describe, expect, it } from "vitest";
import type { CalendarDate, Month } from "../base/calendar.ts";
import { type MoveFacts, moveBegin, moveBlocks, openingEntries } from "./ledger-move.ts";

const day = (text: string) => text as CalendarDate;
const month = (text: string) => text as Month;

const free: MoveFacts = {
  last_close: { month: month("2026-10"), locks: true },
  last_ended: month("2026-11"),
  lock_date: day("2026-10-31"),
  booked_later: null,
  running_close: null,
  open_intents: 0,
  queued_credit_notes: 0,
  queued_links: 0,
  target: null,
  functional_currency: "DKK",
};
const outside = { fault: null, currency: "DKK", locked_through: null, unmapped: [] };

describe("the day on which new books begin", () => {
  it.each([
    ["2026-10", "2026-11-01"],
    ["2026-12", "2027-01-01"],
    ["2028-02", "2028-03-01"],
  ])("after %s is %s", (last, begin) => {
    expect(moveBegin({ last_close: { month: month(last), locks: true } })).toBe(begin);
  });

  it("is none before the first close", () => {
    expect(moveBegin({ last_close: null })).toBeNull();
  });
});

describe("a move", () => {
  it("is blocked by nothing after a locked close, and when the new books are open", () => {
    expect(moveBlocks(free)).toEqual([]);
    expect(moveBlocks({ ...free, target: outside })).toEqual([]);
    const locked_before = { ...outside, locked_through: day("2026-10-31") };
    expect(moveBlocks({ ...free, target: locked_before })).toEqual([]);
  });

  it.each<[string, Partial<MoveFacts>, Record<string, unknown>]>([
    ["no month is closed", { last_close: null }, { code: "month_not_closed", month: "2026-11" }],
    [
      "the last close has no lock",
      { last_close: { month: month("2026-10"), locks: false } },
      { code: "month_not_closed", month: "2026-10" },
    ],
    [
      "the lock of the last close is gone",
      { lock_date: day("2026-09-30") },
      { code: "month_not_closed", month: "2026-10" },
    ],
    ["nothing is locked", { lock_date: null }, { code: "month_not_closed", month: "2026-10" }],
    ["the lock is later", { lock_date: day("2026-11-15") }, { code: "locked_later" }],
    [
      "a later month has a booked accrual",
      { booked_later: month("2026-11") },
      { code: "month_not_closed", month: "2026-11" },
    ],
    [
      "a close is running",
      { running_close: month("2026-11") },
      { code: "close_running", month: "2026-11" },
    ],
    ["a booking is open", { open_intents: 3 }, { code: "intents_open", count: 3 }],
    [
      "a credit note is queued",
      { queued_credit_notes: 1 },
      { code: "credit_notes_queued", count: 1 },
    ],
    ["a link is queued", { queued_links: 2 }, { code: "links_queued", count: 2 }],
    [
      "the connection does not work",
      { target: { ...outside, fault: "No answer.", currency: null } },
      { code: "connection_fails", message: "No answer." },
    ],
    [
      "the new books have another currency",
      { target: { ...outside, currency: "EUR" } },
      { code: "other_currency" },
    ],
    [
      "the new books are locked on their first day",
      { target: { ...outside, locked_through: day("2026-11-01") } },
      { code: "ledger_locked" },
    ],
    [
      "a pair has no account there",
      {
        target: {
          ...outside,
          unmapped: [{ account_number: 1010, vat_code: "DK25", reason: null }],
        },
      },
      { code: "pair_unmapped", account_number: 1010, vat_code: "DK25" },
    ],
    [
      "a role has no account there",
      { target: { ...outside, unmapped: [{ account_number: 8070, vat_code: "", reason: null }] } },
      { code: "pair_unmapped", account_number: 8070, vat_code: null },
    ],
  ])("is blocked when %s, with a cure", (_, change, block) => {
    const blocks = moveBlocks({ ...free, ...change });
    expect(blocks).toEqual([expect.objectContaining(block)]);
    expect(blocks[0]?.cure).toMatch(/\.$/);
  });

  it("lists all blocks, and the reason of a pair that would be charged another VAT", () => {
    const reason = "Account 1020 charges 0 % VAT, and DK25 is 25 %.";
    const unmapped = [{ account_number: 1010, vat_code: "DK25", reason }];
    const blocks = moveBlocks({
      ...free,
      open_intents: 1,
      queued_links: 1,
      target: { ...outside, currency: "EUR", unmapped },
    });
    expect(blocks.map(({ code }) => code)).toEqual([
      "intents_open",
      "links_queued",
      "other_currency",
      "pair_unmapped",
    ]);
    expect(blocks[3]?.message).toBe(reason);
  });
});

describe("the voucher that opens new books", () => {
  const accounts = { contract_asset: 6240, contract_liability: 8070, opening: 6950 };
  const none = { contract_asset: 0n, contract_liability: 0n };
  const entriesOf = (...args: Parameters<typeof openingEntries>) =>
    openingEntries(...args).map(({ account_number, amount }) => [account_number, amount]);

  it.each([
    [
      500_00n,
      1200_00n,
      none,
      [
        [6240, 500_00n],
        [8070, -1200_00n],
        [6950, 700_00n],
      ],
    ],
    [
      500_00n,
      0n,
      none,
      [
        [6240, 500_00n],
        [6950, -500_00n],
      ],
    ],
    [
      0n,
      1n,
      none,
      [
        [8070, -1n],
        [6950, 1n],
      ],
    ],
    [
      500n,
      500n,
      none,
      [
        [6240, 500n],
        [8070, -500n],
      ],
    ],
    [0n, 0n, none, []],
    // The new books have balances from before.
    [
      300n,
      900n,
      { contract_asset: 500n, contract_liability: 400n },
      [
        [6240, -200n],
        [8070, -500n],
        [6950, 700n],
      ],
    ],
    [300n, 900n, { contract_asset: 300n, contract_liability: 900n }, []],
  ] as const)(
    "for an asset of %s and a liability of %s balances",
    (asset, liability, known, entries) => {
      const wanted = { contract_asset: asset, contract_liability: liability };
      expect(entriesOf(wanted, known, accounts)).toEqual(entries);
      const sum = openingEntries(wanted, known, accounts).reduce(
        (all, one) => all + one.amount,
        0n,
      );
      expect(sum).toBe(0n);
    },
  );

  it("needs the account of each role with a balance", () => {
    const wanted = { contract_asset: 0n, contract_liability: 1n };
    const without = { ...accounts, contract_liability: null };
    expect(() => openingEntries(wanted, none, without)).toThrow("contract_liability");
  });
});
