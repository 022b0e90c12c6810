/** The example year of a studio: its contents, its books, and that a kill or a second process doubles nothing. */
import { describe, expect, it } from "vitest";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import type { CalendarDate } from "../../../domain/base/calendar.ts";
import { transact } from "../../../platform/commands/tx.ts";
import { operatorContext } from "../../access/accounts/create.ts";
import { mintKey } from "../../access/api-keys/mint.ts";
import { findLogin } from "../../access/sign-in/sign-in.ts";
import { openStudio } from "./open-studio.ts";
import { resumeStudio } from "./run-studio.ts";
import { stepsOfYear } from "./year.ts";

const ENDS_ON = "2026-11-19" as CalendarDate;
/** The steps that open transactions of their own, apart from the one that counts them. */
const OUTSIDE = new Set([
  ...["bank_account", "schedule", "close", "issue", "credit"],
  ...["bank", "remind"],
]);
const world = useWorld();

/** Opens the studio of a new account's admin; returns its account and that of its login. */
async function open(ends_on: CalendarDate | null = ENDS_ON) {
  const { admin } = await world.openAnother();
  const login = await findLogin(world.db, admin.email);
  if (login === undefined) throw new Error("an admin has no login");
  const account_id = await openStudio(world.services, { login, ends_on: ends_on ?? undefined });
  return { account_id, login };
}

/** Returns the account of the first studio. */
async function onlyStudio(): Promise<string> {
  const [row] = await world.sql("select account_id from studios order by account_id limit 1");
  return row.account_id;
}

/** Returns calls of the API in an account. */
async function apiOf(account_id: string) {
  const cx = await operatorContext(world.services, account_id);
  const { key } = await transact(cx, (tx) => mintKey(tx, { name: "Test", scope: "read_write" }));
  return (call: string, body?: Json): Promise<Json> => world.done(call, body, key);
}

const counted = async (account_id: string) => {
  const [row] = await world.sql(
    `select (select count(*)::int from users where account_id = $1) as people,
      (select count(*)::int from customers where account_id = $1) as customers,
      (select count(*)::int from products where account_id = $1) as products,
      (select count(*)::int from recurring_series where account_id = $1) as retainers,
      (select count(*)::int from invoices where account_id = $1 and series_id is null) as one_time,
      (select count(*)::int from invoices where account_id = $1 and status = 'draft') as drafts,
      (select count(*)::int from invoices where account_id = $1 and status = 'issued') as issued,
      (select count(*)::int from credit_notes where account_id = $1) as credit_notes,
      (select count(*)::int from work_registrations where account_id = $1) as registrations,
      (select count(*)::int from period_closes where account_id = $1 and status = 'completed') as closes,
      (select count(*)::int from exchange_rates where account_id = $1) as rates,
      (select count(*)::int from payments where account_id = $1) as payments,
      (select count(*)::int from allocations where account_id = $1) as allocations,
      (select count(*)::int from bank_statements where account_id = $1) as statements,
      (select count(*)::int from bank_lines where account_id = $1 and state = 'open') as open_lines,
      (select count(*)::int from bank_lines where account_id = $1 and state = 'ignored') as ignored_lines,
      (select count(*)::int from reminders where account_id = $1) as reminders,
      (select coalesce(sum(abs(amount)), 0)::text from ledger_postings where account_id = $1) as booked`,
    [account_id],
  );
  return row;
};

/** The counts of a studio that was played without an interruption. */
let whole: Json;

/** Plays at most a number of steps; returns how many are done then. */
async function playSome(account_id: string, most: number): Promise<number> {
  let left = most;
  await resumeStudio(world.services, () => {
    left -= 1;
    return left < 0;
  });
  const [row] = await world.sql("select steps_done from studios where account_id = $1", [
    account_id,
  ]);
  return row.steps_done;
}

