/**
 * The walks of docs/walks, executed as printed: all blocks of commands run in one shell against the real program, and every
 * answer is compared with the following block, in which `…` matches any text.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { copySources, linkPackages } from "../support/clients/install-client.ts";
import { isSkippedWithout, lacks } from "../support/run/needs.ts";
import { type BuiltProgram, buildProgram, startProgram } from "../support/run/program.ts";
import { copyDatabase, dropDatabase } from "../support/world/world.ts";

const ACCOUNT = ["account", "create", "--name", "Demo"];
const WALKS = [
  "first-invoice",
  "hours-to-a-closed-month",
  "retainer",
  "getting-paid",
  "e-invoices",
];

interface Block {
  readonly commands: string;
  /** The output below the commands; undefined without an output. */
  readonly answer: string | undefined;
}

let program: BuiltProgram;
let folder: string;
let environment: Record<string, string>;
let origin: string;
let key: string;

const lacks_shell = lacks("bash", "curl");
const PYTHON = process.env.CLIENT_PYTHON ?? "";
const lacks_python = PYTHON === "" && isSkippedWithout(false);

beforeAll(async () => {
  if (lacks_shell) return;
  program = await buildProgram();
  folder = await mkdtemp(join(tmpdir(), "matchbook-walks-"));
  await symlink(join(program.folder, "bin"), join(folder, "bin"), "junction");
  // The walk of e-invoices starts the simulation of an access point, as a reader does in the folder of the clone.
  await symlink(join(packageRoot, "test"), join(folder, "test"), "junction");
  await placeClient();
  const database_url = await copyDatabase(inject("template_url"));
  environment = {
    DATABASE_URL: database_url,
    MATCHBOOK_DATA_DIR: join(folder, "data"),
    LOG_LEVEL: "warn",
    MATCHBOOK_EINVOICE_HOSTS: "127.0.0.1",
    MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1",
  };
  origin = (await startProgram(program, environment)).origin;
  const made = spawnSync(
    process.execPath,
    [program.bin, ...ACCOUNT, "--admin-email", "admin@demo.example", "--json"],
    { env: { PATH: process.env.PATH, ...environment }, encoding: "utf8" },
  );
  key = JSON.parse(made.stdout).keys.read_write;
});
afterAll(async () => {
  if (lacks_shell) return;
  await program.end();
  await dropDatabase(inject("template_url"), environment.DATABASE_URL ?? "");
  await rm(folder, { recursive: true, force: true });
});

describe("a walk", () => {
  it.skipIf(lacks_shell)("has the printed answers (needs bash and curl)", async () => {
    const blocks = (await Promise.all(WALKS.map(blocksOf))).flat();
    await expectAnswers(blocks);
    expect(blocks.filter(({ answer }) => answer !== undefined)).toHaveLength(26);
  });

  it.skipIf(lacks_shell || lacks_python)(
    "of other programs has the printed answers (needs bash, curl and Python with DuckDB: CLIENT_PYTHON names it)",
    async () => {
      const [shell, ...rest] = await blocksOf("first-invoice");
      expect(rest.length).toBeGreaterThan(0);
      const blocks = await blocksOf("integrate");
      await expectAnswers(shell === undefined ? blocks : [shell, ...blocks]);
      expect(blocks.filter(({ answer }) => answer !== undefined)).toHaveLength(4);
    },
  );

  it("is refused with another answer", () => {
    const printed = '{"object":"invoice",…,"total":\n {"net":5}}';
    expect(joined('{"object":"invoice","id":"1","total":{"net":5}}\n')).toMatch(patternOf(printed));
    expect(joined('{"object":"invoice","id":"1","total":{"net":6}}')).not.toMatch(
      patternOf(printed),
    );
  });
});

/** Places the sources of the TypeScript client, and what resolves its name, where a clone has them. */
async function placeClient(): Promise<void> {
  const source = await copySources("typescript", folder);
  await linkPackages("typescript", source);
  await mkdir(join(folder, "node_modules/@matchbook"), { recursive: true });
  await symlink(source, join(folder, "node_modules/@matchbook/client"), "junction");
}

/** Runs the commands of blocks, and compares their output with the answers. */
async function expectAnswers(blocks: readonly Block[]): Promise<void> {
  const answers = await answersOf(blocks.map(({ commands }) => commands));
  for (const [index, { commands, answer }] of blocks.entries()) {
    if (answer === undefined) continue;
    expect.soft(joined(answers[index] ?? ""), commands).toMatch(patternOf(answer));
  }
}

/** The blocks of a walk in order: commands, and their answers. */
async function blocksOf(walk: string): Promise<Block[]> {
  const text = await readFile(join(packageRoot, "docs", "walks", `${walk}.md`), "utf8");
  const found = text.matchAll(/^```(bash)?\n([\s\S]*?)^```$/gm);
  const blocks: Block[] = [];
  for (const [, is_commands, content = ""] of found) {
    if (is_commands) blocks.push({ commands: content, answer: undefined });
    else blocks.push({ commands: "", ...blocks.pop(), answer: content });
  }
  return blocks;
}

/** Runs the commands in one shell, in a folder like the program's. Returns the output of each block. */
async function answersOf(commands: readonly string[]): Promise<string[]> {
  const script = commands
    .map((text) => text.replace("mbk_…", key).replace("http://localhost:3000", origin))
    .map((text, index) => `echo "--- ${index}"\n${text}`)
    .join("\n");
  const shell = spawn("bash", ["-e"], {
    cwd: folder,
    env: { PATH: withPython(process.env.PATH), HOME: folder, ...environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  shell.stdin.end(script);
  const status = await new Promise((resolve) => shell.once("close", resolve));
  expect(status, output).toBe(0);
  return output.split(/^--- \d+$/m).slice(1);
}

function withPython(path = ""): string {
  return PYTHON === "" ? path : `${dirname(PYTHON)}:${path}`;
}

/** Line breaks are only for readability, so white space is ignored. */
const joined = (text: string): string => text.replace(/\s+/g, "");

function patternOf(printed: string): RegExp {
  const parts = joined(printed).split("…");
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*?")}$`);
}
