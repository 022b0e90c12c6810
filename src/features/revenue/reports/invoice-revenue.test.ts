import { beforeAll, describe, expect, it } from "vitest";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, draft, issued, partCredit, credited } = useSales();

const LICENCE = { service_from: "2026-01-01", service_to: "2026-03-31" };
const licence = (amount: number): Json => ({ agreed_value: amount, ...LICENCE });
let product_id: string;
beforeAll(async () => {
  const { data } = await world.done("GET /products");
  product_id = data[0].id;
  await world.done("PATCH /configuration", {
    account_roles: { contract_asset: 6240, contract_liability: 8070, exchange_difference: 3610 },
  });
});

const prepaid = (amount: number): Promise<Json> =>
  issued([amount], {
    issue_date: "2026-01-01",
    lines: [{ product_id, recognition_method: "value", ...licence(amount) }],
  });

describe("GET /invoices/{ref}/recognition", () => {
  it("extends to a credit note that is dated ahead, later than any service", async () => {
    const invoice = await prepaid(300);
    await credited(partCredit(invoice, [30], { credit_date: "2026-06-02" }));

    const { lines } = await world.done(`GET /invoices/${invoice.id}/recognition`);

    expect(lines[0]).toMatchObject({ credited: 30, earned_to_date: 300, invoiced_to_date: 300 });
    expect(lines[0].months.at(-1)).toMatchObject({ month: "2026-06", earned: -30, invoiced: -30 });
  });

  it("shows what each line earns and has invoiced, for every month through its end", async () => {
    const { id, lines } = await prepaid(30_000);

    expect(await world.done(`GET /invoices/${id}/recognition`)).toEqual({
      object: "recognition_schedule",
      invoice_id: id,
      currency: "DKK",
      lines: [
        {
          line_id: lines[0].id,
          amount: 30_000,
          credited: 0,
          earned_to_date: 30_000,
          invoiced_to_date: 30_000,
          completed_on: null,
          months: [
            { month: "2026-01", earned: 10_000, invoiced: 30_000, users: [unassigned(10_000)] },
            { month: "2026-02", earned: 10_000, invoiced: 0, users: [unassigned(10_000)] },
            { month: "2026-03", earned: 10_000, invoiced: 0, users: [unassigned(10_000)] },
          ],
        },
      ],
    });
  });

  it("is available for a draft, which has invoiced nothing", async () => {
    const { id } = await draft([500]);
    const { lines } = await world.done(`GET /invoices/${id}/recognition`);

    expect(lines).toMatchObject([
      { amount: 500, earned_to_date: 0, invoiced_to_date: 0, months: [] },
    ]);
  });
});

describe("POST /credit-notes/preview", () => {
  it("states amounts, VAT and revenue by month before and after, and stores nothing", async () => {
    const invoice = await prepaid(30_000);
    const body = partCredit(invoice, [6_000], { credit_date: "2026-02-10" });

    const preview = await world.done("POST /credit-notes/preview", body);

    const months = [
      { month: "2026-01", ...months_of(10_000, 10_000, 30_000, 30_000) },
      { month: "2026-02", ...months_of(10_000, 6_000, 0, -6_000) },
      { month: "2026-03", ...months_of(10_000, 8_000, 0, 0) },
    ];
    expect(preview).toEqual({
      object: "credit_note_preview",
      invoice_id: invoice.id,
      kind: "partial",
      credit_date: "2026-02-10",
      currency: "DKK",
      net: 6_000,
      vat: 1_500,
      gross: 7_500,
      vat_breakdown: [{ vat_code: "DK25", rate: 25, base: 6_000, vat: 1_500 }],
      lines: [{ invoice_line_id: invoice.lines[0].id, amount: 6_000, remainder: 24_000, months }],
      months,
      // The credit note of the first test is dated later.
      warnings: [
        expect.objectContaining({ code: "SELLER_INCOMPLETE" }),
        expect.objectContaining({ code: "DATE_BEFORE_LAST_NUMBER" }),
      ],
    });
    expect((await world.done(`GET /invoices/${invoice.id}/credit-notes`)).data).toEqual([]);
  });

  it("matches the credit note that is then created", async () => {
    const invoice = await prepaid(1_000);
    const body = partCredit(invoice, [333.33], { credit_date: "2026-02-10" });
    const { months } = await world.done("POST /credit-notes/preview", body);

    await credited(body);

    const { lines } = await world.done(`GET /invoices/${invoice.id}/recognition`);
    const reported = months.map((one: Json) => [one.month, one.earned_after, one.invoiced_after]);
    expect(lines[0].months.map((one: Json) => [one.month, one.earned, one.invoiced])).toEqual(
      reported,
    );
    const again = await world.done("POST /credit-notes/preview", body);
    expect(again.lines[0].remainder).toBe(333.34);
  });

  it("needs no external id, and ignores one", async () => {
    const invoice = await prepaid(1_000);
    const { external_id: _, ...body } = partCredit(invoice, [100]);

    const preview = await world.done("POST /credit-notes/preview", body);

    expect(preview.lines[0].remainder).toBe(900);
    for (const external_id of [null, 7, "x".repeat(200)]) {
      const sent = { ...body, external_id };
      expect(await world.done("POST /credit-notes/preview", sent)).toEqual(preview);
    }
  });

  it.each([
    ["an unknown invoice", 404, "NOT_FOUND", {}, "ext:unknown"],
    ["more than is left", 409, "CREDIT_EXCEEDS_LINE", { amount: 1_000.01 }, undefined],
    ["a full credit with lines", 422, "VALIDATION_FAILED", { kind: "full" }, undefined],
  ])("refuses %s with %i %s", async (_what, status, code, { amount = 1, ...fields }: Json, ref) => {
    const invoice = await prepaid(1_000);
    const body = partCredit(invoice, [amount], fields);
    const reply = await world.rest("POST /credit-notes/preview", {
      ...body,
      invoice: ref ?? body.invoice,
    });

    expect(reply).toMatchObject({ status, body: { error: { code } } });
  });

  it("refuses a draft, and a key that only reads", async () => {
    const open = await draft([100]);
    const body = partCredit(open, [1]);

    expect(await world.rest("POST /credit-notes/preview", body)).toMatchObject({
      status: 409,
      body: { error: { code: "INVOICE_NOT_ISSUED" } },
    });
    const key = world.account.keys.read;
    expect((await world.rest("POST /credit-notes/preview", body, key)).status).toBe(403);
  });
});

function months_of(...[a, b, c, d]: readonly number[]) {
  return { earned_before: a, earned_after: b, invoiced_before: c, invoiced_after: d };
}

function unassigned(earned: number) {
  return { user_id: null, earned };
}
