/**
 * Listing invoices (spec 11.3): every combination of filters and cursors against a model, inserts between pages,
 * and polls with `updated_since` while other transactions write.
 */
import * as fc from "fast-check";
import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";

let product_id: string;
const world = useWorld();
beforeAll(async () => {
  product_id = (await world.done("POST /products", { name: "Work", default_price: 100 })).id;
});

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const INVALID = "422 VALIDATION_FAILED";

interface Filters {
  readonly customer?: string | undefined;
  readonly status?: string | undefined;
  readonly external_id?: string | undefined;
  readonly updated_since?: string | undefined;
  readonly limit?: number | undefined;
}

/** `GET /invoices?...` with the filters that have a value. */
function listCall(filters: Filters & { readonly cursor?: string | undefined }): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return `GET /invoices?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`;
}

/** All pages, one after the other; checks the envelope of each. */
async function iterate(filters: Filters, between: () => Promise<void> = async () => {}) {
  const seen: Json[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await world.done(listCall({ ...filters, cursor }));
    expect(Object.keys(page).sort()).toEqual(["data", "has_more", "next_cursor", "object"]);
    expect(page.object).toBe("list");
    expect(page.has_more).toBe(page.next_cursor !== null);
    expect(page.data.length).toBeLessThanOrEqual(filters.limit ?? 25);
    if (page.has_more) expect(page.data).toHaveLength(filters.limit ?? 25);
    seen.push(...page.data);
    if (!page.has_more) return seen;
    cursor = page.next_cursor;
    await between();
  }
}

