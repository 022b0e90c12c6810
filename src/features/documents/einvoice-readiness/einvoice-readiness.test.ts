/** Whether something could be sent as an e-invoice (spec 14.4): nothing is booked, sent or looked up by the question. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DnsServer, startDns, ZONE } from "../../../../test/support/einvoice/dnsmasq.ts";
import {
  DOCUMENT_TYPES,
  type Publisher,
  startPublisher,
} from "../../../../test/support/einvoice/publisher.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { openPrintingLedger } from "../../../../test/support/ledger/printing-ledger.ts";
import { lacks } from "../../../../test/support/run/needs.ts";
import {
  type Json,
  openWorld,
  useWorld,
  type World,
} from "../../../../test/support/world/world.ts";
import { builtinLedger } from "../../../ledger/connectors/builtin/connector.ts";

const GLN = "0088:5798009811578";
const SELLER = {
  name: "Nordlys ApS",
  street: "Vestergade 12",
  city: "Aarhus",
  vat_number: "25313763",
  iban: "DK5000400440116243",
};
const NOT_CONNECTED = "EINVOICE_NOT_CONNECTED";

/** Stores a seller, a customer and a product, and returns what makes a draft. */
async function prepare(world: World) {
  await world.done("PATCH /configuration", { seller: SELLER });
  const customer = await world.done("POST /customers", {
    name: "Ministeriet",
    send_method: "einvoice",
    ean_number: "5798009811578",
  });
  const product = await world.done("POST /products", { name: "Consulting", default_price: 1000 });
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const draft = (more: Json = {}): Promise<Json> =>
    world.done("POST /invoices", { customer_id: customer.id, auto_send: false, lines, ...more });
  return { customer, draft };
}

const fieldsOf = ({ missing }: Json): string[] => missing.map(({ field }: Json) => field);
const codesOf = ({ warnings }: Json): string[] => warnings.map(({ code }: Json) => code);

describe("the readiness", () => {
  const world = useWorld();
  const ready = (path: string): Promise<Json> => world.done(`GET ${path}/einvoice/readiness`);
  let sales: Awaited<ReturnType<typeof prepare>>;
  beforeAll(async () => {
    sales = await prepare(world);
  });

  it("of a draft is what is the case now, with the rule and what cures it", async () => {
    const { id } = await sales.draft();
    expect(await ready(`/invoices/${id}`)).toEqual({
      object: "einvoice_readiness",
      ready: false,
      format: "peppol-bis-3",
      receiver: { address: GLN, registered: "unknown", formats: [], looked_up_at: null },
      missing: [
        {
          field: "buyer_reference",
          rule: "PEPPOL-EN16931-R003",
          message: "The buyer's reference is missing: set it, or the buyer's order number.",
        },
      ],
      warnings: [{ code: NOT_CONNECTED, message: expect.any(String) }],
    });
    await world.done(`PATCH /invoices/${id}`, { buyer_reference: "Ida" });
    expect(await ready(`/invoices/${id}`)).toMatchObject({ ready: true, missing: [] });
  });

  it("of an issued invoice is of its frozen parties, to where e-invoices go now", async () => {
    const { id } = await sales.draft({ buyer_reference: "Ida" });
    await world.done(`POST /invoices/${id}/issue`);
    await world.done("PATCH /configuration", { seller: { ...SELLER, vat_number: null } });
    await world.done(`PATCH /customers/${sales.customer.id}`, { ean_number: null });
    const now = await ready(`/invoices/${id}`);
    const of_customer = await ready(`/customers/${sales.customer.id}`);
    await world.done("PATCH /configuration", { seller: SELLER });
    await world.done(`PATCH /customers/${sales.customer.id}`, { ean_number: "5798009811578" });
    expect([now.receiver, fieldsOf(now)]).toEqual([null, ["customer.einvoice_address"]]);
    expect(fieldsOf(of_customer)).toEqual([
      "seller.registration_number",
      "seller.einvoice_address",
      "customer.einvoice_address",
    ]);
  });

  it("of a credit note is that of its invoice's references", async () => {
    const { id } = await sales.draft();
    await world.done(`POST /invoices/${id}/issue`);
    const credit = { external_id: "c-1", invoice: id, kind: "full", credit_date: "2026-01-05" };
    const note = await world.done("POST /credit-notes", credit);
    expect(fieldsOf(await ready(`/credit-notes/${note.id}`))).toEqual(["buyer_reference"]);
  });

  it("warns of a missing account to pay to, and of a wrong IBAN", async () => {
    const { id } = await sales.draft();
    await world.done("PATCH /configuration", { seller: { ...SELLER, iban: null } });
    const without = await ready(`/invoices/${id}`);
    await world.done("PATCH /configuration", {
      seller: { ...SELLER, iban: "DK5000400440116244" },
    });
    const wrong = await ready(`/invoices/${id}`);
    await world.done("PATCH /configuration", { seller: SELLER });
    expect(codesOf(without)).toEqual([NOT_CONNECTED, "PAYMENT_ACCOUNT_MISSING"]);
    expect(codesOf(wrong)).toEqual([NOT_CONNECTED, "IBAN_INVALID"]);
  });

  it("of an account that charges the VAT of another country misses a Danish seller", async () => {
    const { id } = await sales.draft({ buyer_reference: "Ida" });
    await world.done(`POST /invoices/${id}/issue`);
    await world.done("PATCH /configuration", { vat: { domestic_country: "SE" } });
    const now = await ready(`/invoices/${id}`);
    const made = await world.rest(`GET /invoices/${id}/einvoice`);
    await world.done("PATCH /configuration", { vat: { domestic_country: "DK" } });
    expect(fieldsOf(now)).toEqual(["seller.country_key"]);
    expect(made.body.error).toMatchObject({
      code: "EINVOICE_INCOMPLETE",
      details: { missing: ["seller.country_key"] },
    });
  });

  it.each([
    ["by mail", { send_method: "email", einvoice_by_mail: true }, "factur-x", []],
    ["in OIOUBL", { einvoice_format: "oioubl-2.1" }, "oioubl-2.1", [NOT_CONNECTED]],
  ])(
    "of a customer who gets e-invoices %s has that format",
    async (_how, fields, format, codes) => {
      const { id } = await world.done("POST /customers", {
        name: "Bryggeriet",
        send_method: "einvoice",
        vat_number: "10150817",
        ...fields,
      });
      const found = await ready(`/customers/${id}`);
      expect(found).toMatchObject({ ready: true, format, receiver: { address: "0184:10150817" } });
      expect(codesOf(found)).toEqual(codes);
    },
  );
});

