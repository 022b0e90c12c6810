/**
 * Documents without value in the functional currency: they are issued like any other, with number, snapshot and
 * an entry without postings, so that an invoice can be credited down to its last unit.
 */
import { describe, expect, it } from "vitest";
import { checkBeancount, checkHledger, requireTool } from "../../../../test/ledger/checkers.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { journalText } from "./export.ts";

const { world, line, issued, fullCredit, partCredit, credited } = useSales();

const entryOf = async (guid: string): Promise<Json> =>
  (await world.done("GET /ledger/entries?limit=100")).data.find(
    (entry: Json) => entry.guid === guid,
  );

/** At this rate, 100 rupiah are 0.01 kr. and 0.01 rupiah is nothing. */
const rated = () => world.done("PUT /exchange-rates/IDR/2026-01-01", { rate: 0.0001 });

describe("a document with a value of 0 in the currency of the books", () => {
  it("is issued under the next number, with its snapshot and an entry without postings", async () => {
    await rated();
    const before = await issued([100]);

    const invoice = await issued([40], { currency: "IDR" });
    const after = await issued([100]);

    expect([invoice, after].map((one) => one.ledger_invoice_number)).toEqual([
      before.ledger_invoice_number + 1,
      before.ledger_invoice_number + 2,
    ]);
    expect(await entryOf(invoice.id)).toMatchObject({ kind: "invoice", postings: [] });
    expect(await world.done(`GET /invoices/${invoice.id}/totals`)).toMatchObject({ gross: 50 });
    expect((await world.rest(`GET /invoices/${invoice.id}/pdf`)).status).toBe(200);
    const note = await credited(fullCredit(invoice));
    expect(await entryOf(note.id)).toMatchObject({ kind: "credit_note", postings: [] });
  });

  it("may be the last unit of an invoice", async () => {
    await rated();
    const invoice = await issued([1_000_000], { currency: "IDR" });
    await credited(partCredit(invoice, [999_999.99]));

    const last = await credited(partCredit(invoice, [0.01]));

    expect(last).toMatchObject({ status: "issued", lines: [{ amount: 0.01 }] });
    expect((await entryOf(last.id)).postings).toEqual([]);
    const { accounts } = await world.done("GET /ledger/trial-balance");
    const again = await world.rest("POST /credit-notes", fullCredit(invoice));
    expect(again.body.error.code).toBe("INVOICE_FULLY_CREDITED");
    expect((await world.done("GET /ledger/trial-balance")).accounts).toEqual(accounts);
  });

  it("counts as 0 in an accrual, which is booked without a voucher", async () => {
    await rated();
    const customer = await world.done("POST /customers", { name: "Nothing A/S" });
    await world.done("PATCH /configuration", {
      account_roles: {
        contract_asset: 6240,
        contract_liability: 8070,
        exchange_difference: 3610,
      },
    });
    const service = { service_from: "2026-01-01", service_to: "2026-03-31" };
    await issued([], {
      customer_id: customer.id,
      currency: "IDR",
      issue_date: "2026-01-10",
      lines: [line(30, service)],
    });

    const { id } = await world.done(`GET /accruals?customer=${customer.id}&month=2026-01`);
    const accrual = await world.done(`POST /accruals/${id}/book`);

    expect(accrual).toMatchObject({ status: "booked", ledger_voucher_number: null });
  });

  it("is in journals that hledger and beancount accept", async (test) => {
    requireTool(test, "hledger");
    requireTool(test, "bean-check");
    await rated();
    const invoice = await issued([40], { currency: "IDR" });
    const cx = await operatorContext(world.services, world.account.account_id);
    const texts = await Promise.all(
      (["hledger", "beancount"] as const).map(async (format) => {
        const rows_of_voucher: string[] = [];
        for await (const row of journalText(cx, format)) rows_of_voucher.push(row);
        return rows_of_voucher.join("");
      }),
    );

    for (const text of texts) expect(text).toContain(`invoice-${invoice.ledger_invoice_number}`);
    expect(await checkHledger(texts[0] ?? "")).toEqual({ passed: true, output: "" });
    expect(await checkBeancount(texts[1] ?? "")).toEqual({ passed: true, output: "" });
  });
});
