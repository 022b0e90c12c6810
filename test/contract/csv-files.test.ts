/**
 * The files for accountants, read as an accountant would read them: the columns must total the documents, the books and the
 * figures of the API.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { decimalText, scaledFromNumber } from "../../src/domain/base/money.ts";
import { refusal } from "../support/http/refusal.ts";
import { useSeries } from "../support/world/series.ts";
import type { Json } from "../support/world/world.ts";

const { world, customer, product, line, hours, at, active, run } = useSeries();

type Row = Readonly<Record<string, string>>;

const FORMULA = '=HYPERLINK("http://x.example","a, b")';
let all_people: Json[];

beforeAll(async () => {
  const done = (call: string, body?: Json): Promise<Json> => world.done(call, body);
  at("2027-01-01");
  const { user_id } = world.account.admin;
  const bo = await done("POST /users", { name: "Bo, Holm", email: "bo@studio.example" });
  await done("PUT /exchange-rates/EUR/2027-01-01", { rate: 7.460123 });
  await done("PUT /exchange-rates/JPY/2027-01-01", { rate: 0.0471 });
  await active({ start_date: "2027-01-01", external_id: "care" });
  const odd = await done("POST /customers", {
    name: FORMULA,
    external_id: "-1+1",
    city: "Ærø\nby",
  });
  const german = await done("POST /customers", {
    name: "Köhler GmbH",
    street: "Hafenstr. 7",
    city: "Hamburg",
    country_key: "DE",
    vat_number: "DE129273398",
  });
  await done("PATCH /configuration", { seller: { vat_number: "12345674" } });
  at("2027-01-31");
  await run();
  const draft = (fields: Json): Promise<Json> =>
    done("POST /invoices", { customer_id: customer.id, lines: [line()], ...fields });
  const issue = async (fields: Json): Promise<Json> =>
    done(`POST /invoices/${(await draft(fields)).id}/issue`);

  // VAT of 0.0675 by line, 0.20 of the document.
  await issue({ lines: [1, 2, 3].map(() => line({ agreed_value: 0.27 })), title: "Thirds" });
  const foreign = await issue({
    customer_id: german.id,
    currency: "EUR",
    lines: [line({ agreed_value: 1000.1, discount: 12.5 }), line({ agreed_value: 33.33 })],
  });
  await issue({ customer_id: odd.id, currency: "JPY", lines: [line({ agreed_value: 120_000 })] });
  await issue({
    lines: [line({ service_from: "2027-01-01", service_to: "2027-03-31" })],
    title: "Ahead",
  });
  const timed = await draft({
    lines: [
      hours({
        assignees: [{ user_id }, { user_id: bo.id, hourly_rate_override: 850.1234 }],
        description_override: "+ hours",
      }),
      hours({ description_override: "Without hours" }),
    ],
  });
  const work = (id: string, count: number, fields: Json = {}): Promise<Json> =>
    done("POST /work-registrations", {
      line_id: timed.lines[0].id,
      user_id: id,
      hours: count,
      ...fields,
    });
  await work(user_id, 2.25, { note: "@home" });
  await work(bo.id, 1.5);
  await work(bo.id, 0.75, { billable: false });
  await done(`POST /invoices/${timed.id}/issue`);
  await draft({ customer_id: odd.id, title: "Planned", external_id: "later" });
  const credit = (of: Json, external_id: string, fields: Json): Promise<Json> =>
    done("POST /credit-notes", {
      external_id,
      invoice: of.id,
      kind: "partial",
      credit_date: "2027-01-31",
      ...fields,
    });
  await credit(foreign, "c-1", {
    lines: foreign.lines.map(({ id }: Json) => ({ invoice_line_id: id, amount: 11.11 })),
  });
  await credit(timed, "c-2", { kind: "full" });
  at("2027-02-03");
  await done("POST /period-closes", { month: "2027-01" });
  all_people = (await done("GET /customers?active=all&limit=100")).data;
});

/** A file as its rows by column; also checks the form of its text. */
async function file(path: string): Promise<Row[]> {
  const response = await fetch(`${world.origin}/api/v1${path}`, {
    headers: { authorization: `Bearer ${world.account.keys.read}` },
  });
  const text = await response.text();
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "text/csv; charset=utf-8; header=present",
  ]);
  const [header = [], ...rows] = cellsOf(text);
  return rows.map((cells) => {
    expect(cells).toHaveLength(header.length);
    return Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ""]));
  });
}

