/**
 * Finding invoices: one-time invoices and those of series, by issue date, number and text. Each filter is compared with a
 * plain filter over all invoices, page by page and combined with the other filters.
 */
import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, line, at, active, run } = useSeries();

interface Known {
  readonly invoice: Json;
  readonly origin: "one_time" | "series";
  readonly customer_name: string;
}

/** Every invoice, from the newest to the oldest. */
let model: Known[];

beforeAll(async () => {
  at("2027-01-01");
  const odd = await world.done("POST /customers", { name: "Ærø 50%_Færge" });
  const draft = (fields: Json): Promise<Json> =>
    world.done("POST /invoices", { customer_id: customer.id, lines: [line()], ...fields });
  const issue = async (fields: Json): Promise<Json> =>
    world.done(`POST /invoices/${(await draft(fields)).id}/issue`);
  await active({ start_date: "2027-01-01", external_id: "care" });
  await active({ start_date: "2027-03-01", customer_id: odd.id });
  await issue({ issue_date: "2027-01-31", title: "Website", external_id: "PO-1" });
  await issue({ issue_date: "2027-02-01", customer_id: odd.id });
  await draft({ issue_date: "2027-02-02", title: "Planned 100%" });
  await draft({ title: "website_2", customer_id: odd.id });
  at("2027-04-10");
  await run();
  await issue({ issue_date: "2027-04-10", external_id: "po-2" });
  const rows = await world.sql(
    `select i.document, i.series_id, c.name from invoices i
     join customers c on c.account_id = i.account_id and c.id = i.customer_id
     where i.account_id = $1 order by i.id desc`,
    [world.account.account_id],
  );
  model = rows.map(({ document, series_id, name }) => ({
    invoice: JSON.parse(document),
    origin: series_id === null ? "one_time" : "series",
    customer_name: name,
  }));
  expect(model.filter(({ origin }) => origin === "series")).toHaveLength(6);
});

/** All pages, with the parameters that have a value. */
async function listed(parameters: Json): Promise<Json[]> {
  const seen: Json[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const given = Object.entries({ ...parameters, cursor }).filter(([, value]) => value != null);
    const query = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
    const page = await world.done(`GET /invoices?${query}`);
    seen.push(...page.data);
    cursor = page.next_cursor;
  }
  return seen;
}

const fold = (text: string): string => text.toLowerCase();

function meets({ invoice, origin, customer_name }: Known, filters: Json): boolean {
  const { issue_date, status, ledger_invoice_number: number } = invoice;
  const day = (text: string, end: string): string => (text.length === 7 ? `${text}${end}` : text);
  const is_issued = status === "issued";
  const texts = [number ?? "", invoice.external_id ?? "", invoice.title ?? "", customer_name];
  return (
    (filters.origin === "all" || origin === (filters.origin ?? "one_time")) &&
    (!filters.issued_from || (is_issued && issue_date >= day(filters.issued_from, "-01"))) &&
    (!filters.issued_to || (is_issued && issue_date <= day(filters.issued_to, "-31"))) &&
    (!filters.number || String(number) === filters.number) &&
    (!filters.status || status === filters.status) &&
    (!filters.search || texts.some((text) => fold(String(text)).includes(fold(filters.search))))
  );
}

