/** The commands about accounts, their users and keys. */

import { randomBytes } from "node:crypto";
import { isCurrency } from "../domain/base/currency.ts";
import { isRole } from "../domain/base/user.ts";
import {
  listAccounts,
  openAccount,
  operator,
  operatorContext,
  preparedLogin,
} from "../features/access/accounts/create.ts";
import {
  endKey,
  type KeyPage,
  listKeys,
  listKeysOf,
  mintKey,
  type ShownKey,
} from "../features/access/api-keys/mint.ts";
import { resetFactors } from "../features/access/factors/revoke-factors.ts";
import { makeKey } from "../features/access/oauth/keys.ts";
import { inviteUser } from "../features/access/people/invite.ts";
import { notifyAdmins } from "../features/access/people/owner-mail.ts";
import { changeUser, insertUser } from "../features/access/people/save.ts";
import { type UserResource, UserUpdate } from "../features/access/people/schemas.ts";
import { setPasswordByOperator } from "../features/access/sign-in/change-password.ts";
import { LINK_MINUTES, makeSignInLink } from "../features/access/sign-in/sign-in-link.ts";
import { run } from "../platform/commands/command.ts";
import type { Reader } from "../platform/commands/context.ts";
import { runAtEntryPoint } from "../platform/commands/entry-point.ts";
import { transact } from "../platform/commands/tx.ts";
import { isRef, Uuid } from "../platform/http/schemas.ts";
import { withServices } from "./cli-database.ts";
import {
  accountId,
  answer,
  day,
  mailAddress,
  optionsOf,
  password,
  required,
  say,
  text,
  UsageError,
} from "./cli-options.ts";

export async function accountCreate(argv: readonly string[]): Promise<number> {
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
  if (!isCurrency(currency)) throw new UsageError(`${currency} is not a currency of ISO 4217.`);
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

export async function keyCreate(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    account: { type: "string" },
    scope: { type: "string" },
    name: { type: "string" },
    "expires-at": { type: "string" },
    json: { type: "boolean" },
  });
  const last_day = day(options, "expires-at");
  const scope = required(options, "scope");
  if (scope !== "read" && scope !== "read_write") {
    throw new UsageError("--scope must be read or read_write.");
  }
  const account = accountId(required(options, "account"));
  const name = text(options, "name") ?? "Command line";
  return withServices("existing", async (services) => {
    const cx = await operatorContext(services, account);
    const minted = await transact(cx, (tx) =>
      mintKey(tx, { name, scope, ...(last_day && { last_day }) }),
    );
    answer(options, { account_id: account, id: minted.id, scope, key: minted.key }, [minted.key]);
  });
}

/** Lists every key of the account, including revoked and expired ones. */
export async function keyList(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, { account: { type: "string" }, json: { type: "boolean" } });
  const account = accountId(required(options, "account"));
  return withServices("existing", async (services) => {
    const cx = await operatorContext(services, account);
    const keys = [...(await allKeys(cx, "live")), ...(await allKeys(cx, "ended"))];
    answer(options, { account_id: account, keys }, [
      ...keys.map(
        (key) =>
          `${key.id}  ${key.prefix}…  ${key.scope}  ${stateOf(key)}  ${madeBy(key)}  ${key.name}`,
      ),
    ]);
  });
}

export async function keyRevoke(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    account: { type: "string" },
    key: { type: "string" },
    json: { type: "boolean" },
  });
  const account = accountId(required(options, "account"));
  const id = required(options, "key");
  if (!Uuid.safeParse(id).success)
    throw new UsageError("--key must be the key's id; `key list` shows it.");
  return withServices("existing", async (services) => {
    const cx = await operatorContext(services, account);
    await run(endKey, cx, { id: id.toLowerCase() });
    answer(options, { account_id: account, id: id.toLowerCase(), revoked: true }, [
      "The key is revoked: its next request is refused.",
    ]);
  });
}

async function allKeys(cx: Reader, which: "live" | "ended"): Promise<ShownKey[]> {
  const keys: ShownKey[] = [];
  for (let after: string | null = null; ; ) {
    const page: KeyPage = await listKeys(cx, which, after);
    keys.push(...page.keys);
    if (page.next === null) return keys;
    after = page.next;
  }
}

function stateOf({ revoked_at, expires_at }: ShownKey): string {
  if (revoked_at !== null) return `revoked ${revoked_at}`;
  return expires_at === null ? "without end" : `until ${expires_at}`;
}

function madeBy({ created_at, created_by_name }: ShownKey): string {
  const by = created_by_name === null ? "" : ` by ${created_by_name}`;
  return `made ${created_at.slice(0, 10)}${by}`;
}

export async function accountList(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, { json: { type: "boolean" } });
  return withServices("existing", async (services) => {
    const accounts = await listAccounts(services.db);
    answer(
      options,
      { accounts },
      accounts.map(
        ({ id, name, sandbox, admins }) =>
          `${id}  ${name}${sandbox ? " (sandbox)" : ""}  ${admins.join(", ")}`,
      ),
    );
  });
}

/** Sets a user's password. Meant for operators without a mailbox, such as a last admin who has lost their password. */
export async function userPassword(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    email: { type: "string" },
    password: { type: "string" },
    json: { type: "boolean" },
  });
  const email = mailAddress(required(options, "email"));
  const chosen = password(options, "password") ?? randomBytes(15).toString("base64url");
  return withServices("existing", async (services) => {
    const chosen_by = { operator, email, password: chosen };
    if ((await runAtEntryPoint(setPasswordByOperator, services, chosen_by)) === undefined) {
      throw new Error(`There is no login ${email}: \`user invite\` prints a link for a user.`);
    }
    answer(options, { email, password: chosen }, [chosen]);
  });
}

