/**
 * The command line (decisions.md 27): thin, over the same functions as the service. It works while
 * the service runs and while it does not. With `--json` standard output carries one JSON object and
 * nothing else; whatever else is said goes to standard error.
 */
import { writeFile } from "node:fs/promises";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { openApp } from "./app.ts";
import { catalogueDocument } from "./catalogue.ts";
import { isCurrency } from "./domain/currency.ts";
import { isMailAddress } from "./domain/mail-address.ts";
import { Problem } from "./domain/problem.ts";
import { isRole, roles } from "./domain/user.ts";
import { openAccount, operatorContext, preparedLogin } from "./features/accounts/create.ts";
import { mintKey } from "./features/api-keys/mint.ts";
import { exportJournal, isJournalFormat, journalFormats } from "./features/ledger/export.ts";
import { rotateKeys } from "./features/oauth/keys.ts";
import { inviteUser } from "./features/people/invite.ts";
import { faultOfPassword } from "./features/people/password.ts";
import { insertUser } from "./features/people/save.ts";
import { connectDatabase, serve } from "./main.ts";
import { resumeBackground } from "./platform/background.ts";
import { run } from "./platform/command.ts";
import { type Config, readConfig } from "./platform/config.ts";
import { backUp, restore } from "./platform/database/backup.ts";
import { holdsDatabase } from "./platform/database/embedded.ts";
import { migrate } from "./platform/database/migrate.ts";
import { transaction } from "./platform/database/transaction.ts";
import { csvPage } from "./platform/http/csv-page.ts";
import { openApiOf } from "./platform/http/openapi.ts";
import { problemFromDatabase } from "./platform/http/problems.ts";
import { isRef } from "./platform/http/schemas.ts";
import { openLog } from "./platform/log.ts";
import { packageRoot } from "./platform/paths.ts";
import type { Services } from "./platform/services.ts";
import { routes } from "./routes.ts";

const USAGE = `Usage: matchbook <command>

  serve [--no-demo] [--resume | --no-background]
                                         run the service
  account create --name N --admin-email E [--admin-name N] [--admin-password P]
                 [--sandbox] [--currency DKK] [--json]
  key create     --account ID --scope read|read_write [--name N] [--json]
  user create    --account ID --name N --email E --role admin|standard [--password P] [--json]
  user invite    --account ID --user REF [--json]    send a user the link to set a password
  oauth rotate-keys                      sign access tokens with a new key
  export journal --account ID --format ${journalFormats.join("|")} [--output FILE]
  backup         --output FILE           write everything to one new compressed file
  restore        --input FILE            load such a file into an empty database, paused
  resume                                 let the background work of a restored database go on
  migrate                                bring the database to this version
  contract                               rewrite docs/openapi.json, docs/csv.md and docs/mcp-tools.*.json

Settings are environment variables; README.md lists them.
`;

