// Starts the service on a fresh database as users do, and stops it.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/** A running service with its demo account's keys; `stop` ends it and removes its data. */
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
      LOG_LEVEL: "error",
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const greeting = await readUntil(child, /outbox folder[\s\S]*?\n\n/);
  return {
    pid: child.pid,
    folder,
    origin: `http://127.0.0.1:${port}`,
    account_id: /account {8}(\S+)/.exec(greeting)?.[1],
    key: /read_write key (\S+)/.exec(greeting)?.[1],
    started_ms: performance.now() - began,
    began,
    async databaseUrl() {
      const { findEmbedded } = await import(join(root, "dist/platform/database/embedded.js"));
      const database = await findEmbedded(folder);
      return database.url;
    },
    async stop({ keep = false } = {}) {
      child.kill("SIGTERM");
      await new Promise((resolve) => child.once("exit", resolve));
      if (!keep) await rm(folder, { recursive: true, force: true });
    },
  };
}

// Kept connections and no more than that: what the client costs is taken from the service on the same cores.
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/** One request; throws for anything but 2xx. */
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
