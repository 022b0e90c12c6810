/**
 * The contract of the port, run for the Dinero connector on a simulation of its API. Unpublished behaviour of Dinero is
 * a switch of the simulation, and its effect is tested in both positions.
 */
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { dineroConnector } from "../../src/ledger/connectors/dinero/connector.ts";
import { documentBody } from "../../src/ledger/connectors/dinero/draft-document.ts";
import { accrual, danish, reverseCharge } from "../support/documents/documents.ts";
import { documentBooking, mapped } from "../support/ledger/bookings.ts";
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
      deleted_look: "shown",
      balance_accounts_on_lines: false,
      amounts_in_kroner: { alone: false, in_lists: true },
      error_keys: "errorMessageList",
    },
  ],
])("Dinero %s:", (name, switches) => {
  describeLedger(`the Dinero connector on a simulation ${name}`, () => openUnderTest(switches));
});
describeLedger("the Dinero connector on a simulation that rounds VAT line by line", () =>
  openUnderTest({
    vat_rounding: "per_line",
    error_keys: "languageSpecificMessages",
    deleted_guid_is_free: false,
    deleted_look: "no_document",
  }),
);

describe("the Dinero connector on a simulation, under both assumptions", () => {
  const looked = async (switches: object, change: object = {}) => {
    const ledger = await openUnderTest(switches, change);
    try {
      return await ledger.find("invoice", randomUUID());
    } finally {
      await ledger.close();
    }
  };

  it.each([
    ["with", 7, 7_000],
    // The limit is per minute.
    ["without", null, 60_000],
  ])(
    "starts nothing above the limit, %s Retry-After",
    async (_how, retry_after, retry_after_ms) => {
      // A window in which a second request is too many.
      const switches = { limit: 1, limit_window_ms: 3_600_000, retry_after };
      const ledger = await openUnderTest(switches);
      await ledger.find("invoice", randomUUID());
      expect(await ledger.find("invoice", randomUUID())).toMatchObject({
        state: "not_started",
        reason: "rate_limited",
        retry_after_ms,
      });
      await ledger.close();
    },
  );

  it.each([48, 90])(
    "distinguishes a plan without calls, code %d, from wrong credentials",
    async (no_plan_code) => {
      expect(await looked({ no_plan_code }, { IsPro: false })).toMatchObject({
        state: "unauthorized",
        reason: "subscription",
      });
    },
  );

  it.each([
    ["with the document", { alone: true, in_lists: true }],
    ["only in lists", { alone: false, in_lists: true }],
  ])(
    "returns the rate and the kroner of a document in euro, reported %s",
    async (_where, amounts_in_kroner) => {
      const ledger = await openUnderTest({ amounts_in_kroner });
      const booked = await ledger.book(
        documentBooking({ ...reverseCharge(), document_id: randomUUID() }, [
          mapped(1010, "EU_SERVICES_RC", "1150"),
        ]),
      );
      expect(booked).toMatchObject({ state: "booked", functional: { rate_micro: 7_460_000n } });
      await ledger.close();
    },
  );
});

async function openUnderTest(
  switches: object,
  organisation: object = {},
): Promise<LedgerUnderTest> {
  const simulation = await openDineroSimulation();
  await simulation.control("switches", switches);
  await simulation.control("organisation", organisation);
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
