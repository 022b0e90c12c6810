/** Opening contracts where a ledger outside has the books: begun there, taken along to it, and brought back from it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusal } from "../support/http/refusal.ts";
import { openDineroSimulation } from "../support/ledger/dinero/simulation.ts";
import { balancesOf, DINERO_ROWS, openMoving, organisationOf } from "../support/ledger/moving.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });
let simulation: Awaited<ReturnType<typeof openDineroSimulation>>;
beforeAll(async () => {
  simulation = await openDineroSimulation();
});
afterAll(() => simulation?.close());

const EQUITY = 6950;
const LIABILITY = 8070;

type Moving = Awaited<ReturnType<typeof openMoving>>;

/** 24,000 was invoiced for September to August, of which 12,000 was earned through February. */
const licence = ({ studio }: Moving, fields: Json = {}): Json => ({
  external_id: "old-1",
  customer: studio.customer,
  product: studio.product.id,
  invoiced: 24_000,
  earned: 12_000,
  service_from: "2025-09-01",
  service_to: "2026-08-31",
  cutover: "2026-02-28",
  ...fields,
});

/** Moves the books of an account to an organisation of its own in the simulation; returns the organisation. */
async function movedToDinero(account: Moving, id: number, opening?: string): Promise<number> {
  const given = await organisationOf(simulation, id);
  await account.move({ to: "dinero", given, pairs: DINERO_ROWS, opening });
  return id;
}

async function closed({ done, studio, work }: Moving, month: string, today: string): Promise<void> {
  studio.at(today);
  await done("POST /period-closes", { month });
  await work();
  expect(await done(`GET /period-closes/${month}`)).toMatchObject({ status: "completed" });
}

/** The balance of an account of the built-in ledger, debit above 0, in minor units. */
async function builtinBalance({ account_id }: Moving, number: number): Promise<number> {
  const [{ sum }] = await world.sql(
    `select coalesce(sum(amount), 0)::int as sum from ledger_postings where account_id = $1 and account_number = $2`,
    [account_id, number],
  );
  return sum;
}

async function differing({ done }: Moving, month: string): Promise<Json[]> {
  const { roles, documents, earnings } = await done(`GET /accruals/reconciliation?month=${month}`);
  return [...roles, ...documents, ...earnings].filter(({ difference }: Json) => difference !== 0);
}

async function failedChecks({ done }: Moving): Promise<Json[]> {
  const { checks } = await done("GET /ledger/verification?fresh=true");
  return checks.filter(({ ok }: Json) => !ok);
}

describe("an opening contract in a connected ledger", () => {
  let account: Moving;
  let organisation: number;
  beforeAll(async () => {
    account = await openMoving(world, "2026-03-10");
    await account.studio.closed("2026-01");
    organisation = await movedToDinero(account, 280_001, undefined);
  });

  it("names no counter account, because the books there have the liability already", async () => {
    const { rest, done } = account;
    const refused = await rest("POST /opening-contracts", {
      ...licence(account),
      counter_account: EQUITY,
    });
    expect(refusal(refused)).toBe("422 VALIDATION_FAILED counter_account not_allowed");
    const contract = await done("POST /opening-contracts", licence(account));
    expect(contract).toMatchObject({
      status: "running",
      counter_account: null,
      entry_no: null,
    });
    await account.work();
    expect((await simulation.books(organisation)).entries).toEqual([]);
    expect(await builtinBalance(account, LIABILITY)).toBe(0);
  });

  it("is earned there month by month", async () => {
    await closed(account, "2026-03", "2026-04-05");
    expect(balancesOf(await simulation.books(organisation))).toEqual({
      63000: 200_000,
      1000: -200_000,
    });
    await closed(account, "2026-04", "2026-05-05");
    expect(balancesOf(await simulation.books(organisation))).toEqual({
      63000: 400_000,
      1000: -400_000,
    });
    const { data } = await account.done(
      "GET /recognition?from=2026-03&to=2026-08&group_by=month&basis=booking_month",
    );
    expect(data.map((one: Json) => [one.month, one.earned, one.contract_liability])).toEqual([
      ["2026-03", 2000, 10_000],
      ["2026-04", 2000, 8000],
      ["2026-05", 2000, 6000],
      ["2026-06", 2000, 4000],
      ["2026-07", 2000, 2000],
      ["2026-08", 2000, 0],
    ]);
  });

  it("ends without an entry, and earns nothing more", async () => {
    account.studio.at("2026-06-05");
    const { done, rest } = account;
    const end = { date: "2026-05-31", reason: "The customer left" };
    const named = await rest("POST /opening-contracts/ext:old-1/end", {
      ...end,
      counter_account: EQUITY,
    });
    expect(refusal(named)).toBe("422 VALIDATION_FAILED counter_account not_allowed");
    expect(await done("POST /opening-contracts/ext:old-1/end", end)).toMatchObject({
      status: "ended",
      ended_on: "2026-05-31",
    });
    await closed(account, "2026-05", "2026-06-05");
    await closed(account, "2026-06", "2026-07-05");
    expect(balancesOf(await simulation.books(organisation))).toEqual({
      63000: 600_000,
      1000: -600_000,
    });
    expect(await failedChecks(account)).toEqual([]);
  });
});

