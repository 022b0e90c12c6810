/** The real program on the database of a world, for tests of programs that call it: each test has an account of its own. */
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type BuiltProgram, buildProgram, startOnWorld } from "../run/program.ts";
import { type Json, useWorld } from "../world/world.ts";
import { run } from "./run-cases.ts";

interface RealProgram {
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** A `read_write` key of the account of the test. */
  readonly key: string;
  /** Makes a call with that key; throws unless it is answered with 2xx. */
  done(call: string, body?: Json): Promise<Json>;
  /** Returns another key of the account. */
  anotherKey(): Promise<string>;
}

/** Registers hooks that start and end the program. It sends webhooks to this machine. */
export function useRealProgram(): RealProgram {
  const world = useWorld();
  let program: BuiltProgram;
  let account_id: string;
  const service = { origin: "", key: "", done, anotherKey };
  beforeAll(async () => {
    program = await buildProgram();
    const environment = {
      MATCHBOOK_WEBHOOK_HOSTS: "127.0.0.1",
      MATCHBOOK_SECRET_KEY: `a:${"5".repeat(64)}`,
    };
    service.origin = (await startOnWorld(program, world, environment)).origin;
  });
  afterAll(() => program.end());
  beforeEach(async () => {
    const account = await world.openAnother();
    account_id = account.account_id;
    service.key = account.keys.read_write;
  });

  async function done(call: string, body?: Json): Promise<Json> {
    const [method = "", path = ""] = call.split(/ (.*)/s);
    const response = await fetch(`${service.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${call} answered ${response.status}: ${text}`);
    return text === "" ? null : JSON.parse(text);
  }

  async function anotherKey(): Promise<string> {
    const asked = ["key", "create", "--account", account_id, "--scope", "read_write", "--json"];
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: world.serving_url,
      MATCHBOOK_MIGRATION_DATABASE_URL: world.database_url,
      MATCHBOOK_DATA_DIR: world.outbox_dir,
    };
    const { stdout } = await run(process.execPath, [program.bin, ...asked], { env });
    return JSON.parse(stdout).key;
  }

  return service;
}
