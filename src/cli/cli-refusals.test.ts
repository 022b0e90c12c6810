/**
 * The end of a program that cannot start: one sentence on standard error that names the setting, no stack, exit code 1,
 * and no files created.
 */
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runMatchbook } from "../../test/support/run/matchbook.ts";

let folder: string;
let other: Server;
let taken: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-refusals-"));
  await writeFile(join(folder, "file"), "");
  other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  taken = String(typeof address === "object" ? address?.port : "");
});
afterAll(async () => {
  await new Promise((resolve) => other.close(resolve));
  expect(await readdir(folder)).toEqual(["file"]);
  await rm(folder, { recursive: true });
});

/** Runs the program in the empty folder. */
function matchbook(environment: Readonly<Record<string, string>>, ...args: string[]) {
  return runMatchbook({ folder, environment: { PORT: "0", ...environment } }, ...args);
}

describe("serve ends with a sentence", () => {
  it.each<[string, () => Record<string, string>, RegExp]>([
    ["a port in use", () => ({ PORT: taken }), /PORT: another program listens on \d+/],
    ["an unknown host", () => ({ HOST: "nope.invalid" }), /HOST: nope\.invalid is no address/],
    [
      "another kind of database",
      () => ({ DATABASE_URL: "mysql://x" }),
      /DATABASE_URL: must begin with/,
    ],
    [
      "an unreachable database",
      () => ({ DATABASE_URL: "postgresql://ida:secret@127.0.0.1:1/books" }),
      /DATABASE_URL: the server cannot be reached \(ECONNREFUSED\)/,
    ],
    [
      "a data folder below a file",
      () => ({ MATCHBOOK_DATA_DIR: "file/data" }),
      /MATCHBOOK_DATA_DIR: the folder .*file.data cannot be made \(ENOTDIR\)/,
    ],
  ])("for %s", async (_what, environment, sentence) => {
    const { exit, out, err } = await matchbook(environment(), "serve");

    expect([exit, out]).toEqual([1, ""]);
    expect(err).toMatch(sentence);
    expect(err).toMatch(/^The settings are not valid\. .*\n$/);
    expect(err).not.toContain("secret");
  });

  it.runIf(existsSync("/proc/self"))(
    "for a data folder that cannot be created (needs /proc)",
    async () => {
      const ended = await matchbook({ MATCHBOOK_DATA_DIR: "/proc/matchbook" }, "serve");

      expect(ended).toEqual({
        exit: 1,
        out: "",
        err: expect.stringMatching(
          /^The settings.* MATCHBOOK_DATA_DIR: the folder \/proc\/matchbook .*\n$/,
        ),
      });
    },
  );
});

describe("restore", () => {
  it.each([
    ["no-such-file", /^ENOENT: no such file/],
    ["file", /^The file is not a whole backup; nothing was restored\.\n$/],
  ])("checks its file before it creates a database: %s", async (input, sentence) => {
    const { exit, out, err } = await matchbook({}, "restore", "--input", input);

    expect([exit, out]).toEqual([1, ""]);
    expect(err).toMatch(sentence);
  });
});

describe("a command that needs an existing database", () => {
  const account = ["--account", "0190a000-0000-7000-8000-000000000000"];
  it.each([
    [["key", "create", ...account, "--scope", "read", "--json"]],
    [["user", "create", ...account, "--name", "A", "--email", "a@x.example", "--role", "admin"]],
    [["user", "invite", ...account, "--user", "ext:a"]],
    [["oauth", "rotate-keys"]],
    [["export", "journal", ...account, "--format", "hledger"]],
    [["backup", "--output", "books.backup"]],
    [["resume"]],
    [["account", "list"]],
    [["user", "password", "--email", "a@x.example"]],
    [["verify"]],
  ])("creates no database: %j", async (args) => {
    const { exit, out, err } = await matchbook({}, ...args);

    expect([exit, out]).toEqual([1, ""]);
    expect(err).toMatch(
      /^There is no database in .*matchbook-refusals-\w+.data: `npm start` .* MATCHBOOK_DATA_DIR .*\n$/,
    );
  });
});
