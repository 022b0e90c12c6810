/**
 * A person's week in an account whose series has many waiting periods: the page and its registrations cost only what they show.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { addDays, type CalendarDate, mondayOf, weekKeyOf } from "../../src/domain/base/calendar.ts";
import { type Browser, openBrowser, proofOf } from "../support/browser/browser.ts";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import type { Json } from "../support/world/world.ts";
import { besideSmallRequests, is_counted, TRIED_AGAIN } from "./processor.ts";
import { type Account, useAccounts } from "./two-accounts.ts";

const PASSWORD = "correct horse battery staple";
const MOST_MS = 1_000;
const MOST_WAIT_MS = 250;
/** Registrations of one call. */
const ENTRIES = 20;

/** A person with one active weekly series, whose lines are all assigned to them and whose periods through this week all wait. */
interface Person {
  readonly admin: Account["admin"];
  readonly browser: Browser;
  readonly proof: string;
  readonly agent: Agent;
  /** Ids of the lines in this week's period, and of the series lines. */
  readonly line_ids: readonly { readonly own: string; readonly of_series: string }[];
  readonly start_date: CalendarDate;
  /** A day of one of the periods, counted back from this week's. */
  dayOf(n: number): CalendarDate;
  /** How often it was called before: written values differ each time, so that a test can be repeated. */
  nextRound(): number;
}

const accounts = useAccounts();
let light: Account;
let monday: CalendarDate;
beforeAll(async () => {
  if (!is_counted) return;
  const now = new Date().toISOString();
  accounts.world.clock.set(now);
  monday = mondayOf(now.slice(0, 10) as CalendarDate);
  light = await accounts.open();
  await light.ask("GET /customers?limit=1");
  // Compilation on first use counts for none of the sizes.
  const first = await openPerson(ENTRIES, 60);
  const done = <Result>(work: () => Promise<Result>): Promise<Result> => work();
  await readWeek(done, first, monday);
  await saveCell(done, first);
  await importHours(done, first);
  await registerByAssistant(done, first);
});

async function openPerson(lines: number, periods: number): Promise<Person> {
  const account = await accounts.open();
  const { customer_id, product_id, admin, key } = account;
  const world = { ...accounts.world, origin: accounts.program.origin };
  const start_date = addDays(monday, -7 * (periods - 1));
  const content = {
    product_id,
    recognition_method: "hours",
    hourly_rate: 1000,
    assignees: [{ user_id: admin.user_id }],
  };
  const body = {
    customer_id,
    frequency: "weekly",
    start_date,
    issue_timing: { mode: "manual" },
    lines: Array.from({ length: lines }, (_, n) => ({
      ...content,
      description_override: `Work ${n}`,
    })),
  };
  const { id } = await world.done("POST /recurring-series", body, key);
  await world.done(`POST /recurring-series/${id}/activate`, {}, key);
  const path = `/recurring-series/${id}/occurrences/${monday}/lines`;
  const { data } = await world.done(`GET ${path}`, undefined, key);
  const browser = openBrowser(world);
  await browser.signIn(admin.email, PASSWORD);
  let rounds = 0;
  return {
    admin,
    browser,
    proof: await proofOf(browser),
    agent: await agentOf(world, { user_id: admin.user_id, account_id: account.id }),
    line_ids: data.map((line: Json) => ({ own: line.id, of_series: line.series_line_id })),
    start_date,
    dayOf: (n) => addDays(monday, -7 * (n % periods)),
    nextRound: () => rounds++,
  };
}

type Measured = <Result>(work: () => Promise<Result>) => Promise<Result>;

async function readWeek(measured: Measured, { browser }: Person, day: CalendarDate) {
  const { status, html } = await measured(() => browser.get(`/hours/${weekKeyOf(day)}`));
  expect(status).toBe(200);
  expect(html).toContain("Work 0");
}

async function saveCell(measured: Measured, person: Person) {
  const { admin, browser, proof, line_ids, nextRound } = person;
  const entry = { id: null, hours: 0.1, billable: true, note: null };
  const cell = {
    user_id: admin.user_id,
    // The line has no other registration on this Monday.
    line_id: line_ids.at(-2 - nextRound())?.own,
    date: monday,
    seen: [],
    entries: Array.from({ length: ENTRIES }, () => entry),
  };
  const { body } = await measured(() => browser.act("/app/hours/save", cell, proof));
  expect(body).toMatchObject({ saved: true, registered: { length: ENTRIES } });
}

async function importHours(measured: Measured, person: Person) {
  const { browser, proof, line_ids, dayOf, nextRound } = person;
  const note = `Brought along ${nextRound()}`;
  const rows = Array.from({ length: ENTRIES }, (_, n) => ({
    customer: "Acme",
    line: `Work ${line_ids.length - 1 - n}`,
    date: dayOf(n),
    hours: 0.1,
    note,
  }));
  const act = (verb: string, sent: Json) =>
    measured(() => browser.act(`/app/hours/import/${verb}`, sent, proof));
  const { outcomes, agreed } = (await act("look", { rows })).body;
  expect(outcomes).toEqual(rows.map(() => ({ state: "new" })));
  expect((await act("make", { rows, agreed })).body).toEqual({ made: ENTRIES });
}

async function registerByAssistant(measured: Measured, { agent, line_ids, dayOf }: Person) {
  const entries = Array.from({ length: ENTRIES }, (_, n) => ({
    line_id: line_ids[n]?.of_series,
    date: dayOf(n),
    hours: 0.1,
  }));
  const { plan_id } = await measured(() => agent.done("plan_register_work", { entries }));
  const { resource } = await measured(() => agent.done("commit", { plan_id }));
  expect(resource.data).toHaveLength(ENTRIES);
}

const SIZES = [
  [50, 130],
  [150, 150],
  [500, 440],
] as const;

describe.runIf(is_counted).each(SIZES)(
  "with %i lines × %i periods (needs /proc)",
  (lines, periods) => {
    let person: Person;
    beforeAll(async () => {
      person = await openPerson(lines, periods);
    });

    const expectSmall: Measured = async (work) => {
      const { program } = accounts;
      const { result, used, longest_wait } = await besideSmallRequests(program, light, work);
      expect(used).toBeLessThan(MOST_MS);
      expect(longest_wait).toBeLessThan(MOST_WAIT_MS);
      return result;
    };

    it.each<[string, (person: Person) => CalendarDate]>([
      ["the current one", () => monday],
      ["in the middle", ({ dayOf }) => dayOf(Math.floor(periods / 2))],
      ["before all periods", ({ start_date }) => addDays(start_date, -14)],
    ])("a week is read at small cost: %s", TRIED_AGAIN, (_, day) =>
      readWeek(expectSmall, person, day(person)),
    );

    it("a cell is saved at small cost", TRIED_AGAIN, () => saveCell(expectSmall, person));

    it("hours are imported at small cost", TRIED_AGAIN, () => importHours(expectSmall, person));

    it("an assistant plans and commits registrations at small cost", TRIED_AGAIN, () =>
      registerByAssistant(expectSmall, person),
    );
  },
);
