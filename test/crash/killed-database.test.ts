/**
 * The bundled database is ended in three ways while two real programs on it import bank files, book their lines, record, apply and reverse
 * payments and send reminders; one of the programs starts it again. No answer becomes untrue: each line is booked once, each reminder is
 * sent once, no number is missing, and nothing is open below 0. `TEST_KILLS` is the number of
 * ends; their moments are random.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openAccount } from "../../src/features/access/accounts/create.ts";
import { openServices } from "../../src/open-services.ts";
import { closeDatabase, openDatabase, query } from "../../src/platform/database/database.ts";
import {
  type EmbeddedDatabase,
  findEmbedded,
  startEmbedded,
} from "../../src/platform/database/embedded.ts";
import { migrateForServing } from "../../src/platform/database/serving-role.ts";
import { readConfig } from "../../src/platform/runtime/config.ts";
import { openLog } from "../../src/platform/runtime/log.ts";
import {
  type BuiltProgram,
  buildProgram,
  type RunningProgram,
  startProgram,
} from "../support/run/program.ts";
import { MoneyClients } from "../support/world/money-clients.ts";
import type { Json } from "../support/world/world.ts";

/** Of the server's first process: a kill, and what an immediate shutdown sends. Of one of its sessions: the server restarts itself. */
const ENDS = ["SIGKILL", "SIGQUIT", "session"] as const;
const KILLS = Number(process.env.TEST_KILLS ?? ENDS.length);

let folder: string;
let database: EmbeddedDatabase;
let program: BuiltProgram;
let running: readonly RunningProgram[];
let key: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-killed-"));
  [database, program] = await Promise.all([startEmbedded({ data_dir: folder }), buildProgram()]);
  await migrateForServing({ url: database.serving_url, owner_url: database.url });
  const environment = { MATCHBOOK_DATA_DIR: folder, MATCHBOOK_RATE_LIMIT: "off" };
  const opened = openServices(readConfig(environment), database.serving_url, openLog("silent"));
  const account = await openAccount(opened.services, {
    name: "Studio",
    admin_email: "admin@studio.example",
    admin_password: "correct horse battery staple",
    sandbox: false,
    currency: "DKK",
  });
  key = account.keys.read_write;
  await opened.close();
  const start = () => startProgram(program, { ...environment, LOG_LEVEL: "silent" });
  running = [await start(), await start()];
});
afterAll(async () => {
  await program?.end();
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

const postmaster = (): number =>
  Number(readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);

/** A process of the server that serves a session of the programs. */
function aSession(): number {
  const first = `${postmaster()}`;
  const found = readdirSync("/proc").find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (
        parent === first && readFileSync(`/proc/${name}/cmdline`, "latin1").includes("matchbook")
      );
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
  if (found === undefined) throw new Error("the server has no session");
  return Number(found);
}

/** Resolves when both programs have a database again. */
async function areReady(): Promise<void> {
  for (const { origin } of running) {
    while ((await fetch(`${origin}/readyz`)).status !== 200) await delay(20);
  }
}

/** Rows for the owner of the tables. */
async function rows(text: string): Promise<Json[]> {
  const url = (await findEmbedded(folder))?.url ?? "";
  const db = openDatabase(url, 1, () => {});
  return query<Json>(db, text).finally(() => closeDatabase(db));
}

it.runIf(existsSync("/proc/self"))(
  "loses and doubles no payment when the database ends (needs /proc)",
  async () => {
    const origins = running.map(({ origin }) => origin);
    const clients = await MoneyClients.prepare(key, async (call, body) => {
      const [method = "", path = ""] = call.split(" ");
      const response = await fetch(`${origins[0]}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const sent = await response.json();
      if (!response.ok) throw new Error(`${call} answered ${JSON.stringify(sent)}`);
      return sent;
    });
    for (let kills = 0; kills < KILLS; kills += 1) {
      const end = ENDS[kills % ENDS.length] ?? "SIGKILL";
      const enough = clients.answers + 40 + Math.floor(Math.random() * 40);
      const ended = clients.run(origins);
      while (clients.answers < enough) await delay(2);
      await delay(Math.random() * 20);
      if (end === "session") process.kill(aSession(), "SIGKILL");
      else process.kill(postmaster(), end);
      // Not all clients need to have noticed it.
      await delay(500);
      await areReady();
      clients.stop();
      await ended;
    }
    await clients.expectEachOnce(origins, rows);
    expect(clients.unanswered).toBeGreaterThanOrEqual(KILLS);
  },
);