describe("the year of a studio", () => {
  it("has a firm with people, customers, retainers, invoices, hours and eleven closed months", async () => {
    const { account_id } = await open();
    expect(await resumeStudio(world.services)).toBe(true);
    expect(await resumeStudio(world.services), "nothing is left").toBe(false);
    whole = await counted(account_id);
    expect(whole).toMatchObject({
      people: 5,
      customers: 10,
      products: 8,
      retainers: 6,
      one_time: 14,
      drafts: 5,
      issued: 46,
      credit_notes: 1,
      registrations: 330,
      closes: 11,
      payments: 41,
      statements: 13,
      open_lines: 3,
      ignored_lines: 13,
      reminders: 2,
    });
  });

  it("agrees with the ledger in each closed month, and its chains are unbroken", async () => {
    const account_id = await onlyStudio();
    const api = await apiOf(account_id);
    expect((await api("GET /ledger/verification?fresh=true")).ok).toBe(true);
    const { data } = await api("GET /period-closes?limit=100");
    for (const { month } of data) {
      const { roles } = await api(`GET /accruals/reconciliation?month=${month}`);
      for (const { role, difference } of roles)
        expect([month, role, difference]).toEqual([month, role, 0]);
    }
    const { data: accounts } = await api("GET /ledger/accounts?limit=100");
    const names: string[] = accounts.map(({ name }: Json) => name);
    expect(names).toContain("Salg af licenser");
    expect(names.filter((name) => /\d/.test(name))).toEqual([]);
    const { blockers } = await api("GET /period-closes/2026-10/preview");
    expect(blockers, "the month before the last one is ready").toEqual([]);
  });

  it("is paid around the due dates, except for what four customers owe, and agrees on each month's end", async () => {
    const api = await apiOf(await onlyStudio());
    for (let month = 11; month < 24; month += 1) {
      const at = new Date(Date.UTC(2025, month, 0)).toISOString().slice(0, 10);
      if (at > ENDS_ON) break;
      const { ledger } = await api(`GET /receivables/summary?at=${at}`);
      const differences = ledger.map(({ difference }: Json) => difference);
      expect([at, differences]).toEqual([at, [0, 0]]);
    }
    const { data } = await api("GET /invoices?origin=all&include=payment&limit=100");
    const issued = data.filter(({ payment }: Json) => payment !== null);
    const stateOf = (state: string) =>
      issued.filter(({ payment }: Json) => payment.state === state);
    expect(stateOf("paid")).toHaveLength(41);
    for (const { issue_date, payment } of stateOf("paid")) {
      const days = (Date.parse(payment.paid_on) - Date.parse(issue_date)) / 86_400_000;
      expect([issue_date, days >= 0 && days <= 25]).toEqual([issue_date, true]);
    }
    expect(stateOf("partly_paid").map(({ payment }: Json) => payment.open)).toEqual([68_750]);
    const { data: owed } = await api("GET /receivables");
    const names = owed.map(({ customer_name }: Json) => customer_name).sort();
    expect(names).toEqual([
      ...["Grøn Logistik A/S", "Havnens Bryggeri ApS"],
      ...["Lindegaard Arkitekter", "Solvang Energi A/S"],
    ]);
  });

  it("has a payment that came twice and was used, and two of euros with exchange differences", async () => {
    const api = await apiOf(await onlyStudio());
    const twice = await api("GET /payments/ext:studio-paid-twice");
    expect(twice).toMatchObject({ amount: 27_500, unallocated: 0, status: "booked" });
    const { data } = await api("GET /payments?limit=100");
    const foreign = data.filter(({ currency }: Json) => currency === "EUR");
    const differences = foreign.map((one: Json) => Math.sign(one.exchange_difference));
    expect(differences.toSorted()).toEqual([-1, 1]);
    expect(data.filter((one: Json) => one.allocations.length === 2)).not.toEqual([]);
  });

  it("leaves three lines of the bank with what they probably are, and two reminders of one customer", async () => {
    const api = await apiOf(await onlyStudio());
    const { data } = await api("GET /bank-lines?state=open&include=suggestions");
    const best = data.map(({ amount, suggestions: [first] }: Json) => [amount, first?.confidence]);
    expect(best.sort(([a]: number[], [b]: number[]) => (a ?? 0) - (b ?? 0))).toEqual([
      [-15_000, "likely"],
      [27_500, "likely"],
      [38_593.75, "exact"],
    ]);
    const { data: reminders } = await api("GET /reminders");
    expect(reminders.map(({ level, fee }: Json) => [level, fee])).toEqual([
      [2, 100],
      [1, 0],
    ]);
    const preview = await api("POST /reminder-runs/preview", {});
    expect(preview.rows.map((one: Json) => [one.total, one.left_out]).sort()).toEqual([
      [27_500, "UNMATCHED_PAYMENT"],
      [68_750, null],
      [74_943.75, "UNMATCHED_PAYMENT"],
    ]);
  });

  it("has hours of four people, each registered by the person who worked", async () => {
    const account_id = await onlyStudio();
    const rows = await world.sql(
      `select w.user_id, e.actor_id, count(*)::int as count from work_registrations w
       join audit_events e on e.account_id = w.account_id and e.resource_id = w.id::text and e.action = 'created'
       where w.account_id = $1 group by 1, 2`,
      [account_id],
    );
    expect(rows).toHaveLength(4);
    for (const { user_id, actor_id } of rows) expect(actor_id).toBe(user_id);
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(330);
  });

  it("has people without logins, whom no mail invites, and a delivery that fails", async () => {
    const account_id = await onlyStudio();
    const people = await world.sql(
      "select email, login_id is not null as has_login from users where account_id = $1 order by created_at",
      [account_id],
    );
    expect(people.filter(({ has_login }) => has_login)).toHaveLength(1);
    expect(people.slice(1).every(({ email }) => email.endsWith(".example"))).toBe(true);
    expect(
      await world.sql("select 1 from invitations where account_id = $1", [account_id]),
    ).toEqual([]);
    const failed = await world.sql(
      "select distinct i.customer_id from deliveries d join invoices i on i.account_id = d.account_id and i.id = d.document_id where d.account_id = $1 and d.state like 'failed%'",
      [account_id],
    );
    expect(failed).toHaveLength(1);
  });

  it("leaves its clock on the day after where a last day was asked for", async () => {
    const account_id = await onlyStudio();
    const [stands] = await world.sql("select test_clock::text from accounts where id = $1", [
      account_id,
    ]);
    expect(stands.test_clock).toMatch(/^2026-11-20 08:00/);
  });
});

