/** A service with data that must not change, for tests of bad input. */
import { beforeAll } from "vitest";
import { type Json, type Reply, useWorld, type World } from "../world/world.ts";
import type { Operation } from "./openapi.ts";
import { callPlainly } from "./plain-call.ts";
import { refusal } from "./refusal.ts";

export const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";

interface Target {
  readonly world: World;
  readonly survivor: Json;
  readonly product: Json;
  readonly draft: Json;
  /** The path with existing references in its braces; lists below a resource are not empty. */
  pathOf(operation: Operation): string;
  /** Sends with the read_write key; throws for an answer that is neither JSON nor CSV. Empty headers are not sent. */
  send(
    method: string,
    path: string,
    body?: string | Buffer,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  /** Throws when the initial data has changed. */
  requireUnharmed(): Promise<void>;
}

export function useTarget(): Target {
  const world = useWorld();
  // Filled before the first test.
  const target = {} as Target;
  beforeAll(async () => {
    Object.assign(target, await fill(world));
  });
  return target;
}

async function fill(world: World): Promise<Target> {
  const survivor = await world.done("POST /customers", { name: "Survivor", external_id: "here" });
  const product = await world.done("POST /products", { name: "Consulting" });
  const draft = await world.done("POST /invoices", { customer_id: survivor.id });
  const line = { product_id: product.id, recognition_method: "value", agreed_value: 1 };
  const series = await world.done("POST /recurring-series", {
    customer_id: survivor.id,
    frequency: "monthly",
    start_date: "2026-01-01",
    lines: [line],
  });
  const { id: sold } = await world.done("POST /invoices", {
    customer_id: survivor.id,
    auto_send: false,
    lines: [line],
  });
  await world.done(`POST /invoices/${sold}/issue`);
  const note = await world.done("POST /credit-notes", {
    external_id: "target",
    invoice: sold,
    kind: "full",
    credit_date: "2026-03-10",
  });
  const endpoint = await world.done("POST /webhook-endpoints", {
    url: "https://hooks.example/matchbook",
    event_types: ["invoice.issued"],
  });
  const ids: Readonly<Record<string, string>> = {
    "webhook-endpoints": endpoint.id,
    reminders: await remindedLate(world, line),
    invoices: draft.id,
    "recurring-series": series.id,
    "credit-notes": note.id,
  };
  const values: Readonly<Record<string, string>> = {
    number: "1000",
    currency: "EUR",
    date: "2026-02-28",
    period: "2026-02",
    month: "2026-01",
    dataset: "work_registrations",
  };
  return {
    world,
    survivor,
    product,
    draft,
    pathOf({ path }) {
      const ref = ids[path.split("/")[1] ?? ""] ?? survivor.id;
      return path.replace(
        /\{(\w+)\}/g,
        (_, name) =>
          (name === "ref" || path.startsWith("/reminders/") ? ref : values[name]) ?? UNKNOWN_ID,
      );
    },
    async send(method, path, body, headers = {}) {
      const key = world.account.keys.read_write;
      const reply = await callPlainly(world, method, path, key, { body, headers });
      const is_json = reply.headers.get("content-type")?.startsWith("application/json");
      const content = is_json ? JSON.parse(reply.text) : reply.text;
      return { status: reply.status, headers: reply.headers, body: content };
    },
    async requireUnharmed() {
      const now = await world.done("GET /customers/ext:here");
      if (JSON.stringify(now) !== JSON.stringify(survivor)) throw new Error("the survivor changed");
    },
  };
}

/** Sends a reminder of an invoice to a customer who is late; returns its id. */
async function remindedLate(world: World, line: Json): Promise<string> {
  const { id: customer_id } = await world.done("POST /customers", { name: "Late" });
  const invoice = { customer_id, issue_date: "2026-01-15", auto_send: false, lines: [line] };
  const { id } = await world.done("POST /invoices", invoice);
  await world.done(`POST /invoices/${id}/issue`);
  const { rows } = await world.done("POST /reminder-runs/preview", { customer: customer_id });
  const [{ currency, agreed }] = rows;
  const chosen = { rows: [{ customer: customer_id, currency, agreed }] };
  const { outcomes } = await world.done("POST /reminder-runs", chosen);
  return outcomes[0].reminder_id;
}

/** `GET /customers/{ref}`. */
export function callOf(operation: Operation): string {
  return `${operation.method} ${operation.path}`;
}

/** The fields that a 422 names, each once; empty for any other reply. */
export function faultsOf(reply: Reply): string[] {
  if (!refusal(reply).startsWith("422 VALIDATION_FAILED ")) return [];
  return [...new Set<string>(reply.body.error.field_errors.map((fault: Json) => fault.field))];
}
