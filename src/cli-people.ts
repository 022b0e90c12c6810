/** The commands about accounts, their people and keys. */
import { withServices } from "./cli-database.ts";
import {
  accountId,
  answer,
  mailAddress,
  optionsOf,
  password,
  required,
  say,
  text,
  UsageError,
} from "./cli-options.ts";
import { isCurrency } from "./domain/currency.ts";
import { isRole } from "./domain/user.ts";
import { openAccount, operatorContext, preparedLogin } from "./features/accounts/create.ts";
import { mintKey } from "./features/api-keys/mint.ts";
import { rotateKeys } from "./features/oauth/keys.ts";
import { inviteUser } from "./features/people/invite.ts";
import { insertUser } from "./features/people/save.ts";
import { run } from "./platform/command.ts";
import { transaction } from "./platform/database/transaction.ts";
import { isRef } from "./platform/http/schemas.ts";

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

export async function keyCreate(argv: readonly string[]): Promise<number> {
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

export async function userInvite(argv: readonly string[]): Promise<number> {
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

export function oauthRotateKeys(argv: readonly string[]): Promise<number> {
  optionsOf(argv, {});
  return withServices("existing", async (services) => {
    const kid = await rotateKeys(services.db);
    say(`Access tokens are signed with the key ${kid} from a minute on.`);
  });
}
