/**
 * The official conformance package, run as a separate program: it needs Node 22, so it is not a dependency; CONFORMANCE_DIR names
 * its folder. The package sends no token, so it talks to a proxy that adds one.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MCP_PATH } from "../../../src/assistant/protocol/endpoint.ts";

export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
  readonly details?: { readonly message?: string; readonly note?: string };
}

/** The checks of each scenario that ran. */
export type Outcome = ReadonlyMap<string, readonly Check[]>;

type OnText = (written: string) => Promise<void> | void;

interface Conformance {
  /** All scenarios of the package for a server or an authorization server. */
  scenarios(): Promise<string[]>;
  /**
   * Runs a mode with its options. `onText` is called with the whole output so far, each time there is more. When it fails, the
   * program is killed.
   */
  run(
    mode: "server" | "authorization",
    options: readonly string[],
    onText?: OnText,
  ): Promise<Outcome>;
}

/** The package and a Node that runs it; undefined without CONFORMANCE_DIR. Throws when they do not exist. */
export function findConformance(): Conformance | undefined {
  const folder = process.env.CONFORMANCE_DIR ?? "";
  if (folder === "") return undefined;
  const packages = join(folder, "node_modules");
  const program = join(packages, "@modelcontextprotocol", "conformance", "dist", "index.js");
  const node = [
    ...(Number.parseInt(process.versions.node, 10) >= 22 ? [process.execPath] : []),
    join(packages, `node-${process.platform}-${process.arch}`, "bin", "node"),
    join(packages, "node", "bin", "node"),
  ].find((path) => existsSync(path));
  if (node === undefined || !existsSync(program)) {
    throw new Error(`CONFORMANCE_DIR: ${folder} lacks the package or Node 22`);
  }
  const start = (args: readonly string[], onText?: OnText) =>
    writtenBy(node, [program, ...args], onText);
  return {
    async scenarios() {
      const list = await start(["list", "--server", "--authorization"]);
      return [...list.matchAll(/^ {2}- (\S+)/gm)].map(([, name = ""]) => name);
    },
    async run(mode, options, onText) {
      const folder = await mkdtemp(join(tmpdir(), "matchbook-conformance-"));
      try {
        const written = await start([mode, ...options, "--output-dir", folder], onText);
        const outcome = await readOutcome(folder);
        if (outcome.size === 0) throw new Error(`no scenario was run\n${written}`);
        return outcome;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** The output of a program until its end; its exit code only says that some check failed. */
function writtenBy(
  node: string,
  args: readonly string[],
  onText: OnText = () => {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, args, {
      env: { PATH: process.env.PATH },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 90_000,
      killSignal: "SIGKILL",
    });
    let written = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        written += text;
        Promise.resolve(onText(written)).catch((error) => {
          reject(error);
          child.kill("SIGKILL");
        });
      });
    }
    child.once("error", reject);
    child.once("close", (_code, signal) => {
      if (signal === null) resolve(written);
      else reject(new Error(`the conformance package was ended by ${signal}\n${written}`));
    });
  });
}

/** Folder names consist of mode, scenario and time. */
const RESULT = /^(?:server|authorization-server)-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

async function readOutcome(folder: string): Promise<Outcome> {
  const outcome = new Map<string, readonly Check[]>();
  for (const name of await readdir(folder)) {
    const scenario = RESULT.exec(name)?.[1];
    if (scenario === undefined) throw new Error(`${name} is not the name of a result`);
    const checks: Check[] = JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8"));
    outcome.set(scenario, checks);
  }
  return outcome;
}

export interface TokenProxy {
  /** The public origin, which the service must be configured with. */
  readonly origin: string;
  /** From now on, requests go to that port of loopback, with the token if they have none. */
  forward(port: string, token: string): void;
  close(): Promise<void>;
}

/** Passes requests on unchanged, except for the token that it adds at the MCP endpoint. */
export async function openTokenProxy(): Promise<TokenProxy> {
  let target = { port: "", token: "" };
  const server = createServer((request, response) => {
    const { method, url: path } = request;
    const adds = path === MCP_PATH && request.headers.authorization === undefined;
    const authorization = `Bearer ${target.token}`;
    const headers = { ...request.headers, ...(adds ? { authorization } : {}) };
    const upstream = ask({ host: "127.0.0.1", port: target.port, method, path, headers });
    upstream.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    upstream.on("error", () => response.destroy());
    request.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forward(port, token) {
      target = { port, token };
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
