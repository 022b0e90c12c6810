/**
 * The launcher with real servers and real kills. Child processes run the compiled launcher, because the oldest supported
 * Node cannot run TypeScript.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { packageRoot } from "../runtime/paths.ts";
import { runsInDirectory } from "./embedded/process-identity.ts";
import { readServerFile } from "./embedded/server-file.ts";
import { type EmbeddedDatabase, findEmbedded, startEmbedded } from "./embedded.ts";

// On a busy machine a first start takes several seconds.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const FAST = { fsync: "off" };
const isRoot = process.getuid?.() === 0;

let base: string;
let compiled: string;
const open: EmbeddedDatabase[] = [];
const children: ChildProcess[] = [];

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "embedded-"));
  compiled = compileLauncher();
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
  }
  for (const database of open.splice(0)) {
    await database.stop();
  }
});

afterAll(() => {
  rmSync(base, { recursive: true, force: true });
  rmSync(compiled, { recursive: true, force: true });
});

describe("a data directory", () => {
  test("starts, stores, stops and starts again with the data", async () => {
    const data_dir = join(base, "with a space", "data");
    const first = await start(data_dir);
    expect(first.started).toBe(true);
    const settings = await query<{ checksums: string; encoding: string; superuser: string }>(
      first.url,
      `select current_setting('data_checksums') as checksums,
              current_setting('server_encoding') as encoding,
              current_setting('is_superuser') as superuser`,
    );
    expect(settings).toEqual([{ checksums: "on", encoding: "UTF8", superuser: "off" }]);
    await query(first.url, "create table kept as select 42 as answer");
    const { pid } = serverOf(data_dir);
    await first.stop();
    await first.stop();

    expect(runsInDirectory(pid, join(data_dir, "postgres"))).toBe("no");
    expect(await findEmbedded(data_dir)).toBeUndefined();
    const began = Date.now();
    const second = await start(data_dir);
    expect(Date.now() - began).toBeLessThan(3000);
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
    expect(statSync(join(data_dir, "postgres.password")).mode & 0o777).toBe(0o600);
    await second.stop();
    expect(readdirSync(data_dir).sort()).toEqual(["postgres", "postgres.log", "postgres.password"]);
  });

  test("two simultaneous starts share one server, and the last stop ends it", async () => {
    const data_dir = join(base, "shared");
    const [one, other] = await Promise.all([start(data_dir), start(data_dir)]);
    expect([one.started, other.started].filter(Boolean)).toHaveLength(1);
    expect(one.url).toBe(other.url);
    const found = await findEmbedded(data_dir);
    expect(found).toMatchObject({ url: one.url, started: false });
    await found?.stop();
    const { pid } = serverOf(data_dir);
    await one.stop();
    expect(await query(other.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await other.stop();
    expect(runsInDirectory(pid, join(data_dir, "postgres"))).toBe("no");
  });

  test("a command line does not stop the server of a service, and vice versa", async () => {
    const data_dir = join(base, "service");
    const child = run("hold", data_dir);
    await child.line("ready");
    const own = await start(data_dir);
    expect(own.started).toBe(false);
    await own.stop();
    expect(await findEmbedded(data_dir)).toBeDefined();
    const again = await start(data_dir);
    child.process.kill("SIGTERM");
    await child.end;
    expect(await query(again.url, "select 1 as one")).toEqual([{ one: 1 }]);
    const { pid } = serverOf(data_dir);
    await again.stop();
    expect(runsInDirectory(pid, join(data_dir, "postgres"))).toBe("no");
  });

  test("listens on a loopback port with a password when the path is too long for a socket", async () => {
    const data_dir = join(base, "long".repeat(30));
    const database = await start(data_dir);
    const url = new URL(database.url);
    expect(url.hostname).toBe("127.0.0.1");
    expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await findEmbedded(data_dir))?.url).toBe(database.url);
    url.password = "wrong";
    await expect(query(url.href, "select 1")).rejects.toThrow(/password authentication failed/);
  });

  test.runIf(isRoot)(
    "runs as an unprivileged user below a folder without access for that user (needs root)",
    async () => {
      const data_dir = join(base, "private", "data");
      mkdirSync(join(base, "private"), { mode: 0o700 });
      await start(data_dir);
      const { pid } = serverOf(data_dir);
      const processes = execFileSync("ps", [
        "-o",
        "uid=",
        "-p",
        String(pid),
        "--ppid",
        String(pid),
      ]);
      const owners = processes.toString().trim().split(/\s+/);
      expect(owners.length).toBeGreaterThan(2);
      expect(owners).not.toContain("0");
    },
  );
});

describe("kills", () => {
  test("a kill at any moment of the first start does not prevent the next start", async () => {
    await Promise.all([
      killFirstStart("kill-a", [60, 260]),
      killFirstStart("kill-b", [140, 420]),
      killFirstStart("kill-c", [600, 900]),
    ]);
  });

  test("acknowledged rows survive a kill, and the next start takes over the orphaned server and stops it", async () => {
    const data_dir = join(base, "orphan");
    const writer = run("write", data_dir);
    await writer.line("acknowledged 200");
    writer.process.kill("SIGKILL");
    await writer.end;
    const taken = await start(data_dir);
    expect(taken.started).toBe(false);
    await expectRows(taken.url, writer.last());
    const { pid } = serverOf(data_dir);
    await taken.stop();
    expect(runsInDirectory(pid, join(data_dir, "postgres"))).toBe("no");
  });

  test("a killed server is started again, even if its process id belongs to another program", async () => {
    const data_dir = join(base, "crash");
    const writer = run("write", data_dir);
    await writer.line("acknowledged 200");
    const { pid } = serverOf(data_dir);
    writer.process.kill("SIGKILL");
    process.kill(pid, "SIGKILL");
    await writer.end;
    const other_program = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);
    children.push(other_program);
    const file = join(data_dir, "postgres", "postmaster.pid");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, String(other_program.pid)));
    const restarted = await start(data_dir);
    expect(restarted.started).toBe(true);
    await expectRows(restarted.url, writer.last());
  });
});

describe("a start that fails", () => {
  test("shows the end of the server's log and leaves no process running", async () => {
    const data_dir = join(base, "shared");
    await expect(startEmbedded({ data_dir, settings: { shared_buffers: "much" } })).rejects.toThrow(
      /invalid value for parameter "shared_buffers": "much"/,
    );
    expect(readServerFile(join(data_dir, "postgres"))).toBeUndefined();
  });

  test("names the setting if the folder cannot be created", async () => {
    const data_dir = join(base, "file", "data");
    writeFileSync(join(base, "file"), "");
    await expect(startEmbedded({ data_dir })).rejects.toThrow(
      `MATCHBOOK_DATA_DIR: the folder ${data_dir} cannot be made (ENOTDIR)`,
    );
  });

  test.runIf(existsSync("/proc/self"))(
    "names the setting if the folder is not writable (needs /proc)",
    async () => {
      await expect(startEmbedded({ data_dir: "/proc/matchbook" })).rejects.toThrow(
        /MATCHBOOK_DATA_DIR: the folder \/proc\/matchbook cannot be made \(E[A-Z]+\)$/,
      );
      await expect(startEmbedded({ data_dir: "/proc" })).rejects.toThrow(
        /MATCHBOOK_DATA_DIR: nothing can be written in \/proc/,
      );
    },
  );

  test("does not change a folder that is not a database", async () => {
    const data_dir = join(base, "foreign");
    mkdirSync(join(data_dir, "postgres"), { recursive: true });
    writeFileSync(join(data_dir, "postgres", "letter.txt"), "dear reader");
    await expect(startEmbedded({ data_dir })).rejects.toThrow(/holds no database/);
    expect(readdirSync(data_dir)).toEqual(["postgres"]);
  });
});

async function start(data_dir: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ data_dir, settings: FAST });
  open.push(database);
  return database;
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function expectRows(url: string, acknowledged: number): Promise<void> {
  const [row] = await query<{ count: number }>(
    url,
    `select count(*)::int as count from written where number <= ${acknowledged}`,
  );
  expect(row?.count).toBe(acknowledged);
}

function serverOf(data_dir: string): { pid: number } {
  const server = readServerFile(join(data_dir, "postgres"));
  if (server === undefined) {
    throw new Error(`no server runs on ${data_dir}`);
  }
  return server;
}

async function killFirstStart(name: string, delays: readonly number[]): Promise<void> {
  const data_dir = join(base, name);
  for (const milliseconds of delays) {
    const child = run("hold", data_dir);
    await delay(milliseconds);
    child.process.kill("SIGKILL");
    await child.end;
  }
  const database = await start(data_dir);
  expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await database.stop();
  expect(readdirSync(data_dir).sort()).toEqual(["postgres", "postgres.log", "postgres.password"]);
}

interface Running {
  readonly process: ChildProcess;
  readonly end: Promise<void>;
  /** Waits for a line of output. */
  line(text: string): Promise<void>;
  /** The last acknowledged number. */
  last(): number;
}

