/**
 * A running service on its own database, which nearly every test uses. Requests go over real HTTP; replies are checked
 * against their schemas, and a refusal that its route does not declare fails the test file when the world closes.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import PostalMime, { type Email } from "postal-mime";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { type App, openApp } from "../../../src/app.ts";
import type { Timestamp } from "../../../src/domain/base/brand.ts";
import { type OpenedAccount, openAccount } from "../../../src/features/access/accounts/create.ts";
import { verifyJournal } from "../../../src/features/ledger/reports/verify.ts";
import { verifyAuditTrail } from "../../../src/features/settings/audit/verify.ts";
import {
  closeDatabase,
  type Database,
  openDatabase,
  query,
} from "../../../src/platform/database/database.ts";
import { frameRefusals } from "../../../src/platform/http/route.ts";
import { VERSION_HEADER } from "../../../src/platform/http/version.ts";
import type { Clock } from "../../../src/platform/runtime/clock.ts";
import { readConfig } from "../../../src/platform/runtime/config.ts";
import { openLog } from "../../../src/platform/runtime/log.ts";
import type { Services } from "../../../src/platform/runtime/services.ts";
import { send } from "../http/send.ts";

/** A JSON value of a reply. Tests access it freely. */
// biome-ignore lint/suspicious/noExplicitAny: replies are compared, not computed with.
export type Json = any;

export interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

export interface World {
  readonly app: App;
  readonly services: Services;
  /** The service's own connections, with the serving role. */
  readonly db: Database;
  /** Connections of the role that owns the tables. */
  readonly owner: Database;
  /** `http://127.0.0.1:port`, without a path. */
  readonly origin: string;
  readonly account: OpenedAccount;
  readonly clock: SettableClock;
  readonly outbox_dir: string;
  /** The URL for the role that owns the tables. */
  readonly database_url: string;
  /** The URL for the serving role. */
  readonly serving_url: string;
  /** `rest("POST /customers", {name: "Acme"})`; the key is the account's read_write one by default, null sends none. */
  rest(call: string, body?: unknown, key?: string | null): Promise<Reply>;
  /** Like `rest`, but returns only the body and throws unless the status is 2xx. */
  done(call: string, body?: unknown, key?: string): Promise<Json>;
  /** Opens another account of the same service. */
  openAnother(fields?: {
    readonly sandbox?: boolean;
    readonly currency?: string;
  }): Promise<OpenedAccount>;
  /** Every message in the outbox folder, parsed, in order of file name. */
  mails(): Promise<Email[]>;
  /** Rows of plain SQL, run as the owner. */
  // biome-ignore lint/suspicious/noExplicitAny: rows are compared, not computed with.
  sql(text: string, values?: readonly unknown[]): Promise<any[]>;
  close(): Promise<void>;
}

export interface UsedWorld extends World {
  /** The answer of a call before the tests: `made("POST /customers", { name: "Acme" })`. Empty until then. */
  made(call: string, body: unknown): Json;
}

interface SettableClock extends Clock {
  set(moment: string): void;
}

export interface WorldOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly overrides?: Partial<Services>;
  readonly worker?: boolean;
  /** Whether the service is configured with the address on which it listens: tests that follow links or sign in need it. */
  readonly knows_origin?: boolean;
  /** The host of that address: `localhost` for tests of passkeys, which browsers refuse for an IP address. */
  readonly host?: "localhost";
}

let count = 0;

/**
 * A world for the tests of a file or of a `describe`: registers hooks that open it before the tests and close it after them. On
 * closing, the audit trail and the journal of each of its accounts must verify and its entries balance. The world is empty until
 * it is open.
 */
export function useWorld(options: WorldOptions = {}): UsedWorld {
  const world = { made } as UsedWorld;
  function made(call: string, body: unknown): Json {
    const resource = {};
    beforeAll(async () => {
      Object.assign(resource, await world.done(call, body));
    });
    return resource;
  }
  beforeAll(async () => {
    Object.assign(world, await openWorld(options));
  });
  afterAll(async () => {
    if (world.app === undefined) return;
    const faults = await faultsOf(world).finally(() => world.close());
    expect(faults).toEqual([]);
  });
  return world;
}

/** The faults in the books of its accounts. */
async function faultsOf({ owner, sql }: World): Promise<Json[]> {
  const faults: Json[] = await sql(
    `select account_id, entry_no, sum(amount) from ledger_postings
     group by account_id, entry_no having sum(amount) <> 0`,
  );
  for (const { id } of await sql("select id from accounts")) {
    faults.push(await verifyAuditTrail(owner, id), await verifyJournal(owner, id));
  }
  return faults.filter((fault) => fault !== null);
}