/** Reads CSV strictly as RFC 4180 defines it. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  const form = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  while (form.lastIndex < text.length) {
    const [, cell = "", end] = form.exec(text) ?? expect.fail(`no CSV: ${text.slice(-200)}`);
    cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === ",") continue;
    rows.push(cells);
    cells = [];
  }
  expect(cells).toEqual([]);
  return rows;
}

const DIGITS = 4;

/** An exact sum of decimal texts, in 1/10000. */
function sum(rows: readonly Row[], column: string): bigint {
  return rows.reduce((all, row) => {
    const text = row[column] ?? expect.fail(`there is no column ${column}`);
    if (text === "") return all;
    expect(text).toMatch(/^-?\d+(\.\d+)?$/);
    const scaled = scaledFromNumber(Number(text), DIGITS);
    return all + (typeof scaled === "bigint" ? scaled : expect.fail(text));
  }, 0n);
}

const scaled = (value: number): bigint => scaledFromNumber(value, DIGITS) as bigint;
const of = (rows: readonly Row[], column: string, value: string): Row[] =>
  rows.filter((row) => row[column] === value);

describe("/invoices.csv", () => {
  it("totals each invoice, issued or not, in every column", async () => {
    const rows = await file("/invoices.csv?origin=all");
    const invoices = (await world.done("GET /invoices?origin=all&include=totals")).data as Json[];
    expect(invoices).toHaveLength(7);
    expect([...new Set(rows.map((row) => row.invoice_id))]).toEqual(invoices.map(({ id }) => id));
    for (const { id, totals, due_date, status } of invoices) {
      const own = of(rows, "invoice_id", id);
      for (const column of ["net", "vat", "gross"]) {
        expect(sum(own, column), column).toBe(scaled(totals[column]));
        expect(sum(own, `document_${column}`), column).toBe(scaled(totals[column]));
      }
      expect(sum(own, "document_credited")).toBe(scaled(totals.credited));
      expect(sum(own, "document_credited_gross")).toBe(scaled(totals.credited_gross));
      expect(own.every((row) => row.due_date === due_date && row.status === status)).toBe(true);
    }
  });

  it("totals the amounts in the books", async () => {
    const rows = await file("/invoices.csv?origin=all&status=issued");
    const entries = of(await file("/ledger/entries.csv"), "kind", "invoice");
    const credits = (accounts: (number: number) => boolean) =>
      sum(
        entries.filter((row) => accounts(Number(row.account_number))),
        "credit",
      );
    const revenue = new Set(rows.map((row) => Number(row.account_number)));
    const receivables = sum(entries, "debit");

    expect(sum(rows, "net_functional")).toBe(credits((number) => revenue.has(number)));
    expect(sum(rows, "net_functional") + sum(rows, "vat_functional")).toBe(receivables);
  });

  it("allocates VAT to lines so that it totals the document's VAT", async () => {
    const rows = of(await file("/invoices.csv"), "title", "Thirds");
    expect(rows.map(({ net, vat, gross }) => [net, vat, gross])).toEqual([
      ["0.27", "0.07", "0.34"],
      ["0.27", "0.06", "0.33"],
      ["0.27", "0.07", "0.34"],
    ]);
    expect(rows.map((row) => row.document_vat)).toEqual(["0.20", "", ""]);
  });

  it("has a row for each rate of hours, and one for a line without hours", async () => {
    const rows = (await file("/invoices.csv")).filter(
      ({ recognition_method }) => recognition_method === "hours",
    );
    expect(
      rows.map((row) => [
        row.position,
        row.row,
        row.description,
        row.quantity,
        row.unit_price,
        row.net,
      ]),
    ).toEqual([
      ["1", "1", "'+ hours", "2.25", "1000.00", "2250.00"],
      ["1", "2", "'+ hours", "1.5", "850.1234", "1275.19"],
      ["2", "1", "Without hours", "", "", "0.00"],
    ]);
  });

  it("shows the decimals of each currency, exchange rates, and amounts in the functional currency", async () => {
    const rows = await file("/invoices.csv");
    const [yen] = of(rows, "currency", "JPY");
    expect(yen).toMatchObject({
      net: "120000",
      unit_price: "120000",
      exchange_rate: "0.0471",
      functional_currency: "DKK",
      net_functional: "5652.00",
    });
    const [first, second] = of(rows, "currency", "EUR");
    expect([first?.discount, first?.net, second?.net]).toEqual(["12.5", "875.09", "33.33"]);
    expect([first?.vat_code, first?.vat_rate, first?.vat]).toEqual(["EU_SERVICES_RC", "0", "0.00"]);
    const [planned] = of(rows, "external_id", "later");
    expect(planned).toMatchObject({
      status: "draft",
      number: "",
      net: "3100.00",
      net_functional: "",
    });
  });

  it("shows the names of customers, accounts, series and periods next to their ids", async () => {
    const rows = await file("/invoices.csv?origin=series");
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      origin: "series",
      series_external_id: "care",
      period: "2027-01",
      customer_id: customer.id,
      customer_name: "Acme A/S",
      product_id: product.id,
      account_number: "1010",
    });
    expect(rows[0]?.account_name).not.toBe("");
  });

  it("accepts the filters of the list, and refuses paging and unknown values", async () => {
    expect(await file("/invoices.csv?search=thirds")).toHaveLength(3);
    expect(await file("/invoices.csv?issued_from=2027-02&origin=all")).toEqual([]);
    const refused = async (query: string): Promise<string> =>
      refusal(await world.rest(`GET /invoices.csv?${query}`));
    expect(await refused("limit=2")).toBe("422 VALIDATION_FAILED limit unknown_parameter");
    expect(await refused("status=paid")).toBe("422 VALIDATION_FAILED status invalid_value");
    expect(refusal(await world.rest("GET /invoices.csv", undefined, null))).toBe(
      "401 UNAUTHORIZED",
    );
  });
});

