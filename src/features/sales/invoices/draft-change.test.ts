/** Changing and deleting drafts (spec 5.2 and 5.3). */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { invoiceOf, type Json, useWorld } from "../../../../test/support/world/world.ts";

let customer_id: string;
let product_id: string;
const world = useWorld();
beforeAll(async () => {
  customer_id = (await world.done("POST /customers", { name: "Acme A/S" })).id;
  product_id = (await world.done("POST /products", { name: "Report", default_price: 100 })).id;
});

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const INVALID = "422 VALIDATION_FAILED";

const line = (fields: Json = {}): Json => ({ product_id, recognition_method: "value", ...fields });

const create = (fields: Json = {}): Promise<Json> =>
  world.done("POST /invoices", { customer_id, auto_send: false, lines: [line()], ...fields });

const change = (draft: Json, changes: Json): Promise<Json> =>
  world.done(`PATCH /invoices/${draft.id}`, changes);

const ids = (invoice: Json): string[] => invoice.lines.map((entry: Json) => entry.id);

describe("PATCH /invoices/{ref}", () => {
  it("accepts an empty object and changes nothing", async () => {
    const draft = await create();

    const { status, body } = await world.rest(`PATCH /invoices/${draft.id}`, {});

    expect([status, body]).toEqual([200, draft]);
  });

  it("changes only the sent header fields, and clears those that are null", async () => {
    const draft = await create({ external_id: "p-1", title: "Old", issue_date: "2026-01-31" });
    const other = await world.done("POST /customers", { name: "Other" });

    const titled = await world.done("PATCH /invoices/ext:p-1", { title: "New", issue_date: null });
    const moved = await change(draft, { customer_id: other.id, auto_send: true });

    expect(titled).toEqual({ ...draft, title: "New", issue_date: null });
    expect(moved).toEqual({ ...titled, customer_id: other.id, auto_send: true });
    expect(await world.done(`GET /invoices/${draft.id}`)).toEqual(moved);
  });

  it("ignores fields that cannot be changed", async () => {
    const draft = await create({ external_id: "fixed" });

    const sent = {
      id: UNKNOWN_ID,
      external_id: "other",
      status: "issued",
      ledger_invoice_number: 7,
    };

    expect(await change(draft, sent)).toEqual(draft);
  });

  it.each<[string, Json, string]>([
    ["an unknown customer", { customer_id: UNKNOWN_ID }, "customer_id unknown_reference"],
    ["a customer of null", { customer_id: null }, "customer_id invalid_type"],
    ["a currency of null", { currency: null }, "currency invalid_type"],
    ["a day that does not exist", { issue_date: "2025-02-29" }, "issue_date invalid_format"],
    ["lines of null", { lines: null }, "lines invalid_type"],
    [
      "a line without a product",
      { lines: [{ recognition_method: "value" }] },
      "lines[0].product_id required",
    ],
  ])("refuses %s", async (_what, changes, fault) => {
    const draft = await create();

    expect(refusal(await world.rest(`PATCH /invoices/${draft.id}`, changes))).toBe(
      `${INVALID} ${fault}`,
    );
    expect(await world.done(`GET /invoices/${draft.id}`)).toEqual(draft);
  });

  it.each([
    [UNKNOWN_ID, "404 NOT_FOUND"],
    ["ext:unknown", "404 NOT_FOUND"],
    ["17", "400 MALFORMED_REQUEST"],
  ])("answers %s with %s", async (ref, expected) => {
    expect(refusal(await world.rest(`GET /invoices/${ref}`))).toBe(expected);
    expect(refusal(await world.rest(`PATCH /invoices/${ref}`, {}))).toBe(expected);
    expect(refusal(await world.rest(`DELETE /invoices/${ref}`))).toBe(expected);
    expect(refusal(await world.rest(`GET /invoices/${ref}/totals`))).toBe(expected);
  });

  it("does not reach another account's draft", async () => {
    const { keys } = await world.openAnother();
    const draft = await create();

    for (const call of ["GET", "PATCH", "DELETE"]) {
      const body = call === "PATCH" ? {} : undefined;
      const reply = await world.rest(`${call} /invoices/${draft.id}`, body, keys.read_write);
      expect(refusal(reply)).toBe("404 NOT_FOUND");
    }
  });
});

