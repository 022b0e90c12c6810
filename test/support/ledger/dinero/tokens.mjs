/**
 * The two ways in which clients of the simulation of Dinero authenticate: a password grant whose name and password are the key of
 * the organisation, and refresh tokens that work once. A second use of one ends its whole grant.
 */
import { randomUUID } from "node:crypto";

/** Returns status and body of the token endpoint. */
export function tokenAnswer(books, form, authorization, switches) {
  const client = clientOf(form, authorization);
  if (client === undefined) return [401, { error: "invalid_client" }];
  const grant_type = form.get("grant_type");
  if (grant_type === "password") {
    const key = books.get(`key/${form.get("username")}`);
    if (key === undefined || form.get("password") !== form.get("username"))
      return [400, { error: "invalid_grant" }];
    return [200, accessToken(books, { org: key.org, client }, switches)];
  }
  if (grant_type !== "refresh_token") return [400, { error: "unsupported_grant_type" }];
  const token = books.get(`refresh/${form.get("refresh_token")}`);
  if (token === undefined) return [400, { error: "invalid_grant" }];
  const grant = books.get(`grant/${token.grant}`);
  if (token.is_used || grant === undefined) {
    books.commit({ [`grant/${token.grant}`]: null });
    return [400, { error: "invalid_grant", error_description: "the refresh token was used" }];
  }
  const next = randomUUID();
  books.commit({
    [`refresh/${form.get("refresh_token")}`]: { ...token, is_used: true },
    [`refresh/${next}`]: { grant: token.grant, is_used: false },
  });
  const access = accessToken(books, { org: grant.org, client, grant: token.grant }, switches);
  return [200, { ...access, refresh_token: next }];
}

/** A grant as an admin gives it in a browser; returns the first refresh token. */
export function grantTo(books, org) {
  const grant = randomUUID();
  const first = randomUUID();
  books.commit({
    [`grant/${grant}`]: { org },
    [`refresh/${first}`]: { grant, is_used: false },
  });
  return first;
}

function clientOf(form, authorization) {
  const [scheme, encoded] = (authorization ?? "").split(" ");
  const [id, secret] =
    scheme === "Basic"
      ? Buffer.from(encoded ?? "", "base64")
          .toString()
          .split(":")
      : [form.get("client_id"), form.get("client_secret")];
  return id === "sim-client" && secret === "sim-secret" ? id : undefined;
}

function accessToken(books, facts, { token_seconds }) {
  const access_token = randomUUID();
  const expires_at = Date.now() + token_seconds * 1000;
  books.commit({ [`access/${access_token}`]: { ...facts, expires_at } });
  return { access_token, token_type: "bearer", expires_in: token_seconds };
}

/** The record of a bearer token; undefined for an unknown or expired one. */
export function bearerOf(books, authorization) {
  const token = books.get(`access/${(authorization ?? "").replace(/^Bearer /, "")}`);
  if (token === undefined || token.expires_at <= Date.now()) return undefined;
  if (token.grant !== undefined && books.get(`grant/${token.grant}`) === undefined)
    return undefined;
  return token;
}