/** Runs one command and answers the exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function runCli(argv: readonly string[]): Promise<number> {
  const [first = "", second = ""] = argv;
  const two = `${first} ${second}`;
  try {
    if (first === "serve") return await serveCommand(argv.slice(1));
    if (first === "migrate") return await migrateCommand();
    if (first === "backup") return await backupCommand(argv.slice(1));
    if (first === "restore") return await restoreCommand(argv.slice(1));
    if (first === "resume") return await resumeCommand(argv.slice(1));
    if (first === "contract") return await contractCommand();
    const command = commands[two];
    if (command) return await command(argv.slice(2));
    process.stderr.write(USAGE);
    return first === "help" || first === "--help" ? 0 : 2;
  } catch (error) {
    process.stderr.write(`${messageOf(problemFromDatabase(error))}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

const commands: Readonly<Record<string, (argv: readonly string[]) => Promise<number>>> = {
  "account create": accountCreate,
  "key create": keyCreate,
  "user create": userCreate,
  "user invite": userInvite,
  "oauth rotate-keys": oauthRotateKeys,
  "export journal": exportJournalCommand,
};

class UsageError extends Error {}

async function serveCommand(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    "no-demo": { type: "boolean" },
    "no-background": { type: "boolean" },
    resume: { type: "boolean" },
  });
  const background = options["no-background"] !== true;
  const resume = options.resume === true;
  if (resume && !background)
    throw new UsageError("--resume and --no-background exclude each other.");
  return serve({ demo: options["no-demo"] !== true, background, resume });
}

function migrateCommand(): Promise<number> {
  return withDatabase("any", async (url) => {
    const applied = await migrate(url);
    say(applied.length === 0 ? "Nothing to migrate." : `Applied ${applied.join(", ")}.`);
  });
}

async function backupCommand(argv: readonly string[]): Promise<number> {
  const output = required(optionsOf(argv, { output: { type: "string" } }), "output");
  return withDatabase("existing", async (url) => {
    const tables = await backUp(url, output);
    say(`${tables.length} tables are in ${output}.`);
  });
}

async function restoreCommand(argv: readonly string[]): Promise<number> {
  const input = required(optionsOf(argv, { input: { type: "string" } }), "input");
  return withDatabase("any", async (url) => {
    const tables = await restore(url, input);
    say(`${tables.length} tables were restored.`);
    say("Nothing is issued or mailed by itself until `matchbook resume`, or `serve --resume`.");
  });
}

function resumeCommand(argv: readonly string[]): Promise<number> {
  optionsOf(argv, {});
  return withDatabase("existing", async (url) => {
    await migrate(url);
    const was_paused = await resumeBackground(url);
    say(was_paused ? "Background work goes on." : "Background work was not paused.");
  });
}

async function contractCommand(): Promise<number> {
  const document = openApiOf(routes, "http://localhost:3000");
  const write = (name: string, content: unknown) =>
    writeFile(`${packageRoot}/docs/${name}`, `${JSON.stringify(content, null, 2)}\n`);
  await write("openapi.json", document);
  await writeFile(`${packageRoot}/docs/csv.md`, csvPage(routes));
  for (const role of roles) await write(`mcp-tools.${role}.json`, catalogueDocument(role));
  return 0;
}

async function accountCreate(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    name: { type: "string" },
    "admin-email": { type: "string" },
    "admin-name": { type: "string" },
    "admin-password": { type: "string" },
    sandbox: { type: "boolean" },
    currency: { type: "string" },
    json: { type: "boolean" },
  });
  const currency = text(options, "currency") ?? "DKK";
  if (!isCurrency(currency)) throw new UsageError(`${currency} is no currency of ISO 4217.`);
  const fields = {
    name: required(options, "name"),
    admin_email: mailAddress(required(options, "admin-email")),
    admin_name: text(options, "admin-name"),
    admin_password: password(options, "admin-password"),
    sandbox: options.sandbox === true,
    currency,
  };
  return withServices("any", async (services) => {
    const opened = await openAccount(services, fields);
    answer(options, opened, [
      `account        ${opened.account_id}`,
      `admin          ${opened.admin.email}`,
      `password       ${opened.admin.password ?? "(the address has a login: unchanged)"}`,
      `read key       ${opened.keys.read}`,
      `read_write key ${opened.keys.read_write}`,
    ]);
  });
}

async function keyCreate(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    account: { type: "string" },
    scope: { type: "string" },
    name: { type: "string" },
    json: { type: "boolean" },
  });
  const scope = required(options, "scope");
  if (scope !== "read" && scope !== "read_write") {
    throw new UsageError("--scope is read or read_write.");
  }
  const account = accountId(required(options, "account"));
  const name = text(options, "name") ?? "Command line";
  return withServices("existing", async (services) => {
    const cx = await operatorContext(services, account);
    const minted = await transaction(services.db, (db) =>
      mintKey({ ...cx, db, locks: true }, { name, scope }),
    );
    answer(options, { account_id: account, id: minted.id, scope, key: minted.key }, [minted.key]);
  });
}

async function userCreate(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    account: { type: "string" },
    name: { type: "string" },
    email: { type: "string" },
    role: { type: "string" },
    password: { type: "string" },
    json: { type: "boolean" },
  });
  const account = accountId(required(options, "account"));
  const role = required(options, "role");
  if (!isRole(role)) throw new UsageError("--role is admin or standard.");
  const fields = {
    name: required(options, "name"),
    email: mailAddress(required(options, "email")),
    role,
    external_id: null,
  };
  const given = password(options, "password");
  return withServices("existing", async (services) => {
    const cx = await operatorContext(services, account);
    const login = await preparedLogin(services, fields.email, given);
    const stored = await transaction(services.db, async (db) => {
      const inside = { ...cx, db, locks: true };
      return insertUser(inside, fields, null, await login.store(inside));
    });
    const user_id = stored?.user.id ?? "";
    if (login.password === null) await run(inviteUser, cx, { ref: user_id });
    const shown = { account_id: account, user_id, email: fields.email, role };
    answer(options, { ...shown, password: login.password }, [
      `user     ${user_id}`,
      `password ${login.password ?? "(the address has a login: its owner was invited)"}`,
    ]);
  });
}

async function userInvite(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    account: { type: "string" },
    user: { type: "string" },
    json: { type: "boolean" },
  });
  const account = accountId(required(options, "account"));
  const ref = required(options, "user");
  if (!isRef(ref)) throw new UsageError("--user is the user's id or ext:<external_id>.");
  return withServices("existing", async (services) => {
    const cx = await operatorContext(services, account);
    const link = await run(inviteUser, cx, { ref });
    answer(options, { account_id: account, user: ref, link }, [link]);
  });
}

function oauthRotateKeys(argv: readonly string[]): Promise<number> {
  optionsOf(argv, {});
  return withServices("existing", async (services) => {
    const kid = await rotateKeys(services.db);
    say(`Access tokens are signed with the key ${kid} from a minute on.`);
  });
}

async function exportJournalCommand(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    account: { type: "string" },
    format: { type: "string" },
    output: { type: "string" },
  });
  const format = required(options, "format");
  if (!isJournalFormat(format)) throw new UsageError(`--format is ${journalFormats.join(" or ")}.`);
  const account = accountId(required(options, "account"));
  return withServices("existing", async (services) => {
    const cx = await operatorContext(services, account);
    await exportJournal(cx, format, text(options, "output") ?? null);
  });
}

/** Whether a command works on what is there, or may be the first of all. */
type Need = "existing" | "any";

