/** Opens an account: settings, books, first admin and two keys. Only the command line does this; there is no route. */

import { randomBytes } from "node:crypto";
import type { AccountId } from "../../../domain/base/brand.ts";
import { firstBankAccount, shownBankAccount } from "../../../domain/receivables/bank-account.ts";
import type { Actor, Context } from "../../../platform/commands/context.ts";
import { fullAccess } from "../../../platform/commands/context.ts";
import { type Tx, transact } from "../../../platform/commands/tx.ts";
import { stamped } from "../../../platform/database/resources.ts";
import { insert, sql } from "../../../platform/database/sql.ts";
import type { Transaction } from "../../../platform/database/transaction.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { jsonText } from "../../../platform/runtime/json.ts";
import { contextFor, type Services } from "../../../platform/runtime/services.ts";
import { mintKey } from "../api-keys/mint.ts";
import { mailInvitation, storeInvitation } from "../people/invite.ts";
import { hashPassword } from "../people/password.ts";
import { insertUser } from "../people/save.ts";

export interface NewAccount {
  readonly name: string;
  readonly admin_email: string;
  readonly admin_name?: string | undefined;
  /** The admin's password, which is generated and returned when it is not given. */
  readonly admin_password?: string | undefined;
  readonly sandbox: boolean;
  readonly currency: string;
  /** Whether the first start of the installation opens it: its login is then remembered. */
  readonly is_first_start?: true;
}

export interface OpenedAccount {
  readonly account_id: string;
  readonly admin: {
    readonly user_id: string;
    readonly email: string;
    /** Null when the address has a login already: that password stays unchanged (spec 12.6). */
    readonly password: string | null;
  };
  readonly keys: { readonly read: string; readonly read_write: string };
}

/** The actor of the command line, which runs with the database's own credentials. */
export const operator: Actor = { kind: "operator", id: "cli" };

/** Opens an account in one transaction. */
export async function openAccount(services: Services, fields: NewAccount): Promise<OpenedAccount> {
  const opened = await openAccountIf(services, fields, async () => true);
  if (opened === undefined) throw new Error("the account was not opened");
  return opened;
}

/** Opens an account when `may` permits it in the same transaction; returns undefined otherwise. */
export async function openAccountIf(
  services: Services,
  fields: NewAccount,
  may: (tx: Transaction) => Promise<boolean>,
): Promise<OpenedAccount | undefined> {
  const login = await preparedLogin(services, fields.admin_email, fields.admin_password);
  const cx = contextOf(services, newId<AccountId>(), fields);
  const opened = await transact(cx, async (tx) => {
    return (await may(tx)) ? openIn(tx, fields, login) : undefined;
  });
  if (opened?.invitation) await mailInvitation(cx, opened.invitation);
  return opened?.account;
}

/** An account that the owner of a login opens for themselves. */
interface OwnAccount extends Pick<NewAccount, "name" | "sandbox" | "currency"> {
  readonly admin_name: string;
  readonly login: { readonly id: string; readonly email: string };
}

/**
 * Opens an account whose admin is the owner of a login, at once and without keys, when `may` permits it in the same transaction.
 * `also` writes what belongs to the account. Returns its id; undefined otherwise.
 */
export function openAccountOfLogin(
  services: Services,
  fields: OwnAccount,
  may: (tx: Tx) => Promise<boolean>,
  also: (tx: Tx) => void,
): Promise<AccountId | undefined> {
  return transact(contextOf(services, newId<AccountId>(), fields), async (tx) => {
    if (!(await may(tx))) return undefined;
    openBooks(tx, fields);
    const { id, email } = fields.login;
    const admin = { name: fields.admin_name, email, role: "admin" as const, external_id: null };
    await insertUser(tx, admin, null, id);
    also(tx);
    return tx.caller.account_id;
  });
}

/** Stores the account of the caller with its settings, its chart of accounts and its audit event. */
function openBooks(tx: Tx, fields: Pick<NewAccount, "name" | "sandbox" | "currency">): void {
  const { account_id } = tx.caller;
  insertAccount(tx, fields);
  if (tx.ledger?.transactional) tx.ledger.prepare(tx, account_id);
  insertFirstBank(tx, fields.currency);
  const { name, sandbox } = fields;
  const after = jsonText({ object: "account", id: account_id, name, sandbox });
  tx.audit("account", account_id, "created", { before: null, after });
}

async function openIn(tx: Tx, fields: NewAccount, login: PreparedLogin) {
  const { account_id } = tx.caller;
  openBooks(tx, fields);
  const login_id = login.store(tx);
  if (fields.is_first_start && login_id !== null) {
    tx.write(insert("first_start", { login_id, account_id, signed_in_at: null, claimed_at: null }));
  }
  const admin = {
    name: fields.admin_name ?? "Admin",
    email: fields.admin_email,
    role: "admin" as const,
    external_id: null,
  };
  const stored = await insertUser(tx, admin, null, login_id);
  const account: OpenedAccount = {
    account_id,
    admin: { user_id: stored.user.id, email: fields.admin_email, password: login.password },
    keys: {
      read: (await mintKey(tx, { name: "First read key", scope: "read" })).key,
      read_write: (await mintKey(tx, { name: "First read_write key", scope: "read_write" })).key,
    },
  };
  return { account, invitation: login_id === null ? await storeInvitation(tx, stored.user) : null };
}