/** Opens a world on a fresh copy of the schema, for a test that closes it. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const template_url = inject("template_url");
  const database_url = await copyDatabase(template_url);
  const serving_url = servingUrl(database_url);
  const folder = await mkdtemp(join(tmpdir(), "matchbook-world-"));
  const { host = "127.0.0.1" } = options;
  const port = options.knows_origin ? await freePort() : 0;
  const config = readConfig({
    PORT: String(port),
    ...(port === 0 ? {} : { BASE_URL: `http://${host}:${port}` }),
    MATCHBOOK_DATA_DIR: folder,
    MATCHBOOK_RATE_LIMIT: "off",
    // A test file invites more people within a minute than an account may within an hour.
    MATCHBOOK_MAIL_LIMITS: "off",
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? "silent",
    ...options.environment,
  });
  const clock = settableClock("2026-03-10T09:00:00.000Z");
  const undeclared = new Set<string>();
  const app = openApp(config, serving_url, openLog(config.log_level), {
    clock,
    checks_replies: true,
    onRefusal: (route, code) => {
      if (route.refuses.includes(code) || frameRefusals(route).includes(code)) return;
      undeclared.add(`${route.method} ${route.path} refuses ${code} without declaring it`);
    },
    ...options.overrides,
  });
  await app.server.listen({ host: "127.0.0.1", port });
  if (options.worker) app.startWorker();
  const { services } = app;
  // Connects at its first use.
  const owner = openDatabase(database_url, 10, () => {});
  const address = app.server.server.address();
  const origin = `http://${host}:${typeof address === "object" ? address?.port : 0}`;
  const account = await openAccount(services, accountFields({}));

  const rest = async (call: string, body?: unknown, key?: string | null): Promise<Reply> => {
    const [method = "", path = ""] = call.split(/ (.*)/s);
    const token = key === undefined ? account.keys.read_write : key;
    const reply = await send(`${origin}/api/v1${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
    const { status, headers } = reply;
    if (!headers.has(VERSION_HEADER)) undeclared.add(`${call} names no version of the API`);
    const is_json = headers.get("content-type")?.startsWith("application/json") ?? false;
    return { status, body: is_json ? JSON.parse(reply.body.toString()) : reply.body, headers };
  };

  return {
    app,
    services,
    db: services.db,
    owner,
    origin,
    account,
    clock,
    outbox_dir: config.outbox_dir,
    database_url,
    serving_url,
    rest,
    async done(call, body, key) {
      const reply = await rest(call, body, key);
      if (reply.status >= 300) {
        throw new Error(`${call} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
      }
      return reply.body;
    },
    openAnother: (fields = {}) => openAccount(services, accountFields(fields)),
    mails: () => readMails(config.outbox_dir),
    sql: (text, values = []) => query(owner, text, values),
    async close() {
      await app.close();
      await closeDatabase(owner);
      await rm(folder, { recursive: true, force: true });
      await dropDatabase(template_url, database_url);
      if (undeclared.size > 0) throw new Error([...undeclared].join("\n"));
    },
  };
}

function accountFields(fields: { readonly sandbox?: boolean; readonly currency?: string }) {
  count += 1;
  return {
    name: `Studio ${count}`,
    admin_email: `admin-${count}-${process.pid}@studio.example`,
    // Hashing a generated password takes tens of milliseconds by design, and tests that need one sign in with this one.
    admin_password: "correct horse battery staple",
    sandbox: fields.sandbox ?? false,
    currency: fields.currency ?? "DKK",
  };
}

/** A port without a listener at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** The invoice from the answer of an issue operation, as a later read returns it. */
export function invoiceOf({ warnings: _, send_error: __, ...invoice }: Json): Json {
  return invoice;
}

export function settableClock(start: string): SettableClock {
  let moment = start;
  return {
    now: () => moment as Timestamp,
    set: (next) => {
      moment = new Date(next).toISOString();
    },
  };
}

async function readMails(folder: string): Promise<Email[]> {
  const names = await readdir(folder).catch(() => []);
  return Promise.all(
    names
      .filter((name) => name.endsWith(".eml"))
      .sort()
      .map(async (name) => PostalMime.parse(await readFile(join(folder, name)))),
  );
}

/** The same database for the serving role. */
export function servingUrl(database_url: string): string {
  return databaseUrl(inject("template_serving_url"), databaseName(database_url));
}

/** A separate database for a test that opens the program itself. */
export function copyDatabase(template_url: string): Promise<string> {
  // Copying files takes two thirds of the time of writing them through the log.
  return createDatabase(template_url, `template ${databaseName(template_url)} strategy file_copy`);
}

/** An empty database, without a schema. */
export async function createDatabase(template_url: string, how = ""): Promise<string> {
  const name = `test_${process.pid}_${Date.now().toString(36)}_${count++}`;
  await onServer(
    template_url,
    `create database ${name} ${how}`,
    // Privileges of a database as a whole are not copied with it.
    `revoke temporary on database ${name} from public`,
  );
  return databaseUrl(template_url, name);
}

export async function dropDatabase(template_url: string, database_url: string): Promise<void> {
  const name = databaseName(database_url);
  await onServer(template_url, `drop database if exists ${name} with (force)`);
}

/** Copying needs exclusive access to the template, so files that start simultaneously wait for each other. */
async function onServer(template_url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(template_url, "postgres") });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(1)");
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Scheme and authority, database, parameters: `URL` does not accept a URL whose host is a parameter. */
const DATABASE_URL = /^([^:]+:\/\/[^/]*\/)([^?]*)(.*)$/;

function databaseName(url: string): string {
  return DATABASE_URL.exec(url)?.[2] ?? "";
}

function databaseUrl(url: string, name: string): string {
  return url.replace(DATABASE_URL, `$1${name}$3`);
}
