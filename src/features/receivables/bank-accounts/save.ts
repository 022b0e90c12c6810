/** Creates and changes bank accounts (spec 13.1). Both lock the configuration, so that one of them runs at a time. */

import * as z from "zod";
import { given } from "../../../domain/base/given.ts";
import { invalidField, requireValid } from "../../../domain/base/problem.ts";
import { type BankAccount, bankAccountFaults } from "../../../domain/receivables/bank-account.ts";
import { csvProfileFaults } from "../../../domain/receivables/csv-profile.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import { defineCreation, type Saved, storedAgain } from "../../../platform/commands/creation.ts";
import type { Tx } from "../../../platform/commands/tx.ts";
import { Ref } from "../../../platform/http/schemas.ts";
import { newId } from "../../../platform/runtime/id.ts";
import type { JsonText } from "../../../platform/runtime/json.ts";
import { booksOf, mayBook } from "../../settings/configuration/accounts.ts";
import { type Configuration, roleAccounts } from "../../settings/configuration/queries.ts";
import { lockConfiguration } from "../../settings/configuration/save.ts";
import {
  insertBankAccount,
  lockBankAccount,
  lockDefault,
  presentBankAccount,
  updateBankAccount,
} from "./queries.ts";
import { BankAccountCreate, BankAccountUpdate } from "./schemas.ts";

interface Change {
  /** Null for a new account. */
  readonly before: BankAccount | null;
  readonly after: BankAccount;
  /** The default so far, when it is another account. */
  readonly former: BankAccount | null;
  readonly configuration: Configuration;
}

/** Creates a bank account. Throws EXTERNAL_ID_CONFLICT, VALIDATION_FAILED. */
export const createBankAccount = defineCreation({
  name: "create_bank_account",
  input: BankAccountCreate,
  table: "bank_accounts",
  contentOf,

  async plan(tx, sent, request_hash) {
    const configuration = await lockConfiguration(tx);
    const after: BankAccount = {
      id: newId(),
      external_id: null,
      currency: configuration.functional_currency,
      iban: null,
      registration_number: null,
      account_number: null,
      is_default: false,
      active: true,
      csv_profile: null,
      statements_through: null,
      ...fieldsOf(sent),
      name: sent.name,
      ledger_account: sent.ledger_account,
    };
    return { ...(await planChange(tx, configuration, null, after)), request_hash };
  },

  async commit(tx, { request_hash, ...change }): Promise<Saved> {
    await prepareChange(tx, change);
    const document = presentBankAccount(change.after);
    insertBankAccount(tx, change.after, request_hash);
    tx.audit("bank_account", change.after.id, "created", { before: null, after: document });
    return { created: true, document };
  },

  repeated: (tx, id) => storedAgain(tx, "bank_accounts", id),
});

/**
 * Changes the given fields of a bank account; another default takes over from the former one. Throws NOT_FOUND,
 * EXTERNAL_ID_CONFLICT, VALIDATION_FAILED.
 */
export const changeBankAccount = defineCommand({
  name: "change_bank_account",
  access: "write",
  input: z.object({ ref: Ref, changes: BankAccountUpdate }),

  async plan(tx, { ref, changes }) {
    const configuration = await lockConfiguration(tx);
    const before = await lockBankAccount(tx, ref);
    return planChange(tx, configuration, before, { ...before, ...fieldsOf(changes) });
  },

  async commit(tx, change): Promise<JsonText> {
    const document = presentBankAccount(change.after);
    const was = change.before && presentBankAccount(change.before);
    if (was === document) return document;
    await prepareChange(tx, change);
    updateBankAccount(tx, change.after);
    tx.audit("bank_account", change.after.id, "updated", { before: was, after: document });
    return document;
  },
});

async function planChange(
  tx: Tx,
  configuration: Configuration,
  before: BankAccount | null,
  after: BankAccount,
): Promise<Change> {
  requireValid([
    ...bankAccountFaults(before, after),
    ...(after.csv_profile === null ? [] : csvProfileFaults(after.csv_profile)),
  ]);
  const is_new_default = after.is_default && !before?.is_default;
  const former = is_new_default ? ((await lockDefault(tx)) ?? null) : null;
  return { before, after, former, configuration };
}

/** Takes the default from the former account, and makes the account of the books. Throws VALIDATION_FAILED. */
async function prepareChange(tx: Tx, { before, after, former, configuration }: Change) {
  if (before?.ledger_account !== after.ledger_account) {
    await requireBankLedgerAccount(tx, after.ledger_account, configuration);
  }
  if (former === null) return;
  const changed = { ...former, is_default: false };
  updateBankAccount(tx, changed);
  tx.audit("bank_account", former.id, "updated", {
    before: presentBankAccount(former),
    after: presentBankAccount(changed),
  });
}

async function requireBankLedgerAccount(
  tx: Tx,
  number: number,
  configuration: Configuration,
): Promise<void> {
  const refused = (message: string) => invalidField("ledger_account", "not_allowed", message);
  const control = booksOf(tx)?.control_accounts;
  const roles: readonly (number | null)[] = Object.values(roleAccounts(configuration));
  if (number === control?.receivables || number === control?.vat || roles.includes(number)) {
    throw refused(`Account ${number} has another use.`);
  }
  if (!(await mayBook(tx, number, ["asset"]))) throw refused(`Account ${number} is no asset.`);
}

function fieldsOf(sent: BankAccountUpdate): Partial<BankAccount> {
  return given(sent) as Partial<BankAccount>;
}

/** Returns the content that identifies a repetition: null equals an omitted field, and defaults are filled in. */
function contentOf(sent: BankAccountCreate): unknown {
  const { is_default = false, active = true, ...rest } = sent;
  const entries = Object.entries(rest).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(entries), is_default, active };
}
