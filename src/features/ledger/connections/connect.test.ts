/**
 * Connecting an account to a simulation of Dinero: the checks, the stored and the shown data, the secrets, and a document
 * booked there over the same connection.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import {
  openDineroSimulation,
  simulatedAccess,
} from "../../../../test/support/ledger/dinero/simulation.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import type { Problem } from "../../../domain/base/problem.ts";
import { run } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import { openLog } from "../../../platform/runtime/log.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { getConfiguration } from "../../settings/configuration/queries.ts";
import { changeMapping, readMapping } from "./change-mapping.ts";
import { connectAccount, disconnectAccount } from "./connect-account.ts";
import { rollKeys } from "./roll-keys.ts";
import { runDueCheck } from "./run-checks.ts";

const lines: string[] = [];
const log = openLog("trace", { write: (line: string) => void lines.push(line) });
const world = useWorld({
  environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" },
  overrides: { log },
});
let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
let given: Record<string, string>;
beforeAll(async () => {
  simulation = await openDineroSimulation();
  const { settings, secrets } = simulatedAccess(simulation.origin);
  given = { ...settings, ...secrets, requests_per_minute: "60000" };
});
afterAll(() => simulation?.close());

const operator = (account_id = world.account.account_id): Promise<Context> =>
  operatorContext(world.services, account_id);
const problemOf = async (work: Promise<unknown>): Promise<Problem> =>
  work.then(
    () => Promise.reject(new Error("nothing was refused")),
    (problem: Problem) => problem,
  );

it("shows the built-in ledger as it is", async () => {
  expect(await world.done("GET /ledger/connection")).toMatchObject({
    object: "ledger_connection",
    id: null,
    kind: "builtin",
    state: "connected",
    organisation: null,
    mapping: [],
  });
  expect(await world.done("POST /ledger/connection/check")).toMatchObject({ kind: "builtin" });
});

it("stores no connection that does not work", async () => {
  const cx = await operator();
  const refused: [object, string, RegExp][] = [
    [{ client_secret: "" }, "VALIDATION_FAILED", /./],
    [{ unheard_of: "1" }, "VALIDATION_FAILED", /./],
    [{ organization_id: "many" }, "VALIDATION_FAILED", /./],
    [{ api_key: "" }, "VALIDATION_FAILED", /./],
    [{ refresh_token: "besides" }, "VALIDATION_FAILED", /./],
    [{ api_key: "wrong" }, "LEDGER_NOT_CONNECTED", /refused the credentials/],
    [{ token_url: "https://elsewhere.example/token" }, "LEDGER_NOT_CONNECTED", /elsewhere/],
    [{ token_url: "http://127.0.0.1:1/token" }, "LEDGER_UNAVAILABLE", /did not answer/],
  ];
  for (const [changes, code, message] of refused) {
    const problem = await problemOf(connectAccount(cx, "dinero", { ...given, ...changes }));
    expect([code, problem.code]).toEqual([code, code]);
    expect(problem.message).toMatch(message);
  }
  const euros = await world.openAnother({ currency: "EUR" });
  const other = await problemOf(connectAccount(await operator(euros.account_id), "dinero", given));
  expect([other.code, other.message]).toEqual([
    "LEDGER_REJECTED",
    expect.stringMatching(/^OTHER_CURRENCY/),
  ]);
  expect(await world.sql("select id from ledger_connections")).toEqual([]);
});

it("connects only for the operator or an admin in person, never for a key", async () => {
  const cx = await schedulerContext(world.services, world.account.account_id);
  expect((await problemOf(connectAccount(cx, "dinero", given))).code).toBe("ROLE_FORBIDDEN");
  expect((await problemOf(run(disconnectAccount, cx, {}))).code).toBe("ROLE_FORBIDDEN");
});

it("stores a working connection, and proposes a mapping for the ledger's accounts", async () => {
  const before = await schedulerContext(world.services, world.account.account_id);
  await connectAccount(await operator(), "dinero", given);
  // A caller from before the connection can no longer book in the built-in ledger.
  expect((await problemOf(getConfiguration(before))).code).toBe("RESOURCE_BUSY");
  const shown = await world.done("GET /ledger/connection");
  expect(shown).toMatchObject({
    kind: "dinero",
    state: "connected",
    organisation: { id: "270001" },
    capabilities: { documents: "ledger" },
    last_error: null,
  });
  expect(shown.mapping).toContainEqual({
    account_number: 1000,
    vat_code: "DK25",
    ledger_account: "1000",
    ledger_vat_code: null,
  });
  const { open } = await readMapping(await operator());
  expect(open.length).toBeGreaterThan(0);
  expect((await world.done("GET /configuration")).ledger).toEqual({
    connected: true,
    kind: "dinero",
  });
  const numbering = { next_invoice_number: 5000 };
  const renumbered = await world.rest("PATCH /configuration", { numbering });
  expect(refusal(renumbered)).toBe("409 CONFIGURATION_LOCKED");
});

it("lists the open pairs, and accepts only accounts that the ledger has", async () => {
  const cx = await operator();
  const [first] = (await readMapping(cx)).open;
  if (first === undefined) throw new Error("nothing is open");
  const ledger_account = first.vat_code === "DK25" ? "1000" : "1150";
  const row = { ...first, ledger_account, ledger_vat_code: null };
  for (const wrong of [
    { ledger_account: "no such" },
    { account_number: 9_999 },
    { vat_code: "XX" },
  ]) {
    const refused = run(changeMapping, cx, { rows: [{ ...row, ...wrong }] });
    expect((await problemOf(refused)).code).toBe("VALIDATION_FAILED");
  }
  await run(changeMapping, cx, { rows: [row] });
  expect((await readMapping(cx)).open).not.toContainEqual(first);
});

it("keeps the connection after a booking, and when the credentials are wrong", async () => {
  const wrong = connectAccount(await operator(), "dinero", { ...given, api_key: "x" });
  expect((await problemOf(wrong)).code).toBe("LEDGER_NOT_CONNECTED");
  const { account_id, keys } = await world.openAnother();
  const done = (call: string, body?: Json) => world.done(call, body, keys.read_write);
  const customer = await done("POST /customers", { name: "Acme", email: "a@acme.example" });
  const product = await done("POST /products", { name: "Work", default_price: 100 });
  const { id } = await done("POST /invoices", {
    customer_id: customer.id,
    auto_send: false,
    lines: [{ product_id: product.id, recognition_method: "value", agreed_value: 100 }],
  });
  await done(`POST /invoices/${id}/issue`);
  const fixed = await problemOf(connectAccount(await operator(account_id), "dinero", given));
  expect([fixed.code, fixed.message]).toEqual([
    "CONFIGURATION_LOCKED",
    "An account with booked documents moves to another ledger with `matchbook ledger move`, on the command line.",
  ]);
});

it("sends customers to the ledger, and disconnects where nothing was booked", async () => {
  await world.done("POST /customers", { name: "Acme A/S", email: "a@acme.example" });
  expect((await simulation.books()).contacts).toHaveLength(1);
  await run(disconnectAccount, await operator(), {});
  expect(await world.done("GET /ledger/connection")).toMatchObject({ kind: "builtin" });
  await connectAccount(await operator(), "dinero", given);
  expect(await world.sql("select kind from ledger_connections where is_current")).toHaveLength(1);
});

it("checks automatically whether the connection works, and what the ledger has locked", async () => {
  await world.sql("update ledger_connections set checked_at = null, locked_through = '2020-01-01'");
  expect(await runDueCheck(world.services)).toBe(true);
  expect(await runDueCheck(world.services)).toBe(false);
  const [{ locked_through }] = await world.sql(
    "select locked_through::text from ledger_connections where is_current",
  );
  expect(locked_through).not.toBe("2020-01-01");
  await simulation.kill();
  const checked = await world.done("POST /ledger/connection/check");
  expect(checked).toMatchObject({ state: "unavailable", last_error: "unavailable" });
  await simulation.restart();
  await world.sql(
    `insert into intents (account_id, id, document_id, connection_id, kind, payload, payload_hash, actor_kind, actor_id,
       lease_until, next_attempt_at)
     select account_id, id, id, id, 'invoice', '{}', '', 'user', '1', now(), now() + interval '1 hour'
     from ledger_connections where is_current`,
  );
  expect(await world.done("POST /ledger/connection/check")).toMatchObject({ state: "connected" });
  // Bookings that waited for it are due.
  expect(
    await world.sql("delete from intents where next_attempt_at <= now() returning id"),
  ).toHaveLength(1);
});

/** A draft of the account, not sent to the ledger yet. */
async function draftOf(name: string): Promise<string> {
  const customer = await world.done("POST /customers", { name, email: "a@acme.example" });
  const product = await world.done("POST /products", { name, default_price: 100 });
  const lines = [{ product_id: product.id, recognition_method: "value", agreed_value: 100 }];
  const body = { customer_id: customer.id, auto_send: false, lines };
  return (await world.done("POST /invoices", body)).id;
}

