/**
 * The programs of `examples`, each run as its reader runs it: as a process with the installed client, against the real program.
 * The tests check what they did, and that a second run or a restart does nothing twice.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { openCrm } from "../support/clients/crm.ts";
import { installPython, installTypescript } from "../support/clients/install-client.ts";
import { useRealProgram } from "../support/clients/real-program.ts";
import { run } from "../support/clients/run-cases.ts";
import { isSkippedWithout } from "../support/run/needs.ts";
import { openReceiver } from "../support/webhooks/receivers.ts";
import { freePort, type Json } from "../support/world/world.ts";

const EXAMPLES = join(packageRoot, "examples");
const MOST_LINES = 120;
const PYTHON = process.env.CLIENT_PYTHON ?? "";
const lacks_python = isSkippedWithout(PYTHON !== "");

const service = useRealProgram();
const { done } = service;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-examples-"));
  await installTypescript(folder);
  for (const name of await readdir(EXAMPLES)) {
    await symlink(join(EXAMPLES, name), join(folder, name));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const running = new Set<ChildProcess>();
afterEach(async () => {
  await Promise.all([...running].map(end));
});

const environmentOf = (more: Record<string, string>) => ({
  PATH: process.env.PATH,
  MATCHBOOK_URL: service.origin,
  MATCHBOOK_KEY: service.key,
  PYTHONPATH: join(folder, "site"),
  ...more,
});

/** The program of an example: Node or Python. `--preserve-symlinks-main` finds the client beside the link. */
const commandOf = (name: string): [string, string[]] =>
  name.endsWith(".py")
    ? [PYTHON, [join(folder, name)]]
    : [process.execPath, ["--preserve-symlinks-main", join(folder, name)]];

/** Runs an example to its end, and returns what it prints. */
async function ended(name: string, ...given: string[]): Promise<{ out: string; err: string }> {
  const [command, own] = commandOf(name);
  const options = { cwd: folder, env: environmentOf({}) };
  const { stdout, stderr } = await run(command, [...own, ...given], options);
  return { out: stdout, err: stderr };
}

