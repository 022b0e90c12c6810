/**
 * Changed rows: a copy that is kept by `after` equals a later snapshot, over random histories of sales, work and changes. So does one that
 * is kept by the feed of events, where rows change by their own events alone.
 */
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { type StepName, steps, weights } from "../../../../test/revenue/steps.ts";
import { Draw, Studio } from "../../../../test/revenue/studio.ts";
import { callPlainly } from "../../../../test/support/http/plain-call.ts";
import { refusal } from "../../../../test/support/http/refusal.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { datasets } from "./list-datasets.ts";

const world = useWorld();
const SEED = Number(process.env.TEST_HISTORY_SEED ?? Date.now() % 2 ** 31);
const ROUNDS = 6;
const STEPS_OF_A_ROUND = 15;

const changing = datasets.filter(({ changed }) => changed !== null).map(({ name }) => name);

/** The resources of the datasets that the feed keeps by itself. */
const FOLLOWED: Readonly<Record<string, string>> = {
  customers: "customer",
  products: "product",
  users: "user",
  opening_contracts: "opening_contract",
};

interface Copy {
  readonly rows: Map<string, Json>;
  readonly sequence: number;
}

async function sent(key: string, path: string): Promise<{ rows: Json[]; sequence: number }> {
  const { status, text, headers } = await callPlainly(world, "GET", `/exports/${path}`, key);
  expect(status, text.slice(0, 500)).toBe(200);
  const rows = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { rows, sequence: Number(headers.get("matchbook-sequence")) };
}

/** An occurrence has no id, but its series and its first day. */
const keyOf = (row: Json): string => row.id ?? `${row.series_id} ${row.period_from}`;

const copyOf = ({ rows, sequence }: { rows: Json[]; sequence: number }): Copy => ({
  rows: new Map(rows.map((row) => [keyOf(row), row])),
  sequence,
});

/** Does to a copy what a warehouse does: deletes what is gone, then replaces or adds rows. */
function apply({ rows }: Copy, changes: readonly Json[], since: number): void {
  for (const { _sequence, _deleted = false, ...row } of changes) {
    expect(_sequence).toBeGreaterThan(since);
    if (!_deleted) {
      rows.set(keyOf(row), row);
    } else if (row.id !== undefined) {
      expect(Object.keys(row)).toEqual(["id"]);
      rows.delete(row.id);
    } else {
      for (const [key, one] of rows) if (one.series_id === row.series_id) rows.delete(key);
    }
  }
}

const sorted = (rows: Map<string, Json>): Json[] =>
  [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);

const drawn = (draw: Draw): StepName => {
  const names = Object.entries(weights).flatMap(([name, weight]) =>
    Array.from({ length: weight }, () => name as StepName),
  );
  return draw.oneOf(names);
};

