/**
 * Files of banks that are made to harm: each is refused as a whole with the envelope, quickly, and nothing of it is stored
 * (spec 13.5).
 */
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../support/bank/camt.ts";
import { sendBankFile } from "../support/bank/send-file.ts";
import { useWorld } from "../support/world/world.ts";

const world = useWorld();
const columns = { date: 1, text: [2], amount: 3 };

beforeAll(async () => {
  const [bank] = (await world.done("GET /bank-accounts")).data;
  const csv_profile = { has_header: false, columns };
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN, csv_profile });
});
afterEach(async () => {
  expect((await world.done("GET /bank-lines")).data).toEqual([]);
  expect((await world.done("GET /bank-statements")).data).toEqual([]);
});

const good = camt({ entries: [{ amount: "1.00", day: "2026-03-02", text: "HERE" }] });
const withText = (text: string) => good.replace("HERE", text);
const withDoctype = (subset: string, text: string) =>
  withText(text).replace("<Document", `<!DOCTYPE Document ${subset}><Document`);
const MILLION = 1_000_000;
/** Below the limit of a body. */
const TEN_MB = 9_990_000;

const laughs = Array.from({ length: 9 }, (_, at) => {
  const before = at === 0 ? "ha" : `&l${at - 1};`.repeat(10);
  return `<!ENTITY l${at} "${before}">`;
}).join("");

const INVALID = "422 file invalid_format";

async function outcomeOf(content: string | Buffer, type: string): Promise<string> {
  const { status, body } = await sendBankFile(world, content, { type });
  const [fault] = body.error?.field_errors ?? [];
  return fault ? `${status} ${fault.field} ${fault.code}` : `${status} ${body.error?.code}`;
}

describe("camt.053 is refused", () => {
  it.each<[string, () => string | Buffer, string?]>([
    ["with entities that grow", () => withDoctype(`[${laughs}]`, "&l8;")],
    [
      "with an external entity",
      () => withDoctype('[<!ENTITY f SYSTEM "file:///etc/passwd">]', "&f;"),
    ],
    ["with an external document type", () => withDoctype('SYSTEM "http://127.0.0.1/x.dtd"', "x")],
    ["with a document type of 10 MB", () => withDoctype(`[${" ".repeat(TEN_MB)}]`, "x")],
    ["with an entity that is not declared", () => withText("&unknown;")],
    ["in UTF-7", () => Buffer.from(good.replace("UTF-8", "UTF-7"))],
    ["in UTF-7 without saying so", () => good.replaceAll("<", "+ADw-").replaceAll(">", "+AD4-")],
    ["in UTF-16, little end first", () => Buffer.from(`\ufeff${good}`, "utf16le")],
    ["in UTF-16, big end first", () => Buffer.from(`\ufeff${good}`, "utf16le").swap16()],
    ["in UTF-16 that says UTF-8", () => Buffer.from(good, "utf16le")],
    ["in UTF-32", () => Buffer.from([...good].flatMap((sign) => [sign.charCodeAt(0), 0, 0, 0]))],
    ["in broken UTF-8", () => Buffer.concat([Buffer.from(good), Buffer.from([0xc3, 0x28])])],
    ["in the namespace of another message", () => good.replace("camt.053", "pain.001")],
    ["without a namespace", () => good.replace(/ xmlns="[^"]*"/, "")],
    ["with elements of another namespace", () => withText('x</Ustrd><e xmlns="urn:e"/><Ustrd>')],
    ["with a million siblings", () => withText(`x</Ustrd>${"<a/>".repeat(MILLION)}<Ustrd>`)],
    ["with a million entries", () => good.replace("<Ntry>", `${"<Ntry/>".repeat(MILLION)}<Ntry>`)],
    [
      "with a million attributes",
      () => withText(`x</Ustrd><a ${'b="" '.repeat(MILLION)}/><Ustrd>`),
    ],
    ["a million deep", () => withText(`x</Ustrd>${"<a>".repeat(MILLION)}`)],
    ["with a text of 10 MB", () => withText("x".repeat(TEN_MB))],
    ["with a comment of 10 MB that does not end", () => withText(`<!--${"x".repeat(TEN_MB)}`)],
    ["with a name of 10 MB", () => withText(`</Ustrd><${"x".repeat(TEN_MB)}/>`)],
    ["with an attribute of 10 MB", () => withText(`</Ustrd><a b="${"x".repeat(TEN_MB)}"/><Ustrd>`)],
    ["with a CDATA section of 10 MB", () => withText(`<![CDATA[${"x".repeat(TEN_MB)}]]>`)],
    ["with many references to signs", () => withText("&#120;".repeat(MILLION))],
    ["with NUL", () => withText("a\0b")],
    ["with a reference to NUL", () => withText("a&#0;b")],
    ["with a lone surrogate", () => withText("a&#xD800;b")],
    ["with the year 0", () => good.replaceAll("2026-03-02", "0000-03-02")],
    ["with a year of five digits", () => good.replaceAll("2026-03-02", "12026-03-02")],
    ["with an amount of a million digits", () => good.replace("1.00", "9".repeat(MILLION))],
    ["with an amount in words", () => good.replace("1.00", "Infinity")],
    [
      "with an account of a script",
      () => camt({ iban: "&lt;script&gt;" }),
      "422 file invalid_format",
    ],
    ["as blanks of 10 MB", () => " ".repeat(TEN_MB)],
    ["as NUL of 10 MB", () => Buffer.alloc(TEN_MB)],
    ["above 10 MB", () => " ".repeat(10_000_001), "400 MALFORMED_REQUEST"],
  ])("%s", async (_, content, expected = INVALID) => {
    expect(await outcomeOf(content(), "application/xml")).toBe(expected);
  });
});

describe("CSV is refused", () => {
  const row = "02-03-2026;Nordlys;12,50\r\n";
  it.each<[string, () => string | Buffer, string?]>([
    ["with a line of 10 MB", () => "x".repeat(TEN_MB)],
    [
      "with a line of 10 MB of cells",
      () => `02-03-2026;${";".repeat(TEN_MB)}`,
      "422 rows[1].amount invalid_value",
    ],
    ["with a quoted cell of 10 MB", () => `02-03-2026;"${"x".repeat(TEN_MB)}";1\r\n`],
    ["with a quote that does not end", () => `02-03-2026;"${"x".repeat(TEN_MB)}`],
    ["with a million quotes", () => `02-03-2026;${'"'.repeat(MILLION + 1)};1\r\n`],
    ["with 50,001 rows", () => row.repeat(50_001)],
    ["with a million rows", () => "x\n".repeat(MILLION)],
    ["with a million empty rows", () => "\n".repeat(MILLION)],
    ["with NUL", () => row.replace("Nordlys", "Nord\0lys")],
    ["in UTF-16", () => Buffer.from(`\ufeff${row}`, "utf16le")],
    ["in broken UTF-8", () => Buffer.from(row.replace("Nordlys", "\xff"), "latin1")],
    ["with the year 0", () => row.replace("2026", "0000"), "422 rows[1].date invalid_value"],
    ["with an amount of a million digits", () => row.replace("12,50", "9".repeat(MILLION))],
    [
      "with an amount of many blanks",
      () => row.replace("12,50", `1${" ".repeat(9_000)}x`),
      "422 rows[1].amount invalid_value",
    ],
    ["above 10 MB", () => "x".repeat(10_000_001), "400 MALFORMED_REQUEST"],
  ])("%s", async (_, content, expected = INVALID) => {
    expect(await outcomeOf(content(), "text/csv")).toBe(expected);
  });
});
