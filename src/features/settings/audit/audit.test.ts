/** The audit trail over REST (spec 3.12). */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { invoiceOf, type Json, useWorld } from "../../../../test/support/world/world.ts";
import type { OpenedAccount } from "../../access/accounts/create.ts";

const world = useWorld();

/** A separate account, so that a test knows all of its events. */
async function fresh() {
  const account: OpenedAccount = await world.openAnother();
  const key = account.keys.read_write;
  const done = (call: string, body?: unknown) => world.done(call, body, key);
  /** From the oldest to the newest, without the events of opening the account. */
  const events = async (parameters = ""): Promise<Json[]> => {
    const { data } = await done(`GET /audit-events?limit=100${parameters}`);
    return data.filter((event: Json) => event.actor.kind !== "operator").reverse();
  };
  return { account, done, events };
}

const short = (event: Json) => `${event.resource_type} ${event.action}`;

describe("the audit trail", () => {
  it("has one event for each change, in order, with the state before and after", async () => {
    const { done, events } = await fresh();
    const created = await done("POST /customers", { name: "Acme", external_id: "a" });
    const renamed = await done("PATCH /customers/ext:a", { name: "Acme A/S" });
    const upserted = await done("POST /customers", {
      name: "Acme",
      external_id: "a",
      city: "Ribe",
    });
    await done("POST /customers/ext:a/deactivate");
    await done("POST /customers/ext:a/activate");

    const all = await events();

    expect(all.map(short)).toEqual([
      "customer created",
      "customer updated",
      "customer updated",
      "customer deactivated",
      "customer activated",
    ]);
    expect(all[1]).toEqual({
      object: "audit_event",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: { kind: "api_key", id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      action: "updated",
      resource_type: "customer",
      resource_id: created.id,
      before: created,
      after: renamed,
      reason: null,
    });
    expect([all[0].before, all[0].after]).toEqual([null, created]);
    expect([all[2].before, all[2].after]).toEqual([renamed, upserted]);
  });

  it("contains the whole life of an invoice, and keeps a deleted draft", async () => {
    const { done, events } = await fresh();
    const { id: customer_id } = await done("POST /customers", { name: "Acme" });
    const { id: product_id } = await done("POST /products", { name: "P", default_price: 10 });
    const lines = [{ product_id, recognition_method: "value" }];
    const draft = await done("POST /invoices", { customer_id, auto_send: false, lines });
    const doomed = await done("POST /invoices", { customer_id });
    const titled = await done(`PATCH /invoices/${draft.id}`, { title: "March" });
    const issued = invoiceOf(await done(`POST /invoices/${draft.id}/issue`));
    await done(`DELETE /invoices/${doomed.id}`);

    const life = await events(`&resource_type=invoice&resource_id=${draft.id}`);
    const end = (await events(`&resource_id=${doomed.id}`)).at(-1);

    expect(life.map((event) => [event.action, event.before, event.after])).toEqual([
      ["created", null, draft],
      ["updated", draft, titled],
      ["issued", titled, issued],
    ]);
    expect(end).toMatchObject({ action: "deleted", before: doomed, after: null });
  });

  it("contains the changes of every other resource", async () => {
    const { done, events } = await fresh();
    const product = await done("POST /products", { name: "P" });
    await done(`PATCH /products/${product.id}`, { name: "Q" });
    const user = await done("POST /users", { name: "Ida", email: "ida@x.example" });
    await done(`PATCH /users/${user.id}`, { active: false });
    await done("PATCH /configuration", { period_lock_date: "2025-12-31" });
    await done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.4 });
    await done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.5 });
    await done("PATCH /ledger/accounts/1000", { name: "Sales" });

    const all = await events();

    expect(all.map(short)).toEqual([
      "product created",
      "product updated",
      "user created",
      "user updated",
      "configuration updated",
      "exchange_rate created",
      "exchange_rate updated",
      "ledger_account updated",
    ]);
    expect(all[4].before.period_lock_date).toBeNull();
    expect(all[4].after.period_lock_date).toBe("2025-12-31");
    expect(all[6]).toMatchObject({ before: { rate: 7.4 }, after: { rate: 7.5 } });
  });

  it("has no event for a refused call, or for a call that changes nothing", async () => {
    const { done, events, account } = await fresh();
    const sent = { name: "P", external_id: "p", default_price: 10 };
    const { id } = await done("POST /products", sent);
    const customer = await done("POST /customers", { name: "A", external_id: "a" });
    const draft = await done("POST /invoices", { customer_id: customer.id });
    const user = await done("POST /users", { name: "Ida", email: "ida@x.example" });
    await done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.4 });
    const before = await events();

    await done("POST /products", sent);
    await done(`PATCH /products/${id}`, {});
    await done(`PATCH /products/${id}`, { name: "P" });
    await done("POST /customers", { name: "A", external_id: "a" });
    await done(`PATCH /customers/${customer.id}`, {});
    await done(`POST /customers/${customer.id}/activate`);
    await done(`PATCH /invoices/${draft.id}`, {});
    await done(`PATCH /users/${user.id}`, { name: "Ida" });
    await done("PATCH /configuration", { default_auto_send: true });
    await done("PUT /exchange-rates/EUR/2026-01-01", { rate: 7.4 });
    await done("PATCH /ledger/accounts/1000", {});
    const refused = await world.rest(
      `POST /invoices/${draft.id}/issue`,
      undefined,
      account.keys.read_write,
    );

    expect(refusal(refused)).toBe("409 INVOICE_EMPTY");
    expect(await events()).toEqual(before);
  });

  it("begins with the opening of the account by the operator, and never shows a secret", async () => {
    const { account, done } = await fresh();

    const { data } = await done("GET /audit-events?limit=100");

    expect(data.reverse().map(short)).toEqual([
      "account created",
      "user created",
      "api_key created",
      "api_key created",
    ]);
    expect(data.every((event: Json) => event.actor.kind === "operator")).toBe(true);
    const text = JSON.stringify(data);
    for (const secret of [account.keys.read, account.keys.read_write, account.admin.password]) {
      expect(text).not.toContain(secret);
    }
    const stored = await world.sql("select hash from api_keys where account_id = $1", [
      account.account_id,
    ]);
    for (const { hash } of stored) expect(text).not.toContain(hash.toString("hex"));
  });

  it("is a chain of hashes without gaps that no statement can alter", async () => {
    const { account, done } = await fresh();
    await done("POST /customers", { name: "Acme" });
    const rows = await world.sql(
      "select seq, payload, hash from audit_events where account_id = $1 order by seq",
      [account.account_id],
    );

    let head = Buffer.alloc(0);
    for (const [index, row] of rows.entries()) {
      // A key acts through no assistant: the line of its grant is empty.
      head = createHash("sha256").update(head).update(`${row.payload}\n`).digest();
      expect([Number(row.seq), row.hash.equals(head)]).toEqual([index + 1, true]);
    }
    await expect(
      world.sql("update audit_events set payload = '{}' where account_id = $1", [
        account.account_id,
      ]),
    ).rejects.toThrow("append-only");
    await expect(
      world.sql("delete from audit_events where account_id = $1", [account.account_id]),
    ).rejects.toThrow("append-only");
  });

  it("keeps its order under parallel changes", async () => {
    const { done, events } = await fresh();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => done("POST /customers", { name: `C${index}` })),
    );

    expect(new Set((await events()).map((event) => event.resource_id)).size).toBe(20);
  });
});

