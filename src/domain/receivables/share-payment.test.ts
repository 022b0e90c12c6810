/** How a payment is shared among items. */
import { expect, it } from "vitest";
import { type AskedShare, sharesOf } from "./share-payment.ts";

function open(amount: bigint, named: bigint | null = null, rounding = 0n): AskedShare {
  return { amount: named, rounding, open: amount };
}

it.each<[string, bigint, AskedShare[], bigint[], bigint]>([
  ["all of one item", 1_000n, [open(1_000n)], [1_000n], 0n],
  [
    "in the order given",
    2_600n,
    [open(1_000n), open(1_000n), open(1_000n)],
    [1_000n, 1_000n, 600n],
    0n,
  ],
  ["nothing of the last where it is used up", 500n, [open(500n), open(300n)], [500n, 0n], 0n],
  ["named amounts first", 1_000n, [open(1_000n), open(900n, 400n)], [600n, 400n], 0n],
  ["with a rounding", 9_995n, [open(10_000n, null, 5n)], [9_995n], 0n],
  ["with something left", 1_250n, [open(1_000n)], [1_000n], 250n],
  ["named amounts above the payment", 300n, [open(500n, 400n)], [400n], -100n],
  ["nothing of an item that is closed", 100n, [open(0n), open(100n)], [0n, 100n], 0n],
])("%s", (_name, amount, asked, amounts, remainder) => {
  expect(sharesOf(amount, asked)).toEqual({ amounts, remainder });
});
