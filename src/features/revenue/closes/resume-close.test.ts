/** Closes that a request could not finish, or that were delayed (spec 3.10). */
import { describe, expect, it } from "vitest";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { ROLES, useStudios } from "../../../../test/support/world/studio.ts";
import type { Json } from "../../../../test/support/world/world.ts";
import { sql } from "../../../platform/database/sql.ts";
import { transaction } from "../../../platform/database/transaction.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { closePeriod, resumeClose } from "./close-month.ts";

const { world, studio } = useStudios();

describe("a close that is not finished in its time", () => {
  const resume = (most_ms: number): Promise<boolean> =>
    resumeClose((id) => schedulerContext(world.services, id), world.db, most_ms);

  it("shows the remaining customers, and the worker continues it for the original caller", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna", "Bo");
    const cx = await schedulerContext(world.services, one.account.account_id);
    const actor = { kind: "api_key", id: "who-asked" } as const;
    const asked = { ...cx, caller: { ...cx.caller, actor } };

    const { is_new } = await closePeriod(asked, { month: "2026-02" as never, lock: true }, -1);

    expect(is_new).toBe(true);
    const begun = await one.done("GET /period-closes/2026-02");
    expect(begun).toMatchObject({
      status: "partial",
      remaining: 3,
      skipped: 0,
      booked_with_voucher: 0,
      period_lock_date: null,
      closed_at: null,
      closed_by: null,
    });
    expect(await one.tried("POST /period-closes/2026-02/reopen", { reason: "x" })).toBe(
      "409 PERIOD_NOT_CLOSED",
    );
    // Without time nothing is done, and the run remains to be resumed.
    expect(await resume(-1)).toBe(true);
    expect(await one.done("GET /period-closes/2026-02")).toEqual(begun);
    expect(await resume(10_000)).toBe(true);
    expect(await resume(10_000)).toBe(false);

    const done = await one.done("GET /period-closes/2026-02");
    expect(done).toMatchObject({
      status: "completed",
      booked_with_voucher: 2,
      skipped: 1,
      period_lock_date: "2026-02-28",
      closed_by: actor,
    });
    expect(done).not.toHaveProperty("remaining");
    const { data } = await one.done("GET /audit-events?resource_type=accrual&limit=100");
    expect(data.map((event: Json) => event.actor)).toEqual([actor, actor]);
  });

  it("is resumed by a repeat of the call, and books nothing twice", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna", "Bo");
    const cx = await schedulerContext(world.services, one.account.account_id);
    await closePeriod(cx, { month: "2026-02" as never, lock: true }, -1);

    const { status, body } = await one.close("2026-02");

    expect([status, body.status, body.booked_with_voucher]).toEqual([200, "completed", 2]);
    expect(await resume(10_000)).toBe(false);
    expect(await one.vouchers()).toHaveLength(2);
  });

  it("is interrupted within a customer that takes too long, and the worker books it once", async () => {
    const one = await studio();
    const lines = Array.from({ length: 500 }, () => one.value(10));
    const { id } = await one.done("POST /recurring-series", {
      customer_id: one.customer,
      frequency: "weekly",
      start_date: "2025-03-03",
      issue_timing: { mode: "manual" },
      lines,
    });
    await one.done(`POST /recurring-series/${id}/activate`);
    await world.sql("update recurring_series set start_date = '2024-03-04' where id = $1", [id]);
    const cx = await schedulerContext(world.services, one.account.account_id);
    const timeouts = new AbortController();
    let has_begun = false;
    const impatient = {
      ...cx,
      signal: timeouts.signal,
      ran: (command: string) => {
        has_begun = command === "begin_close";
      },
      // The clock is the first thing read when the lines of a customer are processed.
      clock: {
        now: () => {
          if (has_begun) timeouts.abort(new Error("the caller has gone"));
          return cx.clock.now();
        },
      },
    };

    const month = "2024-03" as never;
    const { document } = await closePeriod(impatient, { month, lock: true }, 600_000);

    expect(JSON.parse(document)).toMatchObject({
      status: "partial",
      remaining: 1,
      failed: 0,
      booked_with_voucher: 0,
    });
    expect(await one.vouchers()).toEqual([]);
    expect(await resume(600_000)).toBe(true);
    expect(await resume(600_000)).toBe(false);
    expect(await one.done("GET /period-closes/2024-03")).toMatchObject({
      status: "completed",
      booked_with_voucher: 1,
      failed: 0,
    });
    expect(await one.vouchers()).toHaveLength(1);
  });

  it("is not resumed while another process works on it", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna");
    const cx = await schedulerContext(world.services, one.account.account_id);
    await closePeriod(cx, { month: "2026-02" as never, lock: true }, -1);
    const lease = (when: string) =>
      world.sql(
        `update period_closes set lease_until = clock_timestamp() ${when} where account_id = $1`,
        [one.account.account_id],
      );
    await lease("+ interval '1 minute'");

    const month = "2026-02" as never;
    const { is_new, document } = await closePeriod(cx, { month, lock: true }, 300);
    expect(is_new).toBe(false);
    expect(JSON.parse(document)).toMatchObject({ status: "partial", remaining: 2 });
    expect(await resume(10_000)).toBe(false);
    await lease("- interval '1 second'");
    expect(await resume(10_000)).toBe(true);
    expect(await one.closed("2026-02")).toMatchObject({ status: "completed" });
  });

  it("belongs from the beginning to the request that began it, however early the worker looks", async () => {
    await world.sql("create table first_moments (is_taken boolean)");
    await world.sql(
      `create function note_lease() returns trigger language plpgsql as $$ begin
         insert into first_moments values (new.lease_until > clock_timestamp()); return new;
       end $$`,
    );
    await world.sql(
      "create trigger first_moment after insert on period_closes for each row execute function note_lease()",
    );
    let is_over = false;
    const taken: boolean[] = [];
    const worker = async (): Promise<void> => {
      while (!is_over) taken.push(await resume(10_000));
    };
    const workers = [worker(), worker(), worker()];
    const statuses: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      const one = await studio();
      await one.customersWith("2026-02", "Anna");
      const { body } = await one.close("2026-02");
      statuses.push(body.status);
    }
    is_over = true;
    await Promise.all(workers);

    expect(new Set(statuses)).toEqual(new Set(["completed"]));
    expect(taken).not.toContain(true);
    expect(await world.sql("select is_taken, count(*)::int from first_moments group by 1")).toEqual(
      [{ is_taken: true, count: 8 }],
    );
    await world.sql("drop table first_moments cascade");
    await world.sql("drop function note_lease cascade");
  });

  it("answers a second call that came in the meantime with its result", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna", "Bo", "Cesar");

    const replies = await Promise.all([one.close("2026-02"), one.close("2026-02")]);

    expect(replies.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(replies[0]?.body).toEqual(replies[1]?.body);
    expect(replies[0]?.body).toMatchObject({ status: "completed", booked_with_voucher: 3 });
  });

  it("does not wait for a customer whom another transaction has locked", async () => {
    const one = await studio();
    const { Bo } = await one.customersWith("2026-02", "Anna", "Bo", "Cesar");
    let partial: Json;
    await transaction(world.db, async (tx) => {
      await tx.rows(sql`select id from customers where id = ${Bo ?? ""} for update`);
      partial = await one.closed("2026-02");
    });

    expect(partial).toMatchObject({
      status: "partial",
      booked_with_voucher: 2,
      failed: 1,
      errors: [{ customer_id: Bo, code: "INTERNAL_ERROR" }],
      period_lock_date: null,
    });
    expect(await one.closed("2026-02")).toMatchObject({
      status: "completed",
      booked_with_voucher: 3,
    });
    expect(await one.vouchers()).toHaveLength(3);
  });

  it("uses the account roles that apply when it books", async () => {
    const one = await studio();
    await one.customersWith("2026-02", "Anna");
    const cx = await schedulerContext(world.services, one.account.account_id);
    await closePeriod(cx, { month: "2026-02" as never, lock: true }, -1);
    await one.done("PATCH /configuration", { account_roles: { contract_asset: null } });
    expect(await one.closed("2026-02")).toMatchObject({
      status: "partial",
      errors: [{ code: "ACCOUNT_ROLE_MISSING" }],
    });
    expect(refusal(await one.close("2026-02"))).toBe("409 ACCOUNT_ROLE_MISSING");
    await one.done("PATCH /configuration", {
      account_roles: { contract_asset: ROLES.contract_asset },
    });
    expect(await one.closed("2026-02")).toMatchObject({ status: "completed", errors: [] });
  });
});
