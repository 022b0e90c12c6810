/** Periods that the scheduler cannot issue: they fail, are tried again in time, and block no other period (spec 4.5 and 4.7). */
import { beforeEach, describe, expect, it } from "vitest";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { runAllSchedulers } from "./run-scheduler.ts";

const {
  world,
  customer,
  at,
  active,
  cancel,
  change,
  issued,
  skip,
  occurrence,
  statuses,
  run,
  runOf,
  invoicesOf,
} = useSeries();

const lock = (period_lock_date: string | null) =>
  world.done("PATCH /configuration", { period_lock_date });

beforeEach(async () => {
  at("2026-03-10");
  await lock(null);
  await world.sql("update recurring_series set next_due_on = null, next_retry_at = null");
});

/** Due on 1 April, which is locked until the lock is lifted. */
async function locked(fields: Json = {}): Promise<string> {
  const { id } = await active({ start_date: "2026-04-01", ...fields });
  at("2026-04-01T08:00:00Z");
  await lock("2026-12-31");
  return id;
}

describe("a period that the scheduler cannot issue", () => {
  it("is failed, and the run and the audit trail state the reason", async () => {
    const id = await locked();

    const { failed, issued: done, remaining } = await run();

    expect(failed).toEqual([
      {
        series_id: id,
        period: "2026-04",
        code: "PERIOD_LOCKED",
        message: expect.stringMatching(/\.$/),
      },
    ]);
    expect([done, remaining]).toEqual([[], 0]);
    expect(await occurrence(id, "2026-04")).toMatchObject({ status: "failed", invoice_id: null });
    expect(await statuses(id, "status=failed")).toEqual(["2026-04 failed"]);
    const resource = encodeURIComponent(`${id}/2026-04`);
    const { data } = await world.done(`GET /audit-events?resource_id=${resource}`);
    expect(data).toMatchObject([{ action: "failed", reason: "PERIOD_LOCKED" }]);
  });

  it("is failed while reverse charge lacks required data, and is issued once the data is complete", async () => {
    const { id: customer_id } = await world.done("POST /customers", {
      name: "Bergmann GmbH",
      country_key: "DE",
      vat_number: "DE136695976",
      street: "Hafenstr. 7",
      city: "Hamburg",
    });
    const { id } = await active({ start_date: "2026-04-01", customer_id });
    at("2026-04-01T08:00:00Z");

    const { failed } = await run();

    expect(failed).toMatchObject([{ series_id: id, code: "INVOICE_INCOMPLETE" }]);
    expect(await statuses(id, "status=failed")).toEqual(["2026-04 failed"]);
    await world.done("PATCH /configuration", { seller: { vat_number: "12345674" } });
    at("2026-04-01T09:30:00Z");
    expect(await runOf(id)).toEqual(["issued 2026-04"]);
  });

  it("is retried after 1 h, 6 h, 24 h and then daily, seven times, then only issued manually", async () => {
    const id = await locked({ end_date: "2026-04-30" });
    const tried: number[] = [];
    const start = Date.parse("2026-04-01T08:00:00Z");
    for (let hour = 0; hour < 24 * 7; hour += 0.5) {
      at(new Date(start + hour * 3_600_000).toISOString());
      if ((await runOf(id)).length > 0) tried.push(hour);
    }

    expect(tried).toEqual([0, 1, 7, 31, 55, 79, 103, 127]);
    await lock(null);
    at("2026-05-20");
    expect(await runOf(id)).toEqual([]);
    expect((await occurrence(id, "2026-04")).status).toBe("failed");
    expect((await issued(id, "2026-04")).issue_date).toBe("2026-05-20");
  });

  it("is issued by a retry, dated the day of the retry", async () => {
    const id = await locked();
    await run();
    await lock(null);
    at("2026-04-01T08:59:59Z");
    expect(await runOf(id)).toEqual([]);
    at("2026-04-02T09:00:00Z");

    expect(await runOf(id)).toEqual(["issued 2026-04"]);
    expect(await invoicesOf(id)).toEqual([["2026-04", "2026-04-02"]]);
    expect(await runOf(id)).toEqual([]);
  });

  it("blocks neither its later periods nor other series", async () => {
    const { id: gone } = await world.done("POST /customers", { name: "Gone" });
    const stuck = await active({ start_date: "2026-04-01", customer_id: gone });
    const { id: other } = await active({ start_date: "2026-04-01" });
    await world.done(`POST /customers/${gone}/deactivate`);
    at("2026-05-01");

    const { failed, issued: done } = await run();

    expect(failed.map(({ series_id, period, code }: Json) => [series_id, period, code])).toEqual([
      [stuck.id, "2026-04", "CUSTOMER_INACTIVE"],
      [stuck.id, "2026-05", "CUSTOMER_INACTIVE"],
    ]);
    expect(done.map(({ series_id, period }: Json) => [series_id, period])).toEqual([
      [other, "2026-04"],
      [other, "2026-05"],
    ]);
    await world.done(`POST /customers/${gone}/activate`);
    at("2026-05-01T10:00:00Z");
    expect(await runOf(stuck.id)).toEqual(["issued 2026-04", "issued 2026-05"]);
  });

  it("counts one failure when several runs occur in parallel", async () => {
    const id = await locked({ end_date: "2026-04-30" });

    await Promise.all(Array.from({ length: 5 }, () => run()));

    at("2026-04-01T09:00:00Z");
    await lock(null);
    expect(await runOf(id)).toEqual(["issued 2026-04"]);
  });

  it("may be skipped and is then not retried, and is due immediately after the skip is undone", async () => {
    const id = await locked();
    await run();
    expect((await skip(id, "2026-04")).body.status).toBe("skipped");
    at("2026-04-03");
    expect(await runOf(id)).toEqual([]);
    await skip(id, "2026-04", "unskip");
    await lock(null);

    expect(await runOf(id)).toEqual(["issued 2026-04"]);
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["dropped by a cancellation", (id) => cancel(id, { end_date: "2026-03-31" })],
    [
      "cut off by a new end",
      (id) => change(id, { start_date: "2026-02-01", end_date: "2026-03-31" }),
    ],
  ])("is not retried after it is %s", async (_what, away) => {
    const id = await locked();
    await run();

    await away(id);

    await lock(null);
    at("2026-04-10");
    expect(await run()).toMatchObject({ issued: [], failed: [], remaining: 0 });
  });

  it("is retried even if a manual issue failed, ahead of time or in manual timing", async () => {
    const { id } = await active({ start_date: "2026-09-01", issue_timing: { mode: "manual" } });
    await world.sql(
      `insert into occurrences (account_id, series_id, period_index, state, failure_code, attempts, next_attempt_at)
       values ($1, $2, 3, 'failed', 'LEDGER_REJECTED', 1, '2026-03-10T08:00:00Z')`,
      [world.account.account_id, id],
    );
    await world.sql(
      "update recurring_series set next_retry_at = '2026-03-10T08:00:00Z' where id = $1",
      [id],
    );

    expect(await runOf(id)).toEqual(["issued 2026-12"]);
    expect((await run()).remaining).toBe(0);
  });
});