describe("/credit-notes.csv", () => {
  it("totals each credit note, and the amounts in the books", async () => {
    const rows = await file("/credit-notes.csv");
    const notes = (await world.done("GET /credit-notes?include=totals")).data as Json[];
    expect(notes).toHaveLength(2);
    for (const { id, totals } of notes) {
      const own = of(rows, "credit_note_id", id);
      for (const column of ["net", "vat", "gross"]) {
        expect(sum(own, column), column).toBe(scaled(totals[column]));
        expect(sum(own, `document_${column}`), column).toBe(scaled(totals[column]));
      }
    }
    const entries = of(await file("/ledger/entries.csv"), "kind", "credit_note");
    expect(sum(rows, "net_functional") + sum(rows, "vat_functional")).toBe(sum(entries, "credit"));
    expect(rows.every(({ invoice_number }) => /^\d+$/.test(invoice_number ?? ""))).toBe(true);
  });
});

describe("/ledger/entries.csv", () => {
  it("shows every posting of the list, and debits equal credits in each entry", async () => {
    const rows = await file("/ledger/entries.csv");
    const { data } = await world.done("GET /ledger/entries?limit=100");
    const postings = data.flatMap((entry: Json) =>
      entry.postings.map((posting: Json) => [
        String(entry.entry_no),
        entry.guid,
        entry.kind,
        entry.date,
        String(posting.account_number),
        decimalText(scaled(posting.debit) / 100n, 2),
        decimalText(scaled(posting.credit) / 100n, 2),
        posting.customer_id ?? "",
      ]),
    );
    expect(
      rows.map((row) => [
        row.entry_no,
        row.guid,
        row.kind,
        row.date,
        row.account_number,
        row.debit,
        row.credit,
        row.customer_id,
      ]),
    ).toEqual(postings);
    expect(new Set(rows.map(({ kind }) => kind))).toEqual(
      new Set(["invoice", "credit_note", "voucher"]),
    );
    for (const number of new Set(rows.map(({ entry_no }) => entry_no))) {
      const own = of(rows, "entry_no", number ?? "");
      expect(sum(own, "debit")).toBe(sum(own, "credit"));
      expect(sum(own, "currency_amount")).toBe(0n);
    }
    expect(of(rows, "currency", "JPY")[0]).toMatchObject({ exchange_rate: "0.0471" });
    const said = data.flatMap((entry: Json) =>
      entry.postings.map((posting: Json) => [
        entry.currency,
        posting.currency_amount,
        posting.vat_code ?? "",
        entry.registered_at,
        entry.actor.kind,
        entry.actor.id,
      ]),
    );
    expect(
      rows.map((row) => [
        row.currency,
        Number(row.currency_amount),
        row.vat_code,
        row.registered_at,
        row.actor_kind,
        row.actor_id,
      ]),
    ).toEqual(said);
    const booked_by = (kind: string) => of(rows, "actor_kind", kind).map((row) => row.actor_name);
    expect(new Set(booked_by("api_key")).size).toBe(1);
    expect(booked_by("api_key")[0]).not.toBe("");
    expect(rows.every((row) => row.account_name !== "" && row.registered_at !== "")).toBe(true);
  });

  it("shows complete entries when filtered by account", async () => {
    const all = await file("/ledger/entries.csv");
    const rows = await file("/ledger/entries.csv?account=1010");
    const numbers = new Set(of(all, "account_number", "1010").map(({ entry_no }) => entry_no));
    expect(rows).toEqual(all.filter(({ entry_no }) => numbers.has(entry_no)));
    expect(sum(rows, "debit")).toBe(sum(rows, "credit"));
  });
});

