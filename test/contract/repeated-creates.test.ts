/**
 * A repeated create with the same meaning is the same request: a null field equals an omitted one, in every create that
 * has an `external_id`, for every field that may be either. Users have none.
 */
import { beforeAll, describe, expect, it } from "vitest";
import type * as z from "zod";
import { ProductCreate } from "../../src/features/catalogue/products/schemas.ts";
import { WebhookEndpointCreate } from "../../src/features/integrations/webhooks/schemas.ts";
import { BankAccountCreate } from "../../src/features/receivables/bank-accounts/schemas.ts";
import { OpeningItemCreate } from "../../src/features/receivables/opening-items/schemas.ts";
import { PaymentCreate } from "../../src/features/receivables/payments/schemas.ts";
import { SeriesCreate } from "../../src/features/recurring/series/schemas.ts";
import { OpeningContractCreate } from "../../src/features/revenue/opening-contracts/schemas.ts";
import { InvoiceCreate, InvoiceLineInput } from "../../src/features/sales/invoices/schemas.ts";
import { WorkCreate } from "../../src/features/work/registrations/schemas.ts";
import { type Json, useWorld } from "../support/world/world.ts";

let line: Json;
let customer_id: string;
let line_id: string;
const world = useWorld();
beforeAll(async () => {
  customer_id = (await world.done("POST /customers", { name: "Acme" })).id;
  const product = await world.done("POST /products", { name: "Hours", default_price: 10 });
  line = { product_id: product.id, recognition_method: "value", agreed_value: 100 };
  const draft = await world.done("POST /invoices", {
    customer_id,
    lines: [{ product_id: product.id, recognition_method: "hours", hourly_rate: 10 }],
  });
  line_id = draft.lines[0].id;
});

/** Null for every field that is not sent and may be null or omitted. */
function nullsOf(schema: z.ZodType, sent: Json): Json {
  const { shape } = schema as unknown as { shape: Readonly<Record<string, z.ZodType>> };
  const free = Object.entries(shape).filter(
    ([name, field]) =>
      !(name in sent) && field.safeParse(null).success && field.safeParse(undefined).success,
  );
  return Object.fromEntries(free.map(([name]) => [name, null]));
}

describe("a repeated create under one external id", () => {
  it.each<[string, z.ZodType, () => Json]>([
    ["/products", ProductCreate, () => ({ name: "Advice" })],
    ["/bank-accounts", BankAccountCreate, () => ({ name: "Savings", ledger_account: 6485 })],
    [
      "/payments",
      PaymentCreate,
      () => ({
        customer: customer_id,
        date: "2026-03-05",
        amount: 1,
        remainder: "customer_credit",
      }),
    ],
    [
      "/opening-items",
      OpeningItemCreate,
      () => ({
        number: "A-1",
        customer: customer_id,
        due_date: "2026-03-05",
        amount: 1,
        counter_account: 6950,
      }),
    ],
    [
      "/webhook-endpoints",
      WebhookEndpointCreate,
      () => ({ url: "https://hooks.example/", event_types: ["*"] }),
    ],
    [
      "/opening-contracts",
      OpeningContractCreate,
      () => ({
        customer: customer_id,
        product: line.product_id,
        invoiced: 2,
        earned: 1,
        service_to: "2026-12-31",
        cutover: "2026-01-31",
        counter_account: 6950,
      }),
    ],
    ["/invoices", InvoiceCreate, () => ({ customer_id, lines: [line] })],
    [
      "/recurring-series",
      SeriesCreate,
      () => ({ customer_id, frequency: "monthly", start_date: "2026-03-01", lines: [line] }),
    ],
    [
      "/work-registrations",
      WorkCreate,
      () => ({ line_id, user_id: world.account.admin.user_id, hours: 2 }),
    ],
  ])("of %s may send null for an omitted field, and the reverse", async (path, schema, body) => {
    const short: Json = { external_id: "short", ...body() };
    const whole: Json = { ...nullsOf(schema, short), ...short };
    if (whole.lines) whole.lines = [{ ...nullsOf(InvoiceLineInput, line), ...line }];
    expect(Object.values(whole)).toContain(null);

    const first = await world.rest(`POST ${path}`, short);
    expect(first.status).toBe(201);
    const again = await world.rest(`POST ${path}`, whole);
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);

    const second = await world.rest(`POST ${path}`, { ...whole, external_id: "whole" });
    expect(second.status).toBe(201);
    const repeated = await world.rest(`POST ${path}`, { ...short, external_id: "whole" });
    expect([repeated.status, repeated.body.id]).toEqual([200, second.body.id]);
  });
});
