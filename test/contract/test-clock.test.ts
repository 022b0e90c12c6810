/** The clock of a sandbox account: its permitted values, what follows it, and what does not (spec 12.2). */
import { beforeAll, describe, expect, it } from "vitest";
import { runAllSchedulers } from "../../src/features/recurring/occurrences/run-scheduler.ts";
import { refusal } from "../support/http/refusal.ts";
import { useSeries } from "../support/world/series.ts";
import type { Json, Reply } from "../support/world/world.ts";

const { world, at } = useSeries();

/** A sandbox account with a customer and a product, and calls with its key. */
async function openSandbox() {
  const { keys, account_id } = await world.openAnother({ sandbox: true });
  const rest = (call: string, body?: Json): Promise<Reply> =>
    world.rest(call, body, keys.read_write);
  const done = (call: string, body?: Json): Promise<Json> =>
    world.done(call, body, keys.read_write);
  const put = (now: Json): Promise<Reply> => rest("PUT /test-clock", { now });
  const { id: customer_id } = await done("POST /customers", { name: "A", email: "a@a.example" });
  const product = await done("POST /products", { name: "P", default_price: 3100 });
  const lines = [{ product_id: product.id, recognition_method: "value" }];
  const active = async (start_date: string): Promise<string> => {
    const body = { customer_id, frequency: "monthly", start_date, auto_send: true, lines };
    const { id } = await done("POST /recurring-series", body);
    await done(`POST /recurring-series/${id}/activate`);
    return id;
  };
  return { keys, account_id, rest, done, put, active, customer_id, lines };
}

type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

const clock = (now: string | null) => ({ object: "test_clock", now });

describe("GET and PUT /test-clock", () => {
  it("shows null until it is set, then its fixed moment", async () => {
    const { rest, put } = await openSandbox();

    expect((await rest("GET /test-clock")).body).toEqual(clock(null));
    expect(await put("2024-01-02T09:00:00+01:00")).toMatchObject({
      status: 200,
      body: clock("2024-01-02T08:00:00.000Z"),
    });
    expect((await rest("GET /test-clock")).body).toEqual(clock("2024-01-02T08:00:00.000Z"));
  });

  it("accepts any moment at first, then only later or equal ones", async () => {
    const { put, rest } = await openSandbox();
    await put("2199-01-01T00:00:00Z");
    const other = await openSandbox();
    await other.put("1950-01-01T00:00:00Z");
    await other.put("2025-03-01T00:00:00Z");

    const back = await other.put("2025-02-28T23:59:59.999Z");

    expect(refusal(back)).toBe("409 TEST_CLOCK_BACKWARDS");
    expect(back.body.error.details).toEqual({ now: "2025-03-01T00:00:00.000Z" });
    expect((await other.put("2025-03-01T01:00:00+01:00")).status).toBe(200);
    expect((await rest("GET /test-clock")).body.now).toBe("2199-01-01T00:00:00.000Z");
  });

  it("runs again after null, and never returns to a time before one that it has shown", async () => {
    const past = await openSandbox();
    await past.put("2025-03-01T00:00:00Z");
    expect(await past.put(null)).toMatchObject({ status: 200, body: clock(null) });
    expect(refusal(await past.put("2025-03-02T00:00:00Z"))).toBe("409 TEST_CLOCK_BACKWARDS");
    expect((await past.put("2199-03-02T00:00:00Z")).status).toBe(200);
    expect(refusal(await past.put(null))).toBe("409 TEST_CLOCK_BACKWARDS");
  });

  it.each<[Json, string]>([
    [{}, "422 VALIDATION_FAILED now required"],
    [{ now: "" }, "422 VALIDATION_FAILED now invalid_format"],
    [{ now: "2025-03-01" }, "422 VALIDATION_FAILED now invalid_format"],
    [{ now: 1_740_787_200 }, "422 VALIDATION_FAILED now invalid_type"],
    [[], "400 MALFORMED_REQUEST"],
  ])("refuses %j with %s", async (body, expected) => {
    const { rest } = await openSandbox();

    expect(refusal(await rest("PUT /test-clock", body))).toBe(expected);
  });

  it("exists only for sandbox accounts: 403 NOT_A_SANDBOX", async () => {
    const body = { now: "2025-03-01T00:00:00Z" };
    expect(refusal(await world.rest("PUT /test-clock", body))).toBe("403 NOT_A_SANDBOX");
    expect(refusal(await world.rest("GET /test-clock"))).toBe("403 NOT_A_SANDBOX");
    const { keys } = await openSandbox();
    const reply = await world.rest("PUT /test-clock", body, keys.read);
    expect(refusal(reply)).toBe("403 INSUFFICIENT_SCOPE");
    expect((await world.rest("GET /test-clock", undefined, keys.read)).status).toBe(200);
  });

  it("ends at the latest of many parallel calls, and refuses those that would go back", async () => {
    const { put, rest } = await openSandbox();
    const moments = Array.from(
      { length: 20 },
      (_, day) => `2025-03-${String(day + 10)}T00:00:00.000Z`,
    );

    const replies = await Promise.all(moments.map(put));

    const taken = moments.filter((_, index) => replies[index]?.status === 200);
    expect((await rest("GET /test-clock")).body.now).toBe(taken.sort().at(-1));
    expect(taken).toContain(moments.at(-1));
  });
});

