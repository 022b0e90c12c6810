/** The contract of the port, run against each ledger that there is. */
import { builtinLedger } from "../../src/ledger/connectors/builtin/connector.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { sqlOf, transaction } from "../../src/platform/database/transaction.ts";
import { danish } from "../support/documents/documents.ts";
import { openScriptedLedger } from "../support/ledger/scripted-ledger.ts";
import { openWorld } from "../support/world/world.ts";
import { describeLedger, type LedgerUnderTest } from "./contract.ts";

describeLedger("the built-in ledger", async (): Promise<LedgerUnderTest> => {
  const world = await openWorld();
  const { id } = await world.done("POST /customers", { name: "Acme A/S" });
  const account_id = world.services && world.account.account_id;
  const within = (db: Database) => {
    if (!builtinLedger.transactional) throw new Error("the built-in ledger is transactional");
    return builtinLedger.within(sqlOf(db), account_id as never);
  };
  const options = { signal: new AbortController().signal };
  const taken_back = new Error("taken back");
  return {
    document: { ...danish(), customer: { ...danish().customer, id } },
    book: (intent) => transaction(world.db, (db) => within(db).ensureBooked(intent, options)),
    find: (kind, guid) => within(world.db).find(kind, guid, options),
    async bookAndRollBack(intent) {
      await transaction(world.db, async (db) => {
        await within(db).ensureBooked(intent, options);
        throw taken_back;
      }).catch((error) => {
        if (error !== taken_back) throw error;
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
    book: (intent) => ledger.ensureBooked(intent, options),
    find: (kind, guid) => ledger.find(kind, guid, options),
    close: async () => {},
  };
});