interface PreparedLogin {
  readonly password: string | null;
  /** Returns the new login's id; null if the address has one, whose owner must accept an invitation (spec 12.6). */
  store(tx: Tx): string | null;
}

/** Hashes the password before any transaction begins, because argon2id deliberately takes tens of milliseconds. */
export async function preparedLogin(
  services: Services,
  email: string,
  given: string | undefined,
): Promise<PreparedLogin> {
  const existing = await services.db.row<{ id: string }>(
    sql`select id from logins where lower(email) = lower(${email})`,
  );
  if (existing) return { password: null, store: () => null };
  const password = given ?? randomBytes(15).toString("base64url");
  const password_hash = await hashPassword(password);
  return {
    password,
    store(tx) {
      const id = newId<string>();
      tx.write(insert("logins", { id, email, password_hash }));
      return id;
    },
  };
}

interface ListedAccount {
  readonly id: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly created_at: string;
  /** The addresses of the account's active admins. */
  readonly admins: readonly string[];
}

/** Lists all accounts of the installation, the oldest first, for its operator. */
export function listAccounts(db: Services["db"]): Promise<ListedAccount[]> {
  return db.rows(sql`select a.id, a.name, a.sandbox, a.created_at,
       coalesce((select json_agg(u.email order by u.email) from users u
         where u.account_id = a.id and u.active and u.role = 'admin'), '[]') as admins
     from accounts a order by a.id`);
}

/** Returns a context of the command line in an existing account. */
export async function operatorContext(services: Services, account_id: string): Promise<Context> {
  const account = await services.db.row<{ name: string; sandbox: boolean; ledger_kind: string }>(
    sql`select name, sandbox, ledger_kind from accounts where id = ${account_id}`,
  );
  if (account === undefined) throw new Error(`There is no account ${account_id}.`);
  return contextOf(services, account_id as AccountId, account);
}

function contextOf(
  services: Services,
  account_id: AccountId,
  account: { readonly name: string; readonly sandbox: boolean; readonly ledger_kind?: string },
): Context {
  return contextFor(
    services,
    {
      account_id,
      account_name: account.name,
      sandbox: account.sandbox,
      test_clock: null,
      ledger_kind: account.ledger_kind ?? "builtin",
      actor: operator,
      access: fullAccess,
      person: null,
    },
    services.log,
  );
}

/** Stores the bank account that an account begins with. */
function insertFirstBank(tx: Tx, currency: string): void {
  const { account_id } = tx.caller;
  const account = firstBankAccount(newId(), currency);
  const document = jsonText(shownBankAccount(account));
  const first = { ...account, csv_profile: null };
  tx.write(
    insert("bank_accounts", { ...first, account_id, document, updated_at: stamped(account_id) }),
  );
}

function insertAccount(tx: Tx, fields: Pick<NewAccount, "name" | "sandbox" | "currency">): void {
  const { account_id } = tx.caller;
  // The accounts of an external ledger are not known here.
  const chart = tx.ledger?.transactional ? tx.ledger : null;
  const { name, sandbox } = fields;
  const { ledger_kind } = tx.caller;
  tx.write(insert("accounts", { id: account_id, name, sandbox, ledger_kind }));
  tx.write(sql`insert into audit_heads (account_id) values (${account_id})`);
  tx.write(
    insert("configurations", {
      account_id,
      functional_currency: fields.currency,
      time_zone: "Europe/Copenhagen",
      recognition_convention: "monthly",
      period_lock_date: null,
      work_lock_date: null,
      contract_asset_account: chart?.account_roles.contract_asset ?? null,
      contract_liability_account: chart?.account_roles.contract_liability ?? null,
      exchange_difference_account: chart?.account_roles.exchange_difference ?? null,
      customer_credit_account: chart?.account_roles.customer_credit ?? null,
      rounding_account: chart?.account_roles.rounding ?? null,
      payment_fee_account: chart?.account_roles.payment_fee ?? null,
      reminder_fee_account: chart?.account_roles.reminder_fee ?? null,
      interest_income_account: chart?.account_roles.interest_income ?? null,
      default_revenue_account: chart?.default_revenue_account ?? null,
      reminders: null,
      payment_type: "Netto",
      payment_days: 14,
      default_auto_send: true,
      vat_domestic_rate: 2500,
      vat_domestic_country: "DK",
      seller: null,
      invoice_language_key: "da-DK",
      updated_at: tx.clock.now(),
    }),
  );
}
