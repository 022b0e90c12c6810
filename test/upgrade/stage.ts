/**
 * The stage of a play: the current service on a copy of the books, called only through its public entry points, REST
 * and MCP over HTTP. It records each answer in its compared form and returns the original.
 */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApp } from "../../src/app.ts";
import type { Connection } from "../../src/ledger/ledger.ts";
import { readConfig } from "../../src/platform/runtime/config.ts";
import { openLog } from "../../src/platform/runtime/log.ts";
import { type Json, settableClock } from "../support/world/world.ts";
import type { AccountName, Answer, Before } from "./before.ts";
import { openNormal } from "./normal.ts";
import { openSimulatedLedger, type SimulatedLedger } from "./simulated-ledger.ts";

export interface Stage {
  readonly before: Before;
  readonly answers: readonly Answer[];
  readonly ledger: SimulatedLedger;
  /** Whether the backup contains an id. */
  isKnown(id: string): boolean;
  /** Sets the clock to nine in the morning of a day. */
  at(day: string): void;
  /** `rest("main", "GET /invoices")`; returns the body for any status. */
  rest(
    account: AccountName,
    call: string,
    body?: Json,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Json>;
  /** Calls a tool as the assistant of a user; returns its data or its error. */
  tool(person: string, name: string, args?: Json): Promise<Json>;
  /** Records a value that is not an answer of the service. */
  note(step: string, body: Json): void;
  close(): Promise<void>;
}

/** Events that the older version had not: of billed periods, of deliveries that an issue queues, and those of time. */
const NEW_EVENTS = [
  "occurrence.issued",
  "delivery.queued",
  "recurring_series.ends_soon",
  "recurring_series.ended",
  "period_close.ready",
];

/** Whether the older version had the event; it had none of matches either. */
export function isKnownBefore({ resource_type, action }: Json): boolean {
  if (resource_type === "allocation") return false;
  return !NEW_EVENTS.includes(`${resource_type}.${action}`);
}

/** The audit trail without the events that the older version had not; `left_out` says how many were on the page. */
function withoutNewEvents(step: string, body: Json): Json {
  if (!step.includes(": GET /audit-events") || !Array.isArray(body?.data)) return body;
  const data = body.data.filter(isKnownBefore);
  return { ...body, data, left_out: body.data.length - data.length };
}

export async function openStage(
  url: string,
  before: Before,
  known: ReadonlySet<string>,
): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "matchbook-stage-"));
  const config = readConfig({
    PORT: "0",
    BASE_URL: before.base_url,
    MATCHBOOK_DATA_DIR: folder,
    MATCHBOOK_RATE_LIMIT: "off",
    MATCHBOOK_MAIL_LIMITS: "off",
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? "silent",
  });
  const clock = settableClock(before.now);
  const ledger = openSimulatedLedger(before.ledger);
  const app = openApp(config, url, openLog(config.log_level), { clock, checks_replies: true });
  (app.services.ledgers as Map<string, Connection>).set("simulated", ledger.connection);
  await app.server.listen({ host: "127.0.0.1", port: 0 });
  const address = app.server.server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const { host } = new URL(before.base_url);
  const normal = openNormal(known, before.made_at);
  const answers: Answer[] = [];
  const keep = (step: string, status: number, body: Json): void => {
    answers.push({ step: normal(step), status, body: normal(withoutNewEvents(step, body)) });
  };
  const ask = (method: string, path: string, headers: Headers, sent?: string): Promise<Came> =>
    send(port, method, path, { host, ...headers }, sent);

  const tokens = new Map<string, string>();
  /** The access token of a user's assistant, from its stored refresh token. */
  const tokenOf = async (person: string): Promise<string> => {
    const known_token = tokens.get(person);
    if (known_token !== undefined) return known_token;
    const { client_id, refresh_token } = before.people[person] ?? {};
    const form = { grant_type: "refresh_token", client_id, refresh_token } as Record<
      string,
      string
    >;
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const text = new URLSearchParams(form).toString();
    const { status, body } = await ask("POST", "/api/oauth/token", type, text);
    keep(`${person}: POST /api/oauth/token`, status, body);
    tokens.set(person, body.access_token);
    return body.access_token;
  };
  return {
    before,
    answers,
    ledger,
    isKnown: (id) => known.has(id),
    at: (day) => clock.set(`${day}T09:00:00.000Z`),
    async rest(account, call, body, headers = {}) {
      const [method = "", path = ""] = call.split(/ (.*)/s);
      const came = await ask(
        method,
        `/api/v1${path}`,
        {
          authorization: `Bearer ${before.accounts[account].keys.read_write}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        body === undefined ? undefined : JSON.stringify(body),
      );
      keep(`${account}: ${call}`, came.status, came.body);
      return came.body;
    },
    async tool(person, name, args = {}) {
      const headers = {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        authorization: `Bearer ${await tokenOf(person)}`,
      };
      const params = { name, arguments: args };
      const sent = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const { status, body } = await ask("POST", "/api/mcp", headers, sent);
      // Only structured content is recorded: the text of a tool result repeats it for people.
      const { structuredContent = null } = body.result ?? {};
      const error = structuredContent?.error;
      const data = error ? { code: error.code, details: error.details } : structuredContent;
      keep(`${person}: ${name} ${JSON.stringify(args)}`, status, data);
      return error ?? structuredContent;
    },
    note: (step, body) => keep(step, 0, body),
    async close() {
      await app.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Headers = Readonly<Record<string, string>>;

interface Came {
  readonly status: number;
  readonly body: Json;
}

/** Sends a request with the host of the older version, which is in the tokens of assistants. */
function send(
  port: number,
  method: string,
  path: string,
  headers: Headers,
  sent?: string,
): Promise<Came> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const type = response.headers["content-type"] ?? "";
        resolve({ status: response.statusCode ?? 0, body: bodyOf(type, Buffer.concat(chunks)) });
      });
    });
    asked.on("error", reject);
    asked.end(sent);
  });
}

/** JSON unchanged, a PDF as its words, a table as its lines. */
function bodyOf(type: string, content: Buffer): Json {
  if (content.length === 0) return null;
  if (type.startsWith("application/json")) return withoutMessages(JSON.parse(content.toString()));
  if (type.startsWith("application/pdf")) return { pdf: wordsOf(content) };
  return content.toString().split(/\r?\n/);
}

/** Removes the sentences of refusals, which may be reworded; codes and details must not change. */
function withoutMessages(body: Json): Json {
  if (typeof body.error !== "object") return body;
  const { code, details, field_errors } = body.error;
  return {
    error: {
      code,
      ...(details === undefined ? {} : { details }),
      ...(field_errors === undefined
        ? {}
        : {
            field_errors: field_errors.map((one: Json) => ({ field: one.field, code: one.code })),
          }),
    },
  };
}

/** Null without pdftotext; the PDF itself is stored with its hash, which `verify` checks. */
function wordsOf(pdf: Buffer): string | null {
  const { stdout, error } = spawnSync("pdftotext", ["-raw", "-", "-"], { input: pdf });
  return error ? null : stdout.toString().replace(/\s+/g, " ").trim();
}