it("is 409 where the connected ledger sends the documents", async () => {
  const ledgers = new Map(
    [openPrintingLedger().connection, builtinLedger].map((one) => [one.kind, one]),
  );
  const world = await openWorld({ overrides: { ledgers } });
  try {
    await world.sql("update accounts set ledger_kind = 'printing'");
    const { customer, draft } = await prepare(world);
    const { id } = await draft();
    for (const path of [`/customers/${customer.id}`, `/invoices/${id}`]) {
      const reply = await world.rest(`GET ${path}/einvoice/readiness`);
      expect([path, refusal(reply)]).toEqual([path, "409 EINVOICE_BY_LEDGER"]);
    }
  } finally {
    await world.close();
  }
});

describe.skipIf(lacks("dnsmasq"))("the receiver of the readiness (needs dnsmasq)", () => {
  let publisher: Publisher;
  let dns: DnsServer;
  let world: World;
  let id: string;
  beforeAll(async () => {
    publisher = await startPublisher({ [GLN]: { types: [DOCUMENT_TYPES.invoice] } });
    dns = await startDns({ [GLN]: publisher.url });
    world = await openWorld({
      environment: {
        MATCHBOOK_EINVOICE_LOOKUP: ZONE,
        MATCHBOOK_EINVOICE_DNS: dns.address,
        MATCHBOOK_EINVOICE_HOSTS: publisher.host,
      },
    });
    const { draft } = await prepare(world);
    ({ id } = await draft({ buyer_reference: "Ida" }));
  });
  afterAll(async () => {
    await world?.close();
    await dns?.close();
    await publisher?.close();
  });

  it("is not looked up by it, and is what the last look-up found", async () => {
    const ready = () => world.done(`GET /invoices/${id}/einvoice/readiness`);
    const before = await ready();
    expect(publisher.asked).toEqual([]);
    expect(codesOf(before)).toEqual([NOT_CONNECTED, "RECEIVER_NOT_LOOKED_UP"]);
    const { looked_up_at } = await world.done(`GET /einvoice/receivers?address=${GLN}`);
    const after = await ready();
    expect(after.receiver).toEqual({
      address: GLN,
      registered: "yes",
      formats: ["peppol-bis-3"],
      looked_up_at,
    });
    expect(codesOf(after)).toEqual([NOT_CONNECTED]);
  });
});
