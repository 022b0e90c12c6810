/** Bank accounts over REST (spec 13.1). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();
const INVALID = "422 VALIDATION_FAILED";
let first: Json;
beforeAll(async () => {
  [first] = (await world.done("GET /bank-accounts")).data;
});

const profile = {
  encoding: "windows-1252",
  delimiter: ";",
  skip_lines: 1,
  has_header: true,
  decimal: ",",
  date_format: "dd-MM-yyyy",
  columns: { date: "Dato", text: ["Tekst", 4], amount: "Beløb", balance: "Saldo" },
};

describe("GET /bank-accounts", () => {
  it("has one of a new account, which is the default", async () => {
    expect(first).toEqual({
      object: "bank_account",
      id: expect.any(String),
      external_id: null,
      name: "Bank",
      currency: "DKK",
      ledger_account: 6480,
      iban: null,
      registration_number: null,
      account_number: null,
      is_default: true,
      active: true,
      csv_profile: null,
      statements_through: null,
    });
  });

  it("lists inactive ones only when they are asked for", async () => {
    const closed = { name: "Closed", ledger_account: 6481, active: false, external_id: "closed" };
    const { id } = await world.done("POST /bank-accounts", closed);
    const idsOf = async (query: string): Promise<string[]> =>
      (await world.done(`GET /bank-accounts${query}`)).data.map((row: Json) => row.id);
    expect(await idsOf("")).not.toContain(id);
    expect(await idsOf("?active=false")).toEqual([id]);
    expect(await idsOf("?active=all&external_id=closed")).toEqual([id]);
  });
});

describe("POST /bank-accounts", () => {
  it("keeps what is sent, and makes the account of the books", async () => {
    const sent = {
      external_id: "eur",
      name: "Euro",
      currency: "EUR",
      ledger_account: 6485,
      iban: "de89 3704 0044 0532 0130 00",
      registration_number: "0040",
      account_number: "0440116243",
      csv_profile: profile,
    };
    const reply = await world.rest("POST /bank-accounts", sent);
    expect(reply.status).toBe(201);
    const stored = { is_default: false, active: true, statements_through: null };
    expect(reply.body).toMatchObject({ ...sent, ...stored, iban: "DE89370400440532013000" });
    const { data } = await world.done("GET /ledger/accounts?limit=100");
    expect(data.find(({ number }: Json) => number === 6485)).toMatchObject({ type: "asset" });
    expect((await world.rest("POST /bank-accounts", sent)).status).toBe(200);
    const other = await world.rest("POST /bank-accounts", { ...sent, name: "Other" });
    expect(refusal(other)).toBe("409 EXTERNAL_ID_CONFLICT");
  });

  it.each<[string, Json, string]>([
    ["a wrong check digit", { iban: "DK51 0040 0440 1162 43" }, "iban invalid_value"],
    ["an IBAN that is too short", { iban: "DK50 0040 0440 1162" }, "iban invalid_value"],
    ["the receivables", { ledger_account: 6190 }, "ledger_account not_allowed"],
    ["the VAT", { ledger_account: 7680 }, "ledger_account not_allowed"],
    ["the account of a role", { ledger_account: 6240 }, "ledger_account not_allowed"],
    ["an income account", { ledger_account: 1150 }, "ledger_account not_allowed"],
    ["no account of the books", { ledger_account: undefined }, "ledger_account required"],
    ["an inactive default", { is_default: true, active: false }, "is_default not_allowed"],
    [
      "amounts twice",
      { csv_profile: { columns: { date: 1, text: [2], amount: 3, debit: 4 } } },
      "csv_profile.columns.amount not_allowed",
    ],
    [
      "a form of dates that is none",
      { csv_profile: { ...profile, date_format: "d MMM" } },
      "csv_profile.date_format invalid_value",
    ],
    [
      "column 0",
      { csv_profile: { columns: { date: 0, text: [2], amount: 3 } } },
      "csv_profile.columns.date too_small",
    ],
  ])("refuses %s", async (_, fields, expected) => {
    const reply = await world.rest("POST /bank-accounts", {
      name: "Refused",
      ledger_account: 6488,
      ...fields,
    });
    expect(refusal(reply)).toBe(`${INVALID} ${expected}`);
  });
});

describe("PATCH /bank-accounts/{ref}", () => {
  it("moves the default to another account in one step", async () => {
    const { id } = await world.done("POST /bank-accounts", { name: "Main", ledger_account: 6482 });
    expect(await world.done(`PATCH /bank-accounts/${id}`, { is_default: true })).toMatchObject({
      is_default: true,
    });
    expect(await world.done(`GET /bank-accounts/${first.id}`)).toMatchObject({ is_default: false });
    const created = { name: "Newest", ledger_account: 6483, is_default: true };
    const newest = await world.done("POST /bank-accounts", created);
    expect(await world.done(`GET /bank-accounts/${id}`)).toMatchObject({ is_default: false });
    const { data } = await world.done("GET /audit-events?limit=2");
    const changes = data.map(({ resource_id, action }: Json) => [resource_id, action]);
    expect(changes.sort()).toEqual(
      [
        [id, "updated"],
        [newest.id, "created"],
      ].sort(),
    );
  });

  it("has one default after many changes at once", async () => {
    const made = await Promise.all(
      [1, 2, 3, 4].map((n) =>
        world.done("POST /bank-accounts", { name: `At once ${n}`, ledger_account: 6490 + n }),
      ),
    );
    const replies = await Promise.all([
      ...made.map(({ id }) => world.rest(`PATCH /bank-accounts/${id}`, { is_default: true })),
      world.rest("POST /bank-accounts", { name: "Too", ledger_account: 6495, is_default: true }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201]);
    const { data } = await world.done("GET /bank-accounts?limit=100");
    expect(data.filter(({ is_default }: Json) => is_default)).toHaveLength(1);
  });

  it("takes back what was read, and changes nothing", async () => {
    const { id } = await world.done("POST /bank-accounts", { name: "Same", ledger_account: 6484 });
    const before = await world.done(`GET /bank-accounts/${id}`);
    expect(await world.done(`PATCH /bank-accounts/${id}`, before)).toEqual(before);
  });

  it.each<[string, Json, string]>([
    ["is no default any more", { is_default: false }, "is_default"],
    ["becomes inactive", { active: false }, "active"],
    ["gets another currency", { currency: "EUR" }, "currency"],
    ["gets the account of the receivables", { ledger_account: 6190 }, "ledger_account"],
  ])("refuses that the default %s", async (_, changes, field) => {
    const { data } = await world.done("GET /bank-accounts?limit=100");
    const { id } = data.find(({ is_default }: Json) => is_default);
    const reply = await world.rest(`PATCH /bank-accounts/${id}`, changes);
    expect(refusal(reply)).toBe(`${INVALID} ${field} not_allowed`);
  });
});

it("the bank account follows the functional currency until it has one of its own", async () => {
  const { keys } = await world.openAnother();
  const bank = async () => (await world.done("GET /bank-accounts", undefined, keys.read)).data[0];
  await world.done("PATCH /configuration", { functional_currency: "SEK" }, keys.read_write);
  const moved = await bank();
  expect(moved.currency).toBe("SEK");
  const own = { name: "Euro", ledger_account: 6485, currency: "EUR", is_default: true };
  await world.done("POST /bank-accounts", own, keys.read_write);
  await world.done("PATCH /configuration", { functional_currency: "NOK" }, keys.read_write);
  expect(await bank()).toMatchObject({ currency: "EUR", is_default: true });
});
