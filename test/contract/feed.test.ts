/**
 * Twenty writers change an account at once, in a random history that a seed decides, while readers follow its events in every way. Each
 * reader gets each change once, in order and without a gap, and the feed alone has the customers, invoices, series and hours of the lists.
 */
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { openFeedCopy } from "../support/world/feed-copy.ts";
import { type Played, playWriters } from "../support/world/feed-writers.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const world = useWorld({ environment: { MATCHBOOK_IN_FLIGHT: "40:4:200" } });
const asked = process.env.TEST_HISTORY_SEED;
const seeds = asked === undefined ? [30, Date.now() % 2 ** 31] : [Number(asked)];

/** How a reader follows: the parameters besides its place, and how it continues. */
interface Way {
  readonly parameters: string;
  readonly by: "after" | "cursor" | "lines";
  readonly fits: (event: Json) => boolean;
}

function waysOf({ customer_id, series_id }: Pick<Played, "customer_id" | "series_id">): Way[] {
  const all = () => true;
  return [
    { parameters: "limit=7", by: "after", fits: all },
    { parameters: "limit=100", by: "cursor", fits: all },
    { parameters: "limit=3&wait=2", by: "cursor", fits: all },
    { parameters: "wait=2", by: "after", fits: all },
    { parameters: "", by: "lines", fits: all },
    {
      parameters: "limit=5&types=invoice.*,work_registration.created",
      by: "cursor",
      fits: ({ type }) => type.startsWith("invoice.") || type === "work_registration.created",
    },
    {
      parameters: `limit=4&wait=1&customer=${customer_id}`,
      by: "cursor",
      fits: (event) => event.customer_id === customer_id,
    },
    {
      parameters: `resource_type=recurring_series&resource_id=${series_id}`,
      by: "cursor",
      fits: (event) => event.resource_id === series_id,
    },
    {
      parameters: "types=customer.*",
      by: "lines",
      fits: ({ resource_type }) => resource_type === "customer",
    },
  ];
}

interface Page {
  readonly events: Json[];
  readonly place: string;
  readonly has_more: boolean;
}

/** Asks again while the service is overloaded, as a slow machine is with so many callers: nothing was done then. */
async function patiently<Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 429) return answer;
    await delay(200);
  }
}

/** Reads from a place; returns the events and the place that follows. */
async function read(key: string, { parameters, by }: Way, place: string): Promise<Page> {
  const path = `/events?${[parameters, place].filter(Boolean).join("&")}`;
  if (by === "lines") {
    const headers = { authorization: `Bearer ${key}`, accept: "application/x-ndjson" };
    const response = await patiently(() => fetch(`${world.origin}/api/v1${path}`, { headers }));
    if (response.status !== 200) throw new Error(await response.text());
    const lines = (await response.text()).split("\n").slice(0, -1);
    const cursor = response.headers.get("matchbook-cursor");
    const events = lines.map((line) => JSON.parse(line));
    return { events, place: `cursor=${cursor}`, has_more: false };
  }
  const { status, body } = await patiently(() => world.rest(`GET ${path}`, undefined, key));
  if (status !== 200) throw new Error(JSON.stringify(body));
  const { data, next_cursor, has_more } = body;
  const last = data.at(-1)?.sequence;
  const after = last === undefined ? place : `after=${last}`;
  return { events: data, place: by === "after" ? after : `cursor=${next_cursor}`, has_more };
}

/** Follows the feed from its begin until nothing is left after the end of the history. */
async function follow(key: string, way: Way, hasEnded: () => boolean): Promise<Json[]> {
  const found: Json[] = [];
  let place = way.by === "lines" ? "" : "after=0";
  for (;;) {
    const is_last = hasEnded();
    const page = await read(key, way, place);
    found.push(...page.events);
    place = page.place;
    if (page.has_more) continue;
    if (page.events.length === 0 && is_last) return found;
    // Readers that ask all the time would only keep the writers waiting.
    await delay(30);
  }
}

/** What all readers of an event see alike: `related` is looked up when it is read. */
const lasting = ({ related: _, ...event }: Json): string => JSON.stringify(event);

/** All rows of a list, in the order of their ids. */
async function listed(key: string, path: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let cursor = ""; ; ) {
    const { body: page } = await patiently(() =>
      world.rest(`GET ${path}limit=100${cursor}`, undefined, key),
    );
    rows.push(...page.data);
    if (!page.has_more) return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
    cursor = `&cursor=${page.next_cursor}`;
  }
}

it.each(seeds)(
  "a random history is read whole by everyone who follows it (seed %i)",
  async (seed) => {
    const { keys } = await world.openAnother();
    const ask = (call: string, body?: unknown) =>
      patiently(() => world.rest(call, body, keys.read_write));
    const history = await playWriters(ask, seed);
    let has_ended = false;
    const ways = waysOf(history);
    const readers = ways.map((way) => follow(keys.read, way, () => has_ended));
    const certain = await history.played.finally(() => {
      has_ended = true;
    });
    const read_by = await Promise.all(readers);

    const [, , , , all = []] = read_by;
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map((_, at) => at + 1));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const [at, way] of ways.entries()) {
      const expected = all.filter(way.fits).map(lasting);
      expect(expected.length, way.parameters).toBeGreaterThan(0);
      expect(read_by[at]?.map(lasting), way.parameters).toEqual(expected);
    }

    const changes = all.map(({ type, resource_id }) => `${type} ${resource_id}`);
    const types = new Set(certain.map((change) => change.split(" ")[0]));
    const of_history = changes.filter((change) => types.has(change.split(" ")[0]));
    expect(of_history.sort()).toEqual([...certain].sort());

    const copy = openFeedCopy();
    for (const event of all) copy.apply(event);
    expect(copy.rows("customer")).toEqual(await listed(keys.read, "/customers?active=all&"));
    expect(copy.rows("invoice")).toEqual(await listed(keys.read, "/invoices?origin=all&"));
    expect(copy.rows("recurring_series")).toEqual(await listed(keys.read, "/recurring-series?"));
    const hours = await listed(keys.read, "/work-registrations?");
    expect(copy.rows("work_registration")).toEqual(hours.map(({ updated_at: _, ...row }) => row));
    const states = new Set(hours.map(({ status }) => status));
    expect([...states].sort()).toEqual(["dropped", "invoiced", "open"]);
  },
);