describe("an internal error", () => {
  it("makes the period failed as INTERNAL_ERROR, without details", async () => {
    const { id } = await active({ start_date: "2026-04-01" });
    at("2026-04-01");
    await world.sql(
      `create function break() returns trigger language plpgsql as $$ begin raise 'secret detail'; end $$`,
    );
    await world.sql(
      "create trigger break before insert on issued_documents for each row execute function break()",
    );
    try {
      const { failed } = await run();
      expect(failed).toEqual([
        {
          series_id: id,
          period: "2026-04",
          code: "INTERNAL_ERROR",
          message: "Something went wrong on our side.",
        },
      ]);
    } finally {
      await world.sql("drop trigger break on issued_documents");
    }
    expect(await invoicesOf(id)).toEqual([]);
    at("2026-04-01T09:00:00Z");
    expect(await runOf(id)).toEqual(["issued 2026-04"]);
  });

  it("in one series or account blocks no other", async () => {
    const broken = await active({ start_date: "2026-04-01" });
    const { id } = await active({ start_date: "2026-04-01" });
    const { keys } = await world.openAnother();
    const key = keys.read_write;
    const { id: customer_id } = await world.done("POST /customers", { name: "B" }, key);
    const product = await world.done("POST /products", { name: "P", default_price: 1 }, key);
    const body = {
      customer_id,
      frequency: "monthly",
      start_date: "2026-04-01",
      auto_send: false,
      lines: [{ product_id: product.id, recognition_method: "value" }],
    };
    const other = await world.done("POST /recurring-series", body, key);
    await world.done(`POST /recurring-series/${other.id}/activate`, {}, key);
    at("2026-04-01");
    // Content that no code can read.
    const spoil = (content: string) =>
      world.sql(
        `update series_line_versions v set content = $2 from series_lines l
         where l.line_id = v.line_id and l.series_id = $1`,
        [broken.id, content],
      );
    const [{ content }] = (await world.sql(
      "select content from series_line_versions v join series_lines l using (account_id, line_id) where l.series_id = $1",
      [broken.id],
    )) as [Json];
    await spoil("{");

    await runAllSchedulers(world.services, 20_000);

    await spoil(content);
    for (const one of [id, other.id]) {
      expect(await invoicesOf(one)).toEqual([["2026-04", "2026-04-01"]]);
    }
    expect(await invoicesOf(broken.id)).toEqual([]);
    expect(await runOf(broken.id)).toEqual(["issued 2026-04"]);
    expect(customer.name).toBe("Acme A/S");
  });
});
