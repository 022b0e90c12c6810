// Starts the service on a new database as users do, and stops it.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { load } from "./sources.mjs";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** A running service with the keys of its demo account; `stop` ends it and removes its data. */
export async function startService(environment = {}) {
  const folder =
    environment.MATCHBOOK_DATA_DIR ?? (await mkdtemp(join(tmpdir(), "matchbook-bench-")));
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [join(root, "bin", "matchbook"), "serve"], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(port),
      MATCHBOOK_DATA_DIR: folder,
      MATCHBOOK_RATE_LIMIT: "off",
      // The measurements make more people than may be invited in an hour.
      MATCHBOOK_MAIL_LIMITS: "off",
      LOG_LEVEL: "error",
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const endWithBench = () => child.kill("SIGTERM");
  process.once("exit", endWithBench);
  const greeting = await readUntil(child, /outbox folder[\s\S]*?\n\n/);
  return {
    pid: child.pid,
    folder,
    origin: `http://127.0.0.1:${port}`,
    account_id: /account {8}(\S+)/.exec(greeting)?.[1],
    key: /read_write key (\S+)/.exec(greeting)?.[1],
    started_ms: performance.now() - began,
    began,
    /** Resolves when the service has printed the text; its log needs the level of that line. */
    async printed(text) {
      while (!output.includes(text)) await delay(LOOK_MS);
    },
    async databaseUrl() {
      const { findEmbedded } = await load("platform/database/embedded");
      const database = await findEmbedded(folder);
      return database.url;
    },
    /** Ends the service and returns the seconds; after a minute kills it and its database. A second call has no effect. */
    async stop({ keep = false } = {}) {
      if (child.exitCode !== null || child.signalCode !== null) return 0;
      const asked = performance.now();
      const killing = setTimeout(() => child.kill("SIGKILL"), MOST_STOP_MS);
      child.kill("SIGTERM");
      const signal = await new Promise((resolve) => child.once("exit", (_, by) => resolve(by)));
      clearTimeout(killing);
      process.off("exit", endWithBench);
      const seconds = (performance.now() - asked) / 1000;
      if (signal === "SIGKILL") await endDatabase(folder);
      if (!keep) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      return seconds;
    },
  };
}

/** Runs work with a service on a new database and a client of the database, and ends both. */
export async function withService(work, environment = {}) {
  const service = await startService(environment);
  const client = new pg.Client({ connectionString: await service.databaseUrl() });
  // A killed service also ends the database.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(service, client);
  } finally {
    await client.end().catch(() => {});
    await service.stop();
  }
}

const MOST_STOP_MS = 60_000;
const LOOK_MS = 5;

/** Ends the bundled database of a killed service. */
async function endDatabase(folder) {
  const [pid] = (await readFile(join(folder, "postgres", "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGQUIT");
}

/** Creates another account of the service; returns its id and read_write key. */
export function openAccount(service, name) {
  const email = `${name.toLowerCase().replaceAll(" ", "-")}@bench.example`;
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, "bin", "matchbook"),
      ...["account", "create", "--name", name, "--admin-email", email, "--json"],
    ],
    { encoding: "utf8", env: { ...process.env, MATCHBOOK_DATA_DIR: service.folder } },
  );
  const { account_id, keys } = JSON.parse(stdout);
  return { account_id, key: keys.read_write };
}

/** The memory of a process in MB, and the CPU time of all its threads in seconds. */
export function figuresOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
    const [utime, stime, pages] = [11, 12, 21].map((index) => Number(fields[index]));
    return { rss_mb: (pages * 4096) / 1e6, cpu_seconds: (utime + stime) / 100 };
  } catch {
    const { stdout } = spawnSync("ps", ["-o", "rss=,time=", "-p", String(pid)], {
      encoding: "utf8",
    });
    const [rss = "0", time = "0"] = stdout.trim().split(/\s+/);
    const cpu_seconds = time.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
    return { rss_mb: Number(rss) / 1000, cpu_seconds };
  }
}

// Few persistent connections, because the client shares the cores with the service.
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** Sends one request; throws for any status other than 2xx. */
export function call(service, method, path, body, key = service.key) {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${key}`,
    ...(content
      ? { "content-type": "application/json", "content-length": Buffer.byteLength(content) }
      : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${service.origin}/api/v1${path}`, { agent, method, headers }, (reply) => {
      let text = "";
      reply.setEncoding("utf8");
      reply.on("data", (chunk) => {
        text += chunk;
      });
      reply.on("end", () => {
        if (reply.statusCode < 300) resolve(text === "" ? null : JSON.parse(text));
        else reject(new Error(`${method} ${path}: ${reply.statusCode} ${text}`));
      });
    });
    sent.on("error", reject);
    sent.end(content);
  });
}

export async function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

export function readUntil(child, pattern) {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (pattern.test(text)) resolve(text);
    });
    child.once("exit", (code) => reject(new Error(`the process ended with ${code}: ${text}`)));
  });
}
