/**
 * GETs that one statement answers together with the look-up of their key: their callers, their pages, their headers. That they
 * answer what the ordinary handling answers is tested with random requests in `both-paths.test.ts`.
 */
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import type { AccountId } from "../../src/domain/base/brand.ts";
import { keyAuthentication } from "../../src/features/access/api-keys/authenticate.ts";
import { readInvoices } from "../../src/features/sales/invoices/list.ts";
import { InvoiceQuery } from "../../src/features/sales/invoices/schemas.ts";
import type { Reads } from "../../src/platform/database/database.ts";
import { logShortPathFailure } from "../../src/platform/http/short-path.ts";
import type { Log } from "../../src/platform/runtime/log.ts";
import { exactReply } from "../support/http/exact-reply.ts";
import { refusal } from "../support/http/refusal.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld();
const customer = world.made("POST /customers", { name: "Æble & Søn 🍏", external_id: "acme" });
const product = world.made("POST /products", { name: "Work", default_price: 100 });
const draft = world.made("POST /invoices", {
  get customer_id() {
    return customer.id;
  },
  external_id: "draft",
  title: 'A "title", with 日本 and \\ in it',
  get lines() {
    return [{ product_id: product.id, recognition_method: "value" }];
  },
});

/** The answer to a GET; with `content-length: 0` that of the ordinary handling. */
const got = (path: string, key: string | null, headers: Record<string, string> = {}) =>
  exactReply(`${world.origin}/api/v1${path}`, key, headers);

const ordinary = { "content-length": "0" };

async function more(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await world.done("POST /customers", { name: `Customer ${index}` });
  }
}

describe("a GET that one statement answers", () => {
  it.each([
    ["no key", () => null],
    ["an unknown key", () => `${world.account.keys.read}x`],
  ])("is 401 with %s", async (_what, key) => {
    for (const path of ["/invoices", `/invoices/${draft.id}`, "/invoices?nothing=1"]) {
      expect((await got(path, key())).status, path).toBe(401);
      expect(await got(path, key())).toEqual(await got(path, key(), ordinary));
    }
  });

  it("lists every row once across all pages", async () => {
    await more(12);
    const ids = async (limit: number) => {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const after: string = cursor === null ? "" : `&cursor=${cursor}`;
        const page: Json = await world.done(`GET /customers?limit=${limit}${after}`);
        expect(page.has_more).toBe(page.next_cursor !== null);
        found.push(...page.data.map(({ id }: Json) => id));
        cursor = page.next_cursor;
      } while (cursor !== null);
      return found;
    };
    const all = await ids(10);

    expect(all.length).toBeGreaterThan(10);
    expect(await ids(3)).toEqual(all);
    expect(all).toEqual([...all].sort().reverse());
  });

  it("answers each key from its own account", async () => {
    const other = await world.openAnother();
    const other_customer = await world.done(
      "POST /customers",
      { name: "Of another account" },
      other.keys.read_write,
    );
    for (let round = 0; round < 3; round += 1) {
      const [own, others] = await Promise.all([
        world.rest("GET /customers?limit=100"),
        world.rest("GET /customers?limit=100", undefined, other.keys.read),
      ]);
      expect(others.body.data.map(({ id }: Json) => id)).toEqual([other_customer.id]);
      expect(own.body.data.map(({ id }: Json) => id)).not.toContain(other_customer.id);
      expect(refusal(await world.rest(`GET /customers/${other_customer.id}`))).toBe(
        "404 NOT_FOUND",
      );
      expect(
        refusal(
          await world.rest(`GET /customers/${other_customer.id}`, undefined, other.keys.read),
        ),
      ).toBe("200");
    }
  });

  it.each([
    ["revoked", "revoked_at = clock_timestamp()"],
    ["expired", "expires_at = clock_timestamp() - interval '1 second'"],
  ])("is 401 from the first request after the key was %s", async (_what, change) => {
    const { keys } = await world.openAnother();
    const read = async () => refusal(await world.rest("GET /invoices", undefined, keys.read));
    expect([await read(), await read()]).toEqual(["200", "200"]);

    await world.sql(`update api_keys set ${change} where prefix = $1`, [keys.read.slice(0, 10)]);

    expect([await read(), await read()]).toEqual(["401 UNAUTHORIZED", "401 UNAUTHORIZED"]);
  });

  it("takes one statement together with the look-up of its key", async () => {
    const texts: string[] = [];
    const { db } = world;
    const counting: Reads = {
      rows: (statement) => {
        texts.push(statement.text);
        return db.rows(statement);
      },
      row: (statement) => {
        texts.push(statement.text);
        return db.row(statement);
      },
    };
    const keys = keyAuthentication(counting, world.services.log);
    const { read } = world.account.keys;
    expect(keys.seen(read)).toBeUndefined();
    await keys.authenticate(read);
    const seen = keys.seen(read);
    const page = readInvoices(InvoiceQuery.parse({})).single;
    if (seen === undefined || page === undefined) throw new Error("the key has not been seen");
    texts.length = 0;

    const found = await keys.reading(counting, seen, page);

    expect(texts.filter((text) => !text.startsWith("update api_keys"))).toHaveLength(1);
    expect(texts[0]).toMatch(/holder\.account_id = \$2$/);
    expect(found?.caller.account_id).toBe(world.account.account_id);
    expect(found && page.answerFrom(found.row)).toContain(draft.id);
  });

  it("finds no holder for a key that has moved to another account", async () => {
    const keys = keyAuthentication(world.db, world.services.log);
    const { read } = world.account.keys;
    await keys.authenticate(read);
    const seen = keys.seen(read);
    const page = readInvoices(InvoiceQuery.parse({})).single;
    if (seen === undefined || page === undefined) throw new Error("the key has not been seen");
    const account_id = (await world.openAnother()).account_id as AccountId;
    const moved = { ...seen, caller: { ...seen.caller, account_id } };

    expect(await keys.reading(world.db, moved, page)).toBeNull();
    expect(await keys.reading(world.db, seen, page)).not.toBeNull();
  });

  it("logs at most once a minute that its statement has failed", () => {
    const entries: unknown[] = [];
    const log = { error: (entry: unknown) => entries.push(entry) } as unknown as Log;
    const failure = new Error("refused");
    for (let time = 0; time < 5; time += 1) logShortPathFailure(log, failure);
    expect(entries).toEqual([{ err: failure }]);
  });

  it.each([
    ["in one statement", {}],
    ["in the ordinary handling", ordinary],
  ])("frees the connections of clients that have disconnected (%s)", async (_way, headers) => {
    const { read } = world.account.keys;
    for (let index = 0; index < 48; index += 1) {
      const sent = request(`${world.origin}/api/v1/invoices`, {
        headers: { authorization: `Bearer ${read}`, ...headers },
      });
      sent.on("error", () => {});
      sent.end();
      await new Promise((resolve) => setTimeout(resolve, index % 4));
      sent.destroy();
    }
    expect((await got("/invoices", read, headers)).status).toBe(200);
  });

  it("sends the usual headers", async () => {
    const { headers } = await got("/invoices?limit=25", world.account.keys.read);

    expect(Object.keys(headers)).toEqual(
      expect.arrayContaining(["cache-control", "content-length", "x-content-type-options"]),
    );
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  });
});
