/**
 * Work while the outcome of a booking in an external ledger is unknown: nothing is registered, changed or moved until
 * it is known (spec 6.2).
 */
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import {
  IN_PROGRESS,
  UNAVAILABLE,
  useExternalLedger,
} from "../../../../test/support/ledger/external-ledger.ts";
import { rejected, steps } from "../../../../test/support/ledger/scripted-ledger.ts";
import type { Json, Reply } from "../../../../test/support/world/world.ts";

const { world, ledger, customer, product, issue, show, work, letLeaseExpire } = useExternalLedger();

const NO_ANSWER = [steps.unknown, steps.unknown, steps.unknown];
let user_id = "";
beforeAll(async () => {
  const named = { name: "Bo", email: "bo@studio.example" };
  user_id = (await world.done("POST /users", named)).id;
});

const lines = () => [{ product_id: product.id, recognition_method: "hours", hourly_rate: 1000 }];
const draft = (): Promise<Json> =>
  world.done("POST /invoices", { customer_id: customer.id, auto_send: false, lines: lines() });
/** An active monthly series by hours from 1 March 2026. */
async function retainer(): Promise<{ id: string; line_id: string }> {
  const { id } = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2026-03-01",
    issue_timing: { mode: "manual" },
    auto_send: false,
    lines: lines(),
  });
  await world.done(`POST /recurring-series/${id}/activate`);
  const { data } = await world.done(`GET /recurring-series/${id}/occurrences/2026-03/lines`);
  return { id, line_id: data[0].id };
}
const register = (line_id: string): Promise<Reply> =>
  world.rest("POST /work-registrations", { line_id, user_id, hours: 0.5, date: "2026-03-02" });
const showWork = (id: string): Promise<Json> => world.done(`GET /work-registrations/${id}`);

/** Registering, and every change of registered work, are refused while the outcome is unknown. */
async function expectClosed(line_id: string, id: string): Promise<void> {
  const target = await draft();
  const path = `/work-registrations/${id}`;
  const answers = [
    await register(line_id),
    await world.rest(`PATCH ${path}`, { hours: 1 }),
    await world.rest(`PATCH ${path}`, { line_id: target.lines[0].id }),
    await world.rest(`DELETE ${path}`),
  ].map(refusal);
  expect(answers).toEqual(Array(4).fill(IN_PROGRESS));
  expect((await showWork(id)).status).toBe("open");
}

describe("while the issue of a draft is in progress", () => {
  it("its work is closed, and is finally invoiced with it", async () => {
    const invoice = await draft();
    const line_id = invoice.lines[0].id;
    const { body } = await register(line_id);
    ledger.onBook(...NO_ANSWER);
    expect(refusal(await issue(invoice.id))).toBe(UNAVAILABLE);

    await expectClosed(line_id, body.id);
    await letLeaseExpire(invoice.id);
    await work();
    expect(await show(invoice.id)).toMatchObject({ status: "issued" });
    expect(await showWork(body.id)).toMatchObject({ status: "invoiced", invoice_id: invoice.id });
    expect(ledger.documents.get(invoice.id)?.intent.document.totals.net).toBe(500_00n);
  });

  it("its work is open again after a refusal", async () => {
    const invoice = await draft();
    const { body } = await register(invoice.lines[0].id);
    ledger.onBook(rejected("VALIDATION"));
    expect(refusal(await issue(invoice.id))).toBe("409 LEDGER_REJECTED");

    expect((await showWork(body.id)).status).toBe("open");
    expect(refusal(await register(invoice.lines[0].id))).toBe("201");
    expect((await world.done(`GET /invoices/${invoice.id}/totals`)).net).toBe(1000);
  });
});

describe("while the issue of an occurrence is in progress", () => {
  it("its work is closed, and is finally invoiced with it", async () => {
    const { id, line_id } = await retainer();
    const { body } = await register(line_id);
    ledger.onBook(...NO_ANSWER);
    const path = `/recurring-series/${id}/occurrences/2026-03`;
    expect(refusal(await world.rest(`POST ${path}/issue`))).toBe(UNAVAILABLE);

    await expectClosed(line_id, body.id);
    expect(await showWork(body.id)).toMatchObject({ invoice_id: null, amount: 500 });
    expect((await world.done(`GET ${path}/lines`)).data[0].amount).toBe(500);
    const [pending] = await world.sql("select id from invoices where series_id = $1", [id]);
    await letLeaseExpire(pending.id);
    await work();
    expect(await showWork(body.id)).toMatchObject({ status: "invoiced", invoice_id: pending.id });
  });

  it("its work is open again after a refusal, on the same line", async () => {
    const { id, line_id } = await retainer();
    const { body } = await register(line_id);
    ledger.onBook(rejected("VALIDATION"));
    const path = `/recurring-series/${id}/occurrences/2026-03`;
    expect(refusal(await world.rest(`POST ${path}/issue`))).toBe("409 LEDGER_REJECTED");

    expect(await showWork(body.id)).toMatchObject({ status: "open", line_id, amount: 500 });
    expect(refusal(await register(line_id))).toBe("201");
    expect((await world.done(`GET ${path}/lines`)).data[0].amount).toBe(1000);
  });
});