it("accepts other credentials for the same books at any time, but no other books", async () => {
  const before = await world.done("GET /ledger/connection");
  await world.done(`POST /invoices/${await draftOf("Booked")}/issue`);
  const open = await draftOf("Renewed");
  await simulation.control("organisation", { key: "another-key" });
  await simulation.control("edit", { key: "key/sim-key", change: null });
  await simulation.control("revoke");
  expect(refusal(await world.rest(`POST /invoices/${open}/issue`))).toBe(
    "409 LEDGER_NOT_CONNECTED",
  );
  expect(await world.done("GET /ledger/connection")).toMatchObject({ state: "unauthorized" });

  await connectAccount(await operator(), "dinero", { ...given, api_key: "another-key" });

  const { checked_at: _, ...after } = await world.done("GET /ledger/connection");
  expect(before).toMatchObject(after);
  expect(await world.done(`POST /invoices/${open}/issue`)).toMatchObject({ status: "issued" });
  const elsewhere = { ...given, api_url: "http://localhost:1" };
  expect((await problemOf(connectAccount(await operator(), "dinero", elsewhere))).code).toBe(
    "CONFIGURATION_LOCKED",
  );
  await simulation.control("organisation", { Id: 270_002, key: "other-books" });
  const others = { ...given, organization_id: "270002", api_key: "other-books" };
  const refused = await problemOf(connectAccount(await operator(), "dinero", others));
  expect(refused.code).toBe("CONFIGURATION_LOCKED");
  await simulation.control("organisation", { key: "sim-key" });
  await connectAccount(await operator(), "dinero", given);
});