describe("lines in a PATCH", () => {
  it("replace all lines, and the sent content applies as a whole", async () => {
    const draft = await create({ lines: [line({ discount: 5, agreed_value: 7 }), line()] });

    const changed = await change(draft, { lines: [line({ description_override: "Only" })] });

    expect(changed.lines).toEqual([
      {
        id: ids(draft)[0],
        product_id,
        recognition_method: "value",
        agreed_value: 100,
        hourly_rate: null,
        discount: 0,
        description_override: "Only",
        position: 1,
        assignees: [],
      },
    ]);
    expect((await change(draft, { lines: [] })).lines).toEqual([]);
    expect(await change(draft, { title: "kept" })).toMatchObject({ lines: [], title: "kept" });
  });

  it("keep their ids when they are sent back as they were read", async () => {
    const draft = await create({ lines: [line({ position: 5 }), line({ position: 2 }), line()] });

    expect(await change(draft, { lines: draft.lines })).toEqual(draft);
  });

  it("are matched by id first, then by position; the rest are new", async () => {
    const draft = await create({ lines: [line(), line(), line()] });
    const [a, b, c] = ids(draft);

    const changed = await change(draft, {
      lines: [line({ id: c, position: 1 }), line({ position: 2 }), line({ position: 4 })],
    });

    expect(ids(changed).slice(0, 2)).toEqual([c, b]);
    expect([a, b, c]).not.toContain(ids(changed)[2]);
  });

  it("are matched by their place in the array when no position is sent", async () => {
    const draft = await create({ lines: [line(), line()] });

    const changed = await change(draft, { lines: [line({ discount: 1 }), line(), line()] });

    expect(ids(changed).slice(0, 2)).toEqual(ids(draft));
    expect(new Set(ids(changed)).size).toBe(3);
  });

  it("may change places", async () => {
    const draft = await create({ lines: [line({ discount: 1 }), line({ discount: 2 })] });
    const [first, second] = draft.lines;

    const { lines } = await change(draft, {
      lines: [
        { ...first, position: 2 },
        { ...second, position: 1 },
      ],
    });

    expect(lines).toEqual([
      { ...second, position: 1 },
      { ...first, position: 2 },
    ]);
  });

  it("ignore an id of another invoice", async () => {
    const draft = await create();
    const [foreign] = ids(await create());

    for (const id of [UNKNOWN_ID, foreign, "not a uuid"]) {
      const changed = await change(draft, { lines: [line({ id, discount: 3 })] });
      expect(ids(changed)).toEqual(ids(draft));
    }
  });

  it("match an id once", async () => {
    const draft = await create();
    const [id] = ids(draft);

    const changed = await change(draft, { lines: [line({ id }), line({ id })] });

    expect(ids(changed)[0]).toBe(id);
    expect(ids(changed)[1]).not.toBe(id);
  });

  it("take the product's present data", async () => {
    const product = await world.done("POST /products", { name: "P", default_price: 10 });
    const sent = { lines: [line({ product_id: product.id })] };
    const draft = await create(sent);
    await world.done(`PATCH /products/${product.id}`, { default_price: 20 });

    expect((await change(draft, { title: "x" })).lines[0].agreed_value).toBe(10);
    expect((await change(draft, sent)).lines[0].agreed_value).toBe(20);
  });
});

describe("another currency in a PATCH", () => {
  it.each([
    ["JPY", 100],
    ["KWD", 100],
    ["EUR", 100],
  ])("%s converts no number", async (currency, agreed_value) => {
    const draft = await create({ lines: [line({ agreed_value: 100, hourly_rate: 12.3456 })] });

    expect(await change(draft, { currency })).toEqual({
      ...draft,
      currency,
      lines: [{ ...draft.lines[0], agreed_value }],
    });
    expect(await change(draft, { currency: "DKK" })).toEqual(draft);
  });

  it("is refused when it lacks the decimals of a line", async () => {
    const draft = await create({
      lines: [line({ agreed_value: 100 }), line({ agreed_value: 100.5 })],
    });

    const reply = await world.rest(`PATCH /invoices/${draft.id}`, { currency: "JPY" });

    expect(refusal(reply)).toBe(`${INVALID} lines[1].agreed_value too_many_decimals`);
    const lines = [line({ agreed_value: 101 })];
    expect(await change(draft, { currency: "JPY", lines })).toMatchObject({ currency: "JPY" });
  });

  it("is refused when a line exceeds 10^12 minor units in it", async () => {
    const draft = await create({ lines: [line({ agreed_value: 9_000_000_000 })] });

    const reply = await world.rest(`PATCH /invoices/${draft.id}`, { currency: "KWD" });

    expect(refusal(reply)).toBe(`${INVALID} lines[0].agreed_value too_large`);
  });
});

