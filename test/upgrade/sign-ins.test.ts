/**
 * People stay signed in and keep their preferences when a new version starts on the database of an older one, and a second factor is
 * asked for as before. The rows of an account are copied into the schema of that time, and migrated from there.
 */
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, inject, it } from "vitest";
import { openApp } from "../../src/app.ts";
import { authenticatorPlace } from "../../src/features/access/factors/queries.ts";
import { withClient } from "../../src/platform/database/client.ts";
import { migrate, readMigrations } from "../../src/platform/database/migrate.ts";
import { readConfig } from "../../src/platform/runtime/config.ts";
import { openLog } from "../../src/platform/runtime/log.ts";
import { openSealing } from "../../src/platform/security/sealing.ts";
import { totpCode, totpStep } from "../../src/platform/security/totp.ts";
import { type Browser, openBrowser, textOf } from "../support/browser/browser.ts";
import { passkeyRequestOn } from "../support/browser/passkey.ts";
import {
  createDatabase,
  dropDatabase,
  freePort,
  useWorld,
  type World,
} from "../support/world/world.ts";

/** The tables that an account and its admin are in, each after those that it refers to. */
const COPIED = [
  ...["accounts", "configurations", "logins", "users", "audit_heads"],
  ...["ledger_accounts", "ledger_books"],
];
const PASSWORD = "correct horse battery staple";

const world = useWorld();
const databases: string[] = [];
const folders: string[] = [];
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});
afterAll(async () => {
  for (const url of databases) await dropDatabase(inject("template_url"), url);
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

type Rows = (text: string, values?: readonly unknown[]) => Promise<unknown>;

/** A database whose schema ends with the given migration, with the account of the world, and what `add` inserts. */
async function databaseOf(newest: string, add: (rows: Rows) => Promise<void>): Promise<string> {
  const url = await createDatabase(inject("template_url"));
  databases.push(url);
  const names = (await readMigrations()).map(({ name }) => name).filter((name) => name <= newest);
  expect(names.at(-1)).toBe(newest);
  await migrate(url, names);
  await withClient({ connectionString: url }, async (client) => {
    const rows: Rows = (text, values = []) => client.query(text, [...values]);
    for (const table of COPIED) {
      for (const { row } of await world.sql(`select to_json(t) as row from ${table} t`)) {
        await rows(`insert into ${table} select * from json_populate_record(null::${table}, $1)`, [
          row,
        ]);
      }
    }
    await add(rows);
  });
  return url;
}

interface Started {
  readonly browser: () => Browser;
  readonly world: World;
}

/** Starts this version on a database, which migrates it first. `data_dir` has the keys of its secrets. */
async function startedOn(url: string, data_dir: string): Promise<Started> {
  await migrate(url);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const environment = { PORT: String(port), BASE_URL: origin, MATCHBOOK_DATA_DIR: data_dir };
  const config = readConfig({ ...environment, LOG_LEVEL: "silent" });
  const app = openApp(config, url, openLog(config.log_level));
  ends.push(() => app.close());
  await app.server.listen({ host: "127.0.0.1", port });
  const started = { origin } as World;
  return { world: started, browser: () => openBrowser(started) };
}

async function dataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "matchbook-sign-ins-"));
  folders.push(folder);
  return folder;
}

const digest = (token: string) => createHash("sha256").update(token).digest();
const newCookie = () => randomBytes(32).toString("base64url");

/** Inserts a session as it was stored before browser and network were. */
const insertSession = (rows: Rows, cookie: string, minutes: number) =>
  rows(
    `insert into sessions (hash, login_id, account_id, user_id, created_at, last_seen_at, expires_at)
     select $1, login_id, account_id, id, now() - make_interval(mins => $2), now() - make_interval(mins => $2),
       now() + interval '10 days' from users where login_id is not null limit 1`,
    [digest(cookie), minutes],
  );

describe("a session and preferences of an older version", () => {
  it("stay: the person is signed in, in their language and theme, on their start page", async () => {
    const [recent, unused] = [newCookie(), newCookie()];
    const url = await databaseOf("0056_late_changes.sql", async (rows) => {
      await insertSession(rows, recent, 30);
      await insertSession(rows, unused, 25 * 60);
      await rows(`insert into preferences (account_id, user_id, language, theme, start_page)
        select account_id, id, 'da', 'dark', 'hours' from users`);
    });
    const { browser } = await startedOn(url, await dataDir());
    const person = browser();
    person.setCookie(recent);
    const me = await person.get("/me");
    expect(me.status).toBe(200);
    expect(me.html).toMatch(/<html[^>]* lang="da"/);
    expect(me.html).toMatch(/<html[^>]* data-theme="dark"/);
    expect(me.html).toMatch(
      /<option[^>]* value="hours"[^>]* selected|<option selected[^>]* value="hours"/,
    );
    // Where it began is not known, and its answer is as old as the session.
    expect(textOf(me)).toContain("Ukendt");
    const keys = await person.get("/settings/developer");
    const fields = { name: "x", scope: "read" };
    const asked = await person.submit(keys, "/settings/developer/create-key", fields);
    expect([asked.status, asked.html.includes('name="answer_password"')]).toEqual([403, true]);
    const late = browser();
    late.setCookie(unused);
    expect((await late.get("/me")).html).toContain('name="password"');
  });
});

describe("a second factor of an older version", () => {
  it("is asked for as before, and its passkeys count", async () => {
    const data_dir = await dataDir();
    const secret = randomBytes(20);
    const cookie = newCookie();
    const sealing = openSealing(readConfig({ MATCHBOOK_DATA_DIR: data_dir }));
    const url = await databaseOf("0067_sorted_lists.sql", async (rows) => {
      const [{ login_id }] = await world.sql("select login_id from users limit 1");
      const { key_id, content } = sealing.seal(
        secret.toString("base64"),
        authenticatorPlace(login_id),
      );
      await rows(
        `insert into authenticators (login_id, state, key_id, sealed_secret, last_step)
         values ($1, 'active', $2, $3, 0)`,
        [login_id, key_id, content],
      );
      for (const [id, used] of [
        ["dXNlZA", "now()"],
        ["bmV2ZXI", "null"],
      ]) {
        await rows(
          `insert into passkeys (id, login_id, name, public_key, counter, transports, last_used_at)
           values ($1, $2, 'Key', '\\x01', 0, '{}', ${used})`,
          [id, login_id],
        );
      }
      await insertSession(rows, cookie, 30);
    });
    const { browser } = await startedOn(url, data_dir);
    const signed_in = browser();
    signed_in.setCookie(cookie);
    expect((await signed_in.get("/me")).status).toBe(200);

    const person = browser();
    const led = await person.signIn(world.account.admin.email, PASSWORD);
    const factor = await person.get(led.location ?? "");
    const page = await person.get(factor.location ?? "/sign-in/factor");
    const offered = passkeyRequestOn(page).allowCredentials?.map(({ id }) => id);
    expect(offered?.sort()).toEqual(["bmV2ZXI", "dXNlZA"]);
    expect((await person.get("/me")).location).toContain("/sign-in/factor");
    const wrong = await person.submit(page, "/sign-in/factor", { code: "000000" });
    expect(wrong.status).toBe(401);
    const code = totpCode(secret, totpStep(Date.now()));
    expect((await person.submit(page, "/sign-in/factor", { code })).status).toBe(303);
    expect((await person.get("/me")).html).toContain("<h1>");
    expect((await person.get("/me")).status).toBe(200);
  });
});
