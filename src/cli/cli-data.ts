/** The commands about all stored data: migrate, back up, restore, resume, verify, export. */

import { operatorContext } from "../features/access/accounts/create.ts";
import {
  exportJournal,
  isJournalFormat,
  journalFormats,
} from "../features/ledger/reports/export.ts";
import type { Verification } from "../features/ledger/verification/schemas.ts";
import { verifyAccount } from "../features/ledger/verification/verify.ts";
import { backUp, requireBackup, restore } from "../platform/database/backup.ts";
import { distribute } from "../platform/database/distribute.ts";
import { migrateForServing } from "../platform/database/serving-role.ts";
import { sql } from "../platform/database/sql.ts";
import { renewFeeds, resumeBackground } from "../platform/runtime/background.ts";
import type { Services } from "../platform/runtime/services.ts";
import { onDatabase, withDatabase, withServices } from "./cli-database.ts";
import {
  accountId,
  answer,
  optionsOf,
  required,
  say,
  text,
  UsageError,
  webhooksOf,
} from "./cli-options.ts";

export function migrateCommand(): Promise<number> {
  return withDatabase("any", async (database) => {
    const applied = await migrateForServing(database);
    say(applied.length === 0 ? "Nothing to migrate." : `Applied ${applied.join(", ")}.`);
  });
}

/** Distributes the tables. Throws a UsageError on a server without Citus. */
export function distributeCommand(): Promise<number> {
  return withDatabase("existing", async (database) => {
    await migrateForServing(database);
    const done = await distribute(database.owner_url);
    if (done === null) {
      throw new UsageError(
        "This server does not have the extension citus: nothing was distributed. One database needs no distribution; docs/scaling.md says when a cluster pays.",
      );
    }
    say(lineOf("Whole on every machine", done.reference));
    say(lineOf("Distributed by account", done.distributed));
    say(lineOf("On the coordinator alone", done.alone));
  });
}

function lineOf(what: string, tables: readonly string[]): string {
  return `${what}: ${tables.length === 0 ? "nothing to do" : tables.join(", ")}.`;
}

export async function backupCommand(argv: readonly string[]): Promise<number> {
  const output = required(optionsOf(argv, { output: { type: "string" } }), "output");
  return withDatabase("existing", async ({ owner_url }) => {
    const tables = await backUp(owner_url, output);
    say(`${tables.length} tables are in ${output}.`);
  });
}

export async function restoreCommand(argv: readonly string[]): Promise<number> {
  const input = required(optionsOf(argv, { input: { type: "string" } }), "input");
  // Runs before a database is started or created for the backup.
  await requireBackup(input);
  let ok = true;
  const exit = await withDatabase("any", async (database, config) => {
    const tables = await restore(database.owner_url, input);
    await migrateForServing(database);
    say(`${tables.length} tables were restored.`);
    await onDatabase(database.url, config, async (services) => {
      const found = await verifyAccounts(services, null);
      ok = found.every((one) => one.ok);
      for (const line of linesOf(found)) say(line);
    });
    say("Nothing is issued or mailed automatically until `matchbook resume`, or `serve --resume`.");
  });
  return ok ? exit : 1;
}

/** Verifies the books. The exit code is 1 when the books have a fault. */
export async function verifyCommand(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, { account: { type: "string" }, json: { type: "boolean" } });
  const given = text(options, "account");
  const account = given === undefined ? null : accountId(given);
  let ok = true;
  const exit = await withServices("existing", async (services) => {
    const found = await verifyAccounts(services, account);
    ok = found.every((one) => one.ok);
    answer(options, { ok, accounts: found }, linesOf(found));
  });
  return ok ? exit : 1;
}

type Verified = Verification & { readonly account_id: string };

/** Verifies one account, or all accounts, the oldest first. */
async function verifyAccounts(services: Services, account: string | null): Promise<Verified[]> {
  const ids =
    account === null
      ? (await services.db.rows<{ id: string }>(sql`select id from accounts order by id`)).map(
          ({ id }) => id,
        )
      : [account];
  const found: Verified[] = [];
  for (const account_id of ids) {
    const verification = await verifyAccount(await operatorContext(services, account_id));
    found.push({ account_id, ...verification });
  }
  return found;
}

function linesOf(found: readonly Verified[]): string[] {
  const faults = found.flatMap(({ account_id, checks }) =>
    checks.flatMap((check) =>
      check.faults.map(({ at, what }) => `account ${account_id}: ${check.name} at ${at}: ${what}`),
    ),
  );
  const are = found.length === 1 ? "account is" : "accounts are";
  const summary = faults.length === 0 ? "no fault was found" : `${faults.length} faults were found`;
  return [...faults, `${found.length} ${are} checked: ${summary}.`];
}

export function resumeCommand(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    "new-feed": { type: "boolean" },
    webhooks: { type: "string" },
  });
  const webhooks = webhooksOf(options);
  return withDatabase("existing", async (database) => {
    await migrateForServing(database);
    if (options["new-feed"] === true) {
      await renewFeeds(database.url);
      say("New feeds of events have begun: programs that follow the earlier ones get FEED_RESET.");
    }
    const was_paused = await resumeBackground(database.url, { webhooks });
    say(was_paused ? "Background work continues." : "Background work was not paused.");
  });
}

export async function exportJournalCommand(argv: readonly string[]): Promise<number> {
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