describe("DELETE /invoices/{ref}", () => {
  it("removes a draft and frees its external id", async () => {
    const draft = await create({ external_id: "gone" });

    const reply = await world.rest("DELETE /invoices/ext:gone");

    expect([reply.status, reply.body.length]).toEqual([204, 0]);
    expect((await world.rest(`GET /invoices/${draft.id}`)).status).toBe(404);
    expect(refusal(await world.rest("DELETE /invoices/ext:gone"))).toBe("404 NOT_FOUND");
    expect((await create({ external_id: "gone", title: "other" })).id).not.toBe(draft.id);
  });

  it("needs a key that may write", async () => {
    const draft = await create();
    const call = `DELETE /invoices/${draft.id}`;

    expect(refusal(await world.rest(call, undefined, world.account.keys.read))).toBe(
      "403 INSUFFICIENT_SCOPE",
    );
  });
});

describe("an issued invoice", () => {
  let issued: Json;
  let inactive: Json;
  beforeAll(async () => {
    inactive = await world.done("POST /customers", { name: "Gone" });
    await world.done(`POST /customers/${inactive.id}/deactivate`);
    issued = invoiceOf(await world.done(`POST /invoices/${(await create()).id}/issue`));
  });

  it.each<[string, () => Json]>([
    ["an empty PATCH", () => ({})],
    ["a PATCH of a header field", () => ({ title: "new" })],
    ["a PATCH with its own content", () => ({ customer_id, lines: issued.lines })],
    ["a PATCH to an inactive customer", () => ({ customer_id: inactive.id })],
  ])("refuses %s", async (_what, changes) => {
    const reply = await world.rest(`PATCH /invoices/${issued.id}`, changes());

    expect(refusal(reply)).toBe("409 INVOICE_ALREADY_ISSUED");
    expect(await world.done(`GET /invoices/${issued.id}`)).toEqual(issued);
  });

  it("cannot be deleted", async () => {
    const reply = await world.rest(`DELETE /invoices/${issued.id}`);

    expect(refusal(reply)).toBe("409 INVOICE_ALREADY_ISSUED");
  });

  it("is refused after the body is validated", async () => {
    const call = `PATCH /invoices/${issued.id}`;

    expect(refusal(await world.rest(call, { title: 7 }))).toBe(`${INVALID} title invalid_type`);
    expect(refusal(await world.rest(call, { customer_id: UNKNOWN_ID }))).toBe(
      `${INVALID} customer_id unknown_reference`,
    );
  });

  it("cannot be changed in the database either", async () => {
    await expect(
      world.sql("update invoices set title = 'x' where id = $1", [issued.id]),
    ).rejects.toThrow("is issued");
    await expect(
      world.sql("delete from invoice_lines where invoice_id = $1", [issued.id]),
    ).rejects.toThrow("is issued");
  });
});

describe("a draft whose booking in an external ledger is in progress", () => {
  it.each<[string, Json]>([
    ["PATCH", {}],
    ["DELETE", undefined],
  ])("refuses %s", async (method, body) => {
    const draft = await create();
    await world.sql(
      `insert into intents (account_id, id, document_id, kind, payload, payload_hash, actor_kind, actor_id,
         lease_until, next_attempt_at)
       values ($1, gen_random_uuid(), $2, 'invoice', '{}', '', 'api_key', 'x', now(), now())`,
      [world.account.account_id, draft.id],
    );

    const reply = await world.rest(`${method} /invoices/${draft.id}`, body);

    expect(refusal(reply)).toBe("409 INVOICE_ISSUE_IN_PROGRESS");
  });
});