describe("/ledger/trial-balance.csv", () => {
  it.each(["", "?from=2027-01-31&to=2027-01-31", "?to=2026-12-31"])(
    "equals the trial balance of the API %s",
    async (query) => {
      const rows = await file(`/ledger/trial-balance.csv${query}`);
      const { accounts } = await world.done(`GET /ledger/trial-balance${query}`);
      expect(rows).toEqual(
        accounts.map(({ number, name, ...amounts }: Json) => ({
          account_number: String(number),
          account_name: name,
          functional_currency: "DKK",
          ...Object.fromEntries(
            Object.entries<number>(amounts).map(([column, value]) => [
              column,
              decimalText(scaled(value) / 100n, 2),
            ]),
          ),
        })),
      );
      expect(sum(rows, "debit")).toBe(sum(rows, "credit"));
      expect([sum(rows, "opening"), sum(rows, "closing")]).toEqual([0n, 0n]);
    },
  );
});

describe("/work-registrations.csv", () => {
  it("totals the hours of the list, with names", async () => {
    const rows = await file("/work-registrations.csv");
    const { data } = await world.done("GET /work-registrations");
    expect(
      rows.map(({ id, amount, hourly_rate }) => [id, Number(amount), Number(hourly_rate)]),
    ).toEqual(data.map(({ id, amount, hourly_rate }: Json) => [id, amount, hourly_rate]));
    expect(sum(rows, "hours")).toBe(45_000n);
    expect(rows[2]).toMatchObject({ user_name: "Admin", note: "'@home", line: "'+ hours" });
    expect(rows[0]).toMatchObject({ user_name: "Bo, Holm", billable: "false", amount: "0.00" });
    expect(rows.every((row) => row.customer_name === "Acme A/S" && row.invoice_number !== "")).toBe(
      true,
    );
    expect(await file("/work-registrations.csv?billable=false")).toHaveLength(1);
  });
});

