/**
 * The connector to Tryton against a real server: the contract of the port, what is particular to Tryton, and the faults of
 * the way to it.
 */
import { trytonConnector } from "../../src/ledger/connectors/tryton/connector.ts";
import type { MappedAccount } from "../../src/ledger/ledger.ts";
import { accrual, danish } from "../support/documents/documents.ts";
import { plainLine } from "../support/ledger/plain-line.ts";
import { openTryton, type TrytonBooks } from "../support/ledger/tryton/open-tryton.ts";
import { whyNoTryton } from "../support/ledger/tryton/program.ts";
import { describeLedger, type LedgerUnderTest } from "./contract.ts";

const account = (
  account_number: number,
  vat_code: MappedAccount["vat_code"],
  ledger_vat_code: string | null,
): MappedAccount => ({
  account_number,
  vat_code,
  ledger_account: String(account_number),
  ledger_vat_code,
});
const accounts = [
  account(1010, "DK25", "U25"),
  account(1150, "EU_SERVICES_RC", "U0"),
  account(8070, null, null),
];
const options = { signal: new AbortController().signal };

describeLedger(
  "the Tryton connector on a real Tryton",
  async () => underTest(await openTryton()),
  whyNoTryton(),
);

/** One call that writes after the other, as the product makes them for a ledger that takes one at a time. */
function underTest(books: TrytonBooks): LedgerUnderTest {
  const line = plainLine(books);
  const ledger = trytonConnector.open(line);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(call: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(call);
    last = turn.catch(() => {});
    return turn;
  };
  return {
    document: danish(),
    voucher: accrual(),
    accounts,
    // Each is fifteen calls, and renders a report there.
    at_once: 4,
    book: (intent) => inTurn(() => ledger.ensureBooked(intent, options)),
    find: (kind, guid) => ledger.find(kind, guid, options),
    sweep: (kind, guid) => ledger.more.sweep(kind, guid, options),
    putCustomer: (customer) => ledger.more.putCustomer(customer, options),
    close: () => books.close(),
  };
}