function run(mode: "hold" | "write", data_dir: string): Running {
  const child = spawn(process.execPath, [join(compiled, "child.mjs"), mode, data_dir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const end = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    process: child,
    end,
    line: async (text) => {
      while (!output.includes(`${text}\n`)) {
        if (child.exitCode !== null) {
          throw new Error(`the child ended before it wrote "${text}"`);
        }
        await delay(5);
      }
    },
    last: () => Number(/acknowledged (\d+)\n[^\n]*$/.exec(output)?.[1]),
  };
}

/** Bundles the launcher under node_modules, where its imports resolve. */
function compileLauncher(): string {
  mkdirSync(join(packageRoot, "node_modules", ".cache"), { recursive: true });
  const folder = mkdtempSync(join(packageRoot, "node_modules", ".cache", "embedded-"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const bundling = `import { bundle } from ${JSON.stringify(pathToFileURL(join(packageRoot, "bin", "build.mjs")).href)};
    await bundle(["platform/database/embedded"], ${JSON.stringify(folder)});`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", bundling]);
  writeFileSync(
    join(folder, "child.mjs"),
    `import { Client } from "pg";
     import { startEmbedded } from "./platform/database/embedded.js";
     const [mode, data_dir] = process.argv.slice(2);
     const settings = mode === "hold" ? { fsync: "off" } : {};
     const database = await startEmbedded({ data_dir, settings });
     process.once("SIGTERM", () => database.stop().then(() => process.exit(0)));
     console.log("ready");
     if (mode === "hold") {
       setInterval(() => {}, 60_000);
     } else {
       const client = new Client({ connectionString: database.url });
       await client.connect();
       await client.query("create table written (number int primary key)");
       for (let number = 1; ; number += 1) {
         await client.query("insert into written values ($1)", [number]);
         console.log("acknowledged " + number);
       }
     }`,
  );
  return folder;
}
