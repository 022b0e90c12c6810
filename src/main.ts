/** Runs the service: opens the database, migrates it, listens, and stops cleanly on a signal. */

import { join } from "node:path";
import { type App, openApp } from "./app.ts";
import { operator } from "./features/access/accounts/create.ts";
import { type DemoAccount, openDemo } from "./features/access/accounts/open-demo.ts";
import { mcpUrl } from "./features/access/oauth/tokens.ts";
import { LINK_MINUTES, makeSignInLink } from "./features/access/sign-in/sign-in-link.ts";
import { runAtEntryPoint } from "./platform/commands/entry-point.ts";
import { connectDatabase } from "./platform/database/connect.ts";
import { requireReplica } from "./platform/database/require-replica.ts";
import { migrateForServing } from "./platform/database/serving-role.ts";
import { errorOfListening, requireAddress } from "./platform/http/address.ts";
import { resumeBackground } from "./platform/runtime/background.ts";
import { type Config, readConfig } from "./platform/runtime/config.ts";
import { makeObjectsYoung } from "./platform/runtime/heap.ts";
import { type Log, openLog } from "./platform/runtime/log.ts";
import { packageRoot } from "./platform/runtime/paths.ts";
import type { Services } from "./platform/runtime/services.ts";
import { type BackgroundThread, startBackgroundThread } from "./platform/threads/background.ts";
import { type HeavyThreads, openHeavyThreads } from "./platform/threads/heavy.ts";
import type { ThreadData } from "./platform/threads/messages.ts";
import { openReplicaGate } from "./platform/threads/replica-gate.ts";

/** The file that the other threads run. */
const THREAD = join(packageRoot, "dist", "thread.js");
/** The number of heavy threads for an account without a limit. One more thread remains for the other accounts. */
const MOST_HEAVY = 2;

interface ServeOptions {
  readonly demo: boolean;
  /** If false, this process only serves requests: no scheduler, deliveries, intents or mail. */
  readonly background: boolean;
  /** Whether to resume background work that a restore has paused. */
  readonly resume: boolean;
  /** Whether webhooks that wait in what is resumed are skipped, or sent. */
  readonly webhooks: "skip" | "continue";
}

/** Runs the service until a signal ends it, and returns the exit code. */
export async function serve(options: ServeOptions): Promise<number> {
  makeObjectsYoung();
  const config = { ...readConfig(process.env), background: options.background };
  // A terminal gets text, a log collector gets JSON.
  const log = openLog(config.log_level, process.stdout.isTTY ? process.stdout : undefined);
  await requireAddress(config);
  const database = await connectDatabase(config, (message) => log.info(message));
  let app: App | undefined;
  let background: BackgroundThread | undefined;
  try {
    const applied = await migrateForServing(database);
    if (applied.length > 0) log.info({ migrations: applied }, "migrated");
    if (options.resume && (await resumeBackground(database.url, options))) log.info(RESUMED);
    if (config.replica_url !== null) await requireReplica(config.replica_url, database.url, log);
    const place = { url: database.url };
    const data = { config, on_terminal: process.stdout.isTTY ?? false };
    const heavy = openHeavyThreads({
      filename: THREAD,
      data: (): ThreadData => ({ ...data, role: "heavy", database_url: place.url }),
      computing_threads: (config.in_flight?.heavy ?? MOST_HEAVY) + 1,
      databaseUrl: () => place.url,
      isAway: () => (app?.services.watch.away_ms() ?? 0) > 0,
      replica:
        config.replica_url === null
          ? null
          : openReplicaGate({
              count: (source) => app?.services.metrics.countLongRead(source),
              log,
            }),
      log,
    });
    app = openApp(config, database.url, log, { heavy });
    const is_paused = await app.services.background.isPaused();
    const demo = options.demo ? ((await openDemo(app.services)) ?? null) : null;
    const link = demo && (await linkFor(app.services, demo));
    const { revive } = database;
    await app.services.watch.start(
      revive &&
        (async () => {
          place.url = await revive();
          background?.moveDatabase(place.url);
          return place.url;
        }),
    );
    await app.server.listen({ host: config.host, port: config.port }).catch((error) => {
      throw errorOfListening(error, config);
    });
    if (options.background) {
      background = startBackgroundThread({
        filename: THREAD,
        data: { ...data, role: "background", database_url: place.url },
        metrics: app.services.metrics,
        log,
      });
    } else log.warn("background work is off in this process (--no-background)");
    void loadThreads(heavy, background, log);
    // A reader of the greeting may end the process at once.
    const signal_received = signalled();
    process.stdout.write(greeting(app, config, demo && { ...demo, link }, is_paused));
    const signal = await signal_received;
    log.info({ signal }, "stopping");
    return 0;
  } finally {
    await Promise.all([app?.close(), background?.stop()]);
    await database.close();
  }
}

