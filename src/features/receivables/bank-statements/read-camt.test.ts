/** What is read of camt.053, in both versions, and what is refused. */
import { describe, expect, it } from "vitest";
import { type CamtEntry, type CamtStatement, camt } from "../../../../test/support/bank/camt.ts";
import { Problem } from "../../../domain/base/problem.ts";
import { readCamt } from "./read-camt.ts";

const { signal } = new AbortController();
const read = (text: string) => readCamt(Buffer.from(text), signal);

async function refusalOf(bytes: Buffer): Promise<string> {
  try {
    await readCamt(bytes, signal);
    return "read";
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const [fault] = error.extras.field_errors ?? [];
    return `${fault?.field} ${fault?.code}`;
  }
}

const day = "2026-03-02";
const paid: CamtEntry = {
  amount: "12500.00",
  day,
  text: "Faktura 47",
  reference: "RF9347",
  counterparty: "Nordlys &amp; Søn ApS",
  counterparty_iban: "DK5000400440116243",
  bank_reference: "B-1",
  end_to_end_id: "E-1",
};

describe.each(["02", "08"] as const)("version %s", (version) => {
  const linesOf = async (...entries: CamtEntry[]) =>
    (await read(camt({ version, entries }))).flatMap(({ lines }) => lines);

  it("has the account, the balances, the days and the lines", async () => {
    const [statement, ...more] = await read(
      camt({
        version,
        opening: ["2026-03-01", "100.00"],
        closing: ["2026-03-31", "-12.5"],
        entries: [paid],
      }),
    );
    expect(more).toEqual([]);
    expect(statement).toMatchObject({
      format: `camt.053.001.${version}`,
      iban: "DK5000400440116243",
      currency: "DKK",
      opening_balance: 10_000n,
      closing_balance: -1_250n,
      first_day: day,
      last_day: "2026-03-31",
    });
    expect(statement?.lines).toEqual([
      {
        date: day,
        value_date: day,
        amount: 1_250_000n,
        instructed_amount: null,
        instructed_currency: null,
        text: "Faktura 47",
        reference: "RF9347",
        end_to_end_id: "E-1",
        counterparty_name: "Nordlys & Søn ApS",
        counterparty_account: "DK5000400440116243",
        is_reversal: false,
        bank_reference: "B-1",
      },
    ]);
  });

  it("takes booked entries alone", async () => {
    const pending = { ...paid, status: "PDNG" };
    expect(await linesOf(pending, { ...paid, status: "INFO" }, paid)).toHaveLength(1);
  });

  it("has one line for each part of a batch whose parts add up", async () => {
    const parts = [
      { amount: "500.00", counterparty: "Ada" },
      { amount: "250.50", counterparty: "Bo" },
    ];
    const lines = await linesOf({ amount: "750.50", day, parts });
    expect(lines.map((line) => [line.counterparty_name, line.amount])).toEqual([
      ["Ada", 50_000n],
      ["Bo", 25_050n],
    ]);
  });

  it.each<[string, NonNullable<CamtEntry["parts"]>]>([
    [
      "do not add up",
      [
        { amount: "500.00", counterparty: "Ada" },
        { amount: "250.50", counterparty: "Bo" },
      ],
    ],
    ["have no amounts", [{ counterparty: "Ada" }, { counterparty: "Bo" }]],
    [
      "have the amount of the batch",
      [
        { amount: "750.00", counterparty: "Ada" },
        { amount: "750.00", counterparty: "Bo" },
      ],
    ],
  ])("has one line for a batch whose parts %s", async (_, parts) => {
    const lines = await linesOf({ amount: "750.00", day, parts });
    expect(lines.map((line) => [line.counterparty_name, line.amount])).toEqual([[null, 75_000n]]);
  });

  it("has what was instructed in another currency", async () => {
    const [line] = await linesOf({ ...paid, amount: "7460.00", instructed: "EUR 1000.00" });
    expect(line).toMatchObject({ instructed_amount: 100_000n, instructed_currency: "EUR" });
  });

  it("names the payee of money out, and the other party of a reversal", async () => {
    const out = { ...paid, amount: "-12.00", counterparty: "Udlejer" };
    const back = { ...out, amount: "12.00", is_reversal: true };
    expect(await linesOf(out, back)).toMatchObject([
      { amount: -1_200n, counterparty_name: "Udlejer", is_reversal: false },
      { amount: 1_200n, counterparty_name: "Udlejer", is_reversal: true },
    ]);
  });
});

