import { describe, expect, it } from "vitest";
import {
  compareAccounts,
  compareDocuments,
  type LocalDocument,
  type RemoteDocument,
} from "./reconciliation.ts";

const here = (
  guid: string,
  number: bigint | null,
  more: Partial<LocalDocument> = {},
): LocalDocument => ({
  kind: "invoice",
  document_id: guid,
  guid,
  number,
  date: "2026-03-10",
  gross: 12_500n,
  is_parked: false,
  has_other_rate: false,
  moved: null,
  ...more,
});
const there = (
  guid: string | null,
  number: bigint,
  more: Partial<RemoteDocument> = {},
): RemoteDocument => ({
  kind: "invoice",
  ledger_id: `L${number}`,
  guid,
  number,
  date: "2026-03-10",
  gross: 12_500n,
  stands: true,
  ...more,
});
const credit = { kind: "credit_note" } as const;
const voucher = { kind: "voucher", gross: null } as const;

describe("the documents of a month", () => {
  it("do not explain a booking that waits for a person", () => {
    const [waiting, parked] = [false, true].map((is_parked) =>
      compareDocuments([here("a", null, { is_parked })], [there("a", 1n)]),
    );
    expect(waiting).toMatchObject([{ code: "in_doubt", is_explained: true }]);
    expect(parked).toMatchObject([{ code: "in_doubt", is_explained: false }]);
  });

  it.each<[string, LocalDocument[], RemoteDocument[], [string, boolean, string | null][]]>([
    ["agree", [here("a", 1n), here("b", 2n)], [there("a", 1n), there("b", 2n)], []],
    [
      "agree by number where the ledger keeps no guid",
      [here("a", 7n, voucher)],
      [there(null, 7n, voucher)],
      [],
    ],
    ["lack one in the ledger", [here("a", 1n)], [], [["missing_there", false, "a"]]],
    ["lack one in the account", [], [there("a", 1n)], [["missing_here", false, "a"]]],
    [
      "were deleted in the ledger",
      [here("a", 1n)],
      [there("a", 1n, { stands: false })],
      [["deleted_there", false, "a"]],
    ],
    ["have another number", [here("a", 1n)], [there("a", 2n)], [["number_differs", false, "a"]]],
    [
      "have another total",
      [here("a", 1n)],
      [there("a", 1n, { gross: 1n })],
      [["total_differs", false, "a"]],
    ],
    [
      "have another date",
      [here("a", 1n)],
      [there("a", 1n, { date: "2026-03-11" })],
      [["date_differs", false, "a"]],
    ],
    ["are being booked", [here("a", null)], [there("a", 1n)], [["in_doubt", true, "a"]]],
    ["are not from this account", [], [there(null, 1n)], [["not_ours", true, null]]],
    [
      "were credited at another rate",
      [here("a", 1n, { ...credit, has_other_rate: true })],
      [there("a", 1n, credit)],
      [["other_rate", true, "a"]],
    ],
    [
      "have a gap in their numbers",
      [here("a", 1n), here("b", 4n)],
      [there("a", 1n), there("b", 4n)],
      [["number_gap", true, null]],
    ],
    [
      "of two kinds are numbered separately",
      [here("a", 1n), here("b", 1n, credit)],
      [there("a", 1n), there("b", 1n, credit)],
      [],
    ],
  ])("%s", (_what, local, remote, found) => {
    const findings = compareDocuments(local, remote);
    expect(findings.map((one) => [one.code, one.is_explained, one.document_id])).toEqual(found);
  });

  it("are reported by kind and number, with both sides", () => {
    const findings = compareDocuments(
      [here("v", 3n, voucher), here("c", 2n, credit), here("b", 2n), here("a", 1n)],
      [there("a", 9n)],
    );
    expect(
      findings.map(({ kind, document_id, number_here, number_there }) => [
        kind,
        document_id,
        number_here,
        number_there,
      ]),
    ).toEqual([
      ["invoice", "a", 1n, 9n],
      ["invoice", "b", 2n, null],
      ["credit_note", "c", 2n, null],
      ["voucher", "v", 3n, null],
    ]);
  });
});

describe("the accounts of a month", () => {
  it("are those to which we post, by number, with other movements on them as differences", () => {
    const local = new Map([
      ["10100", -100n],
      ["1000", -2_000n],
      ["6240", 0n],
    ]);
    const remote = new Map([
      ["1000", -2_500n],
      ["6240", 40n],
      ["55000", 9n],
    ]);
    expect(compareAccounts(local, remote)).toEqual([
      { ledger_account: "1000", here: -2_000n, there: -2_500n, difference: -500n },
      { ledger_account: "6240", here: 0n, there: 40n, difference: 40n },
      { ledger_account: "10100", here: -100n, there: 0n, difference: 100n },
    ]);
  });
});
