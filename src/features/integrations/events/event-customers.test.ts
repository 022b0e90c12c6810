/** The customer of events whose resource names none: allocations, lines of bank statements, holds of reminders and revoked links. */
import { beforeAll, expect, it } from "vitest";
import { camt, DANISH_IBAN } from "../../../../test/support/bank/camt.ts";
import { sendBankFile } from "../../../../test/support/bank/send-file.ts";
import { useSales } from "../../../../test/support/world/sales.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { run } from "../../../platform/commands/command.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { revokeInvoiceLinks } from "../../sales/invoices/documents.ts";

const { world, customer, issued, partCredit, credited } = useSales();

const owed = (gross: number): Promise<Json> => issued([gross / 1.25], { issue_date: "2026-01-01" });

/** The events of some types that are of the customer, and how many others there are. */
async function ofCustomer(
  types: string,
): Promise<{ readonly own: string[]; readonly others: number }> {
  const { data } = await world.done(`GET /events?limit=100&types=${types}`);
  const own = await world.done(`GET /events?limit=100&types=${types}&customer=${customer.id}`);
  expect(own.data).toEqual(data.filter((event: Json) => event.customer_id === customer.id));
  return { own: own.data.map(({ type }: Json) => type), others: data.length - own.data.length };
}

beforeAll(async () => {
  const [bank] = (await world.done("GET /bank-accounts")).data;
  await world.done(`PATCH /bank-accounts/${bank.id}`, { iban: DANISH_IBAN });
});

it("is that of both items of an allocation", async () => {
  const [one, other] = [await owed(1000), await owed(1000)];
  await credited(partCredit(one, [320], { credit_date: "2026-01-01" }));
  const payment = await world.done("POST /payments", {
    external_id: "paid",
    customer: customer.id,
    date: "2026-01-02",
    amount: 500,
    allocations: [],
    remainder: "customer_credit",
  });
  const { id } = await world.done("POST /allocations", {
    external_id: "applied",
    payment: payment.id,
    invoice: other.id,
    amount: 500,
  });
  await world.done(`POST /allocations/${id}/reverse`, { reason: "A mistake" });
  const { own, others } = await ofCustomer("allocation.*");
  expect(own).toEqual(["allocation.created", "allocation.created", "allocation.reversed"]);
  expect(others).toBe(0);
});

it("is that of the payment which a bank line becomes, and of none where it is ignored; a repeat has no event", async () => {
  const invoice = await owed(2500);
  const { payment_codes } = await world.done(`GET /invoices/${invoice.id}/payment`);
  const entries = [
    { amount: "2500.00", text: "Tak", reference: payment_codes.rf, day: "2026-01-05" },
    { amount: "77.00", text: "Rent", day: "2026-01-05" },
  ];
  await sendBankFile(world, camt({ entries }));
  const { data } = await world.done("GET /bank-lines?from=2026-01-05&to=2026-01-05");
  const lines = data.map(({ id, amount }: Json) =>
    amount === 2500 ? { bank_line: id, accept: true } : { bank_line: id, ignore: "rent" },
  );
  const run = await world.done("POST /bank-lines/book", { lines });
  expect([run.booked, run.ignored]).toEqual([1, 1]);
  await world.done("POST /bank-lines/book", { lines });
  expect(await ofCustomer("bank_line.*")).toEqual({ own: ["bank_line.booked"], others: 1 });
});

it("is that of the invoice whose reminders are on hold", async () => {
  const { id } = await owed(1000);
  const path = `/invoices/${id}/reminder-hold`;
  await world.done(`PUT ${path}`, { until: "2099-01-01", reason: "A complaint" });
  await world.done(`PUT ${path}`, { until: "2099-02-01", reason: "A complaint" });
  await world.done(`DELETE ${path}`);
  const { own, others } = await ofCustomer("reminder_hold.*");
  const actions = ["created", "updated", "deleted"];
  expect(own).toEqual(actions.map((action) => `reminder_hold.${action}`));
  expect(others).toBe(0);
});

it("is that of the document whose links are revoked", async () => {
  const { id } = await owed(1000);
  await world.done(`POST /invoices/${id}/send`);
  const cx = await schedulerContext(world.services, world.account.account_id);
  await run(revokeInvoiceLinks, cx, { ref: id });
  const types = "invoice.links_revoked";
  expect(await ofCustomer(types)).toEqual({ own: [types], others: 0 });
});
