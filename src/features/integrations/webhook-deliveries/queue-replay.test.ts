/** A replay of the feed makes the deliveries that the dispatcher made: the same events, roots and events before them. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startDispatcher, until } from "../../../../test/support/webhooks/dispatch.ts";
import { openReceiver, type Receiver } from "../../../../test/support/webhooks/receivers.ts";
import { useSeries } from "../../../../test/support/world/series.ts";
import type { Json } from "../../../../test/support/world/world.ts";

const { world, customer, at, active, line } = useSeries({
  environment: { MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1" },
});
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

const endpointFrom = (event_types: string[]): Promise<Json> =>
  world.done("POST /webhook-endpoints", { url: receiver.url, event_types });
const replay = async ({ id }: Json, body: Json): Promise<number> =>
  (await world.done(`POST /webhook-endpoints/${id}/replay`, { only: "all", ...body })).queued;
const made = ({ id }: Json): Promise<Json[]> =>
  world.sql(
    `select sequence, event_id, event_type, root, previous_sequence from webhook_deliveries
     where endpoint_id = $1 order by sequence`,
    [id],
  );

it("has the root of every event as the dispatcher read it", async () => {
  at("2027-01-01");
  const sent = await endpointFrom(["*"]);
  const series = await active({ auto_send: true });
  const completed = line({ recognition_method: "milestone" });
  const body = { customer_id: customer.id, auto_send: true, lines: [completed] };
  const invoice = await world.done("POST /invoices", body);
  await world.done(`POST /invoices/${invoice.id}/issue`);
  await world.done(`POST /invoices/${invoice.id}/lines/${invoice.lines[0].id}/complete`, {});
  const credit = await world.done("POST /credit-notes", {
    ...{ external_id: "all", invoice: invoice.id, kind: "full", credit_date: "2027-01-05" },
  });
  await world.done("POST /scheduler-runs");
  await world.done(`POST /recurring-series/${series.id}/occurrences/2027-03/skip`);
  const deleted = await world.done("POST /invoices", body);
  await world.done(`DELETE /invoices/${deleted.id}`);
  const dispatching = startDispatcher(world.services, { chance: () => 0.5 });
  await until(
    "all",
    async () => (await world.done(`GET /webhook-endpoints/${sent.id}`)).backlog === 0,
  );
  await dispatching.stop();

  const again = await endpointFrom(["*"]);
  const [first] = await made(sent);
  const { through } = await world.done(`GET /webhook-endpoints/${sent.id}`);
  await replay(again, { after: Number(first?.sequence) - 1, through });
  const expected = await made(sent);
  // The endpoint itself was created before the first event: the replayed ones know what came before.
  const [, ...later] = expected;
  const [, ...later_again] = await made(again);
  expect(later_again.length).toBeGreaterThan(12);
  // Each has no event of its own endpoint.
  const others = (rows: Json[]) => rows.filter(({ event_type }) => !/^webhook_/.test(event_type));
  expect(others(later_again)).toEqual(others(later));
  const rootsOf = (kind: string) =>
    new Set(
      later_again.filter(({ event_type }) => event_type.startsWith(kind)).map(({ root }) => root),
    );
  expect(rootsOf("invoice_line.")).toEqual(new Set([invoice.id]));
  expect(rootsOf("occurrence.")).toEqual(new Set([series.id]));
  expect([...rootsOf("delivery.")]).toEqual(expect.arrayContaining([invoice.id, credit.id]));
});

it("names the event before its range", async () => {
  const ids: string[] = [];
  for (const name of ["Nord", "Syd", "Vest"]) {
    ids.push((await world.done("POST /customers", { name })).id);
  }
  const { data } = await world.done("GET /events?types=customer.created&limit=100");
  const sequences = data.map(({ sequence }: Json) => sequence);
  const endpoint = await endpointFrom(["customer.created"]);
  await world.done(`POST /webhook-endpoints/${endpoint.id}/pause`);
  expect(await replay(endpoint, { after: sequences.at(-2) - 1, through: sequences.at(-1) })).toBe(
    2,
  );
  expect((await made(endpoint)).map(({ previous_sequence }) => Number(previous_sequence))).toEqual(
    sequences.slice(-3, -1),
  );
  const from_first = await endpointFrom(["customer.created"]);
  expect(await replay(from_first, {})).toBe(sequences.length);
  expect((await made(from_first))[0]?.previous_sequence).toBeNull();
});
