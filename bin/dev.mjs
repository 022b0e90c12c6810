// `npm run dev`: runs the service, and restarts it when its sources change. An empty installation first gets an account with a
// year of data (demo-year.mjs), whose sign-in is printed. Options are those of `matchbook serve`.
import { spawn, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeDemoYear } from "./demo-year.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const matchbook = join(root, "bin", "matchbook");
const origin = `http://${process.env.HOST ?? "127.0.0.1"}:${process.env.PORT ?? 3000}`;
const EMAIL = "admin@vestervang.example";
const PASSWORD = "only on this machine";

const watched = ["src", "migrations"].map((folder) => `--watch-path=${join(root, folder)}`);
const service = spawn(
  process.execPath,
  [...watched, matchbook, "serve", "--no-demo", ...process.argv.slice(2)],
  { stdio: "inherit" },
);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => service.kill(signal));
service.once("exit", (code) => process.exit(code ?? 0));

await isReady();
if (run("account", "list").accounts.length === 0) await openDemoYear();

async function isReady() {
  for (;;) {
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await delay(250);
  }
}

/** Runs a command of the command line and parses its JSON. */
function run(...args) {
  const { stdout, stderr } = spawnSync(process.execPath, [matchbook, ...args, "--json"], {
    encoding: "utf8",
  });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

async function openDemoYear() {
  console.log(
    "\nThe installation is empty: an account with a year in it is being made, which takes a minute …",
  );
  const { keys } = run(
    ...["account", "create", "--sandbox", "--name", "Vestervang Digital ApS"],
    ...["--admin-name", "Anna Holm", "--admin-email", EMAIL, "--admin-password", PASSWORD],
  );
  const today = new Date().toISOString().slice(0, 10);
  await makeDemoYear((method, path, body) => call(keys.read_write, method, path, body), today);
  console.log(`\nSign in at ${origin} as ${EMAIL} with the password “${PASSWORD}”.\n`);
}

/** Sends one request to the API; waits when a rate limit is reached. Throws refusals. */
async function call(key, method, path, body) {
  for (;;) {
    const answer = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status === 429) await delay(1000 * Number(answer.headers.get("retry-after") ?? 1));
    else if (answer.ok) return text === "" ? null : JSON.parse(text);
    else throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  }
}
