/**
 * A world with something in every dataset of exports: 700 customers, documents in two currencies, a credit note, a series, an opening
 * contract, hours, and accruals of which one is booked.
 */
import { beforeAll } from "vitest";
import { sendBatch } from "../http/send-batch.ts";
import { useWork } from "./work.ts";

export function useExported() {
  const work = useWork();
  const { world, customer, product, hours, hourly, newUser, draftLine, registered } = work;
  beforeAll(async () => {
    const gone = await world.done("POST /customers", { name: '=Gone, "quoted"\nand broken' });
    await world.done(`POST /customers/${gone.id}/deactivate`);
    await world.done("POST /products", {
      name: "Priced",
      default_price: 12.5,
      prices: [{ currency: "EUR", amount: 1.75 }],
    });
    const many = Array.from({ length: 700 }, (_, n) => ({
      external_id: `e-${n}`,
      name: `Client ${n}`,
    }));
    await sendBatch(world, "/customers/batch", many);
    await world.done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.46 });
    await world.done("PUT /exchange-rates/EUR/2026-02-28", { rate: 7.47 });
    await world.done("POST /opening-contracts", {
      external_id: "brought",
      customer: customer.id,
      product: product.id,
      invoiced: 24_000,
      earned: 16_000,
      service_from: "2025-03-01",
      service_to: "2026-06-30",
      cutover: "2025-12-31",
      counter_account: 6950,
    });
    await hourly();
    const value = { product_id: product.id, recognition_method: "value", agreed_value: 1234.56 };
    const draft = { customer_id: customer.id, auto_send: false, lines: [value, hours()] };
    await world.done("POST /invoices", draft);
    const year = { ...value, service_from: "2026-01-15", service_to: "2026-12-31" };
    const issued = await world.done("POST /invoices", {
      ...draft,
      issue_date: "2026-01-20",
      lines: [year],
    });
    await world.done(`POST /invoices/${issued.id}/issue`);
    const euros = await world.done("POST /customers", { name: "Euros" });
    const foreign = await world.done("POST /invoices", {
      ...draft,
      customer_id: euros.id,
      currency: "EUR",
      issue_date: "2026-02-28",
      lines: [{ ...year, assignees: [{ user_id: await newUser() }, { user_id: await newUser() }] }],
    });
    await world.done(`POST /invoices/${foreign.id}/issue`);
    const { id } = await world.done(`GET /accruals?customer=${customer.id}&month=2025-12`);
    await world.done(`POST /accruals/${id}/book`);
    await world.done("POST /credit-notes", {
      external_id: "credit",
      invoice: issued.id,
      kind: "full",
      credit_date: "2026-03-10",
    });
    await registered(await draftLine(), { user_id: await newUser(), date: "2026-03-01" });
  });
  return work;
}