describe("after=", () => {
  it(`keeps a copy of every dataset through a random history (seed ${SEED})`, async () => {
    const draw = new Draw(SEED);
    const studio = await Studio.open(world, draw);
    const key = studio.account.keys.read;
    const copies = new Map<string, Copy>();
    for (const name of changing) copies.set(name, copyOf(await sent(key, name)));
    const followed = new Map(Object.keys(FOLLOWED).map((name) => [name, copies.get(name)?.rows]));
    const by_feed = new Map([...followed].map(([name, rows]) => [name, new Map(rows)]));
    let fed_through = Math.min(...[...copies.values()].map(({ sequence }) => sequence));
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (let step = 0; step < STEPS_OF_A_ROUND; step += 1) {
        await steps[drawn(draw)](studio, new Draw(draw.below(2 ** 31)));
      }
      const [one] = studio.customers;
      await studio.done(`PATCH /customers/${one?.id}`, { city: `City ${round}` });
      for (const name of changing) {
        const copy = copies.get(name);
        if (copy === undefined) throw new Error(name);
        const changes = await sent(key, `${name}?after=${copy.sequence}`);
        const whole = copyOf(await sent(key, name));
        apply(copy, changes.rows, copy.sequence);
        const context = `${name} in round ${round}\n${studio.history.join("\n")}`;
        expect(sorted(copy.rows), context).toEqual(sorted(whole.rows));
        copies.set(name, { rows: copy.rows, sequence: whole.sequence });
      }
      const feed = await feedAfter(key, fed_through);
      for (const event of feed.events) {
        for (const [name, type] of Object.entries(FOLLOWED)) {
          if (event.resource_type !== type) continue;
          if (event.data.resource === null) by_feed.get(name)?.delete(event.resource_id);
          else by_feed.get(name)?.set(event.resource_id, event.data.resource);
        }
      }
      fed_through = feed.sequence;
      for (const [name, rows] of by_feed) {
        expect(sorted(rows), `${name} by the feed`).toEqual(
          sorted(copies.get(name)?.rows ?? new Map()),
        );
      }
    }
  }, 600_000);

  it("names deleted drafts, their lines, and removed lines and hours", async () => {
    const customer = await world.done("POST /customers", { name: "Acme" });
    const product = await world.done("POST /products", { name: "Work" });
    const user = await world.done("POST /users", { name: "Bo", email: "bo@studio.example" });
    const line = { product_id: product.id, recognition_method: "hours", hourly_rate: 900 };
    const draft = { customer_id: customer.id, lines: [line, line] };
    const kept = await world.done("POST /invoices", draft);
    const lost = await world.done("POST /invoices", draft);
    const hours = { line_id: kept.lines[0].id, user_id: user.id, hours: 1 };
    const work = await world.done("POST /work-registrations", hours);
    const read = world.account.keys.read;
    const { sequence } = await sent(read, "invoices");
    await world.done(`DELETE /work-registrations/${work.id}`);
    await world.done(`PATCH /invoices/${kept.id}`, { lines: [kept.lines[0]] });
    await world.done(`DELETE /invoices/${lost.id}`);
    const goneOf = async (dataset: string): Promise<string[]> =>
      (await sent(read, `${dataset}?after=${sequence}`)).rows
        .filter(({ _deleted }) => _deleted)
        .map(({ id }) => id)
        .sort();

    expect(await goneOf("invoices")).toEqual([lost.id]);
    expect(await goneOf("invoice_lines")).toEqual(
      [kept.lines[1].id, lost.lines[0].id, lost.lines[1].id].sort(),
    );
    expect(await goneOf("work_registrations")).toEqual([work.id]);
    expect(await goneOf("customers")).toEqual([]);

    const csv = await callPlainly(
      world,
      "GET",
      `/exports/invoice_lines?format=csv&after=${sequence}`,
      read,
    );
    const { data } = Papa.parse<Json>(csv.text, { header: true, skipEmptyLines: true });
    expect(csv.text.startsWith("_sequence,_deleted,invoice_id,id,")).toBe(true);
    expect(data.map(({ _deleted, id }) => `${_deleted} ${id}`).sort()).toEqual(
      [...(await goneOf("invoice_lines")).map((id) => `true ${id}`), ` ${kept.lines[0].id}`].sort(),
    );
  });

  it("replaces the occurrences of a series that has changed, and brings those of later months", async () => {
    const customer = await world.done("POST /customers", { name: "Retainers" });
    const product = await world.done("POST /products", { name: "Retainer" });
    const line = { product_id: product.id, recognition_method: "value", agreed_value: 1000 };
    const fields = { customer_id: customer.id, frequency: "monthly", start_date: "2026-04-01" };
    const [one, other] = [
      await world.done("POST /recurring-series", { ...fields, lines: [line] }),
      await world.done("POST /recurring-series", { ...fields, lines: [line] }),
    ];
    const read = world.account.keys.read;
    const { sequence } = await sent(read, "occurrences");
    await world.done(`PATCH /recurring-series/${one.id}`, { end_date: "2026-05-31" });
    const { rows } = await sent(read, `occurrences?after=${sequence}`);

    expect(rows[0]).toEqual({ _sequence: sequence + 1, _deleted: true, series_id: one.id });
    expect(rows.slice(1).map(({ series_id, period }) => [series_id, period])).toEqual([
      [one.id, "2026-04"],
      [one.id, "2026-05"],
    ]);
    // Events have the time of the machine.
    const in_two_months = new Date(Date.now() + 60 * 86_400_000).toISOString();
    world.clock.set(in_two_months);
    const later = await sent(read, `occurrences?after=${sequence + 1}`);
    world.clock.set("2026-03-10T09:00:00.000Z");
    const last = `${Number(in_two_months.slice(0, 4)) + 1}${in_two_months.slice(4, 7)}`;
    expect(later.rows.map(({ series_id }) => series_id)).toEqual(later.rows.map(() => other.id));
    expect(later.rows.at(-1)).toMatchObject({ _sequence: later.sequence, period: last });
    expect(later.rows.length).toBeLessThanOrEqual(3);
  });

  it("has nothing where nothing has changed, and nothing of another account", async () => {
    const other = await world.openAnother();
    for (const name of changing) {
      const { sequence } = await sent(world.account.keys.read, name);
      expect((await sent(world.account.keys.read, `${name}?after=${sequence}`)).rows).toEqual([]);
      expect((await sent(other.keys.read, `${name}?after=0`)).rows).toEqual(
        name === "users" ? expect.any(Array) : [],
      );
    }
  });

  it.each([
    ["revenue", "?after=0", "422 VALIDATION_FAILED after not_allowed"],
    ["accruals", "?after=0", "422 VALIDATION_FAILED after not_allowed"],
    ["ledger_entries", "?after=0", "422 VALIDATION_FAILED after not_allowed"],
    ["ledger_postings", "?after=0", "422 VALIDATION_FAILED after not_allowed"],
    ["work_registrations", "?after=0&from=2026-01", "422 VALIDATION_FAILED after not_allowed"],
    ["customers", "?after=999999", "422 VALIDATION_FAILED after too_large"],
    ["customers", "?after=-1", "422 VALIDATION_FAILED after too_small"],
  ])("refuses %s with %s", async (dataset, query, expected) => {
    expect(refusal(await world.rest(`GET /exports/${dataset}${query}`))).toBe(expected);
  });
});

/** The events after a sequence, and the sequence of the last one. */
async function feedAfter(
  key: string,
  after: number,
): Promise<{ events: Json[]; sequence: number }> {
  const headers = { accept: "application/x-ndjson" };
  const reply = await callPlainly(world, "GET", `/events?after=${after}`, key, { headers });
  const events = reply.text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { events, sequence: Number(reply.headers.get("matchbook-sequence")) };
}
