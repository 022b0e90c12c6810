/** GET /ledger/vat-report: the figures to file, from the booked documents. */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

let swede: Json;
let german: Json;
const invoices: Json = {};

const INVALID = "422 VALIDATION_FAILED";

const world = useWorld();
beforeAll(async () => {
  await world.done("PATCH /configuration", {
    default_auto_send: false,
    seller: { vat_number: "25313763" },
  });
  await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
  const customer = (fields: Json) =>
    world.done("POST /customers", { street: "Havnegade 44", city: "Odense", ...fields });
  const product = (name: string, account_number?: number) =>
    world.done("POST /products", { name, ...(account_number && { account_number }) });
  const [dane, american] = [
    await customer({ name: "Acme A/S", vat_number: "12345674" }),
    await customer({ name: "Acme Inc.", country_key: "US" }),
  ];
  swede = await customer({ name: "Lund AB", country_key: "SE", vat_number: "SE556677889901" });
  german = await customer({ name: "Berg", country_key: "DE", vat_number: "136 695 976" });
  const [advice, goods] = [await product("Advice"), await product("Goods", 1050)];
  await world.done("PATCH /ledger/accounts/1300", { vat_code: "DK_RC" });
  const scrap = await product("Scrap", 1300);
  const issue = async (name: string, who: Json, issue_date: string, lines: Json[], fields = {}) => {
    const { id } = await world.done("POST /invoices", {
      customer_id: who.id,
      issue_date,
      lines: lines.map(([sold, agreed_value]) => ({
        product_id: sold.id,
        recognition_method: "value",
        agreed_value,
      })),
      ...fields,
    });
    invoices[name] = await world.done(`POST /invoices/${id}/issue`);
  };
  await issue("home", dane, "2026-01-31", [[advice, 1000]]);
  await issue("swede", swede, "2026-02-01", [
    [advice, 100],
    [goods, 200],
  ]);
  await issue("euro", german, "2026-02-28", [[advice, 1000]], { currency: "EUR" });
  await issue("abroad", american, "2026-02-10", [[advice, 50]]);
  await issue("scrap", { ...dane }, "2026-02-10", [[scrap, 7]]);
  await issue("later", dane, "2026-03-01", [[advice, 10]]);
  await world.done("POST /credit-notes", {
    external_id: "part",
    invoice: invoices.swede.id,
    kind: "partial",
    credit_date: "2026-03-05",
    lines: [{ invoice_line_id: invoices.swede.lines[0].id, amount: 40 }],
  });
});

const report = (query: string): Promise<Json> => world.done(`GET /ledger/vat-report?${query}`);

