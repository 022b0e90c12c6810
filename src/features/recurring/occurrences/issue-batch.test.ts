/**
 * Due periods of many series are issued in batches: together where possible; a refusal affects only its own period (spec 4.7).
 */
import { beforeEach, describe, expect, it } from "vitest";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { sendDueDeliveries } from "../../documents/deliveries/run-due.ts";
import { runAllSchedulers } from "./run-scheduler.ts";

const { world, at, active, copies, occurrence, run, runOf, invoicesOf, line } = useSeries();

beforeEach(async () => {
  at("2026-03-10");
  await world.sql("update recurring_series set next_due_on = null, next_retry_at = null");
});

/** The number of invoices of series in each transaction, the largest first. */
async function transactions(ids: readonly string[]): Promise<number[]> {
  const rows = await world.sql(
    `select count(*)::int as n from invoices where series_id = any($1) and status = 'issued'
     group by xmin::text order by 1 desc`,
    [ids],
  );
  return rows.map(({ n }) => n);
}

async function many(count: number, fields: Json = {}): Promise<string[]> {
  const { id } = await active({ start_date: "2026-04-01", ...fields });
  return [id, ...(await copies(id, count - 1)).map((copy) => copy.id)];
}

/** Runs the work while a statement of another connection holds its locks, until they are released. */
async function holding(statement: string, values: unknown[], work: () => Promise<void>) {
  const held = await world.db.runner.connect();
  try {
    await held.query("begin");
    await held.query(statement, values);
    await work();
  } finally {
    await held.query("rollback").catch(() => {});
    held.release();
  }
}

