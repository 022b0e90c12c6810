/** The refusals of POST /credit-notes, in the order of the table in spec 5.5. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, draft, issued, fullCredit, partCredit, post, credited } = useSales();

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";

describe("POST /credit-notes refuses with 422, before anything is looked up,", () => {
  it.each<[string, object | string, string]>([
    ["no JSON", "{", "400 MALFORMED_REQUEST"],
    ["an array", [], "400 MALFORMED_REQUEST"],
    [
      "no required field",
      {
        external_id: undefined,
        invoice: undefined,
        kind: undefined,
        credit_date: undefined,
      },
      "external_id required, invoice required, kind required, credit_date required",
    ],
    ["null as external id", { external_id: null }, "external_id invalid_type"],
    ["an empty external id", { external_id: "" }, "external_id too_short"],
    ["129 characters of external id", { external_id: "x".repeat(129) }, "external_id too_long"],
    ["NUL in the external id", { external_id: "a\u0000" }, "external_id invalid_value"],
    ["an empty invoice", { invoice: "" }, "invoice invalid_format"],
    ["an invoice that is no reference", { invoice: "17" }, "invoice invalid_format"],
    ["an external id without a name", { invoice: "ext:" }, "invoice invalid_format"],
    ["another kind", { kind: "half" }, "kind invalid_value"],
    ["a day that does not exist", { credit_date: "2026-02-30" }, "credit_date invalid_format"],
    ["a time", { credit_date: "2026-02-03T00:00:00Z" }, "credit_date invalid_format"],
    ["another spelling of a day", { credit_date: "2026-2-3" }, "credit_date invalid_format"],
    ["lines that are not an array", { kind: "partial", lines: "all" }, "lines invalid_type"],
    [
      "full with lines (95)",
      { lines: [{ invoice_line_id: UNKNOWN_ID, amount: 1 }] },
      "lines not_allowed",
    ],
    ["partial without lines (95)", { kind: "partial" }, "lines required"],
    ["partial with an empty list of lines", { kind: "partial", lines: [] }, "lines required"],
    [
      "partial with amounts of 0 only (95)",
      { kind: "partial", lines: [{ invoice_line_id: UNKNOWN_ID, amount: 0 }] },
      "lines too_small",
    ],
    [
      "a line without its fields",
      { kind: "partial", lines: [{}] },
      "lines[0].invoice_line_id required, lines[0].amount required",
    ],
    [
      "a line that is no UUID",
      { kind: "partial", lines: [{ invoice_line_id: "ext:a", amount: 1 }] },
      "lines[0].invoice_line_id invalid_format",
    ],
    [
      "an amount below 0",
      { kind: "partial", lines: [{ invoice_line_id: UNKNOWN_ID, amount: -0.01 }] },
      "lines[0].amount too_small, lines too_small",
    ],
    [
      "an amount as text",
      { kind: "partial", lines: [{ invoice_line_id: UNKNOWN_ID, amount: "1" }] },
      "lines[0].amount invalid_type",
    ],
    [
      "an amount with more decimals than any currency",
      { kind: "partial", lines: [{ invoice_line_id: UNKNOWN_ID, amount: 1.00001 }] },
      "lines[0].amount too_many_decimals",
    ],
    [
      "a line named twice, in whatever case",
      {
        kind: "partial",
        lines: [
          { invoice_line_id: UNKNOWN_ID, amount: 1 },
          { invoice_line_id: UNKNOWN_ID.toUpperCase(), amount: 0 },
        ],
      },
      "lines[1].invoice_line_id duplicate",
    ],
    [
      "501 lines",
      {
        kind: "partial",
        lines: Array.from({ length: 501 }, (_, index) => ({
          invoice_line_id: UNKNOWN_ID.replace(/.{3}$/, String(index + 100)),
          amount: 1,
        })),
      },
      "lines too_long",
    ],
  ])("%s", async (_what, fields, expected) => {
    const base = {
      external_id: "never",
      invoice: UNKNOWN_ID,
      kind: "full",
      credit_date: "2026-03-10",
    };
    const body =
      typeof fields === "string" || Array.isArray(fields) ? fields : { ...base, ...fields };

    const reply = await post(body);

    const is_malformed = expected.startsWith("400");
    expect(refusal(reply)).toBe(is_malformed ? expected : `422 VALIDATION_FAILED ${expected}`);
  });
});

describe("POST /credit-notes refuses", () => {
  it.each<[string, (invoice: Json) => Json, string]>([
    ["an unknown invoice", () => ({ invoice: UNKNOWN_ID }), "404 NOT_FOUND"],
    ["an unknown external id of an invoice", () => ({ invoice: "ext:unknown" }), "404 NOT_FOUND"],
    [
      "an unknown line",
      () => ({ kind: "partial", lines: [{ invoice_line_id: UNKNOWN_ID, amount: 1 }] }),
      "422 VALIDATION_FAILED lines[0].invoice_line_id unknown_reference",
    ],
    [
      "more decimals than the currency has",
      (invoice) => ({
        kind: "partial",
        lines: [{ invoice_line_id: invoice.lines[0].id, amount: 1.005 }],
      }),
      "422 VALIDATION_FAILED lines[0].amount too_many_decimals",
    ],
    [
      "0.01 more than the line has (91)",
      (invoice) => ({
        kind: "partial",
        lines: [{ invoice_line_id: invoice.lines[0].id, amount: 100.01 }],
      }),
      "409 CREDIT_EXCEEDS_LINE",
    ],
    [
      "one of several lines with too large an amount",
      (invoice) => ({
        kind: "partial",
        lines: [
          { invoice_line_id: invoice.lines[1].id, amount: 50 },
          { invoice_line_id: invoice.lines[0].id, amount: 150 },
        ],
      }),
      "409 CREDIT_EXCEEDS_LINE",
    ],
  ])("%s, stores nothing and leaves the external id free", async (what, fields, expected) => {
    const invoice = await issued([100, 50]);
    const external_id = `refused: ${what}`;

    const reply = await post(fullCredit(invoice, { ...fields(invoice), external_id }));

    expect(refusal(reply)).toBe(expected);
    expect((await world.rest(`GET /credit-notes/ext:${external_id}`)).status).toBe(404);
    expect((await world.done(`GET /invoices/${invoice.id}/credit-notes`)).data).toEqual([]);
    expect((await post(fullCredit(invoice, { external_id }))).status).toBe(201);
  });

  it("a line of another invoice, also of the same customer", async () => {
    const [invoice, other] = [await issued([100]), await issued([100])];

    const reply = await post(
      partCredit(invoice, [], { lines: [{ invoice_line_id: other.lines[0].id, amount: 1 }] }),
    );

    expect(refusal(reply)).toBe("422 VALIDATION_FAILED lines[0].invoice_line_id unknown_reference");
  });

  it("more than the remainder of a line, and names the line and its remainder", async () => {
    const invoice = await issued([100, 50]);
    await credited(partCredit(invoice, [60.5, 50]));

    const reply = await post(partCredit(invoice, [39.51]));

    expect(refusal(reply)).toBe("409 CREDIT_EXCEEDS_LINE");
    expect(reply.body.error.details).toEqual({ line: invoice.lines[0].id, remainder: 39.5 });
    // A second line of the invoice is credited down to its last minor unit.
    const spent = await post(partCredit(invoice, [undefined, 0.01]));
    expect(spent.body.error.details).toEqual({ line: invoice.lines[1].id, remainder: 0 });
    expect((await post(partCredit(invoice, [39.5]))).status).toBe(201);
  });

  it("days through the lock date, and no later ones", async () => {
    const invoice = await issued([100], { issue_date: "2026-02-01" });
    await world.done("PATCH /configuration", { period_lock_date: "2026-02-28" });

    const replies = [
      await post(partCredit(invoice, [1], { credit_date: "2026-02-27" })),
      await post(partCredit(invoice, [1], { credit_date: "2026-02-28" })),
      await post(partCredit(invoice, [1], { credit_date: "2026-03-01" })),
    ];

    await world.done("PATCH /configuration", { period_lock_date: null });
    expect(replies.map(refusal)).toEqual(["409 PERIOD_LOCKED", "409 PERIOD_LOCKED", "201"]);
    expect(replies[1]?.body.error.details).toEqual({
      date: "2026-02-28",
      period_lock_date: "2026-02-28",
    });
  });
});

describe("the order of the checks (spec 5.5 and 11.4)", () => {
  let invoice: Json;
  let unissued: Json;
  let used: Json;
  beforeAll(async () => {
    invoice = await issued([100, 50], { issue_date: "2026-03-01" });
    unissued = await draft([100]);
    used = fullCredit(await issued([100]), { external_id: "used" });
    await credited(used);
    await world.done("PATCH /configuration", { period_lock_date: "2026-03-09" });
  });
  afterAll(() => world.done("PATCH /configuration", { period_lock_date: null }));

  const locked = { credit_date: "2026-03-09" };
  const foreign = { kind: "partial", lines: [{ invoice_line_id: UNKNOWN_ID, amount: 1 }] };

  it.each<[string, () => Json, string]>([
    [
      "faults that need no database come before a used external id",
      () => ({ ...used, lines: [{ invoice_line_id: UNKNOWN_ID, amount: 1 }] }),
      "422 VALIDATION_FAILED lines not_allowed",
    ],
    ["a used external id with the same content before the state of the invoice", () => used, "200"],
    [
      "a used external id with other content before an unknown invoice",
      () => ({ ...used, invoice: UNKNOWN_ID }),
      "409 EXTERNAL_ID_CONFLICT",
    ],
    [
      "a used external id with other content before a draft",
      () => ({ ...used, invoice: unissued.id }),
      "409 EXTERNAL_ID_CONFLICT",
    ],
    [
      "an unknown invoice before foreign lines",
      () => ({ ...fullCredit({ id: UNKNOWN_ID }), ...foreign }),
      "404 NOT_FOUND",
    ],
    [
      "foreign lines before a draft",
      () => ({ ...fullCredit(unissued), ...foreign }),
      "422 VALIDATION_FAILED lines[0].invoice_line_id unknown_reference",
    ],
    [
      "decimals of the currency before a draft",
      () => partCredit(unissued, [0.001]),
      "422 VALIDATION_FAILED lines[0].amount too_many_decimals",
    ],
    [
      "a draft (95) before a locked day",
      () => fullCredit(unissued, locked),
      "409 INVOICE_NOT_ISSUED",
    ],
    ["a draft before its amounts", () => partCredit(unissued, [101]), "409 INVOICE_NOT_ISSUED"],
    [
      "an invoice that is fully credited before a line's remainder",
      () => {
        const { id } = { id: used.invoice };
        return { ...fullCredit({ id }, locked), kind: "full" };
      },
      "409 INVOICE_FULLY_CREDITED",
    ],
    [
      "a line's remainder before a locked day",
      () => partCredit(invoice, [101], locked),
      "409 CREDIT_EXCEEDS_LINE",
    ],
    [
      "a locked day, when there is no other fault",
      () => fullCredit(invoice, locked),
      "409 PERIOD_LOCKED",
    ],
  ])("%s", async (_what, body, expected) => {
    expect(refusal(await post(body()))).toBe(expected);
  });

  it("a locked day before a ledger that is not connected", async () => {
    const connect = (kind: string) => world.sql("update accounts set ledger_kind = $1", [kind]);
    await connect("elsewhere");

    const replies = [
      await post(fullCredit(invoice, locked)),
      await post(fullCredit(invoice, { external_id: "unconnected" })),
    ];

    await connect("builtin");
    expect(replies.map(refusal)).toEqual(["409 PERIOD_LOCKED", "409 LEDGER_NOT_CONNECTED"]);
    expect((await world.rest("GET /credit-notes/ext:unconnected")).status).toBe(404);
  });
});
