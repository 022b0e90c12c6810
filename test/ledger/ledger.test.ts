/** The contract of the port, run for each ledger. */

import { builtinLedger } from "../../src/ledger/connectors/builtin/connector.ts";
import type { BookingIntent, BookOutcome } from "../../src/ledger/ledger.ts";
import { type Transaction, transaction } from "../../src/platform/database/transaction.ts";
import { accrual, danish } from "../support/documents/documents.ts";
import { openScriptedLedger } from "../support/ledger/scripted-ledger.ts";
import { openWorld } from "../support/world/world.ts";
import { describeLedger, type LedgerUnderTest } from "./contract.ts";

describeLedger("the built-in ledger", async (): Promise<LedgerUnderTest> => {
  const world = await openWorld();
  const { id } = await world.done("POST /customers", { name: "Acme A/S" });
  const account_id = world.services && world.account.account_id;
  if (!builtinLedger.transactional) throw new Error("the built-in ledger is transactional");
  const { books, within } = builtinLedger;
  const bookIn = async (tx: Transaction, intent: BookingIntent): Promise<BookOutcome> => {
    const [outcome] = await within(tx, account_id as never).ensureBooked([intent]);
    if (outcome === undefined) throw new Error("a booking has no outcome");
    return outcome;
  };
  const rolled_back = new Error("rolled back");
  return {
    document: { ...danish(), customer: { ...danish().customer, id } },
    voucher: { ...accrual(), customer: { id, name: "Acme A/S" } },
    book: (intent) => transaction(world.db, (tx) => bookIn(tx, intent)),
    find: (kind, guid) => books(world.db, account_id as never).find(kind, guid),
    async bookAndRollBack(intent) {
      await transaction(world.db, async (tx) => {
        await bookIn(tx, intent);
        throw rolled_back;
      }).catch((error) => {
        if (error !== rolled_back) throw error;
      });
    },
    close: () => world.close(),
  };
});

describeLedger("the scripted ledger, a simulator,", async (): Promise<LedgerUnderTest> => {
  const { connection } = openScriptedLedger();
  if (connection.transactional) throw new Error("the scripted ledger is an external one");
  const ledger = connection.connect("01990000-0000-7000-8000-000000000009" as never);
  const options = { signal: new AbortController().signal };
  return {
    document: danish(),
    voucher: accrual(),
    book: (intent) => ledger.ensureBooked(intent, options),
    find: (kind, guid) => ledger.find(kind, guid, options),
    close: async () => {},
  };
});
