/** A backup taken while the service works, and the result of its restore. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { openApp } from "../../src/app.ts";
import { backUp, restore } from "../../src/platform/database/backup.ts";
import { readConfig } from "../../src/platform/runtime/config.ts";
import { openLog } from "../../src/platform/runtime/log.ts";
import { createDatabase, dropDatabase, useWorld } from "../support/world/world.ts";

let folder: string;
let file: string;
const databases: string[] = [];
const world = useWorld();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-backup-"));
  file = join(folder, "books.backup");
  await fillBooks();
  // The requests of a key are written after their answers: the last one is stored before the backup begins.
  await vi.waitUntil(async () => (await requestsKept()) === REQUESTS, { timeout: 60_000 });
  await backUp(world.database_url, file);
});
afterAll(async () => {
  for (const url of databases) await dropDatabase(inject("template_url"), url);
  await rm(folder, { recursive: true, force: true });
});

/** A customer, a product, three invoices, and two of them issued. */
const REQUESTS = 7;

async function requestsKept(): Promise<number> {
  return (await rowsOf(world.database_url, "select from api_key_requests")).length;
}

async function fillBooks(): Promise<void> {
  const customer = await world.done("POST /customers", {
    name: "Tab\there, line\nthere, \\backslash, Søborg",
    email: "ap@acme.example",
  });
  const product = await world.done("POST /products", { name: "Work", default_price: 1000 });
  for (let count = 0; count < 3; count += 1) {
    const { id } = await world.done("POST /invoices", {
      customer_id: customer.id,
      lines: [{ product_id: product.id, recognition_method: "value" }],
    });
    if (count > 0) await world.done(`POST /invoices/${id}/issue`);
  }
}

async function emptyDatabase(): Promise<string> {
  const url = await createDatabase(inject("template_url"));
  databases.push(url);
  return url;
}

describe("restoring a backup into an empty database", () => {
  it("restores every row of every table, byte for byte", async () => {
    const url = await emptyDatabase();
    const tables = await restore(url, file);

    expect(tables).toContain("ledger_postings");
    // Only the copy is paused and has new feeds of events.
    const own = ["background_pause", "audit_heads", "ended_feeds"];
    for (const table of tables.filter((name) => !own.includes(name))) {
      const text = `select t::text as row from ${table} t order by 1`;
      expect([table, await rowsOf(url, text)]).toEqual([
        table,
        await rowsOf(world.database_url, text),
      ]);
    }
  });

  it("begins a new feed of events in each account, after what the copy shares with the original", async () => {
    const url = await emptyDatabase();
    await restore(url, file);

    const heads = "select account_id, seq, hash from audit_heads order by 1";
    expect(await rowsOf(url, heads)).toEqual(await rowsOf(world.database_url, heads));
    const feeds = "select account_id, feed_id, seq as shared_through from audit_heads order by 1";
    const ended = "select account_id, feed_id, shared_through from ended_feeds order by 1";
    const original = await rowsOf(world.database_url, feeds);
    expect(original.length).toBeGreaterThan(0);
    expect(await rowsOf(url, ended)).toEqual(original);
    const shared =
      "select from ended_feeds e join audit_heads h on h.account_id = e.account_id and h.feed_id = e.feed_id";
    expect(await rowsOf(url, shared)).toEqual([]);
  });

  it("preserves the rules: issued documents are immutable, and numbers continue without a gap", async () => {
    const url = await emptyDatabase();
    await restore(url, file);

    await expect(
      rowsOf(url, "update invoices set title = 'x' where status = 'issued'"),
    ).rejects.toThrow(/is issued/);
    const config = readConfig({ MATCHBOOK_DATA_DIR: folder, MATCHBOOK_RATE_LIMIT: "off" });
    const app = openApp(config, url, openLog("silent"));
    try {
      const headers = { authorization: `Bearer ${world.account.keys.read_write}` };
      const list = await app.server.inject({ url: "/api/v1/invoices?status=draft", headers });
      const [draft] = list.json().data;
      const issued = await app.server.inject({
        method: "POST",
        url: `/api/v1/invoices/${draft.id}/issue`,
        headers,
      });
      expect(issued.json()).toMatchObject({ status: "issued", ledger_invoice_number: 3 });
    } finally {
      await app.close();
    }
  });

  it("refuses a database that has tables", async () => {
    await expect(restore(world.database_url, file)).rejects.toThrow("needs an empty database");
  });

  const NOT_WHOLE = "The file is not a whole backup; nothing was restored.";
  const NOT_A_BACKUP = "The file is not a backup of this program.";
  it.each<[string, string, (whole: Buffer) => Buffer]>([
    ["that is truncated", NOT_WHOLE, (whole) => whole.subarray(0, whole.length - 200)],
    ["that is damaged", NOT_WHOLE, (whole) => damaged(whole)],
    ["whose text ends early", NOT_WHOLE, (whole) => edited(whole, (text) => text.slice(0, -3))],
    ["with additional text", NOT_WHOLE, (whole) => edited(whole, (text) => `${text}more\n`)],
    ["of another program", NOT_A_BACKUP, () => gzipSync("hello\n")],
    ["that is not compressed", NOT_A_BACKUP, () => Buffer.from("hello")],
    ["that is empty", NOT_WHOLE, () => Buffer.alloc(0)],
  ])("refuses a file %s, and leaves the database empty", async (_what, message, make) => {
    const broken = join(folder, "broken.backup");
    await writeFile(broken, make(await readFile(file)));
    const url = await emptyDatabase();

    await expect(restore(url, broken)).rejects.toThrow(message);
    await restore(url, file);
    expect(await rowsOf(url, "select id from accounts")).not.toEqual([]);
  });
});

describe("taking a backup", () => {
  it("refuses to overwrite an existing file", async () => {
    const before = await readFile(file);
    await expect(backUp(world.database_url, file)).rejects.toThrow(
      `${file} exists: name another file, or remove it first.`,
    );
    expect((await readFile(file)).equals(before)).toBe(true);
    expect((await readdir(folder)).join()).not.toContain("unfinished");
  });

  it("writes one complete file when two backups with the same name run in parallel", async () => {
    const at_once = join(folder, "at-once.backup");
    const taken = await Promise.allSettled([
      backUp(world.database_url, at_once),
      backUp(world.database_url, at_once),
    ]);

    const refused = taken.flatMap((one) => (one.status === "rejected" ? [`${one.reason}`] : []));
    expect(refused).toEqual([`Error: ${at_once} exists: name another file, or remove it first.`]);
    expect(gunzipSync(await readFile(at_once))).toEqual(gunzipSync(await readFile(file)));
    expect((await readdir(folder)).join()).not.toContain("unfinished");
  });

  it("leaves no file after a failure", async () => {
    const empty = await emptyDatabase();
    await expect(backUp(empty, join(folder, "none.backup"))).rejects.toThrow();
    const gone = join(folder, "no-such-folder", "x.backup");
    await expect(backUp(world.database_url, gone)).rejects.toThrow("ENOENT");
    expect((await readdir(folder)).join()).not.toMatch(/none|unfinished/);
  });
});

function edited(whole: Buffer, edit: (text: string) => string): Buffer {
  return gzipSync(edit(gunzipSync(whole).toString()));
}

function damaged(whole: Buffer): Buffer {
  const copy = Buffer.from(whole);
  copy.writeUInt32LE(0, copy.length - 8);
  return copy;
}

async function rowsOf(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
