// `npm run dev`: runs the service, and restarts it when its sources change. An empty installation first gets an account, and
// the studio with its year beside it (`matchbook studio create`); the sign-in is printed. Options are those of `matchbook serve`.
import { spawn, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const matchbook = join(root, "bin", "matchbook");
const origin = `http://${process.env.HOST ?? "127.0.0.1"}:${process.env.PORT ?? 3000}`;
const EMAIL = "anna@nordlys.example";
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
  console.log("\nThe installation is empty: an example account with a year in it is being made …");
  run(
    ...["account", "create", "--name", "My firm", "--admin-name", "Anna Holm"],
    ...["--admin-email", EMAIL, "--admin-password", PASSWORD],
  );
  run("studio", "create", "--email", EMAIL);
  console.log(`\nSign in at ${origin} as ${EMAIL} with the password “${PASSWORD}”.\n`);
}
