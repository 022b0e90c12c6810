/** The tables of sign-in, of the authorization server and of the installation itself, in the form of `tables.ts`. */

import type { Timestamp } from "../../domain/base/brand.ts";
import type { Generated } from "./columns.ts";

export interface SignInTables {
  sessions: {
    hash: Buffer;
    login_id: string;
    account_id: string | null;
    user_id: string | null;
    created_at: Generated<Timestamp>;
    last_seen_at: Generated<Timestamp>;
    expires_at: Timestamp;
    id: Generated<string>;
    browser: string | null;
    network: string | null;
    answered_at: Generated<Timestamp>;
  };
  authenticators: {
    login_id: string;
    state: "new" | "active";
    key_id: string;
    sealed_secret: Buffer;
    last_step: bigint | null;
    created_at: Generated<Timestamp>;
  };
  passkeys: {
    id: string;
    login_id: string;
    name: string;
    public_key: Buffer;
    counter: bigint;
    transports: string[];
    created_at: Generated<Timestamp>;
    last_used_at: Timestamp | null;
  };
  recovery_codes: { login_id: string; hash: Buffer };
  pending_sign_ins: { hash: Buffer; login_id: string; expires_at: Timestamp };
  passkey_challenges: {
    hash: Buffer;
    login_id: string;
    purpose: "register" | "answer";
    challenge: string;
    expires_at: Timestamp;
  };
  invitations: {
    account_id: string;
    user_id: string;
    hash: Buffer;
    created_at: Generated<Timestamp>;
    expires_at: Timestamp;
  };
  password_resets: { login_id: string; hash: Buffer; expires_at: Timestamp };
  background_pause: { is_paused: boolean; since: Timestamp };
  held_notes: {
    id: string;
    sandbox: boolean;
    recipient: string;
    subject: string;
    text: string;
    created_at: Generated<Timestamp>;
    language: Generated<"da" | "en">;
    button: string | null;
  };
  rate_counters: { key: Buffer; count: number; ends_at: Timestamp };
  oauth_keys: {
    kid: string;
    jwk: string;
    created_at: Generated<Timestamp>;
    retired_at: Timestamp | null;
  };
  oauth_secrets: { name: string; secret: Buffer };
  oauth_grants: {
    id: string;
    account_id: string;
    user_id: string;
    client_id: string;
    client_name: string;
    scopes: string[];
    created_at: Generated<Timestamp>;
    expires_at: Timestamp;
    last_used_at: Timestamp | null;
  };
  oauth_codes: {
    hash: Buffer;
    account_id: string;
    user_id: string;
    client_id: string;
    client_name: string;
    scopes: string[];
    redirect_uri: string;
    challenge: string;
    consented_at: Generated<Timestamp>;
    expires_at: Timestamp;
    used_at: Timestamp | null;
    grant_id: string | null;
  };
  oauth_refresh_tokens: {
    hash: Buffer;
    grant_id: string;
    created_at: Generated<Timestamp>;
    used_at: Timestamp | null;
  };
}