/** Loads the code of the other threads one after the other, while the process already answers requests. */
async function loadThreads(
  heavy: HeavyThreads,
  background: BackgroundThread | undefined,
  log: Log,
): Promise<void> {
  const began = performance.now();
  await background?.loaded;
  if (!(await heavy.warm())) return;
  const milliseconds = Math.round(performance.now() - began);
  log.info({ milliseconds }, "the other threads are loaded");
}

const RESUMED = "background work was paused and continues";

/** Returns a sign-in link of the admin of the first start. */
async function linkFor(services: Services, { admin }: DemoAccount): Promise<string> {
  const wanted = { operator, email: admin.email, is_mailed: false };
  const link = await runAtEntryPoint(makeSignInLink, services, wanted);
  if (link === undefined) throw new Error("the demo account has no admin");
  return link;
}

interface Greeted extends DemoAccount {
  readonly link: string | null;
}

function greeting(app: App, config: Config, demo: Greeted | null, is_paused: boolean): string {
  const address = app.server.addresses().find((candidate) => typeof candidate !== "string");
  const origin = address ? `http://${hostOf(address.address)}:${address.port}` : config.base_url;
  const lines = [
    "",
    ...(demo
      ? [
          `Sign in with this link, once, within ${LINK_MINUTES} minutes:`,
          `  ${demo.link}`,
          `\`matchbook sign-in-link --email ${demo.admin.email}\` makes another.`,
          "",
        ]
      : []),
    `Matchbook listens on ${origin}`,
    `  API            ${origin}/api/v1`,
    `  API docs       ${origin}/api/docs`,
    `  MCP address    ${mcpUrl(config.base_url)}`,
    `  outbox folder  ${config.outbox_dir}`,
    ...(is_paused
      ? [
          "",
          config.background
            ? "Background work is PAUSED, because this database was restored from a backup: nothing is issued or"
            : "Background work is OFF in this process (--no-background): nothing is issued or",
          "sent automatically, and what you request is done but not mailed, until you run `matchbook resume`.",
        ]
      : []),
    ...(demo
      ? [
          "",
          "A demo account was created. Its password and keys are shown only once:",
          `  account        ${demo.account_id}`,
          `  sign in        ${config.base_url}/sign-in`,
          `  as             ${demo.admin.email}`,
          `  password       ${demo.admin.password}`,
          `  read key       ${demo.keys.read}`,
          `  read_write key ${demo.keys.read_write}`,
        ]
      : []),
    "",
    "",
  ];
  return lines.join("\n");
}

function hostOf(address: string): string {
  if (address === "127.0.0.1" || address === "::1") return "localhost";
  return address.includes(":") ? `[${address}]` : address;
}

/** Ctrl-C may reach the process twice, from the terminal and through npm: only a third signal aborts the stop. */
function signalled(): Promise<string> {
  let count = 0;
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => {
        count += 1;
        if (count > 2) process.exit(1);
        resolve(signal);
      });
    }
  });
}
