/**
 * A copy restored from a backup is paused until it is resumed; otherwise it would issue and mail what the original issues and
 * mails. Requests of people and keys are answered, and their mail waits. Then all work resumes, and each document is issued and
 * mailed once.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import PostalMime, { type Email } from "postal-mime";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type App, openApp } from "../../src/app.ts";
import { requestReset } from "../../src/features/access/sign-in/change-password.ts";
import { backUp, restore } from "../../src/platform/database/backup.ts";
import { query } from "../../src/platform/database/database.ts";
import { migrateForServing } from "../../src/platform/database/serving-role.ts";
import { resumeBackground } from "../../src/platform/runtime/background.ts";
import { readConfig } from "../../src/platform/runtime/config.ts";
import {
  createDatabase,
  dropDatabase,
  type Json,
  servingUrl,
  useWorld,
} from "../support/world/world.ts";

let folder: string;
let file: string;
let customer_id: string;
let lines: object[];
let draft_id: string;
const databases: string[] = [];
const world = useWorld();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-copy-"));
  file = join(folder, "books.backup");
  const customer = await world.done("POST /customers", { name: "Acme", email: "ap@acme.example" });
  const product = await world.done("POST /products", { name: "Retainer", default_price: 100 });
  customer_id = customer.id;
  lines = [{ product_id: product.id, recognition_method: "value" }];
  const body = { customer_id, lines, auto_send: true };
  const series = await world.done("POST /recurring-series", {
    ...body,
    frequency: "monthly",
    start_date: "2026-03-11",
    end_date: "2026-04-10",
  });
  await world.done(`POST /recurring-series/${series.id}/activate`);
  draft_id = (await world.done("POST /invoices", body)).id;
  await backUp(world.database_url, file);
  world.clock.set("2026-03-11T09:00:00Z");
});
afterAll(async () => {
  for (const url of databases) await dropDatabase(inject("template_url"), url);
  await rm(folder, { recursive: true, force: true });
});

interface Copy {
  readonly url: string;
  readonly app: App;
  readonly reported: string[];
  ask(method: "GET" | "POST", path: string, body?: object): Promise<Answer>;
  mails(): Promise<Email[]>;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly background: string | undefined;
}

async function restored(): Promise<string> {
  const url = await createDatabase(inject("template_url"));
  databases.push(url);
  await restore(url, file);
  await migrateForServing({ url: servingUrl(url), owner_url: url });
  return url;
}

/** The service on a database, with background work unless it is off for the process. */
async function serveCopy(url: string, background = true): Promise<Copy> {
  const data_dir = await mkdtemp(join(folder, "data-"));
  const settings = { MATCHBOOK_DATA_DIR: data_dir, MATCHBOOK_RATE_LIMIT: "off" };
  const config = { ...readConfig(settings), background };
  const reported: string[] = [];
  const log = pino({ base: null }, { write: (line) => reported.push(JSON.parse(line).msg) });
  const app = openApp(config, servingUrl(url), log, { clock: world.clock });
  await app.services.background.isPaused();
  if (background) app.startWorker();
  return {
    url,
    app,
    reported,
    async ask(method, path, body) {
      const headers = { authorization: `Bearer ${world.account.keys.read_write}` };
      const payload = body === undefined ? {} : { payload: body };
      const reply = await app.server.inject({ method, url: path, headers, ...payload });
      const background = reply.headers["matchbook-background"] as string | undefined;
      return { status: reply.statusCode, body: reply.json(), background };
    },
    async mails() {
      const names = await readdir(config.outbox_dir).catch(() => []);
      return Promise.all(
        names.map(async (name) => PostalMime.parse(await readFile(join(config.outbox_dir, name)))),
      );
    },
    close: () => app.close(),
  };
}

/** Issued invoices and the states of their deliveries. */
const issuedIn = (copy: Copy) =>
  query<{ id: string; is_of_series: boolean; state: string | null }>(
    copy.app.services.db,
    `select i.id, i.series_id is not null as is_of_series, d.state from invoices i
     left join deliveries d on d.account_id = i.account_id and d.document_id = i.id
     where i.status = 'issued' order by 2`,
  );

/** Longer than the rest between two rounds of the worker. */
const ROUNDS_MS = 2_600;
const PAUSED = "background work is paused until `matchbook resume`";

