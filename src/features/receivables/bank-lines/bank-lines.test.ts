/** The reading of bank lines over REST (spec 13.5). */
import { beforeAll, describe, expect, it } from "vitest";
import { type CamtEntry, camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();
const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";

const entries: CamtEntry[] = [
  {
    amount: "7460.00",
    day: "2026-03-02",
    text: "Faktura 47",
    reference: "RF9347",
    counterparty: "Nordlys ApS",
    counterparty_iban: "DE89370400440532013000",
    end_to_end_id: "E-1",
    instructed: "EUR 1000.00",
  },
  { amount: "-8000.00", day: "2026-03-03", text: "=Husleje marts", counterparty: "Udlejer" },
  { amount: "0.50", day: "2026-04-01", text: "Rente" },
];

let bank: Json;
let statement: Json;
beforeAll(async () => {
  [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
  const iban = "DE89 3704 0044 0532 0130 00";
  const second = { name: "Euro", currency: "EUR", ledger_account: 6485, iban, external_id: "euro" };
  await world.done("POST /bank-accounts", second);
  [statement] = (await sendBankFile(world, camt({ entries }))).body.statements;
  const in_euro = [{ amount: "12.00", day: "2026-03-02", text: "Nordlys" }];
  await sendBankFile(world, camt({ iban, currency: "EUR", entries: in_euro }));
});

const listed = async (query = ""): Promise<Json[]> =>
  (await world.done(`GET /bank-lines?limit=100${query}`)).data;
const textsOf = async (query: string) => (await listed(query)).map(({ text }) => text);

describe("GET /bank-lines", () => {
  it("has all that the bank says of a line", async () => {
    const line = (await listed()).find(({ text }) => text === "Faktura 47");
    expect(line).toEqual({
      object: "bank_line",
      id: expect.any(String),
      bank_statement_id: statement.id,
      bank_account_id: bank.id,
      date: "2026-03-02",
      value_date: "2026-03-02",
      amount: 7460,
      currency: "DKK",
      instructed_amount: 1000,
      instructed_currency: "EUR",
      text: "Faktura 47",
      reference: "RF9347",
      end_to_end_id: "E-1",
      counterparty: { name: "Nordlys ApS", account: "DE89370400440532013000" },
      state: "open",
      payment_id: null,
      ignored_reason: null,
    });
    expect(await world.done(`GET /bank-lines/${line?.id}`)).toEqual(line);
  });

  it.each([
    ["", ["Nordlys", "Rente", "=Husleje marts", "Faktura 47"]],
    ["&bank_account=ext:euro", ["Nordlys"]],
    ["&from=2026-03&to=2026-03", ["Nordlys", "=Husleje marts", "Faktura 47"]],
    ["&from=2026-03-03", ["Rente", "=Husleje marts"]],
    ["&search=nordlys", ["Nordlys", "Faktura 47"]],
    ["&search=rf93", ["Faktura 47"]],
    ["&state=open&search=udlejer", ["=Husleje marts"]],
    ["&state=booked", []],
    ["&state=ignored", []],
    [`&bank_account=${UNKNOWN_ID}`, []],
  ])("filters by %j", async (query, texts) => expect(await textsOf(query)).toEqual(texts));

  it("goes page by page", async () => {
    const first = await world.done("GET /bank-lines?limit=3");
    const rest = await world.done(`GET /bank-lines?limit=3&cursor=${first.next_cursor}`);
    expect([...first.data, ...rest.data]).toEqual(await listed());
    expect(rest.has_more).toBe(false);
  });

  it("of another account has none of them", async () => {
    const { keys } = await world.openAnother();
    const list = await world.done("GET /bank-lines", undefined, keys.read);
    expect(list.data).toEqual([]);
    const [line] = await listed();
    const reply = await world.rest(`GET /bank-lines/${line?.id}`, undefined, keys.read);
    expect(refusal(reply)).toBe("404 NOT_FOUND");
  });
});

it("GET /bank-lines.csv has the same lines, with amounts that add up to the balance", async () => {
  const file = String(await world.done(`GET /bank-lines.csv?bank_account=${bank.id}`));
  const [heads = "", ...rows] = file.trim().split("\r\n");
  const at = heads.split(",").indexOf("amount");
  expect(rows.map((row) => row.split(",")[at])).toEqual(["0.50", "-8000.00", "7460.00"]);
  expect(file).toContain(`'=Husleje marts`);
  const other = String(await world.done("GET /bank-lines.csv?bank_account=ext:euro"));
  expect(other.trim().split("\r\n")).toHaveLength(2);
});