it("reads ISO-8859-1 where the file says so", async () => {
  const text = camt({ entries: [{ ...paid, counterparty: "Ærø" }] }).replace("UTF-8", "ISO-8859-1");
  const [statement] = await readCamt(Buffer.from(text, "latin1"), signal);
  expect(statement?.lines[0]?.counterparty_name).toBe("Ærø");
});

it("reads many lines, and no more than a file may have", async () => {
  const many = (count: number) =>
    camt({ entries: Array.from({ length: count }, () => ({ amount: "1.00", day })) });
  const [statement] = await read(many(12_000));
  expect(statement?.lines).toHaveLength(12_000);
  const outcome = await read(many(50_001)).catch((error: Problem) => error.extras.field_errors);
  expect(outcome).toMatchObject([
    { code: "invalid_format", message: expect.stringContaining("50000 lines") },
  ]);
});

it("reads several statements, and accounts without IBAN", async () => {
  const statements = await read(
    camt({ entries: [paid] }, { other_id: "0040 0440116243", entries: [paid, paid] }),
  );
  expect(statements.map(({ iban, other_id, lines }) => [iban, other_id, lines.length])).toEqual([
    ["DK5000400440116243", null, 1],
    [null, "0040 0440116243", 2],
  ]);
});

const good = camt({ entries: [paid] });
const changed = (from: string | RegExp, to: string) => Buffer.from(good.replace(from, to));
const statement = (fields: CamtStatement) => Buffer.from(camt(fields));

describe("refuses", () => {
  it.each<[string, Buffer, string]>([
    ["an empty file", Buffer.alloc(0), "file invalid_format"],
    ["text", Buffer.from("Dato;Beløb"), "file invalid_format"],
    ["a file that is cut", Buffer.from(good.slice(0, -20)), "file invalid_format"],
    ["camt.054", changed(/camt\.053\.001\.08/, "camt.054.001.08"), "file invalid_format"],
    ["camt.053 of version 04", changed("001.08", "001.04"), "file invalid_format"],
    ["another root", Buffer.from(good.replaceAll("Document", "Other")), "file invalid_format"],
    ["no statement", Buffer.from(camt()), "file invalid_format"],
    [
      "a document type",
      changed("<Document", "<!DOCTYPE Document><Document"),
      "file invalid_format",
    ],
    ["an own entity", changed("Faktura 47", "&faktura;"), "file invalid_format"],
    [
      "another namespace",
      changed("<Ustrd>", '<x:a xmlns:x="urn:x"/><Ustrd>'),
      "file invalid_format",
    ],
    ["an unknown encoding", changed("UTF-8", "UTF-7"), "file invalid_format"],
    [
      "bytes that are no UTF-8",
      Buffer.from(good.replace("Søn", "S\xf8n"), "latin1"),
      "file invalid_format",
    ],
    ["UTF-16", Buffer.from(good, "utf16le"), "file invalid_format"],
    ["NUL", changed("Faktura", "Fak\0tura"), "file invalid_format"],
    ["NUL as a reference", changed("Faktura", "Fak&#0;tura"), "file invalid_format"],
    ["the year 0", changed(/2026-03-02/g, "0000-03-02"), "file invalid_format"],
    ["a day that is none", changed(/2026-03-02/g, "2026-02-30"), "file invalid_format"],
    ["an amount with a sign", changed("12500.00", "-12500.00"), "file invalid_format"],
    ["an amount with three decimals", changed("12500.00", "12500.005"), "file invalid_format"],
    ["an amount that is too large", changed("12500.00", "9".repeat(17)), "file invalid_format"],
    [
      "an amount in another currency",
      changed('<Ntry><Amt Ccy="DKK">', '<Ntry><Amt Ccy="EUR">'),
      "file invalid_value",
    ],
    ["a currency that is none", statement({ currency: "XXQ" }), "file invalid_format"],
    [
      "51 levels",
      changed("<Ustrd>", `${"<a>".repeat(44)}${"</a>".repeat(44)}<Ustrd>`),
      "file invalid_format",
    ],
    ["a long text", changed("Faktura 47", "x".repeat(10_001)), "file invalid_format"],
    ["many siblings", changed("<Ustrd>", `${"<a/>".repeat(3_000)}<Ustrd>`), "file invalid_format"],
  ])("%s", async (_, bytes, expected) => expect(await refusalOf(bytes)).toBe(expected));
});