describe("a restored copy", () => {
  it("reports that background work is paused, and issues and mails nothing automatically", async () => {
    const copy = await serveCopy(await restored());
    try {
      await expect.poll(() => copy.reported).toContain(PAUSED);
      await delay(ROUNDS_MS);

      expect(await issuedIn(copy)).toEqual([]);
      expect(await copy.mails()).toEqual([]);
      expect(await copy.ask("GET", "/readyz")).toEqual({
        status: 200,
        body: { status: "ready", faults: [], background: "paused" },
        background: "paused",
      });
      for (const path of ["/api/v1/invoices", "/healthz", "/api/v1/nothing"]) {
        expect((await copy.ask("GET", path)).background).toBe("paused");
      }
      expect(copy.reported.filter((line) => line === PAUSED)).toHaveLength(1);
    } finally {
      await copy.close();
    }
  });

  it("serves requests, holds their mail, and resumes all work after `resume`", async () => {
    const copy = await serveCopy(await restored());
    try {
      const issued = await copy.ask("POST", `/api/v1/invoices/${draft_id}/issue`);
      expect([issued.status, issued.body.status]).toEqual([200, "issued"]);
      expect(issued.body.send_error).toMatch(/held back until background work is resumed/);
      const sent = await copy.ask("POST", `/api/v1/invoices/${draft_id}/send`, {});
      expect([sent.status, sent.body.state, sent.body.send_error]).toEqual([200, "queued", null]);
      const user = { name: "Ida", email: "ida@studio.example" };
      expect((await copy.ask("POST", "/api/v1/users", user)).status).toBe(201);
      await requestReset(copy.app.services, world.account.admin.email, {
        address: "203.0.113.1",
        browser: null,
        concerns: () => {},
      });
      const held = () =>
        query<{ recipient: string }>(
          copy.app.services.db,
          "select recipient from held_notes order by recipient",
        );
      await expect
        .poll(held)
        .toEqual([{ recipient: world.account.admin.email }, { recipient: user.email }]);
      await delay(ROUNDS_MS);
      expect(await issuedIn(copy)).toEqual([
        { id: draft_id, is_of_series: false, state: "queued" },
        { id: draft_id, is_of_series: false, state: "queued" },
      ]);
      expect(await copy.mails()).toEqual([]);

      expect(await resumeBackground(copy.url)).toBe(true);
      expect(await resumeBackground(copy.url)).toBe(false);
      await expect.poll(async () => (await copy.mails()).length, { timeout: 20_000 }).toBe(5);
      await delay(ROUNDS_MS);

      const states = async () =>
        (await issuedIn(copy)).map(({ is_of_series, state }) => [is_of_series, state]);
      await expect.poll(states, { timeout: 20_000 }).toEqual([
        [false, "written_to_outbox"],
        [false, "written_to_outbox"],
        [true, "written_to_outbox"],
      ]);
      const recipients = (await copy.mails()).map((mail) => mail.to?.[0]?.address).sort();
      expect(recipients).toEqual(
        [
          ...Array.from({ length: 3 }, () => "ap@acme.example"),
          user.email,
          world.account.admin.email,
        ].sort(),
      );
      expect(await held()).toEqual([]);
      const ready = await copy.ask("GET", "/readyz");
      expect([ready.body, ready.background]).toEqual([{ status: "ready", faults: [] }, undefined]);
      expect(copy.reported).toContain("background work continues");
    } finally {
      await copy.close();
    }
  });

  it("issues due periods when an assistant or a key runs the scheduler", async () => {
    const copy = await serveCopy(await restored());
    try {
      const run = await copy.ask("POST", "/api/v1/scheduler-runs");
      expect(run.body.issued).toHaveLength(1);
      expect(await issuedIn(copy)).toMatchObject([{ is_of_series: true, state: "queued" }]);
    } finally {
      await copy.close();
    }
  });

  it("is paused again after a backup of it is restored", async () => {
    const paused = await restored();
    const again = join(folder, "again.backup");
    await backUp(paused, again);
    const url = await createDatabase(inject("template_url"));
    databases.push(url);
    await restore(url, again);
    expect(await resumeBackground(url)).toBe(true);
  });
});

describe("a process without background work", () => {
  it("holds its mail and reports it, without a pause in the database", async () => {
    const url = await restored();
    await resumeBackground(url);
    const looking = await serveCopy(url, false);
    try {
      expect((await looking.ask("POST", `/api/v1/invoices/${draft_id}/issue`)).status).toBe(200);
      const ready = await looking.ask("GET", "/readyz");
      expect([ready.status, ready.body.background, ready.background]).toEqual([
        200,
        "paused",
        "paused",
      ]);
      expect(await looking.mails()).toEqual([]);
      expect(await query(looking.app.services.db, "select 1 from background_pause")).toEqual([]);
    } finally {
      await looking.close();
    }
    const working = await serveCopy(url);
    try {
      await expect.poll(async () => (await working.mails()).length, { timeout: 20_000 }).toBe(2);
      await expect
        .poll(async () => (await issuedIn(working)).map(({ state }) => state), { timeout: 20_000 })
        .toEqual(["written_to_outbox", "written_to_outbox"]);
    } finally {
      await working.close();
    }
  });
});
