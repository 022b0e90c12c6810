/** The contents of a new account, and that accounts cannot see each other (spec 7.3, 12.1, 12.4 and 12.6). */
import { verify } from "@node-rs/argon2";
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import { type NewAccount, openAccount } from "./create.ts";

const world = useWorld();

const open = (fields: Partial<NewAccount> & { readonly admin_email: string }) =>
  openAccount(world.services, { name: "Studio", sandbox: false, currency: "DKK", ...fields });

describe("opening an account", () => {
  it("returns its id, its admin and two keys that work immediately", async () => {
    const opened = await open({ admin_email: "new@x.example", admin_password: "correct horse" });

    expect(opened).toEqual({
      account_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      admin: {
        user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        email: "new@x.example",
        password: "correct horse",
      },
      keys: {
        read: expect.stringMatching(/^mbk_[0-9A-Za-z]{36}$/),
        read_write: expect.stringMatching(/^mbk_[0-9A-Za-z]{36}$/),
      },
    });
    const create = (key: string) => world.rest("POST /customers", { name: "Acme" }, key);
    expect(refusal(await create(opened.keys.read))).toBe("403 INSUFFICIENT_SCOPE");
    expect((await create(opened.keys.read_write)).status).toBe(201);
    const { data } = await world.done("GET /customers", undefined, opened.keys.read);
    expect(data).toHaveLength(1);
  });

  it("makes the admin an active user", async () => {
    const { admin, keys } = await open({ admin_email: "boss@x.example", admin_name: "Boss" });

    const { data } = await world.done("GET /users", undefined, keys.read);

    expect(data).toEqual([
      expect.objectContaining({
        id: admin.user_id,
        name: "Boss",
        email: "boss@x.example",
        role: "admin",
        active: true,
        external_id: null,
      }),
    ]);
  });

  it("keeps the books in the given currency", async () => {
    const { keys } = await open({ admin_email: "eur@x.example", currency: "EUR" });

    const configuration = await world.done("GET /configuration", undefined, keys.read);

    expect(configuration).toMatchObject({
      functional_currency: "EUR",
      default_revenue_account: 1000,
      ledger: { connected: true, kind: "builtin" },
    });
  });

  it("generates a password when none is given, and stores only its argon2id hash", async () => {
    const { admin } = await open({ admin_email: "made-up@x.example" });
    const [login] = await world.sql("select * from logins where email = $1", [admin.email]);

    expect(admin.password).toMatch(/^[\w-]{20}$/);
    expect(login.password_hash).toMatch(/^\$argon2id\$/);
    expect(await verify(login.password_hash, admin.password ?? "")).toBe(true);
    expect(JSON.stringify(login)).not.toContain(admin.password);
  });

  it("keeps the password of an address that has a login", async () => {
    await open({ admin_email: "twice@x.example", admin_password: "the first password" });

    const second = await open({ admin_email: "Twice@X.example", admin_password: "another" });

    expect(second.admin.password).toBeNull();
    const logins = await world.sql("select * from logins where lower(email) = 'twice@x.example'");
    expect(logins).toHaveLength(1);
    expect(await verify(logins[0].password_hash, "the first password")).toBe(true);
  });

  it("stores all or nothing", async () => {
    const count = async () => (await world.sql("select count(*) from accounts"))[0].count;
    const before = await count();

    await expect(open({ admin_email: "x@x.example", name: null as never })).rejects.toThrow();

    expect(await count()).toBe(before);
    expect(await world.sql("select 1 from logins where email = 'x@x.example'")).toEqual([]);
  });
});

describe("two accounts", () => {
  it("find nothing of each other, by id or by external id", async () => {
    const other = (await world.openAnother()).keys.read_write;
    const { id: customer_id } = await world.done("POST /customers", {
      name: "A",
      external_id: "x",
    });
    const sent = { name: "P", external_id: "x", default_price: 1 };
    const product = await world.done("POST /products", sent);
    const user = await world.done("POST /users", {
      name: "U",
      email: "u@x.example",
      external_id: "x",
    });
    const lines = [{ product_id: product.id, recognition_method: "value" }];
    const draft = { customer_id, external_id: "x", auto_send: false, lines };
    const invoice = await world.done("POST /invoices", draft);
    await world.done(`POST /invoices/${invoice.id}/issue`);
    const paths = [
      `/customers/${customer_id}`,
      `/products/${product.id}`,
      `/users/${user.id}`,
      ...["", "/totals", "/pdf", "/deliveries"].map((part) => `/invoices/${invoice.id}${part}`),
      ...["customers", "products", "users", "invoices"].map((name) => `/${name}/ext:x`),
    ];

    for (const path of paths) {
      expect((await world.rest(`GET ${path}`)).status, path).toBe(200);
      expect(refusal(await world.rest(`GET ${path}`, undefined, other)), path).toBe(
        "404 NOT_FOUND",
      );
    }
    for (const call of [`POST /invoices/${invoice.id}/issue`, `DELETE /invoices/${invoice.id}`]) {
      expect(refusal(await world.rest(call, undefined, other)), call).toBe("404 NOT_FOUND");
    }
  });

  it("list nothing of each other", async () => {
    const { keys } = await world.openAnother();
    const lists = ["customers", "products", "invoices", "exchange-rates", "ledger/entries"];

    for (const list of lists) {
      const { data } = await world.done(`GET /${list}`, undefined, keys.read);
      expect(data, list).toEqual([]);
    }
    const { accounts } = await world.done("GET /ledger/trial-balance", undefined, keys.read);
    expect(accounts).toEqual([]);
  });

  it("cannot refer to each other's rows even in the database", async () => {
    const { account_id } = await world.openAnother();
    const { id } = await world.done("POST /customers", { name: "Mine" });

    await expect(
      world.sql(
        `insert into invoices (account_id, id, customer_id, currency, auto_send, status, document, updated_at)
         values ($1, $2, $2, 'DKK', false, 'draft', '{}', now())`,
        [account_id, id],
      ),
    ).rejects.toThrow("foreign key");
  });
});
