/**
 * The contract of the port, kept by the connector to Dinero on a simulation of its API. What is not published of Dinero is
 * a switch of the simulation, and what it decides is run both ways.
 */
import { describe } from "vitest";
import { dineroConnector } from "../../src/ledger/connectors/dinero/connector.ts";
import { documentBody } from "../../src/ledger/connectors/dinero/document-body.ts";
import { accrual, danish } from "../support/documents/documents.ts";
import { mapped } from "../support/ledger/bookings.ts";
import { openDineroSimulation, simulatedAccess } from "../support/ledger/dinero/simulation.ts";
import { plainLine } from "../support/ledger/plain-line.ts";
import { describeLedger, type LedgerUnderTest } from "./contract.ts";

const accounts = [
  mapped(1010, "DK25", "1000"),
  mapped(1150, "EU_SERVICES_RC", "1150"),
  mapped(8070, null, "63000"),
];

describe.each([
  ["as it is taken to be", {}],
  [
    "as it may also be",
    {
      vat_rounding: "half_even",
      ledger_item_ms: 30,
      ledger_item_id_is_voucher_guid: false,
      ledger_items_answer: "object",
      deleted_guid_is_free: false,
      balance_accounts_on_lines: false,
    },
  ],
])("Dinero %s:", (name, switches) => {
  describeLedger(`the Dinero connector on a simulation ${name}`, () => openUnderTest(switches));
});
describeLedger("the Dinero connector on a simulation that rounds VAT line by line", () =>
  openUnderTest({ vat_rounding: "per_line" }),
);

async function openUnderTest(switches: object): Promise<LedgerUnderTest> {
  const simulation = await openDineroSimulation();
  await simulation.control("switches", switches);
  const line = plainLine(simulatedAccess(simulation.origin));
  const ledger = dineroConnector.open(line);
  const options = { signal: new AbortController().signal };
  return {
    document: danish(),
    voucher: accrual(),
    accounts,
    book: (intent) => ledger.ensureBooked(intent, options),
    find: (kind, guid) => ledger.find(kind, guid, options),
    sweep: (kind, guid) => ledger.more.sweep(kind, guid, options),
    month: (month) => ledger.more.month(month, options),
    putCustomer: (customer) => ledger.more.putCustomer(customer, options),
    async leaveDraft(intent) {
      await ledger.find("invoice", intent.guid, options);
      const token = await line.tokens.get(async () => ({ state: "unauthorized" }));
      if (token.state !== "token") throw new Error("the look has asked for a token");
      await fetch(`${simulation.origin}/v1/270001/invoices`, {
        method: "POST",
        headers: { authorization: `Bearer ${token.access_token}` },
        body: JSON.stringify(documentBody(intent)),
      });
    },
    close: () => simulation.close(),
  };
}