/** Opens the program on the migrated database, without serving, and closes it whatever happens. */
function withServices(need: Need, work: (services: Services) => Promise<void>): Promise<number> {
  return withDatabase(need, async (url, config) => {
    await migrate(url);
    const app = openApp(config, url, openLog("silent"));
    try {
      await work(app.services);
    } finally {
      await app.close();
    }
  });
}

/** Opens the database; one is made where there is none only for those commands that begin with nothing. */
async function withDatabase(
  need: Need,
  work: (url: string, config: Config) => Promise<void>,
): Promise<number> {
  const config = readConfig(process.env);
  if (need === "existing" && config.database_url === null && !holdsDatabase(config.data_dir)) {
    throw new Error(
      `There is no database in ${config.data_dir}: \`npm start\` in the folder of the program makes one there, or MATCHBOOK_DATA_DIR names the folder of yours.`,
    );
  }
  const database = await connectDatabase(config, () => {});
  try {
    await work(database.url, config);
    return 0;
  } finally {
    await database.close();
  }
}

type Options = Readonly<Record<string, string | boolean | undefined>>;

function optionsOf(
  argv: readonly string[],
  options: NonNullable<ParseArgsConfig["options"]>,
): Options {
  try {
    return parseArgs({ args: [...argv], options, strict: true }).values as Options;
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}

function text(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

function required(options: Options, name: string): string {
  const value = text(options, name);
  if (value === undefined || value.trim() === "") throw new UsageError(`--${name} is needed.`);
  return value;
}

function password(options: Options, name: string): string | undefined {
  const value = text(options, name);
  const fault = value === undefined ? undefined : faultOfPassword(value);
  if (fault !== undefined) throw new UsageError(`--${name}: ${fault}`);
  return value;
}

function mailAddress(value: string): string {
  if (!isMailAddress(value)) throw new UsageError(`${value} is not one e-mail address.`);
  return value;
}

function accountId(value: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)) {
    throw new UsageError("--account is the account's id.");
  }
  return value.toLowerCase();
}

function answer(options: Options, value: unknown, lines: readonly string[]): void {
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : `${lines.join("\n")}\n`);
}

function say(message: string): void {
  process.stderr.write(`${message}\n`);
}

function messageOf(error: unknown): string {
  if (error instanceof Problem) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
