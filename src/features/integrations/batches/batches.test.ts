/** Many rows in one call (spec 15.3): outcomes, refusals, repetitions and what stops a call. */
import { describe, expect, it } from "vitest";
import { callPlainly } from "../../../../test/support/http/plain-call.ts";
import { sendBatch } from "../../../../test/support/http/send-batch.ts";
import { digestOf } from "../../../../test/support/mcp/mcp.ts";
import { type Json, useWorld } from "../../../../test/support/world/world.ts";
import { schedulerContext } from "../../../platform/runtime/services.ts";
import { saveCustomers } from "./create-customers.ts";
import { runBatch } from "./run-batch.ts";

const world = useWorld();
const PATH = "/customers/batch";

const customers = (prefix: string, count: number): Json[] =>
  Array.from({ length: count }, (_, index) => ({
    external_id: `${prefix}-${index}`,
    name: `Client ${index}`,
  }));

const listOf = async (key?: string): Promise<Json[]> => {
  const all: Json[] = [];
  let cursor: string | null = null;
  do {
    const page: Json = await world.done(
      `GET /customers?limit=100${cursor === null ? "" : `&cursor=${cursor}`}`,
      undefined,
      key,
    );
    all.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return all;
};

const outcomesOf = (rows: readonly Json[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

const namesWith = async (prefix: string, key?: string): Promise<Json[]> =>
  (await listOf(key)).filter(({ external_id }) => external_id?.startsWith(prefix));

describe("POST /customers/batch", () => {
  it("creates, changes and keeps customers as the call for one does, and answers in the order of rows", async () => {
    const full = {
      external_id: "batch-full",
      name: "Søren & Sønner ApS",
      country_key: "SE",
      vat_number: "SE556677889901",
      payment_condition_type: "CurrentMonthOut",
      payment_condition_number_of_days: 30,
      reminders: false,
      hours_specification: true,
      accounting_cost: "4711",
    };
    const { external_id: _, ...alone } = full;
    const single = await world.done("POST /customers", { ...alone, external_id: "alone-full" });
    await world.done("POST /customers", {
      external_id: "batch-known",
      name: "Known",
      city: "Aarhus",
    });
    await world.done("POST /customers", { external_id: "batch-same", name: "Same" });

    const { status, rows } = await sendBatch(world, PATH, [
      full,
      { external_id: "batch-known", name: "Known better" },
      { external_id: "batch-same", name: "Same" },
    ]);

    expect(status).toBe(200);
    const none = { code: null, message: null, field_errors: null };
    expect(rows).toEqual([
      { row: 1, outcome: "created", id: rows[0].id, external_id: "batch-full", ...none },
      { row: 2, outcome: "updated", id: rows[1].id, external_id: "batch-known", ...none },
      { row: 3, outcome: "unchanged", id: rows[2].id, external_id: "batch-same", ...none },
    ]);
    const { id, ...made } = await world.done("GET /customers/ext:batch-full");
    expect(id).toBe(rows[0].id);
    expect(made).toEqual({ ...single, id: undefined, external_id: "batch-full" });
    expect(await world.done("GET /customers/ext:batch-known")).toMatchObject({
      id: rows[1].id,
      name: "Known better",
      city: "Aarhus",
    });
  });

  it("writes the events of the call for one, in the order of rows", async () => {
    const head = await callPlainly(world, "GET", "/events?limit=1", world.account.keys.read);
    const after = head.headers.get("matchbook-sequence");
    await world.done("POST /customers", { external_id: "event-b", name: "Before" });
    await sendBatch(world, PATH, [
      { external_id: "event-a", name: "A" },
      { external_id: "event-b", name: "After" },
      { external_id: "event-c", name: "C" },
    ]);

    const { data } = await world.done(`GET /events?after=${after}`);

    const shown = data.map(({ type, data: { resource, previous } }: Json) => [
      type,
      resource.external_id,
      previous?.name ?? null,
    ]);
    expect(shown).toEqual([
      ["customer.created", "event-b", null],
      ["customer.created", "event-a", null],
      ["customer.updated", "event-b", "Before"],
      ["customer.created", "event-c", null],
    ]);
  });

  it.each<[name: string, row: unknown, code: string, field: unknown]>([
    ["no JSON", "{", "MALFORMED_REQUEST", null],
    ["an empty line", "", "MALFORMED_REQUEST", null],
    ["a list", "[]", "MALFORMED_REQUEST", null],
    ["a text", '"name"', "MALFORMED_REQUEST", null],
    ["too deep", `{"name":${"[".repeat(60)}${"]".repeat(60)}}`, "MALFORMED_REQUEST", null],
    ["no external id", { name: "X" }, "VALIDATION_FAILED", ["external_id", "required"]],
    [
      "an external id of null",
      { external_id: null, name: "X" },
      "VALIDATION_FAILED",
      ["external_id", "invalid_type"],
    ],
    ["no name", { external_id: "r" }, "VALIDATION_FAILED", ["name", "required"]],
    [
      "an unknown field",
      { external_id: "r", name: "X", nmae: "Y" },
      "VALIDATION_FAILED",
      ["nmae", "unknown_field"],
    ],
    [
      "a wrong location number",
      { external_id: "r", name: "X", ean_number: "5790000123453" },
      "VALIDATION_FAILED",
      ["ean_number", "invalid_format"],
    ],
    [
      "terms that contradict",
      {
        external_id: "r",
        name: "X",
        payment_condition_type: "NettoCash",
        payment_condition_number_of_days: 8,
      },
      "VALIDATION_FAILED",
      ["payment_condition_number_of_days", "not_allowed"],
    ],
  ])("refuses a row with %s, and saves its neighbours", async (name, row, code, field) => {
    const before = `left ${name}`;
    const line = typeof row === "string" ? row : JSON.stringify(row);
    const neighbour = (place: string) =>
      JSON.stringify({ external_id: `${before} ${place}`, name });

    const { rows } = await sendBatch(
      world,
      PATH,
      [neighbour("1"), line, neighbour("3")].join("\n"),
    );

    expect(rows.map(({ row, outcome }) => [row, outcome])).toEqual([
      [1, "created"],
      [2, "refused"],
      [3, "created"],
    ]);
    expect(rows[1]).toMatchObject({ id: null, code });
    const first = rows[1].field_errors?.[0];
    expect(first ? [first.field, first.code] : null).toEqual(field);
    const sent = typeof row === "string" ? {} : (row as Json);
    if (typeof sent.external_id !== "string") return;
    const { body } = await world.rest("POST /customers", sent);
    const { code: its_code, message, field_errors } = body.error;
    expect(rows[1]).toMatchObject({ code: its_code, message, field_errors });
  });

  it("refuses the second use of an external id in a call, also after a refused one", async () => {
    const { rows } = await sendBatch(world, PATH, [
      { external_id: "twice", name: "First" },
      { external_id: "twice", name: "Second" },
      { external_id: "twice-wrong", name: "" },
      { external_id: "twice-wrong", name: "Right" },
    ]);

    expect(
      rows.map(({ outcome, field_errors }) => [outcome, field_errors?.[0].code ?? null]),
    ).toEqual([
      ["created", null],
      ["refused", "duplicate"],
      ["refused", "too_short"],
      ["refused", "duplicate"],
    ]);
    expect(await world.done("GET /customers/ext:twice")).toMatchObject({ name: "First" });
  });

  it("refuses another type, more bytes, more rows and longer rows before anything is done", async () => {
    const before = await digestOf(world);
    const row = JSON.stringify({ external_id: "whole", name: "Whole" });
    const calls = [
      await sendBatch(world, PATH, row, { headers: { "content-type": "application/json" } }),
      await sendBatch(world, PATH, `${row}\n${" ".repeat(10_000_000)}`),
      await sendBatch(world, PATH, `${row}\n`.repeat(10_001)),
      await sendBatch(world, PATH, `${row}\n{"name":"${"x".repeat(64_000)}"}`),
      await sendBatch(world, PATH, ""),
    ];

    for (const { status, error } of calls) {
      expect([status, error.code]).toEqual([400, "MALFORMED_REQUEST"]);
    }
    expect(await digestOf(world)).toBe(before);
  });

  it("takes the most rows of a call", async () => {
    const { rows } = await sendBatch(world, PATH, `{}\n`.repeat(10_000));

    expect(rows).toHaveLength(10_000);
    expect(rows.at(-1)).toMatchObject({ row: 10_000, outcome: "refused" });
  });

  it("changes nothing in a dry run, and answers what would become of the rows", async () => {
    await world.done("POST /customers", { external_id: "dry-known", name: "Known" });
    const before = await digestOf(world);

    const rows = [
      { external_id: "dry-known", name: "Changed" },
      { external_id: "dry-new", name: "New" },
      { external_id: "dry-wrong" },
    ];
    const dry = await sendBatch(world, `${PATH}?dry_run=true`, rows);

    expect(await digestOf(world)).toBe(before);
    const { rows: real } = await sendBatch(world, PATH, rows);
    expect(dry.rows[1].id).toBeNull();
    expect(dry.rows).toEqual([real[0], { ...real[1], id: null }, real[2]]);
  });

  it("keeps no answer under an idempotency key", async () => {
    const headers = { "idempotency-key": "batch-key" };
    const first = await sendBatch(world, PATH, customers("key", 3), { headers });
    const again = await sendBatch(world, PATH, customers("key", 3), { headers });
    const others = await sendBatch(world, PATH, customers("other", 2), { headers });

    expect([first, again, others].map(({ rows }) => outcomesOf(rows))).toEqual([
      { created: 3 },
      { unchanged: 3 },
      { created: 2 },
    ]);
  });

  it("keeps accounts apart", async () => {
    const other = await world.openAnother();
    await sendBatch(world, PATH, customers("apart", 2));

    const { rows } = await sendBatch(world, PATH, customers("apart", 2), {
      key: other.keys.read_write,
    });

    expect(outcomesOf(rows)).toEqual({ created: 2 });
    const ids = (all: readonly Json[]) => all.map(({ id }) => id).sort();
    expect(ids(await namesWith("apart", other.keys.read))).toEqual(ids(rows));
    expect(ids(await namesWith("apart"))).not.toEqual(ids(rows));
  });

  it("saves a batch one by one that the database refuses", async () => {
    await world.sql("alter table customers add constraint not_that check (name <> 'Client 7')");
    try {
      const { rows } = await sendBatch(world, PATH, customers("one", 12));

      expect(outcomesOf(rows)).toEqual({ created: 11, refused: 1 });
      expect(rows[7]).toMatchObject({ outcome: "refused", code: "INTERNAL_ERROR" });
      expect(await namesWith("one")).toHaveLength(11);
    } finally {
      await world.sql("alter table customers drop constraint not_that");
    }
  });

  it("does one call at a time, so that each row is created once", async () => {
    const calls = await Promise.all([
      sendBatch(world, PATH, customers("at-once", 450)),
      sendBatch(world, PATH, customers("at-once", 450)),
    ]);

    const outcomes = calls.map(({ rows }) => outcomesOf(rows));
    expect(outcomes).toContainEqual({ created: 450 });
    expect(outcomes).toContainEqual({ unchanged: 450 });
  });

  it("creates each row once beside calls for one", async () => {
    const rows = customers("race", 200);
    const [batch] = await Promise.all([
      sendBatch(world, PATH, rows),
      ...rows.slice(0, 40).map((row) => world.done("POST /customers", row)),
    ]);

    expect(batch.rows.filter(({ outcome }) => outcome === "refused")).toEqual([]);
    expect(await namesWith("race")).toHaveLength(200);
  });

  it("continues with the same bytes when the connection breaks", async () => {
    const rows = customers("broken", 1_000);
    const left = new AbortController();
    const response = await fetch(`${world.origin}/api/v1${PATH}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${world.account.keys.read_write}`,
        "content-type": "application/x-ndjson",
      },
      body: rows.map((row) => JSON.stringify(row)).join("\n"),
      signal: left.signal,
    });
    // The first rows arrive while later ones are not begun.
    await response.body?.getReader().read();
    left.abort();

    const { rows: again } = await sendBatch(world, PATH, rows);

    const { created = 0, unchanged = 0 } = outcomesOf(again);
    expect(unchanged).toBeGreaterThanOrEqual(200);
    expect(created + unchanged).toBe(1_000);
    expect(await namesWith("broken")).toHaveLength(1_000);
    const [{ count }] = await world.sql(
      `select count(*)::int from audit_events e join customers c on c.account_id = e.account_id and c.id::text = e.resource_id
       where c.external_id like 'broken-%'`,
    );
    expect(count).toBe(1_000);
  });
});

describe("the time of a call", () => {
  it("begins nothing after 15 seconds, and names what remains", async () => {
    const cx = await schedulerContext(world.services, world.account.account_id);
    const times = [0, 14_999, 15_000, 15_000];
    const rows = customers("late", 600).map((read, index) => ({
      row: index + 1,
      external_id: read.external_id,
      read,
    }));

    const shown: Json[] = [];
    const now = () => times.shift() ?? 20_000;
    for await (const batch of runBatch(cx, saveCustomers, rows, { is_dry_run: false, now })) {
      shown.push(...batch);
    }

    expect(outcomesOf(shown)).toEqual({ created: 200, remaining: 400 });
    expect(shown[200]).toMatchObject({ row: 201, id: null, external_id: "late-200", code: null });
    expect(await namesWith("late")).toHaveLength(200);
  });
});
