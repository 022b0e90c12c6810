/**
 * Books in a real Tryton for a file of tests. Modules and books are created once for a PostgreSQL server, in a database that is
 * only copied; each file has its own copy and its own trytond.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { inject } from "vitest";
import type { LedgerTransport } from "../../../../src/ledger/connector.ts";
import { type Administrator, administratorOf, openBooks, USER } from "./books.ts";
import { administerTryton, startTryton } from "./program.ts";

export interface TrytonBooks {
  /** The address of trytond. */
  readonly url: string;
  readonly settings: LedgerTransport["settings"];
  readonly secrets: LedgerTransport["secrets"];
  readonly admin: Administrator;
  /** How often a password was checked, including the administrator's; undefined unless passwords are hashed as in Debian. */
  sign_ins(): number | undefined;
  /** Queries of Tryton's tables. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

/** With `as_debian_has_it`, the password of the connector's user is hashed by bcrypt, as in Debian's Tryton. */
export async function openTryton(as_debian_has_it = false): Promise<TrytonBooks> {
  const server_url = inject("template_url");
  const template = await makeTemplate(server_url);
  const database = `tryton_${process.pid}_${Date.now().toString(36)}`;
  await onServer(server_url, (client) =>
    query(client, `create database ${database} template ${template} strategy file_copy`),
  );
  const server = await startTryton(server_url, as_debian_has_it);
  const client = new pg.Client({ connectionString: urlOf(server_url, database) });
  await client.connect();
  const admin = await administratorOf(`${server.url}/${database}/`);
  if (as_debian_has_it) {
    const [user] = await admin.search("res.user", ["login", "=", USER.user]);
    await admin.call("res.user", "write", [user], { password: USER.password });
  }
  return {
    url: server.url,
    sign_ins: server.sign_ins,
    settings: { url: server.url, database, user: USER.user },
    secrets: { password: USER.password },
    admin,
    sql: async (text, values = []) => (await client.query(text, [...values])).rows,
    async close() {
      await client.end();
      await server.stop();
      await onServer(server_url, (on) => query(on, `drop database ${database} with (force)`));
    },
  };
}

/**
 * Its name contains a digest of its sources, so that a server that outlives a run has one template for each state of this folder.
 */
async function makeTemplate(server_url: string): Promise<string> {
  const content = ["books.ts", "program.ts", "open-tryton.ts"].map((name) =>
    readFileSync(fileURLToPath(new URL(name, import.meta.url))),
  );
  const digest = createHash("sha256").update(Buffer.concat(content)).digest("hex");
  const name = `tryton_template_${digest.slice(0, 12)}`;
  await onServer(server_url, async (client) => {
    const { rows } = await client.query("select from pg_database where datname = $1", [name]);
    if (rows.length > 0) return;
    const making = `tryton_making_${process.pid}`;
    await query(client, `drop database if exists ${making} with (force)`);
    await query(client, `create database ${making}`);
    await activateModules(server_url, making);
    const server = await startTryton(server_url);
    try {
      await openBooks(await administratorOf(`${server.url}/${making}/`));
    } finally {
      await server.stop();
    }
    await query(client, `alter database ${making} rename to ${name}`);
  });
  return name;
}

/**
 * In two steps: Tryton queries PostgreSQL's catalogue of constraints for each of its tables, and without statistics of the tables
 * of the first step, each query takes a large part of a second.
 */
async function activateModules(server_url: string, database: string): Promise<void> {
  const activate = (module: string, ...more: string[]) =>
    administerTryton(server_url, ["-d", database, "-u", module, ...more]);
  await activate("res", "--email", "admin@example.com");
  const client = new pg.Client({ connectionString: urlOf(server_url, database) });
  await client.connect();
  await client.query("analyze");
  await client.end();
  await activate("account_invoice", "--activate-dependencies");
}

/** One at a time: a database can be copied only while it has no other connection. */
async function onServer(
  server_url: string,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(server_url, "postgres") });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(2)");
    await work(client);
  } finally {
    await client.end();
  }
}

async function query(client: pg.Client, statement: string): Promise<void> {
  await client.query(statement);
}

function urlOf(server_url: string, database: string): string {
  return server_url.replace(/^([^:]+:\/\/[^/]*\/)[^?]*/, `$1${database}`);
}
