/**
 * The command line (spec 12.4): a thin layer over the functions of the service. The commands work whether or not the service
 * runs. With `--json`, standard output has one JSON object and nothing else; all other output goes to standard error.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { nearestName } from "../domain/base/nearest-name.ts";
import { problemFromDatabase } from "../platform/http/problems.ts";
import { packageRoot } from "../platform/runtime/paths.ts";
import { messageOf, optionsOf, UsageError, webhooksOf } from "./cli-options.ts";

const USAGE = `Usage: matchbook <command>

  serve [--no-demo] [--resume [--webhooks=continue] | --no-background]
                                         run the service
  account create --name N --admin-email E [--admin-name N] [--admin-password P]
                 [--sandbox] [--currency DKK] [--json]
  account list   [--json]
  key create     --account ID --scope read|read_write [--name N] [--expires-at DAY] [--json]
  key list       --account ID [--json]
  key revoke     --account ID --key ID [--json]
  user create    --account ID --name N --email E --role admin|standard [--password P] [--json]
  user update    --account ID --user REF [--name N] [--email E] [--role admin|standard]
                 [--active|--inactive] [--json]      change a user; --inactive ends their access
  user invite    --account ID --user REF [--json]    send a user the link to set a password
  user password  --email E [--password P] [--json]   set the password of an address
  sign-in-link   --email E [--json]      make a link that signs in once, within 10 minutes
  studio create  --email E [--ends-on DAY] [--json]  make the example year of a studio for an address
  user reset-factor --email E [--json]   remove the second factors of an address; its sessions end
  oauth rotate-keys                      sign access tokens with a new key
  ledger connect --account ID --kind dinero|tryton --FIELD … [--secrets-from-stdin] [--json]
                                         check an accounting system and book there from now on
  ledger show|check|disconnect --account ID [--json]
  ledger map     --account ID [--pair 1000:DK25=1000[:U25]]… [--role contract_asset=12310]… [--json]
  ledger move    --account ID --to builtin|dinero|tryton --FIELD … [--opening ACCOUNT|none]
                 [--pair …]… [--role …]… [--secrets-from-stdin] [--dry-run] [--json]
                                         move the books, from the day after the last completed close
  ledger resolve --account ID --intent ID --reason TEXT (--adopt LEDGER-ID:NUMBER[:YEAR] | --release) [--json]
                                         end a booking that waits for a person, after a check there
  ledger rotate-key                      seal the secrets of all connections with a new key
  einvoice lookup ADDRESS [--json]       ask the register whether a receiver of e-invoices is there
  einvoice connect --account ID --kind folder|sftp|phoss-ap --FIELD … [--secrets-from-stdin] [--json]
                                         check where e-invoices go and hand them over there from now on
  einvoice show|check|disconnect --account ID [--json]
  webhook list   --account ID [--json]   list the endpoints to which events are sent
  webhook create --account ID --url URL --types a,b [--json]
  webhook test   --account ID --endpoint REF [--type invoice.issued] [--json]
                                         send the example of a type now, and show what was answered
  webhook deliveries|disable --account ID --endpoint REF [--json]
  webhook replay --account ID --endpoint REF [--after N] [--through N] [--all] [--json]
                                         send what was given up or skipped again, or all events
  export journal --account ID --format hledger|beancount [--output FILE]
  backup         --output FILE           write everything to one new compressed file
  restore        --input FILE            load a backup into an empty database, paused
  resume         [--new-feed] [--webhooks=continue]
                                         resume the background work of a restored database
  verify         [--account ID] [--json] check the books of one account, or of all
  inspect REF    [--account ID] [--json] explain the state of a resource, and what happens next
  migrate                                migrate the database to this version
  distribute                             spread the tables over a Citus cluster, by account
  contract                               rewrite docs/openapi.json, docs/csv.md and docs/mcp-tools.*.json
  --version                              print the version

Settings are environment variables; docs/operation.md lists them.
`;

/** Runs one command and returns the exit code: 0 for success, 1 for a refusal or a failure, 2 for input that cannot be parsed. */
export async function runCli(argv: readonly string[]): Promise<number> {
  const [first = "", second = ""] = argv;
  const two = `${first} ${second}`;
  try {
    if (first === "--version" || first === "version") return await sayVersion();
    if (first === "help" || first === "--help") {
      process.stdout.write(USAGE);
      return 0;
    }
    const one = ofOneWord[first];
    if (one) return await one(argv.slice(1));
    const command = ofTwoWords[two];
    if (command) return await command(argv.slice(2));
    process.stderr.write(first === "" ? USAGE : notUnderstood(first, two.trim()));
    return 2;
  } catch (error) {
    process.stderr.write(`${messageOf(problemFromDatabase(error))}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

type Command = (argv: readonly string[]) => Promise<number>;
type Commands = Readonly<Record<string, Command>>;

// A command loads its code when it runs: loading everything takes several times as long as most commands.
const data = (name: keyof typeof import("./cli-data.ts")): Command => {
  return async (argv) => (await import("./cli-data.ts"))[name](argv);
};
const people = (name: keyof typeof import("./cli-people.ts")): Command => {
  return async (argv) => (await import("./cli-people.ts"))[name](argv);
};

const ledger = (name: keyof typeof import("./cli-ledger.ts")): Command => {
  return async (argv) => (await import("./cli-ledger.ts"))[name](argv);
};

const einvoice = (name: keyof typeof import("./cli-einvoice.ts")): Command => {
  return async (argv) => (await import("./cli-einvoice.ts"))[name](argv);
};

const webhook = (name: keyof typeof import("./cli-webhook.ts")): Command => {
  return async (argv) => (await import("./cli-webhook.ts"))[name](argv);
};

const ofOneWord: Commands = {
  serve: serveCommand,
  migrate: data("migrateCommand"),
  distribute: data("distributeCommand"),
  backup: data("backupCommand"),
  restore: data("restoreCommand"),
  resume: data("resumeCommand"),
  verify: data("verifyCommand"),
  "sign-in-link": people("signInLink"),
  inspect: async (argv) => (await import("./cli-inspect.ts")).inspectCommand(argv),
  contract: async () => (await import("./cli-contract.ts")).contractCommand(),
};

const ofTwoWords: Commands = {
  "account create": people("accountCreate"),
  "account list": people("accountList"),
  "key create": people("keyCreate"),
  "key list": people("keyList"),
  "key revoke": people("keyRevoke"),
  "user create": people("userCreate"),
  "user update": people("userUpdate"),
  "user invite": people("userInvite"),
  "user password": people("userPassword"),
  "studio create": async (argv) => (await import("./cli-studio.ts")).studioCreate(argv),
  "user reset-factor": people("userResetFactor"),
  "oauth rotate-keys": people("oauthRotateKeys"),
  "ledger connect": ledger("ledgerConnect"),
  "ledger show": ledger("ledgerShow"),
  "ledger check": ledger("ledgerCheck"),
  "ledger disconnect": ledger("ledgerDisconnect"),
  "ledger map": ledger("ledgerMap"),
  "ledger move": async (argv) => (await import("./cli-move.ts")).ledgerMove(argv),
  "ledger resolve": ledger("ledgerResolve"),
  "ledger rotate-key": ledger("ledgerRotateKey"),
  "einvoice lookup": async (argv) =>
    (await import("./cli-einvoice-lookup.ts")).einvoiceLookup(argv),
  "einvoice connect": einvoice("einvoiceConnect"),
  "einvoice show": einvoice("einvoiceShow"),
  "einvoice check": einvoice("einvoiceCheck"),
  "einvoice disconnect": einvoice("einvoiceDisconnect"),
  "webhook list": webhook("webhookList"),
  "webhook create": webhook("webhookCreate"),
  "webhook test": webhook("webhookTest"),
  "webhook deliveries": webhook("webhookDeliveries"),
  "webhook replay": webhook("webhookReplay"),
  "webhook disable": webhook("webhookDisable"),
  "export journal": data("exportJournalCommand"),
};

/** Returns one sentence that suggests the most similar command, instead of the whole usage. */
function notUnderstood(first: string, two: string): string {
  const nearest =
    nearestName(two, Object.keys(ofTwoWords)) ?? nearestName(first, Object.keys(ofOneWord));
  const of_it = Object.keys(ofTwoWords).filter((name) => name.startsWith(`${first} `));
  const there_is =
    of_it.length > 0 ? ` There is ${of_it.map((name) => `\`${name}\``).join(", ")}.` : "";
  const meant = nearest === undefined ? there_is : ` Did you mean \`${nearest}\`?`;
  return `There is no command ${JSON.stringify(two.slice(0, 64))}.${meant} \`matchbook help\` lists all commands.\n`;
}

async function sayVersion(): Promise<number> {
  const { version } = JSON.parse(await readFile(join(packageRoot, "package.json"), "utf8"));
  process.stdout.write(`matchbook ${version}\n`);
  return 0;
}

async function serveCommand(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    "no-demo": { type: "boolean" },
    "no-background": { type: "boolean" },
    resume: { type: "boolean" },
    webhooks: { type: "string" },
  });
  const webhooks = webhooksOf(options);
  const background = options["no-background"] !== true;
  const resume = options.resume === true;
  if (resume && !background)
    throw new UsageError("--resume and --no-background exclude each other.");
  if (options.webhooks !== undefined && !resume)
    throw new UsageError("--webhooks goes with --resume.");
  const { serve } = await import("../main.ts");
  return serve({ demo: options["no-demo"] !== true, background, resume, webhooks });
}
