/**
 * The table of the types of events (spec 15.1) against the code that writes them and against the OpenAPI document. That the code writes
 * no type outside of the table is checked by the compiler: `tx.audit` takes its types.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { ALL_EVENT_TYPES } from "../../src/domain/events/event-types.ts";
import { API_CHANGES } from "../../src/platform/http/api-changes.ts";
import { sourceFiles } from "../house/source-tree.ts";
import { eventFaults } from "../support/http/event-faults.ts";
import { walk } from "../support/http/example-walk.ts";
import { openWalked, sendStep } from "../support/http/examples.ts";
import { openApi } from "../support/http/openapi.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const TABLE = "src/domain/events/event-types.ts";
/** Functions that write events of a resource whose kind their callers do not name. */
const WRITERS: Readonly<Record<string, RegExp>> = {
  user: /recordLogin|recordEverywhere/,
  delivery: /auditDelivery|type DeliveryState\b/,
  payment: /restorePayments?\(/,
  credit_note: /booking_parked/,
  recurring_series: /save\(|recordActivation/,
};

describe("the table of types", () => {
  const sources = sourceFiles().filter(
    ({ path }) => path.startsWith("src/") && !path.endsWith(".test.ts") && path !== TABLE,
  );
  const current = ALL_EVENT_TYPES;

  it("has no type that no code writes", () => {
    const unwritten = current.filter(({ type, resource_type }) => {
      const action = `"${type.slice(resource_type.length + 1)}"`;
      return !sources.some(
        ({ text }) =>
          text.includes(action) &&
          (text.includes(`"${resource_type}"`) || WRITERS[resource_type]?.test(text)),
      );
    });
    expect(unwritten.map(({ type }) => type)).toEqual([]);
  });

  it("is the union of the OpenAPI document, whose schemas exist", () => {
    const { schemas } = openApi.components;
    const { discriminator, oneOf } = schemas.AnyEvent;
    expect(Object.keys(discriminator.mapping)).toEqual(current.map(({ type }) => type));
    const named = (value: Json): string[] =>
      JSON.stringify(value).match(/(?<="#\/components\/schemas\/)\w+/g) ?? [];
    for (const name of named(oneOf)) {
      expect(named(schemas[name]).filter((one) => schemas[one] === undefined)).toEqual([]);
    }
    expect(openApi.webhooks.event.post.requestBody.content["application/json"].schema).toEqual({
      $ref: "#/components/schemas/AnyEvent",
    });
  });

  it("names versions of the API", () => {
    const days = API_CHANGES.map(({ date }) => date);
    expect(ALL_EVENT_TYPES.filter(({ since }) => !days.includes(since))).toEqual([]);
  });
});

describe("GET /event-types", () => {
  const world = useWorld();
  let walked: { readonly keys: { readonly read_write: string } };
  const asWalked = async (call: string, body?: unknown): Promise<Json> => {
    const answer = await sendStep(world, call, body, walked.keys.read_write);
    if (answer.status >= 300) throw new Error(`${call}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  beforeAll(async () => {
    walked = await openWalked(world);
    await walk(asWalked);
  });

  it("lists every type by page, and its example fits the schema", async () => {
    const listed: Json[] = [];
    let page = await world.done("GET /event-types?limit=50");
    for (;;) {
      listed.push(...page.data);
      if (!page.has_more) break;
      page = await world.done(`GET /event-types?limit=50&cursor=${page.next_cursor}`);
    }
    const current = ALL_EVENT_TYPES;
    expect(listed.map(({ type }) => type)).toEqual(current.map(({ type }) => type));
    expect(listed.filter(({ type, example }) => type !== example.type)).toEqual([]);
    expect(listed.flatMap(({ example }) => eventFaults(example))).toEqual([]);
    const names = listed.map(({ schema }) => schema.$ref.split("/").at(-1));
    expect(names.filter((name) => openApi.components.schemas[name] === undefined)).toEqual([]);
  });

  it("lists the asked types, and refuses unknown ones", async () => {
    const { data } = await world.done("GET /event-types?types=invoice.issued,allocation.*");
    expect(data.map(({ type }: Json) => type)).toEqual([
      "invoice.issued",
      "allocation.created",
      "allocation.reversed",
    ]);
    for (const types of ["invoice.paid", "letter.*", "invoice", "invoice.*.*"]) {
      const answer = await world.rest(`GET /event-types?types=${types}`);
      expect(answer.status, types).toBe(422);
    }
  });

  it("has the schemas of what the service writes", async () => {
    const seen = new Set<string>();
    const faults: string[] = [];
    let after = 0;
    for (;;) {
      const page = await asWalked(`GET /events?limit=100&after=${after}`);
      for (const event of page.data) {
        seen.add(event.type);
        faults.push(...eventFaults(event));
      }
      if (!page.has_more) break;
      after = page.data.at(-1).sequence;
    }
    expect([...new Set(faults)]).toEqual([]);
    expect(seen.size).toBeGreaterThan(45);
  });

  it("finds an event that its schema does not allow", async () => {
    const { data } = await asWalked("GET /events?limit=1&types=customer.created");
    const [event] = data;
    expect(eventFaults(event)).toEqual([]);
    expect(eventFaults({ ...event, type: "invoice.issued" })).toHaveLength(1);
    expect(eventFaults({ ...event, type: "letter.sent" })).toHaveLength(1);
  });
});