describe("/recognition.csv", () => {
  it.each(["", "&group_by=month", "&group_by=customer&basis=booking_month"])(
    "equals the list of the API %s",
    async (parameters) => {
      const query = `from=2027-01&to=2027-03${parameters}`;
      const rows = await file(`/recognition.csv?${query}`);
      const { data } = await world.done(`GET /recognition?${query}&limit=100`);
      expect(data.length).toBeGreaterThan(0);
      expect(
        rows.map((row) => [row.month, row.currency, Number(row.earned), Number(row.hours)]),
      ).toEqual(data.map((row: Json) => [row.month, row.currency, row.earned, row.hours]));
      if (parameters === "") {
        expect(
          rows.every((row) => row.product_name === "Retainer" && row.account_number === "1010"),
        ).toBe(true);
      }
    },
  );

  it("requires its months in ascending order", async () => {
    const reply = await world.rest("GET /recognition.csv?from=2027-02&to=2027-01");
    expect(refusal(reply)).toBe("422 VALIDATION_FAILED to too_small");
  });
});

describe("/open-items.csv and /receivables.csv", () => {
  it("add up to the account of receivables", async () => {
    const { ledger } = await world.done("GET /receivables/summary");
    const [receivables] = ledger;
    expect(receivables.ledger).toBeGreaterThan(1000);
    const items = await file("/open-items.csv");
    expect(sum(items, "functional_balance")).toBe(scaled(receivables.ledger));
    const rows = await file("/receivables.csv");
    const owed = sum(rows, "functional_total") - sum(rows, "functional_credit_notes");
    expect(owed).toBe(scaled(receivables.ledger));
    expect(sum(rows, "functional_balance")).toBe(sum(items, "functional_balance"));
  });
});

describe("/customers.csv and /products.csv", () => {
  it("show every field of the resource under its name", async () => {
    const rows = await file("/customers.csv?active=all");
    expect(rows.map((row) => row.id)).toEqual(all_people.map(({ id }) => id));
    for (const [index, { object, ...fields }] of all_people.entries()) {
      for (const [name, value] of Object.entries(fields)) {
        const shown = value === null ? "" : String(value);
        expect(rows[index]?.[name], name).toBe(/^[=+\-@]/.test(shown) ? `'${shown}` : shown);
      }
    }
    await world.done(`PATCH /products/${product.id}`, {
      prices: [
        { currency: "EUR", amount: 160 },
        { currency: "JPY", amount: 20_000 },
      ],
    });
    const [retainer] = await file("/products.csv");
    expect(retainer).toMatchObject({
      name: "Retainer",
      account_number: "1010",
      currency: "DKK",
      default_price: "0.00",
      quantity: "1",
      active: "true",
      prices: "EUR 160.00; JPY 20000",
    });
  });

  it("contain no formulas, and keep line breaks and quotes within a cell", async () => {
    const rows = await file("/customers.csv");
    const odd = rows.find(({ external_id }) => external_id === "'-1+1");
    expect(odd).toMatchObject({ name: `'${FORMULA}`, city: "Ærø\nby" });
  });

  it("show all rows once, across several portions", async () => {
    const { keys } = await world.openAnother();
    const { account_id } = (
      await world.sql("select account_id from api_keys order by created_at desc, id desc limit 1")
    )[0];
    await world.sql(
      `insert into customers (account_id, id, name, country_key, is_person, send_method, use_cvr, document, updated_at)
       select $1, ('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'C ' || n, 'DK', false, 'email', false, '{}', now()
       from generate_series(1, 450) n`,
      [account_id],
    );
    const response = await fetch(`${world.origin}/api/v1/customers.csv`, {
      headers: { authorization: `Bearer ${keys.read}` },
    });
    const [, ...rows] = cellsOf(await response.text());
    expect(rows.map((cells) => cells[2])).toEqual(
      Array.from({ length: 450 }, (_, index) => `C ${450 - index}`),
    );
  });
});
