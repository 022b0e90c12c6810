/**
 * The official conformance package, run as a program of its own: it needs Node 22, so it is no dependency
 * and is looked for in the folder that CONFORMANCE_DIR names. And the proxy that it talks to, because it
 * cannot be told a token.
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

/** The checks of each scenario that was run. */
export type Outcome = ReadonlyMap<string, readonly Check[]>;

type OnText = (written: string) => Promise<void> | void;

interface Conformance {
  /** Every scenario for a server or an authorization server that the package has. */
  scenarios(): Promise<string[]>;
  /**
   * Runs a mode with its options; `onText` is told all that has been written so far, each time there is
   * more. The program is ended when what it does fails.
   */
  run(
    mode: "server" | "authorization",
    options: readonly string[],
    onText?: OnText,
  ): Promise<Outcome>;
}

/** The package and a Node that runs it; undefined without CONFORMANCE_DIR. Throws when they are not there. */
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

/** What a program writes until it ends; its exit code says only that some check failed. */
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

/** Folders are called by mode, scenario and moment. */
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
  /** The origin that the outside sees, and that the service has to be told. */
  readonly origin: string;
  /** From now on requests go to that port of loopback, with the token where they bring none. */
  forward(port: string, token: string): void;
  close(): Promise<void>;
}

/** Hands on requests as they are, but for the token that it adds at the MCP endpoint. */
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
