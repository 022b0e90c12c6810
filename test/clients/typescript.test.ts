/**
 * The TypeScript client, packed and installed into an empty folder as a program would have it: the same cases against an account
 * with the built-in ledger and against one that is connected, its types, and its size.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { installTypescript } from "../support/clients/install-client.ts";
import { itPassesCases, run, runCases } from "../support/clients/run-cases.ts";
import { useDineroWorld } from "../support/ledger/dinero/world.ts";

const CLIENT = join(packageRoot, "clients/typescript");
const RUNNER = join(packageRoot, "test/clients/run-cases.mjs");
const MOST_LINES = 600;
const MOST_BYTES = 15_000;
const FAULTY_INVOICES = 200;

const { world } = useDineroWorld({ knows_origin: true });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "matchbook-client-"));
  await installTypescript(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each(["the built-in ledger", "a connected ledger"])("with %s", (kind) => {
  let results = new Map<string, string | null>();
  beforeAll(async () => {
    const account = kind === "a connected ledger" ? world.account : await world.openAnother();
    const program = join(folder, "run-cases.mjs");
    await writeFile(program, await readFile(RUNNER));
    results = await runCases(world, account.keys.read_write, {
      command: [process.execPath, program],
      folder,
      invoices: FAULTY_INVOICES,
    });
  });

  itPassesCases(() => results);
});

describe("the package", () => {
  it("has types that a strict program compiles with", async () => {
    await writeFile(join(folder, "typed.ts"), TYPED);
    const compiler = join(packageRoot, "node_modules/typescript/bin/tsc");
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023"];
    await run(process.execPath, [compiler, ...options, "typed.ts"], { cwd: folder });
  });

  it("is refused with a field that is no field", async () => {
    await writeFile(join(folder, "wrong.ts"), TYPED.replace("reference:", "refrence:"));
    const compiler = join(packageRoot, "node_modules/typescript/bin/tsc");
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023"];
    const compiled = run(process.execPath, [compiler, ...options, "wrong.ts"], { cwd: folder });
    await expect(compiled).rejects.toMatchObject({ stdout: /refrence/ });
  });

  it("ends a call in time, with a signal of its caller too, in a program that has run for long", async () => {
    await writeFile(join(folder, "silent.mjs"), SILENT);
    const { stdout } = await run(process.execPath, ["--expose-gc", "silent.mjs"], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual(["CONNECTION_LOST", "CONNECTION_LOST"]);
  });

  it(`adds at most ${MOST_BYTES} bytes to a program with one operation, compressed`, async () => {
    const input = join(folder, "one.mjs");
    await writeFile(input, ONE);
    const bundle = await rolldown({ input });
    const { output } = await bundle.generate({ minify: true });
    const [{ code }] = output;
    expect(code).toContain("/invoices/{ref}/issue");
    expect(gzipSync(code).length).toBeLessThanOrEqual(MOST_BYTES);
  });

  it("needs no other package", async () => {
    const found = JSON.parse(await readFile(join(CLIENT, "package.json"), "utf8"));
    expect(found).not.toHaveProperty("dependencies");
    expect(await readdir(join(folder, "node_modules"))).toEqual(
      expect.arrayContaining(["@matchbook"]),
    );
  });

  it(`has at most ${MOST_LINES} lines that are not generated`, async () => {
    const names = (await readdir(join(CLIENT, "src"))).filter((name) => name.endsWith(".ts"));
    const texts = await Promise.all(
      names.map((name) => readFile(join(CLIENT, "src", name), "utf8")),
    );
    const lines = texts.join("").split("\n").length;
    expect(lines).toBeGreaterThan(100);
    expect(lines).toBeLessThanOrEqual(MOST_LINES);
  });
});

const ONE = `import { Matchbook } from "@matchbook/client";
await new Matchbook({ baseUrl: "http://127.0.0.1", apiKey: "mbk_x" }).invoices.issue("x");`;

const SILENT = `import { createServer } from "node:http";
import { Matchbook } from "@matchbook/client";
const silent = createServer(() => {});
await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
const baseUrl = "http://127.0.0.1:" + silent.address().port;
const matchbook = new Matchbook({ baseUrl, apiKey: "mbk_x", timeoutMs: 300, maxRetries: 0 });
setInterval(gc, 20).unref();
const { signal } = new AbortController();
const calls = [matchbook.key.get(), matchbook.key.get(undefined, { signal })];
const errors = await Promise.all(calls.map((call) => call.catch(({ code }) => code)));
console.log(JSON.stringify(errors));
silent.closeAllConnections();
silent.close();
`;

const TYPED = `import { Matchbook, MatchbookError, verifyWebhook, type Invoice } from "@matchbook/client";
const matchbook = new Matchbook({ baseUrl: "http://127.0.0.1", apiKey: "mbk_x" });
export async function program(): Promise<string> {
  const draft = await matchbook.invoices.create({
    customer_id: "x",
    order_reference: "4711",
    lines: [{ product_id: "y", recognition_method: "value", agreed_value: 100 }],
  });
  const { data, response } = await matchbook.invoices.issue(draft.id, undefined, { idempotencyKey: "k" }).withResponse();
  const titles: (string | null)[] = [];
  for await (const invoice of matchbook.invoices.list({ limit: 10 })) titles.push(invoice.title);
  const shown: Invoice = await matchbook.invoices.get(data.id);
  const answers: string = await matchbook.customers.batch("{}", { contentType: "application/x-ndjson" });
  const pdf: Uint8Array = await matchbook.invoices.getPdf(shown.id);
  for await (const event of matchbook.events.follow({ types: "invoice.*" })) if (event.sequence > 9) break;
  const error: unknown = await verifyWebhook("", {}, "whsec_x").catch((thrown) => thrown);
  return error instanceof MatchbookError ? error.code : \`\${pdf.length} \${answers} \${titles.length} \${response.status}\`;
}
`;