describe("GET /ledger/vat-report", () => {
  it("has the boxes of the return and the list of sales to the EU, in the currency of the books", async () => {
    expect(await report("from=2026-02&to=2026-02")).toEqual({
      object: "vat_report",
      from: "2026-02-01",
      to: "2026-02-28",
      boxes: { sales_vat: 0, eu_goods: 200, eu_services: 7560, other_exempt: 57 },
      eu_sales: [
        { vat_number: "DE136695976", customer_id: german.id, goods: 0, services: 7460 },
        { vat_number: "SE556677889901", customer_id: swede.id, goods: 200, services: 100 },
      ],
    });
  });

  it.each([
    ["a day", "from=2026-01-31&to=2026-01-31", { sales_vat: 250 }],
    ["the day before", "from=2026-01-30&to=2026-01-30", { sales_vat: 0 }],
    ["a month and a day", "from=2026-01&to=2026-02-01", { sales_vat: 250, eu_services: 100 }],
    ["a quarter", "from=2026-01&to=2026-03", { sales_vat: 252.5, eu_services: 7520 }],
    [
      "only the month of the credit",
      "from=2026-03&to=2026-03",
      { sales_vat: 2.5, eu_services: -40 },
    ],
    ["a time without bookings", "from=2025-01&to=2025-12", { sales_vat: 0, eu_goods: 0 }],
  ])("counts by the date of the entry: %s", async (_what, query, boxes) => {
    expect((await report(query)).boxes).toMatchObject(boxes);
  });

  it("reports a customer who has changed since with the data on the documents", async () => {
    const before = await report("from=2026-02&to=2026-02");
    await world.done(`PATCH /customers/${swede.id}`, { country_key: "DK", vat_number: null });
    expect(await report("from=2026-02&to=2026-02")).toEqual(before);
  });

  it("shows the documents of each figure on request", async () => {
    const { documents, eu_sales, boxes } = await report(
      "from=2026-02&to=2026-03&include=documents",
    );
    const note = await world.done("GET /credit-notes/ext:part");
    const reported = (rows: Json[]) =>
      rows.map((row) => [row.kind, row.number, row.date, row.document_id, row.amount]);
    const [swedish, euro] = [invoices.swede, invoices.euro];
    const services = [
      ["invoice", swedish.ledger_invoice_number, "2026-02-01", swedish.id, 100],
      ["invoice", euro.ledger_invoice_number, "2026-02-28", euro.id, 7460],
      ["credit_note", note.ledger_credit_note_number, "2026-03-05", note.id, -40],
    ];
    expect(reported(documents.eu_services)).toEqual(services);
    expect(reported(eu_sales[0].documents)).toEqual([services[1]]);
    expect(
      reported(eu_sales[1].documents)
        .map((row) => row[4])
        .toSorted(),
    ).toEqual([-40, 100, 200]);
    for (const [box, rows] of Object.entries<Json[]>(documents)) {
      expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(boxes[box]);
    }
  });

  it("warns of numbers under which old documents were issued, and no new one would be", async () => {
    const listed = async (is: string) => {
      const trigger = "trigger issued_documents_append_only";
      await world.sql(`alter table issued_documents disable ${trigger}`);
      await world.sql(
        `update issued_documents set snapshot = jsonb_set(snapshot::jsonb, '{customer,vat_number}', $1::jsonb)::text
         where document_id = $2`,
        [is, invoices.euro.id],
      );
      await world.sql(`alter table issued_documents enable ${trigger}`);
      const { eu_sales } = await report("from=2026-02&to=2026-02");
      const { vat_number, warnings } = eu_sales.find(
        (sale: Json) => sale.customer_id === german.id,
      );
      expect(eu_sales.find((sale: Json) => sale.customer_id === swede.id).warnings).toBeUndefined();
      return [vat_number, ...(warnings ?? []).map((one: Json) => [one.code, one.message])];
    };
    const uncertain = (what: string) => [
      "BUYER_NUMBER_DOUBTFUL",
      `The customer's VAT number ${what}.`,
    ];

    expect(await listed('"DE136695977"')).toEqual([
      "DE136695977",
      uncertain("has a wrong check digit"),
    ]);
    expect(await listed('"DE123"')).toEqual([
      "DE123",
      uncertain("does not have the format of its country"),
    ]);
    expect(await listed('"DE136695976"')).toEqual(["DE136695976"]);
    expect(await listed("null")).toEqual([
      null,
      [
        "BUYER_NUMBER_MISSING",
        "The list needs the customer's VAT number, and the documents have none.",
      ],
    ]);
  });

  it("is empty for books in another currency", async () => {
    const { keys } = await world.openAnother();
    const others = await world.rest(
      "GET /ledger/vat-report?from=2026-01&to=2026-12",
      undefined,
      keys.read,
    );
    expect(others.body).toMatchObject({ boxes: { sales_vat: 0 }, eu_sales: [] });
  });

  it.each([
    ["", `${INVALID} from required, to required`],
    ["from=2026-01", `${INVALID} to required`],
    ["from=2026-13&to=2026-12", `${INVALID} from invalid_format`],
    ["from=2026&to=2026-12", `${INVALID} from invalid_format`],
    ["from=2026-02&to=2026-01", `${INVALID} to too_small`],
    ["from=2026-01&to=2026-02&include=lines", `${INVALID} include invalid_value`],
  ])("refuses %j", async (query, expected) => {
    expect(refusal(await world.rest(`GET /ledger/vat-report?${query}`))).toBe(expected);
  });
});

describe("GET /ledger/entries", () => {
  it("states VAT codes, the amounts in the document's currency, and when and by whom it was booked", async () => {
    const { data } = await world.done("GET /ledger/entries?limit=100");
    const entry = data.find(({ guid }: Json) => guid === invoices.euro.id);
    const [key] = (await world.sql("select id from api_keys where scope = 'read_write'")) as Json[];
    expect(entry).toMatchObject({
      currency: "EUR",
      registered_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      actor: { kind: "api_key", id: key.id },
      postings: [
        { account_number: 6190, debit: 7460, credit: 0, vat_code: null, currency_amount: 1000 },
        {
          account_number: 1150,
          debit: 0,
          credit: 7460,
          vat_code: "EU_SERVICES_RC",
          currency_amount: -1000,
        },
      ],
    });
  });
});
