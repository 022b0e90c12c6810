/**
 * The command line (decisions.md 27): thin, over the same functions as the service. It works while
 * the service runs and while it does not. With `--json` standard output carries one JSON object and
 * nothing else; whatever else is said goes to standard error.
 */
import {
  backupCommand,
  contractCommand,
  exportJournalCommand,
  migrateCommand,
  restoreCommand,
  resumeCommand,
  verifyCommand,
} from "./cli-data.ts";
import { messageOf, optionsOf, UsageError } from "./cli-options.ts";
import { accountCreate, keyCreate, oauthRotateKeys, userCreate, userInvite } from "./cli-people.ts";
import { journalFormats } from "./features/ledger/export.ts";
import { serve } from "./main.ts";
import { problemFromDatabase } from "./platform/http/problems.ts";

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
  verify         [--account ID] [--json] check the books of one account, or of all
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
    if (first === "verify") return await verifyCommand(argv.slice(1));
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
