/**
 * The real program is killed with SIGKILL in the middle of batches of each kind, restarted on the same database, and gets the same
 * bytes again until no row remains: what was answered keeps its id, each row is there once and has one event. `TEST_KILLS` is the
 * number of kills for each kind.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BuiltProgram, buildProgram, startOnWorld } from "../support/run/program.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const KILLS = Number(process.env.TEST_KILLS ?? 1);
const ROWS = 1_000;

const world = useWorld();
let program: BuiltProgram;
let refs: Readonly<Record<"customer_id" | "product_id" | "user_id" | "line_id", string>>;
beforeAll(async () => {
  program = await buildProgram();
  const customer = await world.done("POST /customers", { name: "Acme" });
  const product = await world.done("POST /products", { name: "Advice", account_number: 1010 });
  const user = await world.done("POST /users", { name: "Bo", email: "bo@batches.example" });
  const line = { product_id: product.id, recognition_method: "hours", hourly_rate: 1000 };
  const body = { customer_id: customer.id, lines: [line] };
  const invoice = await world.done("POST /invoices", body);
  refs = {
    customer_id: customer.id,
    product_id: product.id,
    user_id: user.id,
    line_id: invoice.lines[0].id,
  };
});
afterAll(() => program.end());

const KINDS: Readonly<Record<string, (at: number) => Json>> = {
  customers: (at) => ({ name: `Client ${at}` }),
  products: (at) => ({ name: `Product ${at}` }),
  "work-registrations": (at) => ({
    line_id: refs.line_id,
    user_id: refs.user_id,
    date: `2026-0${1 + (at % 2)}-${String(1 + (at % 28)).padStart(2, "0")}`,
    hours: 0.25,
  }),
  invoices: () => ({
    customer_id: refs.customer_id,
    lines: [{ product_id: refs.product_id, recognition_method: "value", agreed_value: 100 }],
  }),
};

/** Sends a batch and passes on its rows as they arrive; returns whether the answer ended. */
async function send(
  origin: string,
  path: string,
  body: string,
  onRow: (row: Json) => void,
): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${world.account.keys.read_write}`,
        "content-type": "application/x-ndjson",
      },
      body,
    });
    expect(response.status).toBe(200);
    const text = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
    let rest = "";
    for await (const part of text) {
      const lines = `${rest}${part}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onRow(JSON.parse(line));
    }
    return rest === "";
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The rows of a kind, and the ids of those that have been answered. */
class Sending {
  readonly kind: string;
  readonly known = new Map<string, string>();
  readonly #body: string;

  constructor(kind: string, rowOf: (at: number) => Json) {
    this.kind = kind;
    const rows = Array.from({ length: ROWS }, (_, at) => ({
      external_id: `${kind}-${at}`,
      ...rowOf(at),
    }));
    this.#body = rows.map((row) => JSON.stringify(row)).join("\n");
  }

  /** Sends the rows once; returns whether the answer ended. */
  once(origin: string, onRow: () => void = () => {}): Promise<boolean> {
    return send(origin, `/${this.kind}/batch`, this.#body, ({ outcome, external_id, id }) => {
      onRow();
      if (outcome === "remaining") return;
      expect(["created", "unchanged"]).toContain(outcome);
      const before = this.known.get(external_id);
      if (before !== undefined) expect([outcome, id]).toEqual(["unchanged", before]);
      this.known.set(external_id, id);
    });
  }

  /** The stored rows with the number of events of their creation. */
  stored(): Promise<Json[]> {
    return world.sql(
      `select t.external_id, t.id::text, count(e.id)::int as events
       from ${this.kind.replace("-", "_")} t
       left join audit_events e on e.account_id = t.account_id and e.resource_id = t.id::text and e.action = 'created'
       where t.account_id = $1 and t.external_id like $2 group by 1, 2`,
      [world.account.account_id, `${this.kind}-%`],
    );
  }
}

it(`loses and doubles no row when each kind is killed (${KILLS})`, {
  timeout: 3_600_000,
}, async () => {
  const sendings = Object.entries(KINDS).map(([kind, rowOf]) => new Sending(kind, rowOf));
  for (const sending of sendings) {
    for (let kills = 0; kills < KILLS; kills += 1) {
      const running = await startOnWorld(program, world);
      // 200 rows are answered together: at the next one that is new, later rows are at work.
      const enough = sending.known.size + 1;
      let killed: Promise<void> | null = null;
      const ended = await sending.once(running.origin, () => {
        if (sending.known.size >= enough) killed ??= running.kill();
      });
      await (killed ?? running.kill());
      expect(ended).toBe(false);
    }
  }

  const running = await startOnWorld(program, world);
  for (const sending of sendings) {
    while (sending.known.size < ROWS) expect(await sending.once(running.origin)).toBe(true);
    const stored = await sending.stored();
    expect(new Map(stored.map((row) => [row.external_id, row.id]))).toEqual(sending.known);
    expect(stored.filter(({ events }) => events !== 1)).toEqual([]);
  }
});
