/**
 * Documents in other currencies, booked in the simulation of Dinero, which converts them at its own rates. A switch decides where
 * it reports the value in kroner: with the document, only in lists, or nowhere.
 */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { completeSeller } from "../support/documents/seller.ts";
import { refusal } from "../support/http/refusal.ts";
import { useDineroWorld } from "../support/ledger/dinero/world.ts";
import type { Json } from "../support/world/world.ts";

const TODAY = "2026-11-20";
/** Dinero takes 7.46 and 6.4025. */
const OWN_RATE = 7.45;
const NOWHERE = { alone: false, in_lists: false };

const { world, simulation } = useDineroWorld({}, TODAY);
const product = world.made("POST /products", { name: "Advice", default_price: 1000 });
const german = world.made("POST /customers", {
  name: "Beispiel GmbH",
  street: "Hauptstr. 1",
  zip_code: "10115",
  city: "Berlin",
  country_key: "DE",
  vat_number: "DE136695976",
});
const american = world.made("POST /customers", { name: "Example Inc.", country_key: "US" });
beforeAll(async () => {
  await world.done(`PUT /exchange-rates/EUR/${TODAY}`, { rate: OWN_RATE });
  await world.done("PATCH /configuration", { seller: completeSeller });
});

const setKroner = (amounts_in_kroner: object) =>
  simulation().control("switches", { amounts_in_kroner });
afterEach(() => setKroner({ alone: true, in_lists: true }));

const draft = async (customer: Json, currency: string, agreed_value: number): Promise<string> => {
  const lines = [{ product_id: product.id, recognition_method: "value", agreed_value }];
  const body = { customer_id: customer.id, currency, auto_send: false, lines };
  return (await world.done("POST /invoices", body)).id;
};
const issue = (id: string) => world.rest(`POST /invoices/${id}/issue`);
const credit = (invoice: string) =>
  world.done("POST /credit-notes", {
    ...{ invoice, external_id: `credit-${invoice}`, kind: "full", credit_date: TODAY },
  });
const there = async (guid: string): Promise<string[]> =>
  (await simulation().books()).invoices
    .filter(({ Guid }) => Guid === guid)
    .map(({ Status }) => Status);
const reconciled = (): Promise<Json> => world.done("GET /ledger/reconciliation?month=2026-11");

describe.each([
  ["with the document", { alone: true, in_lists: true }],
  ["only in lists", { alone: false, in_lists: true }],
])("kroner that Dinero reports %s", (_where, amounts_in_kroner) => {
  it.each([
    ["EUR with an exchange rate", german, "EUR", 1000.01],
    ["USD without an exchange rate", american, "USD", 500.03],
  ])(
    "are stored for an invoice in %s and its credit note",
    async (_what, customer, currency, value) => {
      await setKroner(amounts_in_kroner);
      const id = await draft(customer, currency, value);

      expect(refusal(await issue(id))).toBe("200");
      const invoiced = await reconciled();
      await credit(id);

      expect(await there(id)).toEqual(["Booked"]);
      const credited = await reconciled();
      for (const { findings, accounts } of [invoiced, credited]) {
        expect(findings).toEqual([]);
        expect(accounts.map(({ difference }: Json) => difference)).toEqual(accounts.map(() => 0));
      }
      // The movement of the invoice is at Dinero's rate.
      const moved = ({ accounts }: Json) =>
        accounts.map((one: Json) => [one.ledger_account, one.moved_here]);
      expect(moved(invoiced)).not.toEqual(moved(credited));
    },
  );
});

describe("kroner that Dinero does not report", () => {
  it("stop an invoice without an exchange rate before it is booked", async () => {
    await setKroner(NOWHERE);
    const id = await draft(american, "USD", 70);

    const refused = await issue(id);

    expect(refusal(refused)).toBe("409 EXCHANGE_RATE_MISSING");
    expect(refused.body.error.details).toEqual({ currency: "USD", date: TODAY });
    expect(await there(id)).toEqual(["Draft"]);
    expect(await world.done(`GET /invoices/${id}`)).toMatchObject({ status: "draft" });
    await setKroner({ alone: false, in_lists: true });
    expect(refusal(await issue(id))).toBe("200");
    expect(await there(id)).toEqual(["Booked"]);
  });

  it("lead to differences that the comparison of the month explains, to the last øre", async () => {
    await setKroner(NOWHERE);
    const ids = [await draft(german, "EUR", 1000.01), await draft(german, "EUR", 20.5)];
    for (const id of ids) expect(refusal(await issue(id))).toBe("200");

    const { findings, accounts } = await reconciled();

    expect(findings).toMatchObject(
      ids.map((document_id) => ({ code: "other_rate", is_explained: true, document_id })),
    );
    // 1,000.01 at 7.46 is 7,460.07, and 7,450.07 at 7.45; 20.50 is 152.93 and 152.73.
    expect(findings.map(({ difference }: Json) => difference)).toEqual([-10, -0.2]);
    expect(accounts).toContainEqual(
      expect.objectContaining({ ledger_account: "1150", difference: -10.2 }),
    );
    const others = accounts.filter((one: Json) => one.ledger_account !== "1150");
    expect(others.map(({ difference }: Json) => difference)).toEqual(others.map(() => 0));
  });
});
