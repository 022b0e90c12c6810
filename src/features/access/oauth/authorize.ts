/**
 * Checks the parameters of an authorization request. Client and redirect URI are checked first: no redirect follows before both
 * are valid. Later faults may be reported to the client, with `state` and `iss`, but only after the person has signed in: any
 * program may register, so a link to this address could otherwise redirect anyone to any address.
 */

import { randomBytes } from "node:crypto";
import type { McpScope } from "../../../platform/commands/context.ts";
import { defineDoorCommand } from "../../../platform/commands/entry-point.ts";
import type { Database } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { Fields } from "../../../platform/http/form.ts";
import type { Config } from "../../../platform/runtime/config.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import { type Client, findClient, isRegistered } from "./client.ts";
import { scopesFromText } from "./scopes.ts";
import { mcpUrl } from "./tokens.ts";

export const AUTHORIZE_PATH = "/api/oauth/authorize";

/** The lifetime of a code. */
const CODE_SECONDS = 60;

const LONGEST_STATE = 2_000;

export interface AuthorizationRequest {
  readonly client: Client;
  readonly redirect_uri: string;
  readonly state: string | undefined;
  /** The scopes that may be granted: the requested one with all lower ones. */
  readonly scopes: readonly McpScope[];
  readonly challenge: string;
}

type AuthorizationCheck =
  | { readonly kind: "good"; readonly request: AuthorizationRequest }
  /** No redirect: the page reports the fault to the person. */
  | { readonly kind: "stranger"; readonly fault: "unknown_client" | "foreign_address" }
  | {
      readonly kind: "faulty";
      /** The address to which a signed-in person is redirected, with the error. */
      readonly redirect: string;
      readonly redirect_uri: string;
      /** A code of the protocol, and its description. */
      readonly error: string;
      readonly description: string;
    };

/** Checks the parameters of /api/oauth/authorize. */
export async function checkRequest(
  db: Database,
  settings: Pick<Config, "base_url" | "oauth_schemes">,
  fields: Fields,
): Promise<AuthorizationCheck> {
  const { base_url, oauth_schemes } = settings;
  const client = await findClient(db, fields.client_id);
  if (client === undefined) {
    return { kind: "stranger", fault: "unknown_client" };
  }
  const { redirect_uri } = fields;
  if (redirect_uri === undefined || !isRegistered(client, redirect_uri, oauth_schemes)) {
    return { kind: "stranger", fault: "foreign_address" };
  }
  const state = fields.state;
  const scopes = scopesFromText(fields.scope);
  const asked = readRest(fields, base_url, scopes);
  if ("error" in asked) {
    const kept = state === undefined || state.length > LONGEST_STATE ? {} : { state };
    const redirect = redirectTo(redirect_uri, { ...asked, ...kept, iss: base_url });
    const { error, error_description: description } = asked;
    return { kind: "faulty", redirect, redirect_uri, error, description };
  }
  return { kind: "good", request: { client, redirect_uri, state, ...asked } };
}

interface Fault {
  readonly error: string;
  readonly error_description: string;
}

/** Returns the other parameters of the request, or their first fault. */
function readRest(
  fields: Fields,
  base_url: string,
  scopes: readonly McpScope[] | undefined,
): Fault | Pick<AuthorizationRequest, "scopes" | "challenge"> {
  const fault = (error: string, error_description: string): Fault => ({ error, error_description });
  if (fields.response_type === undefined) {
    return fault("invalid_request", "response_type is needed");
  }
  if (fields.response_type !== "code") {
    return fault("unsupported_response_type", "only the response type code is known");
  }
  if (fields.code_challenge === undefined) return fault("invalid_request", "PKCE is needed");
  if (fields.code_challenge_method !== "S256") {
    return fault("invalid_request", "the code_challenge_method must be S256");
  }
  if (!/^[\w-]{43}$/.test(fields.code_challenge)) {
    return fault("invalid_request", "the code_challenge is not one of S256");
  }
  if ((fields.state ?? "").length > LONGEST_STATE) {
    return fault("invalid_request", "the state is too long");
  }
  if (fields.request !== undefined) return fault("request_not_supported", "no request objects");
  if (fields.request_uri !== undefined) {
    return fault("request_uri_not_supported", "no request objects");
  }
  if (!isOurResource(fields.resource, base_url)) {
    return fault("invalid_target", "the resource is not the MCP endpoint of this service");
  }
  if (scopes === undefined) return fault("invalid_scope", "no such scope");
  if (fields.prompt?.split(" ").includes("none")) {
    return fault("consent_required", "a person is asked each time");
  }
  return { scopes, challenge: fields.code_challenge };
}

/** Whether the resource is this service. Some clients add a slash or name only the origin; the audience is the same. */
export function isOurResource(resource: string | undefined, base_url: string): boolean {
  if (resource === undefined) return true;
  const url = mcpUrl(base_url);
  return [url, `${url}/`, base_url, `${base_url}/`].includes(resource);
}

/** Returns the client's redirect URI with additional parameters. */
export function redirectTo(
  redirect_uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  const added = new URLSearchParams(given).toString();
  return `${redirect_uri}${redirect_uri.includes("?") ? "&" : "?"}${added}`;
}

/** A consent of a signed-in person, with the scopes that the person left selected. */
interface Consent extends AuthorizationRequest {
  readonly session_token: string;
  readonly account_id: string;
  readonly user_id: string;
}

/** Stores a consent and returns its code; undefined if the session has ended. The code's exchange begins the grant. */
export const storeConsent = defineDoorCommand({
  name: "store_consent",
  async commit(tx, { session_token, account_id, user_id, client, ...asked }: Consent) {
    const code = randomBytes(32).toString("base64url");
    // The end of the session, such as by a new password, precedes this lock, or waits for it and then ends the code too.
    const stored =
      await tx.row(sql`insert into oauth_codes (hash, account_id, user_id, client_id, client_name, scopes, redirect_uri,
       challenge, expires_at)
     select ${sha256(code)}, account_id, user_id, ${client.id}, ${client.name}, ${[...asked.scopes]}, ${asked.redirect_uri}, ${asked.challenge},
       clock_timestamp() + make_interval(secs => ${CODE_SECONDS})
     from sessions where hash = ${sha256(session_token)} and account_id = ${account_id} and user_id = ${user_id} for key share
     returning hash`);
    return stored === undefined ? undefined : code;
  },
});