describe("an interrupted studio", () => {
  it("continues after a kill behind any step, and does nothing twice", async () => {
    const { account_id } = await open();
    const steps = stepsOfYear(ENDS_ON);
    for (let done = 0; done < steps.length; ) {
      done = await playSome(account_id, 1);
      const step = steps[done - 1];
      // Killed after the work of the step and before its count.
      if (step !== undefined && OUTSIDE.has(step.do)) {
        await world.sql("update studios set steps_done = steps_done - 1 where account_id = $1", [
          account_id,
        ]);
        done = await playSome(account_id, 1);
      }
    }
    expect(await counted(account_id)).toEqual(whole);
  });

  it("is continued by another process when its lease is over", async () => {
    const { account_id } = await open();
    expect(await playSome(account_id, 3)).toBe(3);
    const hold = (until: string) =>
      world.sql(
        `update studios set lease_until = clock_timestamp() + interval '${until}' where account_id = $1`,
        [account_id],
      );
    await hold("5 seconds");
    expect(await resumeStudio(world.services)).toBe(false);
    await hold("-1 seconds");
    expect(await playSome(account_id, 1)).toBe(4);
  });
});

it("is played once by three processes at once, ends yesterday, and its clock runs then", async () => {
  await world.sql("update studios set finished_at = clock_timestamp()");
  world.clock.set("2026-11-20T10:00:00.000Z");
  const { account_id } = await open(null);
  const played = await Promise.all([1, 2, 3].map(() => resumeStudio(world.services)));
  expect(played.toSorted()).toEqual([false, false, true]);
  expect(await counted(account_id)).toEqual(whole);
  const [row] = await world.sql(
    "select a.test_clock, s.ends_on::text from accounts a join studios s on s.account_id = a.id where a.id = $1",
    [account_id],
  );
  expect(row).toEqual({ test_clock: null, ends_on: "2026-11-19" });
});

it("is one for each login, also when it is asked for twice at once", async () => {
  const { admin } = await world.openAnother();
  const login = await findLogin(world.db, admin.email);
  if (login === undefined) throw new Error("an admin has no login");
  const ids = await Promise.all([1, 2, 3].map(() => openStudio(world.services, { login })));
  expect(new Set(ids).size).toBe(1);
  expect(await world.sql("select 1 from users where login_id = $1", [login.id])).toHaveLength(2);
});
