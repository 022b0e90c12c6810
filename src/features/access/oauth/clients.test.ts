/** Strict third-party clients through the whole flow: discovery, registration, consent, tokens, refresh, revocation. */
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { beforeAll, expect, it } from "vitest";
import type { Browser } from "../../../../test/support/browser/browser.ts";
import { openConsent } from "../../../../test/support/mcp/consent.ts";
import { useWorld } from "../../../../test/support/world/world.ts";
import { tokenAuthentication } from "./authenticate.ts";

const CALLBACK = "http://127.0.0.1:4711/callback";
const insecure = { [oauth.allowInsecureRequests]: true };

let browser: Browser;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  browser = await openConsent(world).signedInAdmin();
});

/** The actions of a person in the browser that the client opens: read, and press Allow. */
async function consent(url: URL): Promise<URL> {
  const path = url.pathname + url.search;
  const page = await browser.get(path);
  const reply = await browser.submit(page, path, { decision: "allow" });
  return new URL(reply.location ?? "x:");
}

const isLive = async (token: string) =>
  (await tokenAuthentication(world.services).authenticate(token))?.person?.user_id;

it("oauth4webapi connects, refreshes and revokes", async () => {
  const issuer = new URL(world.origin);
  const resource = new URL("/api/mcp", issuer);
  const resource_reply = await oauth.resourceDiscoveryRequest(resource, insecure);
  const server_of = await oauth.processResourceDiscoveryResponse(resource, resource_reply);
  expect(server_of.authorization_servers).toEqual([world.origin]);
  const discovery = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
  const server = await oauth.processDiscoveryResponse(issuer, discovery);
  const registration = await oauth.dynamicClientRegistrationRequest(
    server,
    { client_name: "Strict", redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" },
    insecure,
  );
  const registered = await oauth.processDynamicClientRegistrationResponse(registration);
  const code_verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    client_id: registered.client_id,
    redirect_uri: CALLBACK,
    response_type: "code",
    scope: "mcp:read mcp:write",
    state,
    resource: resource.href,
    code_challenge: await oauth.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: "S256",
  }).toString();

  const parameters = oauth.validateAuthResponse(server, registered, await consent(url), state);
  const exchanged = await oauth.authorizationCodeGrantRequest(
    server,
    registered,
    oauth.None(),
    parameters,
    CALLBACK,
    code_verifier,
    { additionalParameters: { resource: resource.href }, ...insecure },
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, registered, exchanged);
  expect(tokens.scope).toBe("mcp:read mcp:write");
  const request = new Request(resource, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  const claims = await oauth.validateJwtAccessToken(server, request, resource.href, insecure);
  expect(claims).toMatchObject({ aud: resource.href, client_id: registered.client_id });
  expect(claims.exp - claims.iat).toBe(600);

  const refreshed = await oauth.processRefreshTokenResponse(
    server,
    registered,
    await oauth.refreshTokenGrantRequest(
      server,
      registered,
      oauth.None(),
      tokens.refresh_token ?? "",
      insecure,
    ),
  );
  expect(await isLive(refreshed.access_token)).toBe(world.account.admin.user_id);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(
      server,
      registered,
      oauth.None(),
      refreshed.refresh_token ?? "",
      insecure,
    ),
  );
  expect(await isLive(refreshed.access_token)).toBeUndefined();
});

it("openid-client connects and refreshes", async () => {
  const config = await client.dynamicClientRegistration(
    new URL(world.origin),
    { redirect_uris: [CALLBACK], token_endpoint_auth_method: "none" },
    client.None(),
    { algorithm: "oauth2", execute: [client.allowInsecureRequests] },
  );
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: "mcp:read mcp:write mcp:issue",
    resource: `${world.origin}/api/mcp`,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });

  const tokens = await client.authorizationCodeGrant(config, await consent(url), {
    pkceCodeVerifier,
    expectedState,
  });
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");

  expect(await isLive(refreshed.access_token)).toBe(world.account.admin.user_id);
  await client.tokenRevocation(config, refreshed.access_token);
  expect(await isLive(refreshed.access_token)).toBeUndefined();
});