describe("an opening contract of books that move", () => {
  let account: Moving;
  let organisation: number;
  beforeAll(async () => {
    account = await openMoving(world, "2026-03-10");
    await account.done(
      "POST /opening-contracts",
      licence(account, { counter_account: EQUITY, external_id: "taken" }),
    );
    await account.done(
      "POST /opening-contracts",
      licence(account, { counter_account: EQUITY, external_id: "left" }),
    );
    await closed(account, "2026-03", "2026-04-05");
  });

  it("is taken along with what is left of it", async () => {
    expect(await builtinBalance(account, LIABILITY)).toBe(-2_000_000);
    organisation = await movedToDinero(account, 280_002, "55000");
    expect(balancesOf(await simulation.books(organisation))).toEqual({
      63000: -2_000_000,
      55000: 2_000_000,
    });
    expect(await differing(account, "2026-03")).toEqual([]);
    await closed(account, "2026-04", "2026-05-05");
    expect(balancesOf(await simulation.books(organisation))).toMatchObject({
      63000: -1_600_000,
      1000: -400_000,
    });
    expect(await failedChecks(account)).toEqual([]);
  });

  it("comes back with what is left then, and gives it back to its counter account", async () => {
    await account.move({ to: "builtin", opening: String(EQUITY) });
    expect(await builtinBalance(account, LIABILITY)).toBe(-1_600_000);
    account.studio.at("2026-06-05");
    await account.done("POST /opening-contracts/ext:left/end", {
      date: "2026-05-31",
      reason: "The customer left",
    });
    expect(await builtinBalance(account, LIABILITY)).toBe(-1_000_000);
    for (const [month, today] of [
      ["2026-05", "2026-06-05"],
      ["2026-06", "2026-07-05"],
      ["2026-07", "2026-08-05"],
      ["2026-08", "2026-09-05"],
    ] as const) {
      await closed(account, month, today);
      expect(await differing(account, month)).toEqual([]);
    }
    expect(await builtinBalance(account, LIABILITY)).toBe(0);
    expect(await failedChecks(account)).toEqual([]);
  });
});

describe("an opening contract begun in a ledger that has been left", () => {
  it("takes its counter account at its end", async () => {
    const account = await openMoving(world, "2026-03-10");
    const { done, rest, studio } = account;
    await studio.closed("2026-01");
    await movedToDinero(account, 280_003, undefined);
    await done("POST /opening-contracts", licence(account));
    await closed(account, "2026-03", "2026-04-05");
    await account.move({ to: "builtin", opening: String(EQUITY) });
    expect(await builtinBalance(account, LIABILITY)).toBe(-1_000_000);

    await closed(account, "2026-04", "2026-05-05");
    studio.at("2026-06-05");
    const end = { date: "2026-05-31", reason: "The customer left" };
    expect(refusal(await rest("POST /opening-contracts/ext:old-1/end", end))).toBe(
      "422 VALIDATION_FAILED counter_account required",
    );
    await done("POST /opening-contracts/ext:old-1/end", { ...end, counter_account: EQUITY });
    expect(await builtinBalance(account, LIABILITY)).toBe(-200_000);
    await closed(account, "2026-05", "2026-06-05");
    expect(await builtinBalance(account, LIABILITY)).toBe(0);
    expect(await differing(account, "2026-05")).toEqual([]);
    expect(await failedChecks(account)).toEqual([]);
  });
});