/** Starts an example that runs until it is ended. */
function started(name: string, given: readonly string[], environment = {}) {
  const [command, own] = commandOf(name);
  const child = spawn(command, [...own, ...given], {
    cwd: folder,
    env: environmentOf(environment),
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { output: () => output, kill: () => end(child) };
}

function end(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

/** Waits until the check returns true; the error has what the example has printed. */
async function untilIn(
  example: { readonly output: () => string },
  what: string,
  check: () => Promise<boolean> | boolean,
): Promise<void> {
  await expect
    .poll(check)
    .toBe(true)
    .catch(() => {
      throw new Error(`it never happened: ${what}\n${example.output()}`);
    });
}

/** A customer, and a draft of the given value; `issued` issues it. */
async function drafted(value: number, line: object = {}, customer_id?: string): Promise<Json> {
  const customer = customer_id
    ? { id: customer_id }
    : await done("POST /customers", { external_id: "acme", name: "Acme ApS" });
  const product = await done("POST /products", { name: `Design ${value}`, default_price: value });
  const lines = [{ product_id: product.id, recognition_method: "on_issue", ...line }];
  const fields = { customer_id: customer.id, currency: "DKK", auto_send: false, lines };
  return done("POST /invoices", fields);
}

const issued = async (value: number, customer_id?: string): Promise<Json> =>
  done(`POST /invoices/${(await drafted(value, {}, customer_id)).id}/issue`);

describe("tracker-hours.mjs", () => {
  it("brings each entry once, and changes those that were changed", async () => {
    const draft = await drafted(1_000, { recognition_method: "hours", hourly_rate: 1_000 });
    await done("POST /users", { name: "Bo", email: "bo@studio.example" });
    const entry = (id: number, fields: object = {}) => ({
      ...{ id, email: "bo@studio.example", project: "Website", date: "2026-03-02", seconds: 5_400 },
      ...fields,
    });
    const entries = [
      entry(1),
      entry(2, { seconds: 3_599, note: "Sketches" }),
      entry(3, { project: "?" }),
    ];
    const write = (name: string, content: object) =>
      writeFile(join(folder, name), JSON.stringify(content));
    await write("lines.json", { Website: draft.lines[0].id });
    await write("entries.json", entries);
    const bring = () => ended("tracker-hours.mjs", "entries.json", "lines.json");

    expect(await bring()).toEqual({
      out: '{"refused":1,"created":2}\n',
      err: "tracker-3: no line for the project ?\n",
    });
    expect((await bring()).out).toBe('{"refused":1,"unchanged":2}\n');
    await write("entries.json", [entry(1, { seconds: 7_200 }), entries[1]]);
    expect((await bring()).out).toBe('{"updated":1,"unchanged":1}\n');
    // Back to what it was at first, which a repetition of the first call would take for unchanged.
    await write("entries.json", [entry(1), { ...entries[1], date: "2026-04-01" }]);
    expect((await bring()).out).toBe('{"updated":2}\n');
    const found = (await done("GET /work-registrations")).data.map(
      ({ external_id, hours, date, note }: Json) => [external_id, hours, date, note],
    );
    expect(found.sort()).toEqual([
      ["tracker-1", 1.5, "2026-03-02", null],
      ["tracker-2", 1, "2026-04-01", "Sketches"],
    ]);

    await done(`POST /invoices/${draft.id}/issue`);
    await write("entries.json", [entry(1, { seconds: 7_200 })]);
    const { out, err } = await bring();
    expect([out, err]).toEqual(['{"refused":1}\n', expect.stringMatching(/^tracker-1: /)]);
  });

  it("takes the line of a series for that of its period", async () => {
    const { customer_id, lines } = await drafted(1_000);
    const [{ product_id }] = lines;
    const today = new Date().toISOString().slice(0, 10);
    const series = await done("POST /recurring-series", {
      ...{ customer_id, frequency: "monthly", start_date: `${today.slice(0, 7)}-01` },
      ...{ issue_timing: { mode: "end-of-period" } },
      lines: [{ product_id, recognition_method: "hours", hourly_rate: 1_000 }],
    });
    await done(`POST /recurring-series/${series.id}/activate`);
    const { data } = await done(`GET /recurring-series/${series.id}/lines`);
    await done("POST /users", { name: "Bo", email: "bo@studio.example" });
    const entry = { id: 1, email: "bo@studio.example", project: "R", date: today, seconds: 3_600 };
    await writeFile(join(folder, "lines.json"), JSON.stringify({ R: data[0].line_id }));
    const bring = async (content: object) => {
      await writeFile(join(folder, "entries.json"), JSON.stringify([content]));
      return ended("tracker-hours.mjs", "entries.json", "lines.json");
    };
    expect(await bring(entry)).toEqual({ out: '{"created":1}\n', err: "" });
    expect(await bring(entry)).toEqual({ out: '{"unchanged":1}\n', err: "" });
    const changed = { ...entry, seconds: 7_200 };
    expect(await bring(changed)).toEqual({ out: '{"updated":1}\n', err: "" });
  });

  it("continues where there are more rows than in a batch", async () => {
    const draft = await drafted(1_000, { recognition_method: "hours", hourly_rate: 1_000 });
    await done("POST /users", { name: "Bo", email: "bo@studio.example" });
    const entries = Array.from({ length: 1_001 }, (_, id) => ({
      ...{ id, email: "bo@studio.example", project: "Website", seconds: 36 },
      date: `2026-01-${String((id % 28) + 1).padStart(2, "0")}`,
    }));
    await writeFile(join(folder, "many.json"), JSON.stringify(entries));
    await writeFile(join(folder, "lines.json"), JSON.stringify({ Website: draft.lines[0].id }));
    const { out } = await ended("tracker-hours.mjs", "many.json", "lines.json");
    expect(out).toBe('{"created":1001}\n');
  });
});

describe("crm-both-ways.mjs", () => {
  it("keeps customers and contacts alike through a restart", async () => {
    const crm = await openCrm();
    const environment = {
      MATCHBOOK_KEY: await service.anotherKey(),
      CRM_URL: crm.url,
      POLL_SECONDS: "0.1",
    };
    const start = () => started("crm-both-ways.mjs", ["crm-state.json"], environment);
    try {
      crm.put({ id: "1", name: "Contact ApS", email: "c@contact.example", city: "Odense" });
      const { id } = await done("POST /customers", { name: "Customer ApS", city: "Aarhus" });
      const first = start();
      const idOf = async () => (await done(`GET /customers/${id}`)).external_id;
      await untilIn(first, "linked", async () => (await idOf()) === "crm-2");
      expect(crm.contacts.get("2")).toMatchObject({ name: "Customer ApS", city: "Aarhus" });
      const cityOf = async (ref: string) => (await done(`GET /customers/${ref}`)).city;
      await untilIn(first, "brought in", async () => (await cityOf("ext:crm-1")) === "Odense");

      crm.put({ id: "1", city: "Vejle" });
      await untilIn(first, "in", async () => (await cityOf("ext:crm-1")) === "Vejle");
      await done("PATCH /customers/ext:crm-1", { city: "Ribe" });
      await untilIn(first, "out", () => crm.contacts.get("1")?.city === "Ribe");
      await first.kill();

      crm.put({ id: "1", city: "Skive" });
      await done(`PATCH /customers/${id}`, { city: "Thisted" });
      const of_other_system = await issued(4_000);
      const invoice = await issued(5_000, id);
      const second = start();
      await untilIn(second, "invoice", () => crm.invoices.has(invoice.id));
      await untilIn(second, "in", async () => (await cityOf("ext:crm-1")) === "Skive");
      expect(crm.contacts.get("2")).toMatchObject({ city: "Thisted" });
      expect(crm.invoices.get(invoice.id)).toMatchObject({ matchbook_id: id, number: 2 });
      expect(crm.invoices.has(of_other_system.id)).toBe(false);
      expect((await done("GET /customers")).data).toHaveLength(3);
      expect(crm.contacts.size).toBe(2);
    } finally {
      await crm.close();
    }
  });
});

describe.skipIf(lacks_python)("in Python (needs packages of PyPI: CLIENT_PYTHON names it)", () => {
  beforeAll(() => installPython(PYTHON, join(folder, "site")));

  it("bank-list.py records what fits an open invoice, once, and prints the rest", async () => {
    const { issue_date: today } = await issued(1_000);
    await issued(2_000);
    await issued(3_000);
    const [one, two] = [1_250, 2_500];
    const list = [
      "id,date,text,amount",
      `a,${today},Invoice 1 Acme,${one}.00`,
      `b,${today},Acme 2,${two - 100}.00`,
      `c,${today},Rent,-4000.00`,
    ];
    await writeFile(join(folder, "list.csv"), list.join("\n"));
    const match = async () => (await ended("bank-list.py", "list.csv")).out.split("\n");
    const rest = [
      `${today} ${two - 100}.00 Acme 2: invoice 2 is open with ${two}`,
      `${today} -4000.00 Rent: names no open invoice`,
    ];
    expect(await match()).toEqual([...rest, "1 payments recorded", ""]);
    expect(await match()).toEqual([...rest, "0 payments recorded", ""]);
    const { data } = await done("GET /payments");
    expect(data).toMatchObject([{ external_id: "bank-a", amount: one, unallocated: 0 }]);
    const { data: open } = await done("GET /open-items");
    expect(open.map(({ number }: Json) => number).sort()).toEqual(["2", "3"]);
  });

  it("warehouse.py has what the lists have, also after a restart", async () => {
    const draft = await drafted(1_000, { recognition_method: "hours", hourly_rate: 1_000 });
    const user = await done("POST /users", { name: "Bo", email: "bo@studio.example" });
    const line_id = draft.lines[0].id;
    const work = { line_id, user_id: user.id, hours: 2, date: "2026-03-02" };
    await done("POST /work-registrations", work);
    const gone = await drafted(2_000);
    const first = started("warehouse.py", ["warehouse.db"]);
    const rows = async (): Promise<Record<string, Json[]>> => {
      const { stdout } = await run(PYTHON, ["-c", READ_ROWS], { cwd: folder });
      return JSON.parse(stdout);
    };
    const lists = async (): Promise<Record<string, Json[]>> => {
      const paths = ["customers", "invoices", "work-registrations"];
      const found = await Promise.all(paths.map((path) => done(`GET /${path}`)));
      return Object.fromEntries(
        found.map(({ data }, at) => [
          (paths[at] ?? "").replace("-", "_"),
          data.sort((a: Json, b: Json) => (a.id < b.id ? -1 : 1)),
        ]),
      );
    };
    // Exported rows may have more than the lists show.
    const isTrue = async () => {
      const [own, all] = await Promise.all([rows().catch(() => ({})), lists()]);
      return partsOf(own, all) === partsOf(all, all);
    };
    await untilIn(first, "snapshot", isTrue);
    await done("PATCH /customers/ext:acme", { city: "Ribe" });
    await done(`DELETE /invoices/${gone.id}`);
    await done("POST /work-registrations", { ...work, date: "2026-03-03" });
    await untilIn(first, "tail", isTrue);
    await first.kill();

    // The hours are invoiced, which no event of their own says.
    await done(`POST /invoices/${draft.id}/issue`);
    await done("PATCH /customers/ext:acme", { city: "Vejle" });
    await drafted(3_000);
    expect(await isTrue()).toBe(false);
    const second = started("warehouse.py", ["warehouse.db"]);
    await untilIn(second, "restart", isTrue);
    expect((await rows()).work_registrations?.map(({ status }) => status)).toEqual([
      "invoiced",
      "invoiced",
    ]);
    expect((await rows()).invoices).toHaveLength(2);
  });

  it("are checked with the types of the client", async () => {
    const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith(".py"));
    expect(names).toHaveLength(2);
    const options = ["--strict", "--python-version", "3.10", "--cache-dir", join(folder, "cache")];
    for (const name of names) {
      const checked = run(PYTHON, ["-m", "mypy", ...options, name], {
        cwd: folder,
        env: { ...process.env, MYPYPATH: join(folder, "site") },
      });
      expect(
        await checked.then(
          () => "",
          ({ stdout }) => stdout,
        ),
      ).toBe("");
    }
  });
});

describe("webhook-receiver.mjs", () => {
  it("stores and handles each event once, and none that is forged", async () => {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}/`;
    const fields = { external_id: "own", url, event_types: ["customer.*"] };
    const { secret } = await done("POST /webhook-endpoints", fields);
    const start = () =>
      started("webhook-receiver.mjs", ["inbox"], { PORT: port, WEBHOOK_SECRETS: secret });
    const first = start();
    await untilIn(first, "listening", () => first.output().includes("listening"));
    const { id } = await done("POST /customers", { external_id: "acme", name: "Acme ApS" });
    await untilIn(first, "one", () => first.output().includes(`customer.created ${id}`));
    const forged = await fetch(url, { method: "POST", body: "{}", headers: { "webhook-id": "x" } });
    expect(forged.status).toBe(400);
    const filesIn = (name: string) => readdir(join(folder, "inbox", name));
    const deliveries = () => done("GET /webhook-endpoints/ext:own/deliveries");
    await untilIn(
      first,
      "answered",
      async () => (await deliveries()).data[0]?.status === "delivered",
    );
    await first.kill();

    const second = start();
    await untilIn(second, "listening", () => second.output().includes("listening"));
    const [{ id: delivery }] = (await deliveries()).data;
    await done(`POST /webhook-deliveries/${delivery}/redeliver`);
    await done("PATCH /customers/ext:acme", { city: "Ribe" });
    await untilIn(second, "two", () => second.output().includes(`customer.updated ${id}`));
    const count = async () => (await done(`GET /webhook-deliveries/${delivery}`)).attempts.length;
    await untilIn(second, "again", async () => (await count()) === 2);
    expect(second.output()).not.toContain("customer.created");
    await untilIn(second, "handled", async () => (await filesIn("done")).length === 2);
    expect([await filesIn("new"), await filesIn("part")]).toEqual([[], []]);
  });

  it("handles after a restart what was stored and not handled, in the order of the events", async () => {
    const port = String(await freePort());
    const begun = started("webhook-receiver.mjs", ["left"], { PORT: port, WEBHOOK_SECRETS: "" });
    await untilIn(begun, "listening", () => begun.output().includes("listening"));
    await begun.kill();
    for (const [id, sequence] of [
      ["b", 10],
      ["a", 9],
      ["c", 11],
    ] as const) {
      const event = { id, sequence, type: "customer.created", resource_id: id };
      await writeFile(join(folder, "left", "new", `${id}.json`), JSON.stringify(event));
    }
    const again = started("webhook-receiver.mjs", ["left"], { PORT: port, WEBHOOK_SECRETS: "" });
    await untilIn(again, "handled", () => again.output().includes("11"));
    const handled = again.output().match(/^\d+/gm);
    expect(handled).toEqual(["9", "10", "11"]);
  });
});

describe("slack.mjs", () => {
  it("makes one endpoint, which follows its address, and sends a test", async () => {
    const [old, channel] = await Promise.all([openReceiver(), openReceiver()]);
    try {
      const said = { out: "The channel has a test message.\n", err: "" };
      expect(await ended("slack.mjs", old.url)).toEqual(said);
      expect(await ended("slack.mjs", old.url)).toEqual(said);
      expect(await ended("slack.mjs", channel.url)).toEqual(said);
      expect((await done("GET /webhook-endpoints")).data).toHaveLength(1);
      const { ledger_invoice_number } = await issued(1_000);
      const sentence = `${ledger_invoice_number} til Acme ApS: 1.250,00 kr.`;
      const texts = () => channel.requests.map(({ body }) => JSON.parse(body).text);
      await expect.poll(() => texts().some((text) => text.includes(sentence))).toBe(true);
      expect(old.requests).toHaveLength(2);
    } finally {
      await Promise.all([old.close(), channel.close()]);
    }
  });

  it("says what the channel answered, and fails", async () => {
    const channel = await openReceiver({
      answer: (_, response) => response.writeHead(404).end("no_service"),
    });
    try {
      await expect(ended("slack.mjs", channel.url)).rejects.toMatchObject({
        stderr: "The channel answered 404: no_service\n",
      });
    } finally {
      await channel.close();
    }
  });
});

describe("the examples", () => {
  it(`have at most ${MOST_LINES} lines each, and a paragraph in the README`, async () => {
    const names = (await readdir(EXAMPLES)).filter((name) => name !== "README.md");
    expect(names).toHaveLength(6);
    const page = await readFile(join(EXAMPLES, "README.md"), "utf8");
    for (const name of names) {
      expect(page).toContain(`(${name})`);
      const lines = (await readFile(join(EXAMPLES, name), "utf8")).split("\n").length - 1;
      expect(lines, name).toBeLessThanOrEqual(MOST_LINES);
    }
  });

  it("in JavaScript use the client as its types say", async () => {
    const names = (await readdir(EXAMPLES)).filter((name) => name.endsWith(".mjs"));
    const options = {
      ...{ allowJs: true, checkJs: true, noEmit: true, strict: true, noImplicitAny: false },
      ...{ useUnknownInCatchVariables: false, target: "es2023", module: "nodenext" },
      ...{ types: ["node"], typeRoots: [join(packageRoot, "node_modules/@types")] },
      ...{ preserveSymlinks: true, skipLibCheck: true },
    };
    const config = { compilerOptions: options, files: names };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(packageRoot, "node_modules/typescript/bin/tsc");
    const compiled = run(process.execPath, [compiler, "-p", folder], { cwd: folder });
    expect(
      await compiled.then(
        () => "",
        ({ stdout }) => stdout,
      ),
    ).toBe("");
  });
});

/** The rows of each dataset as text, with the fields that those of `all` have. */
function partsOf(rows: Record<string, Json[]>, all: Record<string, Json[]>): string {
  const parts = Object.entries(all).map(([name, list]) => {
    const fields = Object.keys(list[0] ?? {});
    const found = rows[name] ?? [];
    return [name, found.map((row) => fields.map((field) => JSON.stringify(row[field])))];
  });
  return JSON.stringify(parts);
}

/** Prints the documents of the datasets that the test compares, by dataset and id. */
const READ_ROWS = `import json, sqlite3
found = {}
for dataset, document in sqlite3.connect("warehouse.db").execute("select dataset, document from rows order by dataset, id"):
    found.setdefault(dataset, []).append(json.loads(document))
print(json.dumps(found))`;
