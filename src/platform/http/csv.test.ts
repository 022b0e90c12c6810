import { describe, expect, it } from "vitest";
import * as z from "zod";
import { useSales } from "../../../test/support/world/sales.ts";
import type { JsonText } from "../runtime/json.ts";
import { columnsOf, csvLines, wantsCsv } from "./csv.ts";

describe("the Accept header asks for CSV", () => {
  it.each([
    ["text/csv", true],
    ["text/csv, application/json", true],
    ["text/csv;q=0.5, application/json", false],
    ["text/csv;q=0", false],
    ["TEXT/CSV; header=present", true],
    ["application/json", false],
    ["*/*", false],
    ["text/*", false],
    [undefined, false],
    [";;,,text/csv;q=x", false],
  ])("if it is %s: %s", (accept, wanted) => {
    expect(wantsCsv(accept)).toBe(wanted);
  });
});

describe("a CSV file", () => {
  const Item = z.object({
    object: z.literal("item"),
    name: z.string().nullable(),
    amount: z.number(),
    place: z.object({ city: z.string(), zip: z.string().optional() }).nullable(),
    tags: z.array(z.string()),
    done: z.boolean().optional(),
  });
  const csvOf = async (...items: readonly object[]): Promise<string> => {
    async function* pages() {
      yield JSON.stringify({ data: items }) as JsonText;
    }
    let text = "";
    for await (const lines of csvLines(columnsOf(Item), pages())) text += lines;
    return text;
  };
  const HEADER = "name,amount,place.city,place.zip,tags,done\r\n";

  it("has a column for each field, flattened objects, and CRLF at the ends of lines", async () => {
    const text = await csvOf(
      { name: "A", amount: -1.5, place: { city: "Aarhus", zip: "8000" }, tags: ["x"], done: true },
      { name: null, amount: 0, place: null, tags: [] },
    );

    expect(text).toBe(`${HEADER}A,-1.5,Aarhus,8000,"[""x""]",true\r\n,0,,,[],\r\n`);
  });

  it("has its header for an empty list", async () => {
    expect(await csvOf()).toBe(HEADER);
  });

  it.each([
    ['say "no"', '"say ""no"""'],
    ["a,b", '"a,b"'],
    ["two\nlines", '"two\nlines"'],
    ["=1+1", "'=1+1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["-cmd", "'-cmd"],
    ["+45 12", "'+45 12"],
    ["Ærø", "Ærø"],
  ])("writes %j so that no spreadsheet executes or splits it", async (name, cell) => {
    const text = await csvOf({ name, amount: 1, place: null, tags: [] });

    expect(text).toBe(`${HEADER}${cell},1,,,[],\r\n`);
  });
});

describe("a list as CSV", () => {
  const { world, draft } = useSales();

  it("contains the whole list for any page size, with type and file name", async () => {
    for (let count = 0; count < 30; count += 1) await draft([count], { title: `No ${count}` });
    const response = await fetch(`${world.origin}/api/v1/invoices?limit=2`, {
      headers: {
        authorization: `Bearer ${world.account.keys.read}`,
        accept: "text/csv",
      },
    });

    const lines = (await response.text()).trimEnd().split("\r\n");

    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(response.headers.get("content-disposition")).toContain('filename="invoices.csv"');
    expect(lines).toHaveLength(31);
    expect(lines[0]).toMatch(/^id,external_id,customer_id,currency,issue_date,title,/);
    expect(lines[1]).toContain("No 29");
    expect(lines[30]).toContain("No 0");
  });

  it("is refused like any list, with the error envelope", async () => {
    const response = await fetch(`${world.origin}/api/v1/invoices?status=paid`, {
      headers: { authorization: `Bearer ${world.account.keys.read}`, accept: "text/csv" },
    });

    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: "VALIDATION_FAILED" } });
  });

  it("is not available for a single resource", async () => {
    const response = await fetch(`${world.origin}/api/v1/configuration`, {
      headers: { authorization: `Bearer ${world.account.keys.read}`, accept: "text/csv" },
    });

    expect(response.headers.get("content-type")).toContain("application/json");
  });
});