describe("GET /audit-events", () => {
  it("lists from the newest to the oldest, in pages", async () => {
    const { account, done } = await fresh();
    for (const name of ["A", "B", "C"]) await done("POST /customers", { name });
    const { data: all } = await done("GET /audit-events");
    expect(all.slice(0, 3).map((event: Json) => event.after.name)).toEqual(["C", "B", "A"]);

    const seen: Json[] = [];
    let cursor = "";
    do {
      const page = await done(`GET /audit-events?limit=2${cursor}`);
      seen.push(...page.data);
      cursor = page.has_more ? `&cursor=${page.next_cursor}` : "";
      // An event during the iteration is newer than its start.
      await done("POST /customers", { name: "late" });
    } while (cursor !== "");

    expect(seen).toEqual(all);
    const read = await world.rest("GET /audit-events", undefined, account.keys.read);
    expect(read.status).toBe(200);
  });

  it("filters by resource, actor and time, in any combination", async () => {
    const { account, done } = await fresh();
    const count = async (parameters: string) =>
      (await done(`GET /audit-events?limit=100&${parameters}`)).data.length;
    const { id } = await done("POST /customers", { name: "A" });
    await done("POST /products", { name: "P" });
    await done(`PATCH /customers/${id}`, { name: "B" });
    const [changed, made, created] = (await done("GET /audit-events?limit=3")).data;
    const actor = changed.actor.id;
    const day = changed.at.slice(0, 10);

    expect(await count("resource_type=customer")).toBe(2);
    expect(await count(`resource_type=customer&resource_id=${id}&actor=${actor}`)).toBe(2);
    expect(await count("resource_type=invoice")).toBe(0);
    expect(await count(`actor=${actor}`)).toBe(3);
    expect(await count("actor=cli")).toBe(4);
    expect(await count(`actor=${account.account_id}`)).toBe(0);
    expect(await count(`from=${created.at}&actor=${actor}`)).toBe(3);
    expect(await count(`to=${changed.at}&resource_type=product`)).toBe(1);
    expect(await count(`from=${made.at}&to=${made.at}&resource_type=product`)).toBe(1);
    expect(await count(`from=${day}&to=${day}&resource_type=product`)).toBe(1);
    expect(await count("from=2190-01-01")).toBe(0);
    expect(await count("to=2020-01-01")).toBe(0);
    expect(await count("from=2190-01-01T00:00:00%2B02:00")).toBe(0);
  });

  it("does not show another account's events", async () => {
    const mine = await fresh();
    const others = await fresh();
    const { id } = await others.done("POST /customers", { name: "Other" });

    expect(await mine.events(`&resource_id=${id}`)).toEqual([]);
  });

  it.each([
    ["limit=0", "limit too_small"],
    ["cursor=abc", "cursor invalid_value"],
    ["resource_type=", "resource_type too_short"],
    ["from=yesterday", "from invalid_format"],
    ["to=2026-02-30", "to invalid_format"],
    ["from=2026-01-01T00:00:00%2B20:00", "from invalid_format"],
  ])("refuses %s", async (parameters, fault) => {
    const reply = await world.rest(`GET /audit-events?${parameters}`);

    expect(refusal(reply)).toBe(`422 VALIDATION_FAILED ${fault}`);
  });
});