/** Makes a link that signs in as the owner of an address, once. Exit code 1 for a login without an active user. */
export async function signInLink(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, { email: { type: "string" }, json: { type: "boolean" } });
  const email = mailAddress(required(options, "email"));
  return withServices("existing", async (services) => {
    const wanted = { operator, email, is_mailed: true };
    const link = await runAtEntryPoint(makeSignInLink, services, wanted);
    if (link === undefined) throw new Error(`There is no login ${email} of an active user.`);
    answer(options, { email, link, minutes: LINK_MINUTES }, [link]);
  });
}

/** Removes the second factors of a login. The last way back for a person who has lost them and their recovery codes. */
export async function userResetFactor(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, { email: { type: "string" }, json: { type: "boolean" } });
  const email = mailAddress(required(options, "email"));
  return withServices("existing", async (services) => {
    if ((await runAtEntryPoint(resetFactors, services, { operator, email })) === undefined) {
      throw new Error(`There is no login ${email}.`);
    }
    answer(options, { email, reset: true }, [
      `${email} signs in with the password alone from now on. All sessions have ended.`,
    ]);
  });
}

export async function userCreate(argv: readonly string[]): Promise<number> {
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
  if (!isRole(role)) throw new UsageError("--role must be admin or standard.");
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
    const stored = await transact(cx, (tx) => insertUser(tx, fields, null, login.store(tx)));
    const user_id = stored.user.id;
    if (login.password === null) await run(inviteUser, cx, { ref: user_id });
    if (role === "admin") await notifyAdmins(cx, stored.user);
    const shown = { account_id: account, user_id, email: fields.email, role };
    answer(options, { ...shown, password: login.password }, [
      `user     ${user_id}`,
      `password ${login.password ?? "(the address has a login: its owner was invited)"}`,
    ]);
  });
}

/**
 * Changes a user like `PATCH /users/{ref}`, including an admin's address, role and activity. When the user loses rights, the
 * result lists the live keys that the user made, which continue to work.
 */
export async function userUpdate(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    account: { type: "string" },
    user: { type: "string" },
    name: { type: "string" },
    email: { type: "string" },
    role: { type: "string" },
    active: { type: "boolean" },
    inactive: { type: "boolean" },
    json: { type: "boolean" },
  });
  const account = accountId(required(options, "account"));
  const ref = userRef(options);
  const changes = userChanges(options);
  return withServices("existing", async (services) => {
    const cx = await operatorContext(services, account);
    const document = await run(changeUser, cx, { ref, changes });
    const { id: user_id, name, email, role, active } = JSON.parse(document) as UserResource;
    const leaves = changes.active === false || changes.role === "standard";
    const keys = (leaves ? await listKeysOf(cx, user_id) : []).map((key) => ({
      ...key,
      revoke: `matchbook key revoke --account ${account} --key ${key.id}`,
    }));
    answer(options, { account_id: account, user_id, name, email, role, active, keys }, [
      `${user_id}  ${name}  ${email}  ${role}  ${active ? "active" : "inactive"}`,
      ...(keys.length === 0
        ? []
        : [`Keys created by ${name} remain valid until they are revoked:`]),
      ...keys.map((key) => `${key.name}  ${key.prefix}…  ${key.scope}  ${key.revoke}`),
    ]);
  });
}

/** Reads the changes of `user update`. Throws UsageError for no change, contradicting options and invalid values. */
function userChanges(options: ReturnType<typeof optionsOf>): UserUpdate {
  const [name, email, role] = [
    text(options, "name"),
    text(options, "email"),
    text(options, "role"),
  ];
  if (options.active && options.inactive) {
    throw new UsageError("--active and --inactive exclude each other.");
  }
  if (role !== undefined && !isRole(role))
    throw new UsageError("--role must be admin or standard.");
  if (name !== undefined && !UserUpdate.shape.name.safeParse(name).success) {
    throw new UsageError("--name must have 1 to 255 characters.");
  }
  const changes = {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email: mailAddress(email) }),
    ...(role === undefined ? {} : { role }),
    ...(options.active || options.inactive ? { active: options.active === true } : {}),
  };
  if (Object.keys(changes).length === 0) {
    throw new UsageError(
      "Name at least one change: --name, --email, --role, --active or --inactive.",
    );
  }
  return changes;
}

function userRef(options: ReturnType<typeof optionsOf>): string {
  const ref = required(options, "user");
  if (!isRef(ref)) throw new UsageError("--user must be the user's id or ext:<external_id>.");
  return ref;
}

export async function userInvite(argv: readonly string[]): Promise<number> {
  const options = optionsOf(argv, {
    account: { type: "string" },
    user: { type: "string" },
    json: { type: "boolean" },
  });
  const account = accountId(required(options, "account"));
  const ref = userRef(options);
  return withServices("existing", async (services) => {
    const cx = await operatorContext(services, account);
    const link = await run(inviteUser, cx, { ref });
    answer(options, { account_id: account, user: ref, link }, [link]);
  });
}

export function oauthRotateKeys(argv: readonly string[]): Promise<number> {
  optionsOf(argv, {});
  return withServices("existing", async (services) => {
    const kid = await runAtEntryPoint(makeKey, services, { is_rotation: true });
    say(`In a minute, access tokens will be signed with the key ${kid}.`);
  });
}
