/**
 * One PostgreSQL for the whole run: the bundled one in a temporary directory, or that of TEST_DATABASE_URL. The schema is
 * created once, and every test file receives a copy of it.
 */
import { constants, readFileSync, rmSync } from "node:fs";
import { access, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { ProvidedContext } from "vitest";
import type { TestProject } from "vitest/node";
// @ts-expect-error The build is not TypeScript.
import { buildAssets } from "../../../bin/build-assets.mjs";
import { startEmbedded } from "../../../src/platform/database/embedded.ts";
import {
  type DatabaseRoles,
  migrateForServing,
} from "../../../src/platform/database/serving-role.ts";
import { packageRoot } from "../../../src/platform/runtime/paths.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A migrated database that is only copied, never used. */
    template_url: string;
    /** The same for the serving role, which owns nothing. */
    template_serving_url: string;
    /** Where the real program is built when the first test needs it. */
    program_folder: string;
    /** Where the packages of the clients are built when the first test needs them. */
    clients_folder: string;
  }
}

type Provided = ProvidedContext & { readonly stop: () => Promise<void> };

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...provided } = await start();
  project.provide("template_url", provided.template_url);
  project.provide("template_serving_url", provided.template_serving_url);
  project.provide("program_folder", provided.program_folder);
  project.provide("clients_folder", provided.clients_folder);
  return stop;
}

async function start(): Promise<Provided> {
  await buildAssets(packageRoot, join(packageRoot, "dist", "assets"));
  const program_folder = join(packageRoot, "node_modules", ".cache", `matchbook-${process.pid}`);
  const clients_folder = `${program_folder}-clients`;
  const removeBuilt = () => {
    for (const folder of [program_folder, clients_folder]) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  const given = process.env.TEST_DATABASE_URL;
  if (given) {
    const serving = process.env.TEST_SERVING_DATABASE_URL || given;
    const urls = await prepare({ url: serving, owner_url: given });
    return { ...urls, program_folder, clients_folder, stop: async () => removeBuilt() };
  }
  const folder = await mkdtemp(join(await roomFor(), "matchbook-tests-"));
  const server = await startEmbedded({
    data_dir: folder,
    settings: {
      fsync: "off",
      synchronous_commit: "off",
      full_page_writes: "off",
      // The workers of autovacuum would connect to databases that are being dropped, and only a superuser may end them.
      autovacuum: "off",
      max_connections: "200",
      // The log is never read again, and every copy of the schema causes a checkpoint anyway.
      wal_level: "minimal",
      max_wal_senders: "0",
      checkpoint_timeout: "1d",
      bgwriter_lru_maxpages: "0",
      // A millisecond of hashing for each of some thousand connections protects no password here.
      scram_iterations: "1",
      // Each process reads its own pages: on two cores, a separate process for reads causes additional waits.
      io_method: "sync",
    },
  });
  const urls = await prepare({ url: server.serving_url, owner_url: server.url });
  const end = () => {
    removeBuilt();
    endAtOnce(folder);
  };
  process.once("exit", end);
  const stop = async () => {
    removeBuilt();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    process.off("exit", end);
  };
  return { ...urls, program_folder, clients_folder, stop };
}

/**
 * Copying a database is most of the cost of a small file of tests, and its data need not be durable: memory is used when there is
 * enough.
 */
const IN_MEMORY = "/dev/shm";
const LEAST_BYTES = 2 * 1024 ** 3;

async function roomFor(): Promise<string> {
  try {
    await access(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = await statfs(IN_MEMORY);
    const least = Math.min(bavail * bsize, process.availableMemory() - LEAST_BYTES);
    return least >= LEAST_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

async function prepare(
  roles: DatabaseRoles,
): Promise<Pick<Provided, "template_url" | "template_serving_url">> {
  await migrateForServing(roles);
  const client = new pg.Client({ connectionString: roles.owner_url });
  await client.connect();
  try {
    const { user } = new pg.Client({ connectionString: roles.url });
    // For tables that a test creates in addition to the schema.
    await client.query(
      `alter default privileges grant select, insert, update, delete on tables to ${client.escapeIdentifier(user ?? "")}`,
    );
  } finally {
    await client.end();
  }
  return { template_url: roles.owner_url, template_serving_url: roles.url };
}

/** A run that dies, for example because its output is no longer read, leaves no server behind either. */
function endAtOnce(folder: string): void {
  try {
    const [pid] = readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8").split("\n");
    process.kill(Number(pid), "SIGQUIT");
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // The process has already ended.
  }
}