/** Waits until this many statements wait for locks in the database. */
async function waiters(count: number): Promise<void> {
  for (;;) {
    const [row] = await world.sql(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (row?.n >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("a batch", () => {
  it("issues 200 series in one transaction, and the rest in another", async () => {
    const ids = await many(230);
    at("2026-04-01");

    const { issued, failed, remaining } = await run();

    expect([issued.length, failed, remaining]).toEqual([230, [], 0]);
    expect(await transactions(ids)).toEqual([200, 30]);
    expect(await run()).toMatchObject({ issued: [] });
  });

  it("is limited by the number of its lines", async () => {
    const lines = Array.from({ length: 500 }, () => line({ agreed_value: 31 }));
    const ids = await many(10, { lines });
    at("2026-04-01");
    let running: Promise<Json> | undefined;

    const held = "select from configurations where account_id = $1 for update";
    await holding(held, [world.account.account_id], async () => {
      running = run();
      await waiters(1);
      // The last two are neither locked nor read yet.
      const free = await world.sql(
        "select from recurring_series where id = any($1) for update skip locked",
        [ids],
      );
      expect(free).toHaveLength(2);
    });

    expect((await running)?.issued).toHaveLength(10);
    expect(await transactions(ids)).toEqual([8, 2]);
    const cancelled = { end_date: "2026-04-15" };
    for (const id of ids) await world.done(`POST /recurring-series/${id}/cancel`, cancelled);
    expect((await run()).credit_notes_issued).toHaveLength(10);
    const notes = await world.sql(
      `select count(*)::int as n from credit_notes c join invoices i on i.id = c.invoice_id
       where i.series_id = any($1) and c.status = 'issued' group by c.xmin::text order by 1 desc`,
      [ids],
    );
    expect(notes).toEqual([{ n: 8 }, { n: 2 }]);
  });

  it("issues several missed periods of a series together, in order", async () => {
    const ids = await many(3);
    at("2026-06-15");

    await run();

    expect(await transactions(ids)).toEqual([9]);
    for (const id of ids) {
      expect((await invoicesOf(id)).map(([period]) => period)).toEqual([
        "2026-04",
        "2026-05",
        "2026-06",
      ]);
    }
  });

  it("treats each period by itself: refused, empty, or cut off by its end", async () => {
    const { id: gone } = await world.done("POST /customers", { name: "Gone" });
    const good = await many(4);
    const refused = await active({ start_date: "2026-04-01", customer_id: gone });
    const empty = await active({ start_date: "2026-04-01", lines: [line({ discount: 100 })] });
    const cut = await active({ start_date: "2026-04-01", end_date: "2026-04-10" });
    await world.done(`POST /customers/${gone}/deactivate`);
    at("2026-05-02");

    const { issued, skipped, failed } = await run();

    expect(issued).toHaveLength(9);
    expect(failed.map(({ series_id, code }: Json) => [series_id, code])).toEqual([
      [refused.id, "CUSTOMER_INACTIVE"],
      [refused.id, "CUSTOMER_INACTIVE"],
    ]);
    expect(skipped.map(({ series_id, period }: Json) => [series_id, period])).toEqual([
      [empty.id, "2026-04"],
      [empty.id, "2026-05"],
    ]);
    expect(await transactions([...good, cut.id])).toEqual([9]);
    expect((await occurrence(refused.id, "2026-05")).status).toBe("failed");
    const lines = await world.sql(
      "select l.share_days from invoice_lines l join invoices i on i.id = l.invoice_id where i.series_id = $1",
      [cut.id],
    );
    expect(lines).toEqual([{ share_days: 10 }]);
  });

  it("stores a series with one issued, one failed and one skipped period", async () => {
    const { id } = await active({ start_date: "2026-04-01" });
    await world.sql(
      `insert into occurrences (account_id, series_id, period_index, state, failure_code, attempts, next_attempt_at)
       values ($1, $2, 0, 'failed', 'LEDGER_REJECTED', 2, '2026-04-01T00:00:00Z')`,
      [world.account.account_id, id],
    );
    const [own] = (await world.done(`GET /recurring-series/${id}/lines`)).data;
    const nothing = { scope: "this_only", period: "2026-05", line: { agreed_value: 0 } };
    await world.done(`PATCH /recurring-series/${id}/lines/${own.line_id}`, nothing);
    at("2026-06-01");

    expect(await runOf(id)).toEqual([
      "issued 2026-04",
      "issued 2026-06",
      "skipped 2026-05 nothing_to_invoice",
    ]);

    const kept = await world.sql(
      "select period_index, state from occurrences where series_id = $1",
      [id],
    );
    expect(kept).toEqual([{ period_index: 1, state: "skipped" }]);
    expect(await runOf(id)).toEqual([]);
  });

  it("that the database refuses is issued one by one", async () => {
    const ids = await many(5);
    at("2026-04-01");
    await world.sql(
      `create function break() returns trigger language plpgsql as $$ begin
         if exists (select from invoices i where i.id = new.document_id and i.series_id = '${ids[2]}')
         then raise 'secret detail'; end if; return new; end $$`,
    );
    await world.sql(
      "create trigger break before insert on issued_documents for each row execute function break()",
    );
    try {
      const { issued, failed } = await run();
      expect(issued).toHaveLength(4);
      expect(failed).toMatchObject([{ series_id: ids[2], code: "INTERNAL_ERROR" }]);
    } finally {
      await world.sql("drop function break() cascade");
    }
    expect(await transactions(ids)).toEqual([1, 1, 1, 1]);
    at("2026-04-01T09:00:00Z");
    expect(await runOf(ids[2] ?? "")).toEqual(["issued 2026-04"]);
  });

  it("leaves due the periods that a lock blocks, without counting a failure", async () => {
    const ids = await many(2);
    at("2026-04-01");
    await world.sql(
      `create function break() returns trigger language plpgsql as $$ begin raise 'busy' using errcode = '55P03'; end $$`,
    );
    await world.sql(
      "create trigger break before insert on issued_documents for each row execute function break()",
    );
    const { failed, remaining } = await run().finally(() =>
      world.sql("drop function break() cascade"),
    );

    expect([failed, remaining]).toEqual([[], 2]);
    expect((await occurrence(ids[0] ?? "", "2026-04")).status).toBe("scheduled");
    expect((await run()).issued).toHaveLength(2);
  });

  it("passes over a locked series, and returns to it at the end of the batch", async () => {
    const ids = await many(3);
    at("2026-04-01");
    let running: Promise<Json> | undefined;

    await holding("select from recurring_series where id = $1 for update", [ids[0]], async () => {
      running = run();
      await waiters(1);
      expect(await transactions(ids)).toEqual([2]);
    });

    expect((await running)?.issued).toHaveLength(3);
    expect(await invoicesOf(ids[0] ?? "")).toEqual([["2026-04", "2026-04-01"]]);
  });

  it("decides again when the configuration changes after the batch has read it", async () => {
    await many(3);
    at("2026-04-01");
    const held = await world.db.runner.connect();
    await held.query("begin");
    await held.query(
      "update configurations set period_lock_date = '2026-12-31' where account_id = $1",
      [world.account.account_id],
    );
    const running = run();
    await waiters(1);
    await held.query("commit");
    held.release();

    const { issued, failed } = await running;

    expect([issued, failed.map(({ code }: Json) => code)]).toEqual([
      [],
      ["PERIOD_LOCKED", "PERIOD_LOCKED", "PERIOD_LOCKED"],
    ]);
    await world.done("PATCH /configuration", { period_lock_date: null });
  });

  it("decides again when a customer or a rate changes after the batch has read it", async () => {
    const { id: customer_id } = await world.done("POST /customers", { name: "Leaves" });
    const rated = (rate: number) => world.done("PUT /exchange-rates/EUR/2026-04-01", { rate });
    await rated(7);
    const leaving = await many(2, { customer_id });
    const foreign = await active({ start_date: "2026-04-01", currency: "EUR" });
    at("2026-04-01");
    let running: Promise<Json> | undefined;

    const held = "select from configurations where account_id = $1 for update";
    await holding(held, [world.account.account_id], async () => {
      running = run();
      await waiters(1);
      await world.done(`POST /customers/${customer_id}/deactivate`);
      await rated(8);
    });

    const { issued, failed } = (await running) ?? {};
    expect(failed.map(({ series_id, code }: Json) => [series_id, code]).sort()).toEqual(
      leaving.map((id) => [id, "CUSTOMER_INACTIVE"]).sort(),
    );
    const [{ rate_micro }] = await world.sql("select rate_micro from invoices where id = $1", [
      issued[0].invoice_id,
    ]);
    expect([issued[0].series_id, Number(rate_micro)]).toEqual([foreign.id, 8_000_000]);
  });

  it("corrects the due date of series of which nothing is due", async () => {
    const ids = await many(3);
    await world.sql("update recurring_series set next_due_on = '2020-01-01' where id = any($1)", [
      ids,
    ]);

    expect(await run()).toMatchObject({ issued: [], failed: [], remaining: 0 });

    const marks = await world.sql(
      "select distinct next_due_on from recurring_series where id = any($1)",
      [ids],
    );
    expect(marks).toEqual([{ next_due_on: "2026-04-01" }]);
  });
});

describe("the documents that a batch sends", () => {
  const states = async (ids: readonly string[]): Promise<Json[]> =>
    world.sql(
      `select d.state, (d.lease_until is not null) as is_held, count(*)::int as n from deliveries d
       join invoices i on i.id = d.document_id where i.series_id = any($1) group by 1, 2`,
      [ids],
    );

  it("are sent before the run answers, when they are few", async () => {
    const ids = await many(3, { auto_send: true });
    at("2026-04-01");

    await run();

    expect(await states(ids)).toEqual([{ state: "written_to_outbox", is_held: false, n: 3 }]);
  });

  it("are left to the worker immediately when they are many", async () => {
    const ids = await many(21, { auto_send: true });
    at("2026-04-01");

    await run();

    expect(await states(ids)).toEqual([{ state: "queued", is_held: false, n: 21 }]);
    while ((await sendDueDeliveries(world.services)) > 0);
    expect(await states(ids)).toEqual([{ state: "written_to_outbox", is_held: false, n: 21 }]);
  });

  it("are left to the worker when no caller asked for the run", async () => {
    const ids = await many(2, { auto_send: true });
    at("2026-04-01");

    await runAllSchedulers(world.services, 20_000);

    expect(await states(ids)).toEqual([{ state: "queued", is_held: false, n: 2 }]);
  });
});

describe("accounts", () => {
  /** Creates this many series of another account that are due on the same day; returns the account and their ids. */
  async function another(count: number): Promise<{ account_id: string; ids: string[] }> {
    const { account_id, keys } = await world.openAnother();
    const key = keys.read_write;
    const { id: customer_id } = await world.done("POST /customers", { name: "B" }, key);
    const product = await world.done("POST /products", { name: "P", default_price: 1 }, key);
    const lines = [{ product_id: product.id, recognition_method: "value" }];
    const body = { customer_id, frequency: "monthly", start_date: "2026-04-01", lines };
    const { id } = await world.done("POST /recurring-series", body, key);
    await world.done(`POST /recurring-series/${id}/activate`, {}, key);
    return { account_id, ids: [id, ...(await copies(id, count - 1)).map((copy) => copy.id)] };
  }

  /** Stops a round after one account, and is false again at the end of the round. */
  function afterOneTurn(): () => boolean {
    let asked = 0;
    return () => {
      asked += 1;
      return asked === 2;
    };
  }

  it("continue in the next round after the last one served", async () => {
    const ids = await many(401);
    const { ids: others } = await another(401);
    at("2026-04-01");

    expect(await runAllSchedulers(world.services, 60_000, afterOneTurn())).toBe(true);
    expect(await runAllSchedulers(world.services, 60_000, afterOneTurn())).toBe(true);

    expect([await transactions(ids), await transactions(others)]).toEqual([[200], [200]]);
  });

  it("are left out when they make no progress, and the others continue", async () => {
    const { account_id, ids: stuck } = await another(1);
    const ids = await many(2);
    at("2026-04-01");
    await world.sql("update configurations set time_zone = 'No/Where' where account_id = $1", [
      account_id,
    ]);
    const resting = new Set<string>();

    while (await runAllSchedulers(world.services, 60_000, afterOneTurn(), resting));

    expect([...resting]).toEqual([account_id]);
    expect(await transactions(ids)).toEqual([2]);
    expect(await transactions(stuck)).toEqual([]);
  });

  it("are served round robin, so a backlog delays another account's period by one batch only", async () => {
    const ids = await many(650);
    const [id] = (await another(1)).ids;
    at("2026-04-01");

    await runAllSchedulers(world.services, 60_000);

    expect(await transactions(ids)).toEqual([200, 200, 200, 50]);
    const [row] = await world.sql(
      `select count(*)::int as before from invoices i
       where i.series_id = any($1)
         and i.updated_at < (select o.updated_at from invoices o where o.series_id = $2)`,
      [ids, id],
    );
    expect(row?.before).toBeLessThanOrEqual(200);
  });
});