describe("a pair whose account charges another VAT rate", () => {
  const pair = (account_number: number, vat_code: string, ledger_account: string) => {
    return { account_number, vat_code, ledger_account, ledger_vat_code: null };
  };
  const domestic = pair(1000, "DK25", "1000");

  it.each([
    [pair(1000, "DK25", "1150"), "0 %", "DK25 is 25 %"],
    [pair(1000, "DK25", "1020"), "0 %", "DK25 is 25 %"],
    [pair(1150, "EU_SERVICES_RC", "1000"), "25 %", "EU_SERVICES_RC is 0 %"],
  ])("is refused with both rates, and changes nothing: %o", async (row, there, here) => {
    const cx = await operator();
    const before = await readMapping(cx);
    const problem = await problemOf(run(changeMapping, cx, { rows: [domestic, row] }));
    expect(problem.extras.field_errors).toMatchObject([{ field: "rows[1].ledger_account" }]);
    const [error] = problem.extras.field_errors ?? [];
    expect(error?.message).toContain(
      `Account ${row.ledger_account} in the accounting system charges ${there}`,
    );
    expect(error?.message).toContain(here);
    expect(await readMapping(cx)).toEqual(before);
  });

  it("is open with the reason when a new connection finds another rate, and books nothing", async () => {
    const { organisation } = (await simulation.books()) as Json;
    const accounts = organisation.accounts.map((one: Json) =>
      one.AccountNumber === 1000 ? { ...one, VatCode: null } : one,
    );
    await simulation.control("organisation", { accounts });
    await connectAccount(await operator(), "dinero", given);

    const reason = "Account 1000 in the accounting system charges 0 % VAT, and DK25 is 25 %.";
    const { open, rows } = await readMapping(await operator());
    expect(open).toContainEqual({ account_number: 1000, vat_code: "DK25", reason });
    expect(rows).toContainEqual(domestic);
    const id = await draftOf("Rate changed");
    const refused = await world.rest(`POST /invoices/${id}/issue`);
    expect(refusal(refused)).toBe("409 LEDGER_MAPPING_MISSING");
    expect(refused.body.error.message).toBe(reason);

    await simulation.control("organisation", { accounts: organisation.accounts });
    await world.done("POST /ledger/connection/check");
    expect((await readMapping(await operator())).open).not.toContainEqual(
      expect.objectContaining({ account_number: 1000, vat_code: "DK25" }),
    );
    await world.done(`DELETE /invoices/${id}`);
  });
});

it("seals all secrets again with a new key", async () => {
  const before = await world.sql("select id, key_id from ledger_connections");
  // As if two processes had ended before they sealed anything.
  world.services.sealing.rotate();
  world.services.sealing.rotate();
  const { key_id, sealed } = await rollKeys(world.services);
  expect(sealed).toBe(before.length);
  expect(before.map((row: Json) => row.key_id)).not.toContain(key_id);
  expect(await world.done("POST /ledger/connection/check")).toMatchObject({ state: "connected" });
});

it("keeps secrets out of everything that is stored unsealed, shown or logged", async () => {
  const secrets = ["sim-secret", "sim-key"];
  const texts = [
    ...(await world.sql("select payload::text as text from audit_events")),
    ...(await world.sql("select c::text as text from ledger_connections c")),
    ...(await world.sql("select k::text as text from idempotency_keys k")),
    { text: JSON.stringify(await world.done("GET /ledger/connection")) },
    { text: JSON.stringify(await world.done("GET /audit-events?limit=100")) },
    { text: lines.join("") },
  ].map(({ text }: Json) => String(text));
  expect(texts.length).toBeGreaterThan(10);
  for (const text of texts) expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});
