/**
 * A primary with a hot standby: two servers of the bundled PostgreSQL. The bundled programs have no `pg_basebackup`, so the
 * standby begins as a copy of the files, between `pg_backup_start` and `pg_backup_stop`.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import {
  findBinaries,
  locatePackage,
  placesForCopies,
} from "../../../src/platform/database/embedded/binaries.ts";
import { embeddedPaths } from "../../../src/platform/database/embedded/paths.ts";
import {
  asUser,
  giveTo,
  nameForServer,
  serverEnvironment,
  serverUser,
} from "../../../src/platform/database/embedded/server-user.ts";
import { type EmbeddedDatabase, startEmbedded } from "../../../src/platform/database/embedded.ts";
import { migrateForServing } from "../../../src/platform/database/serving-role.ts";
import type { Json } from "../world/world.ts";

export interface ReplicaPair {
  /** Migrated, without an account. */
  readonly primary: EmbeddedDatabase;
  /** The standby's address for the serving role. */
  readonly replica_url: string;
  /** An empty folder for the data of services. */
  readonly data_dir: string;
  /** Runs a statement as the superuser of the primary. */
  onPrimary(text: string, values?: readonly unknown[]): Promise<Json[]>;
  /** Runs a statement as the superuser of the standby. */
  onReplica(text: string, values?: readonly unknown[]): Promise<Json[]>;
  startReplica(): Promise<void>;
  /** Ends the standby: SIGINT as an operator does, SIGKILL as a lost machine. */
  endReplica(signal: "SIGINT" | "SIGKILL"): Promise<void>;
  /** Sends a signal to all processes of the standby (Linux). */
  signalReplica(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Resolves when the standby has replayed all that the primary has written. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

const CONNECTIONS = { max_connections: "60" };
const OF_PRIMARY = {
  ...CONNECTIONS,
  fsync: "off",
  // Rows that are removed cancel reads on the standby: only the test decides when.
  autovacuum: "off",
  wal_keep_size: "512MB",
  wal_writer_delay: "10ms",
};
const STARTING_MS = 60_000;

/** Starts both servers. */
export async function openReplicaPair(): Promise<ReplicaPair> {
  const folder = await mkdtemp(join(tmpdir(), "matchbook-pair-"));
  const primary = await startEmbedded({ data_dir: join(folder, "primary"), settings: OF_PRIMARY });
  await migrateForServing({ url: primary.serving_url, owner_url: primary.url });
  // The standby's user reaches the primary's socket.
  for (const path of [folder, join(folder, "primary")]) await chmod(path, 0o711);
  const { cluster } = embeddedPaths(join(folder, "primary"));
  const copy = join(folder, "replica");
  const superuser = primary.url.replace("//matchbook:", "//postgres:");
  const moved = (url: string) => url.replace(encodeURIComponent(cluster), encodeURIComponent(copy));
  const server = standbyOf(cluster, copy, superuser);
  await copyFiles(superuser, cluster, copy);
  const pair: ReplicaPair = {
    primary,
    replica_url: moved(primary.serving_url),
    data_dir: join(folder, "data"),
    onPrimary: (text, values) => asked(superuser, text, values),
    async onReplica(text, values) {
      const ask = () => asked(moved(superuser), text, values);
      // Recovery also cancels what a test asks.
      return ask().catch((error) => (error.code === "40001" ? ask() : Promise.reject(error)));
    },
    async startReplica() {
      await server.start(() => asked(moved(superuser), "select 1"));
    },
    endReplica: server.end,
    signalReplica: server.signal,
    async caughtUp() {
      const [{ position }] = await pair.onPrimary("select pg_current_wal_lsn()::text as position");
      const text = "select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as has_all";
      const hasAll = async () => (await pair.onReplica(text, [position]))[0].has_all;
      for (const began = Date.now(); !(await hasAll()); await delay(20)) {
        if (Date.now() - began > STARTING_MS) throw new Error("the standby does not catch up");
      }
    },
    async close() {
      await server.end("SIGKILL");
      await primary.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await pair.startReplica();
  await pair.caughtUp();
  return pair;
}

async function asked(url: string, text: string, values?: readonly unknown[]): Promise<Json[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(text, values?.slice())).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Copies the files of a running server. */
async function copyFiles(superuser: string, cluster: string, copy: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuser });
  await client.connect();
  await client.query("select pg_backup_start('replica', true)");
  mkdirSync(copy, { mode: 0o700 });
  const isCopied = (path: string): boolean => {
    const name = basename(path);
    const is_log = basename(dirname(path)) === "pg_wal";
    return !is_log && !name.startsWith("postmaster.") && !name.startsWith(".s.PGSQL");
  };
  cpSync(cluster, copy, { recursive: true, filter: isCopied });
  const { rows } = await client.query("select labelfile from pg_backup_stop(false)");
  await client.end();
  writeFileSync(join(copy, "backup_label"), rows[0].labelfile);
  writeFileSync(join(copy, "standby.signal"), "");
  giveTo(serverUser(cluster), copy);
  await chmod(copy, 0o700);
}

function standbyOf(cluster: string, copy: string, superuser: string) {
  const user = serverUser(cluster);
  const native = findBinaries(locatePackage(), user, placesForCopies(dirname(cluster), user));
  const { password } = new pg.Client({ connectionString: superuser });
  const settings = {
    ...CONNECTIONS,
    fsync: "off",
    listen_addresses: "",
    unix_socket_directories: ".",
    port: "5432",
    wal_retrieve_retry_interval: "100ms",
    primary_conninfo: `host=${cluster} port=5432 user=postgres password=${password}`,
  };
  let server: ChildProcess | undefined;
  return {
    async start(knock: () => Promise<unknown>): Promise<void> {
      const log = openSync(`${copy}.log`, "a");
      const options = Object.entries(settings).flatMap(([name, value]) => [
        "-c",
        `${name}=${value}`,
      ]);
      server = spawn(
        join(native, "bin", "postgres"),
        ["-D", nameForServer(copy, user), ...options],
        {
          ...asUser(user),
          cwd: copy,
          env: serverEnvironment(),
          stdio: ["ignore", log, log],
        },
      );
      closeSync(log);
      for (const began = Date.now(); ; await delay(50)) {
        if ((await knock().catch(() => null)) !== null) return;
        if (server.exitCode !== null || Date.now() - began > STARTING_MS) {
          throw new Error(`the standby did not start\n${readFileSync(`${copy}.log`, "utf8")}`);
        }
      }
    },
    async end(signal: NodeJS.Signals): Promise<void> {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      server.kill(signal);
      await once(server, "exit");
    },
    signal(signal: NodeJS.Signals): void {
      const pid = server?.pid ?? 0;
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
      for (const one of [pid, ...children.map(Number)]) process.kill(one, signal);
    },
  };
}
