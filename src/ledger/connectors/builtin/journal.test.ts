/** The statement that appends entries refuses what the deferred triggers would refuse only at the commit. */
import { describe, expect, it } from "vitest";
import { useWorld } from "../../../../test/support/world/world.ts";
import type { AccountId } from "../../../domain/base/brand.ts";
import { databaseErrorCode } from "../../../platform/database/database.ts";
import { rolledBack } from "../../../platform/database/transaction.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { OUTPUT_VAT, RECEIVABLES } from "./chart.ts";
import { appendEntries } from "./journal.ts";

const world = useWorld();
const NO_HASH = Buffer.alloc(32);

type Entries = Parameters<typeof appendEntries>[3];

/** A voucher with postings of these amounts, in minor units. */
function voucher(amounts: readonly bigint[]): Entries[number] {
  const document = { kind: "voucher", issue_date: "2026-03-01", reverses_guid: null };
  const booking = { kind: "voucher", guid: newId(), payload_hash: NO_HASH, requested_by: "test" };
  return {
    entry_no: 900n,
    number: 900n,
    intent: { ...booking, document, accounts: {} } as unknown as Entries[number]["intent"],
    text: "by hand",
    currency: "DKK",
    rate_micro: null,
    postings: amounts.map((amount, index) => ({
      account_number: index === 0 ? RECEIVABLES : OUTPUT_VAT,
      amount,
      currency_amount: amount,
      vat_code: null,
      customer_id: null,
    })),
  };
}

describe("entries that are appended", () => {
  it.each([
    ["do not balance", [100n, -99n], "MB003"],
    ["are a voucher without postings", [], "MB003"],
    ["balance", [100n, -100n], undefined],
  ])("before the commit, where they %s", async (_, amounts, code) => {
    let refused: string | undefined;
    const work = rolledBack(world.db, async (tx) => {
      await appendEntries(tx, world.account.account_id as AccountId, NO_HASH, [voucher(amounts)]);
      refused = await tx.settled().then(() => undefined, databaseErrorCode);
    });
    expect(await work.then(() => undefined, databaseErrorCode)).toBe(code);
    expect(refused).toBe(code);
  });
});