describe("under a test clock", () => {
  let sandbox: Sandbox;
  let id: string;
  let before: number;
  beforeAll(async () => {
    before = Date.now();
    sandbox = await openSandbox();
    await sandbox.put("2024-12-15T08:00:00Z");
    id = await sandbox.active("2025-01-01");
  });

  it("moving it starts no run, and the background scheduler skips the account", async () => {
    at("2030-01-01");
    await sandbox.put("2025-02-01T06:00:00Z");
    await runAllSchedulers(world.services, 10_000);

    const { data } = await sandbox.done(`GET /recurring-series/${id}/occurrences?status=issued`);
    expect(data).toEqual([]);
    const { keys } = await openSandbox();
    expect((await world.done("GET /recurring-series", undefined, keys.read)).data).toEqual([]);
  });

  it("a manual run issues what is due at its time, and business times come from it", async () => {
    const { started_at, issued } = await sandbox.done("POST /scheduler-runs");

    expect(started_at).toBe("2025-02-01T06:00:00.000Z");
    expect(issued.map(({ period }: Json) => period)).toEqual(["2025-01", "2025-02"]);
    const invoice = await sandbox.done(`GET /invoices/${issued[1].invoice_id}`);
    expect(invoice).toMatchObject({
      issue_date: "2025-02-01",
      issued_at: "2025-02-01T06:00:00.000Z",
    });
    const { data } = await sandbox.done(`GET /invoices/${invoice.id}/deliveries`);
    expect(data).toMatchObject([{ state: "written_to_outbox" }]);
  });

  it("today, cancelled_at, credits and default dates come from it", async () => {
    await sandbox.put("2025-02-10T22:59:00Z");

    const answer = await sandbox.done(`POST /recurring-series/${id}/cancel`, {});

    expect(answer).toMatchObject({
      end_date: "2025-02-10",
      cancelled_at: "2025-02-10T22:59:00.000Z",
      credit_notes: [{ kind: "partial" }],
    });
    const { credit_notes_issued } = await sandbox.done("POST /scheduler-runs");
    const note = await sandbox.done(`GET /credit-notes/${credit_notes_issued[0]}`);
    expect(note.issued_at).toBe("2025-02-10T22:59:00.000Z");
    const { customer_id, lines } = sandbox;
    const draft = await sandbox.done("POST /invoices", { customer_id, lines });
    await sandbox.put("2025-02-10T23:00:00Z");
    const invoice = await sandbox.done(`POST /invoices/${draft.id}/issue`);
    // Midnight in Copenhagen has passed.
    expect(invoice.issue_date).toBe("2025-02-11");
  });

  it("ids, change stamps and audit times come from the real clock", async () => {
    const since = new Date(before).toISOString();
    const until = new Date(Date.now() + 1000).toISOString();
    const millisecondsOf = (uuid: string) =>
      Number.parseInt(uuid.replace("-", "").slice(0, 12), 16);

    expect(millisecondsOf(id)).toBeGreaterThanOrEqual(before);
    expect(millisecondsOf(id)).toBeLessThanOrEqual(Date.parse(until));
    const list = (moment: string) =>
      sandbox.done(`GET /recurring-series?updated_since=${encodeURIComponent(moment)}`);
    expect((await list(since)).data).toHaveLength(1);
    expect((await list(until)).data).toHaveLength(0);
    const { data } = await sandbox.done("GET /audit-events?limit=100");
    const times: string[] = data.map((event: Json) => event.at);
    expect(times.every((time) => time >= since && time <= until)).toBe(true);
    expect(new Set(data.map((event: Json) => event.resource_type))).toContain("test_clock");
  });
});
