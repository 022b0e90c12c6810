/** The import of bank statements over REST (spec 13.5). */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CamtEntry, camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { type FileReply, sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

const world = useWorld();
let key: string;
let bank: Json;

const csv = (content: string | Buffer, options = {}) =>
  sendBankFile(world, content, { type: "text/csv", key, ...options });
const xml = (content: string | Buffer, options = {}) =>
  sendBankFile(world, content, { key, ...options });
const codesOf = ({ status, body }: FileReply) =>
  `${status} ${(body.error?.field_errors ?? []).map(({ field, code }: Json) => `${field} ${code}`)}` +
  (body.error?.field_errors ? "" : body.error?.code);
const countsOf = ({ body }: FileReply) =>
  body.statements.map(({ lines, new_lines, known_lines }: Json) => [lines, new_lines, known_lines]);

async function account(): Promise<void> {
  const opened = await world.openAnother();
  key = opened.keys.read_write;
  [bank] = (await world.done("GET /bank-accounts", undefined, key)).data;
  const numbers = { iban: DANISH_IBAN, registration_number: "0040", account_number: "0440116243" };
  await world.done(`PATCH /bank-accounts/${bank.id}`, numbers, key);
}

const columns = { date: "Dato", text: ["Tekst"], amount: "Beløb", balance: "Saldo" };
const setProfile = (fields: Json = {}) =>
  world.done(`PATCH /bank-accounts/${bank.id}`, { csv_profile: { columns, ...fields } }, key);

const march: CamtEntry[] = [
  { amount: "12500.00", day: "2026-03-02", text: "Faktura 47", counterparty: "Nordlys ApS" },
  { amount: "-8000.00", day: "2026-03-03", text: "Husleje marts", counterparty: "Udlejer" },
];

describe("POST /bank-statements with camt.053", () => {
  beforeEach(account);

  it("stores the statement and moves the last day of the bank account", async () => {
    const file = camt({
      opening: ["2026-03-01", "1000.00"],
      closing: ["2026-03-31", "5500.00"],
      entries: march,
    });
    const reply = await xml(file);
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      object: "bank_import",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      statements: [
        {
          object: "bank_statement",
          id: expect.any(String),
          bank_account_id: bank.id,
          format: "camt.053.001.08",
          from: "2026-03-02",
          to: "2026-03-31",
          opening_balance: 1000,
          closing_balance: 5500,
          lines: 2,
          new_lines: 2,
          known_lines: 0,
          warnings: [],
        },
      ],
    });
    expect(await world.done(`GET /bank-accounts/${bank.id}`, undefined, key)).toMatchObject({
      statements_through: "2026-03-31",
    });
    const again = await xml(file);
    expect([again.status, again.body]).toEqual([200, reply.body]);
    const list = await world.done(`GET /bank-statements?bank_account=${bank.id}`, undefined, key);
    expect(list.data).toEqual(reply.body.statements);
    const kept = await world.sql(
      "select content, encode(sha256, 'hex') as sha256 from bank_imports where bank_account_id = $1",
      [bank.id],
    );
    expect(kept).toMatchObject([{ sha256: reply.body.sha256 }]);
    expect(kept[0].content.toString()).toBe(file);
  });

  it("keeps the last day when an older file comes later", async () => {
    await xml(camt({ closing: ["2026-03-31", "1.00"], entries: march }));
    await xml(camt({ closing: ["2026-02-28", "1.00"], entries: [] }));
    const after = await world.done(`GET /bank-accounts/${bank.id}`, undefined, key);
    expect(after.statements_through).toBe("2026-03-31");
  });

  it("stores each line once over files that overlap, and both of two equal ones", async () => {
    const equal = { amount: "250.00", day: "2026-03-04", text: "MobilePay" };
    expect(countsOf(await xml(camt({ entries: [...march, equal] })))).toEqual([[3, 3, 0]]);
    expect(countsOf(await xml(camt({ entries: [...march, equal, equal] })))).toEqual([[4, 1, 3]]);
    expect(countsOf(await xml(camt({ entries: [equal, equal, ...march] })))).toEqual([[4, 0, 4]]);
  });

  it("imports a file once when it comes many times at once", async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => xml(camt({ entries: march }))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const [{ count }] = await world.sql(
      "select count(*)::int from bank_lines where bank_account_id = $1",
      [bank.id],
    );
    expect(count).toBe(2);
  });

  it("stores each line once when two files that overlap come at once", async () => {
    const more = { amount: "1.00", day: "2026-03-05", text: "Rente" };
    const replies = await Promise.all([
      xml(camt({ entries: march })),
      xml(camt({ entries: [...march, more] })),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    const [{ count }] = await world.sql(
      "select count(*)::int from bank_lines where bank_account_id = $1",
      [bank.id],
    );
    expect(count).toBe(3);
  });

  it("warns when the balance does not follow", async () => {
    const of = (from: string, opening: string, to: string, closing: string) =>
      camt({
        opening: [from, opening],
        closing: [to, closing],
        entries: [{ amount: "10.00", day: from }],
      });
    await xml(of("2026-01-02", "0.00", "2026-01-31", "10.00"));
    const february = await xml(of("2026-02-02", "10.00", "2026-02-28", "20.00"));
    expect(february.body.statements[0].warnings).toEqual([]);
    const april = await xml(of("2026-04-02", "70.00", "2026-04-30", "80.00"));
    expect(april.body.statements[0].warnings).toMatchObject([{ code: "STATEMENT_GAP" }]);
  });

  it("finds the bank account by IBAN, by its number, and in the currency", async () => {
    const euro = { name: "Euro", currency: "EUR", ledger_account: 6485, iban: DANISH_IBAN };
    const { id } = await world.done("POST /bank-accounts", euro, key);
    const reply = await xml(
      camt(
        { currency: "EUR", entries: march },
        { entries: march },
        { other_id: "0040-0440116243", entries: [], closing: ["2026-03-09", "0.00"] },
      ),
    );
    expect(reply.body.statements.map((one: Json) => one.bank_account_id)).toEqual([
      id,
      bank.id,
      bank.id,
    ]);
  });

  it("finds the bank account of a Danish IBAN by its registration number and account number", async () => {
    const numbers = { registration_number: "9570", account_number: "12345678" };
    const books = { name: "By number", ledger_account: 6484 };
    const { id } = await world.done("POST /bank-accounts", { ...books, ...numbers }, key);
    const reply = await xml(camt({ iban: "DK4395700012345678", entries: march }));
    expect(reply.body.statements.map((one: Json) => one.bank_account_id)).toEqual([id]);
  });

  it.each<[string, () => Promise<FileReply>, string]>([
    [
      "an unknown account",
      () => xml(camt({ iban: "DE89370400440532013000", entries: march })),
      "422 file unknown_reference",
    ],
    [
      "another currency",
      () => xml(camt({ currency: "EUR", entries: march })),
      "422 file invalid_value",
    ],
    [
      "a balance that is wrong",
      () =>
        xml(
          camt({
            opening: ["2026-03-01", "0.00"],
            closing: ["2026-03-31", "1.00"],
            entries: march,
          }),
        ),
      "422 file invalid_value",
    ],
    ["no XML", () => xml("<Document"), "422 file invalid_format"],
    [
      "an unknown bank account",
      () => xml(camt({ entries: march }), { bank_account: "ext:none" }),
      "404 NOT_FOUND",
    ],
    ["JSON", () => xml("{}", { type: "application/json" }), "400 MALFORMED_REQUEST"],
    [
      "a form",
      () => xml("a=b", { type: "multipart/form-data; boundary=x" }),
      "400 MALFORMED_REQUEST",
    ],
    ["no bytes", () => xml(""), "400 MALFORMED_REQUEST"],
    ["more than 10 MB", () => xml(" ".repeat(10_000_001)), "400 MALFORMED_REQUEST"],
  ])("refuses %s", async (_, call, expected) => expect(codesOf(await call())).toBe(expected));

  it("is repeated by its Idempotency-Key, which is compared with the file", async () => {
    const file = camt({ entries: march });
    const first = await xml(file, { idempotency_key: "k" });
    const again = await xml(file, { idempotency_key: "k" });
    expect([again.status, again.body]).toEqual([201, first.body]);
    const other = await xml(camt({ entries: [] }), { idempotency_key: "k" });
    expect(codesOf(other)).toBe("409 IDEMPOTENCY_CONFLICT");
    const long = await xml(file, { idempotency_key: "k".repeat(256) });
    expect(codesOf(long)).toBe("422 Idempotency-Key too_long");
  });

  it.each([
    ["%00", "422 bank_account invalid_format"],
    ["", "422 bank_account invalid_format"],
    ["ext:a&bank_account=ext:b", "422 bank_account invalid_type"],
    ["ext:a&other=1", "422 other unknown_parameter"],
  ])("refuses ?bank_account=%s", async (bank_account, expected) => {
    expect(codesOf(await xml(camt({ entries: march }), { bank_account }))).toBe(expected);
  });

  it("refuses a file of another account than the named one", async () => {
    const other = await world.done(
      "POST /bank-accounts",
      { name: "Other", ledger_account: 6486 },
      key,
    );
    const reply = await xml(camt({ entries: march }), { bank_account: other.id });
    expect(codesOf(reply)).toBe("422 file unknown_reference");
  });

  it("stores nothing of a file that is refused", async () => {
    const unknown = { iban: "DE89370400440532013000", entries: march };
    await xml(camt({ entries: march }, unknown));
    expect((await world.done("GET /bank-statements", undefined, key)).data).toEqual([]);
    const [{ count }] = await world.sql(
      "select count(*)::int from bank_lines where bank_account_id = $1",
      [bank.id],
    );
    expect(count).toBe(0);
  });
});

