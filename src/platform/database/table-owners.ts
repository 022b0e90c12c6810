/**
 * Which tables do not belong to a single account, each with the reason. All other tables belong to the account in their first
 * column, `account_id`, by which `matchbook distribute` spreads them over the machines of a Citus cluster.
 */

/** Tables that every machine of a cluster has whole, because a row is found before its account is known, or has none. */
export const REFERENCE_TABLES: Readonly<Record<string, string>> = {
  accounts: "the accounts themselves",
  api_keys: "found by a secret, before the account is known",
  authenticators: "of a login, which no account owns",
  background_pause: "of the installation",
  first_start: "of the installation",
  held_notes: "to people, whose logins no account owns",
  logins: "of a person, who may be a user of several accounts",
  oauth_codes: "found by a secret, before the account is known",
  oauth_grants: "found by a token's id, before the account is known",
  oauth_keys: "of the installation",
  oauth_refresh_tokens: "found by a secret, before the account is known",
  oauth_secrets: "of the installation",
  passkey_challenges: "found by a secret; of a login, which no account owns",
  passkeys: "of a login, which no account owns",
  password_resets: "found by a secret; of a login, which no account owns",
  pending_sign_ins: "found by a secret; of a login, which no account owns",
  recovery_codes: "of a login, which no account owns",
  schema_migrations: "of the installation",
  sessions: "found by a secret, and without an account until one is chosen",
  sign_in_links: "found by a secret; of a login, which no account owns",
};

/** Tables of an account that every machine has whole, too, because the tables above refer to them. */
export const SHARED_TABLES: Readonly<Record<string, string>> = {
  invitations: "found by a secret, before the account is known",
  studios: "one for each login, in whichever account",
  users: "sessions and grants refer to them",
};

/** Tables of the coordinator alone: counters that are written at every attempt or call. */
export const COORDINATOR_TABLES: Readonly<Record<string, string>> = {
  ledger_budgets: "of an organisation, to which several accounts may be connected",
  rate_counters: "attempts of a caller who is not known yet",
};
