/** Entries of payments, reminders and opening items in the journal: numbers, repetitions, and what is refused. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  BANK,
  bookEntries,
  journalBooking,
  type Postings,
  paid,
} from "../../../../test/support/ledger/journal-entries.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import type { BookOutcome, JournalBooking } from "../../ledger.ts";
import { ACCOUNT_ROLES, RECEIVABLES } from "./chart.ts";

const world = useWorld();
let customer_id: string;
beforeAll(async () => {
  customer_id = (await world.done("POST /customers", { name: "Acme A/S" })).id;
});

const booking = (
  kind: JournalBooking["kind"],
  postings: Postings,
  change: Partial<JournalBooking["document"]> = {},
) => journalBooking(kind, customer_id, postings, change);
const book = (...bookings: readonly JournalBooking[]) => bookEntries(world, ...bookings);

const numbersOf = (outcomes: readonly BookOutcome[]) =>
  outcomes.map((one) => (one.state === "booked" ? one.number : one.state));

const entryOf = async ({ guid }: { readonly guid: string }) =>
  (await world.done("GET /ledger/entries?limit=100")).data.find(
    (one: { guid: string }) => one.guid === guid,
  );

describe("entries of payments, reminders and opening items", () => {
  it("have numbers of their own kind, in the order in which they are given", async () => {
    const mixed = [
      booking("payment", paid(100n)),
      booking("opening", paid(1n)),
      booking("payment", paid(200n)),
      booking("reminder", paid(2n)),
    ];
    expect(numbersOf(await book(...mixed))).toEqual([1n, 1n, 2n, 1n]);
    expect(numbersOf(await book(booking("payment", paid(300n))))).toEqual([3n]);
    const { data } = await world.done("GET /ledger/entries?limit=100");
    expect(data.map(({ kind, number }: Record<string, unknown>) => `${kind} ${number}`)).toEqual([
      "payment 1",
      "opening 1",
      "payment 2",
      "reminder 1",
      "payment 3",
    ]);
  });

  it("are the same booking under the same guid, and a conflict with other content", async () => {
    const first = booking("payment", paid(400n));
    expect(numbersOf(await book(first))).toEqual([4n]);
    const next = booking("payment", paid(500n));
    expect(numbersOf(await book(first, next))).toEqual([4n, 5n]);
    const other = { ...booking("payment", paid(1n)), guid: first.guid };
    expect(await book(other)).toEqual([{ state: "rejected", code: "GUID_CONFLICT" }]);
  });

  it.each<[string, Postings]>([
    ["is empty", []],
    ["does not balance", [...paid(100n), [BANK, 1n]]],
  ])("are not made where one %s, and take no number", async (_, postings) => {
    const outcomes = await book(booking("reminder", postings), booking("reminder", paid(7n)));
    expect(outcomes[0]).toEqual({ state: "rejected", code: "VALIDATION" });
    const [, booked] = numbersOf(outcomes);
    expect(numbersOf(await book(booking("reminder", paid(8n))))).toEqual([(booked as bigint) + 1n]);
  });

  it("keep what they reverse, their customers, and amounts in the currency of the item", async () => {
    const original = booking("payment", [
      [BANK, 1_250_00n],
      [RECEIVABLES, -1_000_00n],
      [ACCOUNT_ROLES.customer_credit, -250_00n],
    ]);
    const reversal = booking("payment", paid(-5n), { reverses_guid: original.guid });
    const in_euro = booking(
      "payment",
      [
        [BANK, 2_485_00n, 333_33n],
        [ACCOUNT_ROLES.exchange_difference, 1_64n, 0n],
        [RECEIVABLES, -2_486_64n, -333_33n],
      ],
      { currency: "EUR" },
    );
    await book(original, reversal, in_euro);
    const shown = await entryOf(original);
    expect(shown).toMatchObject({ reverses_guid: null, currency: "DKK", text: "A payment" });
    expect(
      shown.postings.map((one: Record<string, unknown>) => [one.account_number, one.customer_id]),
    ).toEqual([
      [BANK, null],
      [RECEIVABLES, customer_id],
      [ACCOUNT_ROLES.customer_credit, customer_id],
    ]);
    expect(await entryOf(reversal)).toMatchObject({ reverses_guid: original.guid });
    expect(await entryOf(in_euro)).toMatchObject({
      currency: "EUR",
      postings: [
        { debit: 2485, currency_amount: 333.33 },
        { debit: 1.64, currency_amount: 0 },
        { credit: 2486.64, currency_amount: -333.33 },
      ],
    });
  });

  it("leave books that verify, and numbers that a check compares with their own series", async () => {
    const { checks } = await world.done("GET /ledger/verification?fresh=true");
    const faulty = checks.filter((one: { ok: boolean }) => !one.ok);
    // These entries have neither open items nor letters, which only the features of receivables and reminders make.
    const missing = ["documents", "receivables"];
    expect(faulty.map(({ name }: { name: string }) => name)).toEqual(missing);
    const { account_id } = world.account;
    await world.sql(
      "update ledger_books set next_payment_number = next_payment_number - 1 where account_id = $1",
      [account_id],
    );
    const again = await world.done("GET /ledger/verification?fresh=true");
    const numbers = again.checks.find(({ name }: { name: string }) => name === "numbers");
    expect(numbers.faults).toEqual([
      { at: expect.stringMatching(/^payment \d+$/), what: "the number has not been given out yet" },
    ]);
    await world.sql(
      "update ledger_books set next_payment_number = next_payment_number + 1 where account_id = $1",
      [account_id],
    );
  });
});