describe("POST /bank-statements with CSV", () => {
  beforeEach(account);

  const rows =
    "Dato;Tekst;Beløb;Saldo\r\n02-03-2026;Nordlys faktura 47;12.500,00;13.500,00\r\n03-03-2026;Husleje;-8.000,00;5.500,00\r\n";

  it("asks for a profile first, and suggests one that reads the file", async () => {
    const refused = await csv(Buffer.from(rows, "latin1"));
    expect(codesOf(refused)).toBe("422 csv_profile required");
    const { suggested_profile } = refused.body.error.details;
    expect(suggested_profile).toMatchObject({ encoding: "windows-1252", delimiter: ";", columns });
    await world.done(`PATCH /bank-accounts/${bank.id}`, { csv_profile: suggested_profile }, key);
    const reply = await csv(Buffer.from(rows, "latin1"));
    expect(reply.body.statements).toMatchObject([
      {
        format: "csv",
        from: "2026-03-02",
        to: "2026-03-03",
        opening_balance: 1000,
        closing_balance: 5500,
        lines: 2,
        new_lines: 2,
      },
    ]);
  });

  it.each<[string, string | Buffer, string]>([
    [
      "a cell that cannot be read",
      rows.replace("12.500,00", "many"),
      "422 rows[2].amount invalid_value",
    ],
    [
      "two cells",
      rows.replace("12.500,00", "many").replace("03-03-2026", "3. marts"),
      "422 rows[2].amount invalid_value,rows[3].date invalid_value",
    ],
    [
      "a missing column",
      rows.replace("Saldo", "Rest"),
      "422 csv_profile.columns.balance invalid_value",
    ],
    ["another encoding", Buffer.from(rows, "latin1"), "422 file invalid_format"],
    ["UTF-16", Buffer.from(rows, "utf16le"), "422 file invalid_format"],
    ["NUL", rows.replace("Husleje", "Hus\0leje"), "422 file invalid_format"],
    ["a quote without an end", `${rows}04-03-2026;"Rente;1,00;1,00`, "422 file invalid_format"],
    ["the year 0", rows.replace("02-03-2026", "02-03-0000"), "422 rows[2].date invalid_value"],
    ["heads alone", rows.split("\r\n")[0] ?? "", "422 file invalid_format"],
  ])("refuses %s", async (_, content, expected) => {
    await setProfile();
    expect(codesOf(await csv(content))).toBe(expected);
  });

  it("takes no days that came as camt, and the reverse", async () => {
    await setProfile();
    await xml(camt({ closing: ["2026-03-31", "0.00"], entries: march }));
    expect(codesOf(await csv(rows))).toBe("422 file duplicate");
    const april = rows.replaceAll("-03-2026", "-04-2026");
    expect((await csv(april)).status).toBe(201);
    const late = camt({ entries: march.map((entry) => ({ ...entry, day: "2026-04-03" })) });
    expect(codesOf(await xml(late))).toBe("422 file duplicate");
  });
});

describe("the account of the call", () => {
  beforeAll(account);

  it("needs a key that writes", async () => {
    const { keys } = await world.openAnother();
    const reply = await sendBankFile(world, camt({ entries: march }), { key: keys.read });
    expect(codesOf(reply)).toBe("403 INSUFFICIENT_SCOPE");
  });
});