async function now(): Promise<string> {
  const rows = await world.sql(
    `select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
  );
  return rows[0].now;
}

const customer = (name: string): Promise<Json> => world.done("POST /customers", { name });

const draft = (customer_id: string, fields: Json = {}): Promise<Json> =>
  world.done("POST /invoices", {
    customer_id,
    auto_send: false,
    lines: [{ product_id, recognition_method: "value" }],
    ...fields,
  });

describe("GET /invoices with any filters, limit and cursor", () => {
  /** Every invoice with the time of its last change. */
  let model: { readonly invoice: Json; readonly updated_at: string }[];
  let customers: Json[];
  let moments: string[];
  beforeAll(async () => {
    customers = [
      await world.done("POST /customers", { name: "A", external_id: "customer a" }),
      await customer("B"),
      await customer("C"),
    ];
    moments = [await now()];
    const made: Json[] = [];
    for (let index = 0; index < 60; index += 1) {
      const { id } = customers[index % 2];
      made.push(await draft(id, index % 3 === 0 ? { external_id: `order ${index}` } : {}));
      if (index % 5 === 4) await world.done(`POST /invoices/${made[index - 2].id}/issue`);
      if (index % 20 === 19) moments.push(await now());
    }
    for (const index of [3, 16, 40]) {
      await world.done(`PATCH /invoices/${made[index].id}`, { title: "late" });
    }
    const rows = await world.sql(
      `select id, document, to_char(updated_at at time zone 'UTC',
         'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as updated_at
       from invoices where account_id = $1 order by id desc`,
      [world.account.account_id],
    );
    model = rows.map(({ document, updated_at }) => ({ invoice: JSON.parse(document), updated_at }));
    expect(model.map(({ invoice }) => invoice.id)).toEqual(made.map(({ id }) => id).reverse());
  });

  it("shows the same invoices as a plain filter over all, in the same order", async () => {
    const filters = fc.record({
      customer: fc.constantFrom(
        undefined,
        undefined,
        0,
        1,
        2,
        "ext:customer a",
        "ext:none",
        UNKNOWN_ID,
      ),
      status: fc.constantFrom(undefined, "draft", "issued"),
      external_id: fc.constantFrom(undefined, undefined, undefined, "order 3", "order 30", "none"),
      updated_since: fc.constantFrom(undefined, 0, 1, 2, 3),
      limit: fc.constantFrom(undefined, 1, 2, 7, 100),
    });
    await fc.assert(
      fc.asyncProperty(filters, async (chosen) => {
        const ref =
          typeof chosen.customer === "number" ? customers[chosen.customer].id : chosen.customer;
        const customer_id = ref === "ext:customer a" ? customers[0].id : ref;
        const since =
          chosen.updated_since === undefined ? undefined : moments[chosen.updated_since];

        const listed = await iterate({ ...chosen, customer: ref, updated_since: since });

        const expected = model.filter(
          ({ invoice, updated_at }) =>
            (customer_id === undefined || invoice.customer_id === customer_id) &&
            (chosen.status === undefined || invoice.status === chosen.status) &&
            (chosen.external_id === undefined || invoice.external_id === chosen.external_id) &&
            (since === undefined || updated_at > since),
        );
        expect(listed).toEqual(expected.map(({ invoice }) => invoice));
      }),
      { numRuns: 60 },
    );
  });

  it("accepts a cursor from other filters", async () => {
    const { next_cursor } = await world.done(listCall({ limit: 30 }));

    const page = await world.done(
      listCall({ cursor: next_cursor, status: "issued", updated_since: moments[0], limit: 100 }),
    );

    const rest = model.slice(30).filter(({ invoice }) => invoice.status === "issued");
    expect(page.data).toEqual(rest.map(({ invoice }) => invoice));
  });

  it("does not show another account's invoices", async () => {
    const { keys } = await world.openAnother();
    const key = keys.read;

    expect((await world.done("GET /invoices", undefined, key)).data).toEqual([]);
    const call = listCall({ customer: customers[0].id });
    expect((await world.done(call, undefined, key)).data).toEqual([]);
  });
});

describe("GET /invoices with a parameter that is malformed", () => {
  const cursor = (text: string) => `cursor=${Buffer.from(text).toString("base64url")}`;

  it.each([
    ["limit=0", "limit too_small"],
    ["limit=101", "limit too_large"],
    ["limit=-1", "limit too_small"],
    ["limit=abc", "limit invalid_type"],
    ["limit=2.5", "limit invalid_type"],
    ["limit=", "limit invalid_type"],
    ["limit=1&limit=2", "limit invalid_type"],
    ["status=paid", "status invalid_value"],
    ["status=", "status invalid_value"],
    ["customer=", "customer invalid_format"],
    ["customer=acme", "customer invalid_format"],
    ["external_id=", "external_id too_short"],
    ["updated_since=yesterday", "updated_since invalid_format"],
    ["updated_since=2026-02-30T00:00:00Z", "updated_since invalid_format"],
    ["updated_since=2026-01-01T00:00:00%2B23:00", "updated_since invalid_format"],
    ["updated_since=2026-01-01", "updated_since invalid_format"],
    ["updated_since=2026-01-01T00:00:00", "updated_since invalid_format"],
    ["cursor=", "cursor too_short"],
    ["cursor=abc", "cursor invalid_value"],
    ["cursor=%00", "cursor invalid_value"],
    [cursor("1|not-a-uuid"), "cursor invalid_value"],
    [cursor(`1|${UNKNOWN_ID}|2026-99-99T00:00:00.000000Z`), "cursor invalid_value"],
    [cursor(`2|${UNKNOWN_ID}`), "cursor invalid_value"],
  ])("refuses %s", async (parameters, fault) => {
    const call = `GET /invoices?${parameters}`;
    const beside = parameters.startsWith("updated")
      ? call
      : `${call}&updated_since=2026-01-01T00:00:00Z`;

    expect(refusal(await world.rest(beside)).split(", ")[0]).toBe(`${INVALID} ${fault}`);
  });

  it("refuses a malformed cursor also for an unknown customer", async () => {
    const call = listCall({ customer: UNKNOWN_ID, cursor: "abc" });

    expect(refusal(await world.rest(call))).toBe(`${INVALID} cursor invalid_value`);
  });

  it.each([
    "2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00.123456789Z",
    "2026-01-01T00:00:00%2B02:00",
    "2026-01-01T00:00:00+02:00",
    "2026-01-01T00:00:00-11:00",
  ])("reads %s as a moment", async (moment) => {
    expect((await world.rest(`GET /invoices?updated_since=${moment}`)).status).toBe(200);
  });

  it("names every malformed parameter, and needs a key", async () => {
    const call = "GET /invoices?limit=0&status=paid";

    expect(refusal(await world.rest(call))).toBe(
      `${INVALID} limit too_small, status invalid_value`,
    );
    expect(refusal(await world.rest(call, undefined, null))).toBe("401 UNAUTHORIZED");
  });
});

describe("an iteration while invoices come, change and go", () => {
  it("shows every invoice that existed at its start once, and no later one", async () => {
    const { id } = await customer("Busy");
    const made: string[] = [];
    for (let index = 0; index < 10; index += 1) made.unshift((await draft(id)).id);
    const spared = made.filter((_, index) => index !== 8);

    const seen = await iterate({ customer: id, limit: 3 }, async () => {
      await draft(id);
      await draft(id);
      await world.done(`PATCH /invoices/${made[0]}`, { title: `${Math.random()}` });
      await world.rest(`DELETE /invoices/${made[8]}`);
    });

    expect(seen.map((invoice) => invoice.id)).toEqual(spared);
  });

  it("with updated_since ends at the poll's horizon, and the next poll has the rest", async () => {
    const { id } = await customer("Polled");
    const old = (await draft(id)).id;
    const since = await now();
    const changed = [await draft(id), await draft(id), await draft(id)].map((made) => made.id);

    const later: string[] = [];
    const seen = await iterate({ customer: id, updated_since: since, limit: 2 }, async () => {
      later.push((await draft(id)).id);
      await world.done(`PATCH /invoices/${old}`, { title: "changed on the way" });
    });

    expect(seen.map((invoice) => invoice.id)).toEqual([...changed].reverse());
    const next = await iterate({ customer: id, updated_since: since });
    expect(next.map((invoice) => invoice.id)).toEqual([...later, ...changed.reverse(), old]);
  });
});

describe("a poll with updated_since in parallel with an uncommitted write", () => {
  /** A separate connection, whose transaction changes the invoice and stays open. */
  async function writing(invoice_id: string): Promise<pg.Client> {
    const writer = new pg.Client({ connectionString: world.database_url });
    await writer.connect();
    await writer.query("begin");
    await writer.query(
      "update invoices set title = 'in flight', updated_at = stamp(account_id) where id = $1",
      [invoice_id],
    );
    return writer;
  }

  const ids = (page: Json): string[] => page.data.map((invoice: Json) => invoice.id);

  it("is answered before the write ends, and the next poll from the last stamp or request shows it", async () => {
    const { id: customer_id } = await customer("In flight");
    const { id } = await draft(customer_id);
    const since = await now();
    const writer = await writing(id);
    try {
      const { id: later } = await draft(customer_id);
      const asked_at = await now();
      const poll = (from: string) =>
        world.done(listCall({ customer: customer_id, updated_since: from }));
      // The poll is complete up to the begin of the writer; later stamps belong to a later poll.
      expect(ids(await poll(since))).toEqual([]);
      expect(ids(await poll(asked_at))).toEqual([]);
      await writer.query("commit");

      expect(ids(await poll(since))).toEqual([later, id]);
      expect(ids(await poll(asked_at))).toEqual([later, id]);
      // A moment at which there was no poll applies unchanged.
      expect(ids(await poll(await now()))).toEqual([]);
    } finally {
      await writer.end();
    }
  });

  it("has the same horizon on all of its pages", async () => {
    const { id: customer_id } = await customer("On pages");
    const made: string[] = [];
    for (let index = 0; index < 4; index += 1) made.unshift((await draft(customer_id)).id);
    const writer = await writing(made[0] ?? "");
    try {
      for (const id of made.slice(1)) await world.done(`PATCH /invoices/${id}`, { title: "later" });
      const asked_at = await now();
      const filters = { customer: customer_id, updated_since: asked_at, limit: 1 };
      expect(await iterate(filters)).toEqual([]);
      await writer.query("commit");

      expect((await iterate(filters)).map((invoice) => invoice.id)).toEqual(made);
    } finally {
      await writer.end();
    }
  });

  it("blocks no writer, however long it takes", async () => {
    const { id: customer_id } = await customer("Polled");
    const poll = new pg.Client({ connectionString: world.serving_url });
    await poll.connect();
    try {
      await poll.query("begin");
      await poll.query("select poll_bounds($1, clock_timestamp())", [world.account.account_id]);
      expect((await world.rest("POST /invoices", { customer_id })).status).toBe(201);
      await poll.query("rollback");
    } finally {
      await poll.end();
    }
  });

  it("makes neither writers nor plain lists wait, nor polls of another account", async () => {
    const other = await world.openAnother();
    const { id: customer_id } = await customer("Beside");
    const { id } = await draft(customer_id);
    const since = await now();
    const writer = await writing(id);
    try {
      expect((await world.rest("POST /invoices", { customer_id })).status).toBe(201);
      expect((await world.rest(listCall({}))).status).toBe(200);
      const poll = listCall({ updated_since: since });
      expect((await world.rest(poll, undefined, other.keys.read)).status).toBe(200);
    } finally {
      await writer.query("rollback");
      await writer.end();
    }
  });

  /**
   * Polls until the writers are done, from the newest stamp it saw or from the time of its last request; returns the ids it saw.
   */
  async function polled(
    customer_id: string,
    from: "seen" | "asked",
    write: () => Promise<unknown>,
  ) {
    const seen = new Set<string>();
    let since = await now();
    let is_over = false;
    const over = write().finally(() => {
      is_over = true;
    });
    for (let is_last = false; !is_last; ) {
      is_last = is_over;
      const asked_at = await now();
      const page = await iterate({ customer: customer_id, updated_since: since, limit: 3 });
      for (const { id } of page) seen.add(id);
      const [newest] = await world.sql(
        `select to_char(max(updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
         from invoices where id = any($1)`,
        [page.map(({ id }) => id)],
      );
      since = from === "asked" ? asked_at : (newest.at ?? since);
    }
    await over;
    return [...seen];
  }

  it.each(["seen", "asked"] as const)(
    "misses nothing among many short and long writers when it continues from what it has %s",
    async (from) => {
      const { id: customer_id } = await customer(`Many ${from}`);
      const old: string[] = [];
      for (let index = 0; index < 9; index += 1) old.push((await draft(customer_id)).id);
      const written = [...old];
      const short = async (): Promise<void> => {
        for (let index = 0; index < 12; index += 1) written.push((await draft(customer_id)).id);
      };
      // Their stamps are old when they commit: many polls have been answered in the meantime.
      const long = async (milliseconds: number, changed: readonly string[]): Promise<void> => {
        for (const id of changed) {
          const writer = await writing(id);
          await writer.query("select pg_sleep($1)", [milliseconds / 1000]);
          await writer.query("commit");
          await writer.end();
        }
      };
      const seen = await polled(customer_id, from, () =>
        Promise.all([
          ...[short(), short(), short(), short()],
          long(20, old.slice(0, 3)),
          long(150, old.slice(3, 6)),
          long(400, old.slice(6)),
        ]),
      );

      expect(seen.sort()).toEqual(written.sort());
    },
  );
});
