/** Payments of invoices, recorded through the API. Amounts are minor units of DKK. */
import { newId } from "../../../src/platform/runtime/id.ts";
import type { World } from "./world.ts";

interface Paid {
  readonly amount: bigint;
  readonly date: string;
  /** What is applied to the invoice; by default the whole amount. The rest is customer credit. */
  readonly applied?: bigint;
  readonly rounding?: bigint;
  /** The day of the allocation, where that is later than the payment. */
  readonly applied_on?: string;
  /** The day on which the allocation was reversed. */
  readonly reversed_on?: string;
}

/** Records a payment and applies it to an invoice. Returns the ids of the payment and of the allocation. */
export async function payInvoice(
  world: World,
  invoice: string,
  { amount, date, applied = amount, rounding = 0n, applied_on, reversed_on }: Paid,
): Promise<{ readonly payment_id: string; readonly allocation_id: string }> {
  const part = { invoice, amount: Number(applied) / 100, rounding: Number(rounding) / 100 };
  const { customer_id } = await world.done(`GET /invoices/${invoice}`);
  const payment = await world.done("POST /payments", {
    external_id: newId<string>(),
    customer: customer_id,
    date,
    amount: Number(amount) / 100,
    allocations: applied_on === undefined ? [part] : [],
    remainder: "customer_credit",
  });
  const allocation =
    applied_on === undefined
      ? payment.allocations[0]
      : await world.done("POST /allocations", {
          ...part,
          external_id: newId<string>(),
          payment: payment.id,
          date: applied_on,
        });
  if (reversed_on !== undefined) {
    const reversal = { reason: "A mistake", date: reversed_on };
    await world.done(`POST /allocations/${allocation.id}/reverse`, reversal);
  }
  return { payment_id: payment.id, allocation_id: allocation.id };
}
