/** A connected ledger receives nothing under an account that it does not have, or on a day that it has locked. */
import { beforeAll, beforeEach, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { openScriptedLedger } from "../../../../test/support/ledger/scripted-ledger.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { builtinLedger } from "../../../ledger/connectors/builtin/connector.ts";
import type { Connection } from "../../../ledger/ledger.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { requireMapped } from "./require-mapped.ts";

const scripted = openScriptedLedger();
const ledger = { ...scripted.connection, chart: builtinLedger } as Connection;
const ledgers = new Map([ledger, builtinLedger].map((one) => [one.kind, one]));
const world = useWorld({ overrides: { ledgers } });
const CONNECTION = "01990000-0000-7000-8000-000000000001";

let product: Json;
beforeAll(async () => {
  await world.sql("update accounts set ledger_kind = 'scripted'");
  await world.sql(
    `insert into ledger_connections (account_id, id, kind, settings, key_id, sealed_secrets)
     values ($1, $2, 'scripted', '{}', '', '')`,
    [world.account.account_id, CONNECTION],
  );
  product = await world.done("POST /products", { name: "Consulting", default_price: 100 });
});

beforeEach(async () => {
  scripted.forget();
  await world.sql("delete from ledger_mappings");
});

const map = (rows: string) =>
  world.sql(
    `insert into ledger_mappings (account_id, connection_id, account_number, vat_code, ledger_account, ledger_vat_code)
     select $1, $2, m.* from (values ${rows}) as m`,
    [world.account.account_id, CONNECTION],
  );

async function draft(country_key: string): Promise<string> {
  const customer = await world.done("POST /customers", {
    name: "Acme",
    email: "a@acme.example",
    country_key,
  });
  const { id } = await world.done("POST /invoices", {
    customer_id: customer.id,
    auto_send: false,
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 100 }],
  });
  return id;
}

it("refuses a document whose account is not mapped, before it calls the ledger", async () => {
  const id = await draft("DK");
  const missing = await world.rest(`POST /invoices/${id}/issue`);
  expect(refusal(missing)).toBe("409 LEDGER_MAPPING_MISSING");
  expect(missing.body.error.details).toEqual({ account_number: 1000, vat_code: "DK25" });
  expect(scripted.calls).toEqual([]);
  expect(await world.done(`GET /invoices/${id}`)).toMatchObject({ status: "draft" });

  await map("(1000, 'DK25', '1000', null)");
  expect((await world.rest(`POST /invoices/${id}/issue`)).status).toBe(200);
});

it("decides VAT and accounts by the account's own chart, wherever the books are", async () => {
  const id = await draft("US");
  const { body } = await world.rest(`POST /invoices/${id}/issue`);
  expect(body.error.details).toEqual({ account_number: 1200, vat_code: "EXPORT_SERVICES" });
  const named = await world.rest("POST /products", { name: "No", account_number: 6190 });
  expect(named.body.error.field_errors).toMatchObject([{ code: "unknown_account" }]);
});

it("uses for a voucher the row without a VAT code, else the only one of the account", async () => {
  await map(
    "(1000, '', '1000', null), (6240, '', '12320', null), (2000, '', '1', null), (2000, 'DK25', '2', 'U25')",
  );
  const cx = await schedulerContext(world.services, world.account.account_id);
  const entry = (account_number: number) => ({
    account_role: "revenue" as const,
    account_number,
    amount: 1n,
  });
  const voucher = (...entries: readonly object[]) =>
    requireMapped(cx, [{ kind: "voucher", entries } as never]);
  const row = { vat_code: null, ledger_vat_code: null };
  expect(await voucher(entry(6240), entry(1000), entry(2000), entry(6240))).toEqual([
    [
      { ...row, account_number: 6240, ledger_account: "12320" },
      { ...row, account_number: 1000, ledger_account: "1000" },
      { ...row, account_number: 2000, ledger_account: "1" },
    ],
  ]);
  expect(await voucher({ ...entry(2000), vat_code: "DK25" })).toMatchObject([
    [{ vat_code: "DK25", ledger_account: "2", ledger_vat_code: "U25" }],
  ]);
  await expect(voucher({ ...entry(1000), vat_code: "DK0" })).rejects.toMatchObject({
    extras: { details: { account_number: 1000, vat_code: "DK0" } },
  });
});

it("books nothing on a day that the ledger has locked, and shows the account's lock date as it was set", async () => {
  await map("(1000, 'DK25', '1000', null)");
  await world.done("PATCH /configuration", { period_lock_date: "2026-01-31" });
  await world.sql("update ledger_connections set locked_through = '2026-03-31'");
  const id = await draft("DK");
  const locked = await world.rest(`POST /invoices/${id}/issue`);
  expect(refusal(locked)).toBe("409 PERIOD_LOCKED");
  expect(locked.body.error.details).toMatchObject({
    period_lock_date: "2026-03-31",
    ledger: "the accounting system",
  });
  expect((await world.done("GET /configuration")).period_lock_date).toBe("2026-01-31");
  await world.done("PATCH /configuration", { work_lock_date: "2026-01-31" });
  expect(await world.sql("select period_lock_date from configurations")).toEqual([
    { period_lock_date: "2026-01-31" },
  ]);
  await world.sql("update ledger_connections set locked_through = '2025-12-31'");
  expect((await world.rest(`POST /invoices/${id}/issue`)).status).toBe(200);
});