describe("GET /invoices by origin, date of issue, number and text", () => {
  it("shows the same invoices as a plain filter over all, in pages of any size", async () => {
    const filters = fc.record({
      origin: fc.constantFrom(undefined, "one_time", "series", "all"),
      issued_from: fc.constantFrom(undefined, undefined, "2027-01", "2027-02-01", "2027-04"),
      issued_to: fc.constantFrom(undefined, undefined, "2027-01", "2027-02-01", "2027-04-09"),
      number: fc.constantFrom(undefined, undefined, undefined, "1", "3", "999"),
      search: fc.constantFrom(undefined, undefined, "PO-", "WEB", "færge", "%", "_", "care", "2"),
      status: fc.constantFrom(undefined, undefined, "draft", "issued"),
      updated_since: fc.constantFrom(undefined, undefined, "2020-01-01T00:00:00Z"),
      limit: fc.constantFrom(undefined, 1, 2, 100),
    });
    await fc.assert(
      fc.asyncProperty(filters, async (chosen) => {
        const expected = model.filter((known) => meets(known, chosen));
        expect(await listed(chosen)).toEqual(expected.map(({ invoice }) => invoice));
      }),
      { numRuns: 80 },
    );
  });

  it("lists one-time invoices by default, and all on request", async () => {
    expect(await listed({})).toHaveLength(5);
    expect(await listed({ origin: "series" })).toHaveLength(6);
    expect(await listed({ origin: "all" })).toHaveLength(11);
  });

  it("treats % and _ in a search as plain characters", async () => {
    const titles = (found: Json[]) => found.map(({ title }) => title);
    expect(titles(await listed({ search: "100%" }))).toEqual(["Planned 100%"]);
    expect(titles(await listed({ search: "E_2" }))).toEqual(["website_2"]);
    expect(await listed({ search: "%a%" })).toEqual([]);
  });

  it("leaves drafts out of a range of issue dates, even if they have a date", async () => {
    const found = await listed({ issued_from: "2027-02", issued_to: "2027-02" });
    expect(found.map(({ issue_date }) => issue_date)).toEqual(["2027-02-01"]);
  });

  it("shows nothing of another account", async () => {
    const { keys } = await world.openAnother();
    const page = await world.done("GET /invoices?origin=all&search=a", undefined, keys.read);
    expect(page.data).toEqual([]);
  });

  it.each([
    ["origin=none", "origin invalid_value"],
    ["issued_from=2027-13", "issued_from invalid_format"],
    ["issued_to=2027-02-30", "issued_to invalid_format"],
    ["number=0", "number too_small"],
    ["number=abc", "number invalid_type"],
    ["search=", "search too_short"],
  ])("refuses %s", async (parameters, fault) => {
    const reply = await world.rest(`GET /invoices?${parameters}`);
    expect(refusal(reply)).toBe(`422 VALIDATION_FAILED ${fault}`);
  });
});

describe("the other lists", () => {
  it("find customers by name and number, and inactive ones on request", async () => {
    const gone = await world.done("POST /customers", { name: "Gone ApS", external_id: "g-1" });
    await world.done(`POST /customers/${gone.id}/deactivate`);
    const names = async (query: string): Promise<string[]> =>
      (await world.done(`GET /customers?${query}`)).data.map(({ name }: Json) => name);

    expect(await names("")).toEqual(["Ærø 50%_Færge", "Acme A/S"]);
    expect(await names("active=true")).toEqual(["Ærø 50%_Færge", "Acme A/S"]);
    expect(await names("active=false")).toEqual(["Gone ApS"]);
    expect(await names("active=all")).toEqual(["Gone ApS", "Ærø 50%_Færge", "Acme A/S"]);
    expect(await names("active=all&search=G-1")).toEqual(["Gone ApS"]);
    expect(await names("search=ÆRØ")).toEqual(["Ærø 50%_Færge"]);
    expect(await names("search=50%25_")).toEqual(["Ærø 50%_Færge"]);
    expect(await names("search=0_f")).toEqual([]);
  });

  it("find products by name and number, and accept the same `active`", async () => {
    await world.done("POST /products", { name: "Design", product_number: "D-100" });
    const names = async (query: string): Promise<string[]> =>
      (await world.done(`GET /products?${query}`)).data.map(({ name }: Json) => name);

    expect(await names("search=d-1")).toEqual(["Design"]);
    expect(await names("search=RETAIN&active=all")).toEqual(["Retainer"]);
    expect(await names("active=false")).toEqual([]);
  });

  it("find series by external id and customer", async () => {
    const found = async (search: string): Promise<string[]> =>
      (await world.done(`GET /recurring-series?search=${search}`)).data.map(
        ({ start_date }: Json) => start_date,
      );

    expect(await found("CARE")).toEqual(["2027-01-01"]);
    expect(await found("færge")).toEqual(["2027-03-01"]);
  });

  it("find credit notes by date, number and text", async () => {
    const { invoice } = model.find((known) => known.invoice.external_id === "po-2") as Known;
    const note = await world.done("POST /credit-notes", {
      external_id: "Regret-1",
      invoice: invoice.id,
      kind: "full",
      credit_date: "2027-04-10",
    });
    const number = note.ledger_credit_note_number;
    const found = async (query: string): Promise<number> =>
      (await world.done(`GET /credit-notes?${query}`)).data.length;

    expect(await found("issued_from=2027-04&issued_to=2027-04")).toBe(1);
    expect(await found("issued_from=2027-05")).toBe(0);
    expect(await found("issued_to=2027-04-09")).toBe(0);
    expect(await found(`number=${number}&search=regret`)).toBe(1);
    expect(await found(`number=${number + 1}`)).toBe(0);
    expect(await found("search=acme")).toBe(1);
    expect(await found("search=færge")).toBe(0);
  });
});
