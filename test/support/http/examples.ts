/** Runs the walk through the API and records one call of each operation, with constant ids and times. */

import {
  type OpenedAccount,
  operatorContext,
} from "../../../src/features/access/accounts/create.ts";
import { connectAccount } from "../../../src/features/ledger/connections/connect-account.ts";
import type { ApiExample } from "../../../src/platform/http/examples.ts";
import { BankFile, sendBankFile } from "../bank/send-file.ts";
import { AnswerFile, handOver } from "../einvoice/answers.ts";
import { connectEinvoices } from "../einvoice/connect-einvoices.ts";
import { openDineroSimulation, simulatedAccess } from "../ledger/dinero/simulation.ts";
import { type Json, openWorld, type World } from "../world/world.ts";
import { walk } from "./example-walk.ts";
import { type Operation, operations } from "./openapi.ts";
import { BatchRows, postRows } from "./send-batch.ts";

/** Examples by operation, as they are committed: the first successful call of each operation. */
export async function playedExamples(): Promise<Record<string, ApiExample>> {
  const world = await openWorld({ environment: { MATCHBOOK_LEDGER_HOSTS: "127.0.0.1" } });
  const simulation = await openDineroSimulation();
  try {
    const taken = new Map<string, ApiExample>();
    const callFor = (account: OpenedAccount) => async (call: string, body?: unknown) => {
      const { keys } = account;
      const { status, body: answer } = await sendStep(world, call, body, keys.read_write);
      if (status >= 300) throw new Error(`${call} answered ${status}: ${JSON.stringify(answer)}`);
      const { operation, parameters } = operationOf(call);
      if (!taken.has(operation.operationId)) {
        const is_json = !Buffer.isBuffer(answer);
        taken.set(operation.operationId, {
          parameters,
          ...(isFile(body) || body === undefined ? {} : { body }),
          status,
          ...(is_json ? { answer } : {}),
        });
      }
      return answer;
    };
    await walk(callFor(await openWalked(world)));
    const connected = await world.openAnother({ sandbox: true });
    await walkConnected(callFor(connected), world, connected, simulation);
    const calm = calmed(Object.fromEntries(taken));
    return Object.fromEntries(operations.map(({ operationId: id }) => [id, calm[id]]));
  } finally {
    await world.close();
    await simulation.close();
  }
}

/** Opens the account of the walk: a sandbox, connected for its e-invoices through the folder of the installation. */
export async function openWalked(world: World): Promise<OpenedAccount> {
  const account = await world.openAnother({ sandbox: true });
  await connectEinvoices(world, {}, "folder", account.account_id);
  return account;
}

/** Sends a call of the walk: a body that is a file in the form that its endpoint takes, every other one as JSON. */
export async function sendStep(
  world: World,
  call: string,
  body: unknown,
  key: string,
): Promise<{ readonly status: number; readonly body: Json }> {
  if (body instanceof BankFile) return sendBankFile(world, body.content, { ...body, key });
  if (body instanceof AnswerFile) return handOver(world, body.content, { key });
  if (body instanceof BatchRows) return postRows(world, call, body, key);
  return world.rest(call, body, key);
}

function isFile(body: unknown): boolean {
  return body instanceof BankFile || body instanceof AnswerFile || body instanceof BatchRows;
}

/** Calls that need an account with a connected accounting system: a booking that waits, and a month to compare. */
async function walkConnected(
  call: (call: string, body?: unknown) => Promise<Json>,
  world: World,
  { account_id, keys }: OpenedAccount,
  simulation: Awaited<ReturnType<typeof openDineroSimulation>>,
): Promise<void> {
  await call("PUT /test-clock", { now: "2026-01-05T09:00:00Z" });
  const { settings, secrets } = simulatedAccess(simulation.origin);
  const operator = await operatorContext(world.services, account_id);
  const limit = { requests_per_minute: "60000" };
  await connectAccount(operator, "dinero", { ...settings, ...secrets, ...limit });
  const customer = await call("POST /customers", { name: "Nordlys ApS" });
  const product = await call("POST /products", { name: "Advice" });
  const line = { product_id: product.id, recognition_method: "value", agreed_value: 1000 };
  const draft = { customer_id: customer.id, auto_send: false, lines: [line] };
  const { id } = await call("POST /invoices", draft);
  await simulation.kill();
  await world.rest(`POST /invoices/${id}/issue`, undefined, keys.read_write);
  await call("GET /ledger/queue");
  const { data } = await call("GET /ledger/intents?limit=2");
  await simulation.restart();
  await world.sql("update ledger_connections set down_since = null, failures = 0");
  await call(`POST /ledger/intents/${data[0].id}/retry`);
  await call("GET /ledger/reconciliation?month=2026-01");
}

function operationOf(call: string): { operation: Operation; parameters: Record<string, string> } {
  const [method = "", url = ""] = call.split(" ");
  const [path = "", query = ""] = url.split("?");
  const parts = path.split("/");
  const fits = (operation: Operation): boolean => {
    const names = operation.path.split("/");
    const same = (name: string, at: number) => name === parts[at] || name.startsWith("{");
    return operation.method === method && names.length === parts.length && names.every(same);
  };
  // A path without parameters takes precedence over one with parameters, as in the service.
  const [operation] = operations
    .filter(fits)
    .toSorted((a, b) => a.path.split("{").length - b.path.split("{").length);
  if (operation === undefined) throw new Error(`${call} is not an operation`);
  const names = operation.path.split("/");
  const inPath = names.flatMap((name, at): [string, string][] =>
    name.startsWith("{") ? [[name.slice(1, -1), parts[at] ?? ""]] : [],
  );
  return { operation, parameters: Object.fromEntries([...inPath, ...new URLSearchParams(query)]) };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** A digest of content that has ids in it. */
const DIGEST = /^[\w-]{43}$/;
/** Of the documentation of Standard Webhooks. */
const EXAMPLE_SECRET = "whsec_plJ3nmyCDGBKInavdOK15jsl";
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Fields that differ each time, by name, with a value in place of theirs. */
const MOVING: Readonly<Record<string, Json>> = {
  duration_ms: 12,
  "webhook-timestamp": "1770109200",
  "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
};

/** The same examples with numbered ids, and with one time in place of the real clock's times. */
function calmed(examples: Json): Json {
  const ids = new Map<string, string>();
  const calm = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(calm);
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, entry]) => [key, MOVING[key] ?? calm(entry)]),
      );
    }
    if (typeof value !== "string") return value;
    if (MOMENT.test(value)) return value.startsWith("2026-0") ? value : "2026-02-03T09:00:00.000Z";
    if (value.startsWith("whsec_")) return EXAMPLE_SECRET;
    if (DIGEST.test(value)) return "m0vK1cGkq3x5Yw7Zr9tB2dF4hJ6lN8pQ-sUvXyA_CeE";
    const cursor = Buffer.from(value, "base64url").toString();
    if (/^\d\|[\w:|-]+$/.test(cursor))
      return Buffer.from(withCalmIds(cursor)).toString("base64url");
    return withCalmIds(value.replace(/admin-\d+-\d+@/, "admin@"));
  };
  const withCalmIds = (text: string): string =>
    text.replace(UUID, (id) => {
      const known =
        ids.get(id) ?? `0198f2a0-0000-7000-8000-${String(ids.size + 1).padStart(12, "0")}`;
      ids.set(id, known);
      return known;
    });
  return calm(examples);
}
