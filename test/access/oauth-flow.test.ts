/**
 * The authorization server over real HTTP, as assistants and browsers use it, and all requests that it must refuse (spec 8.6).
 */
import { beforeAll, describe, expect, it } from "vitest";
import { tokenAuthentication } from "../../src/features/access/oauth/authenticate.ts";
import { checkRequest } from "../../src/features/access/oauth/authorize.ts";
import { keyRing } from "../../src/features/access/oauth/keys.ts";
import { removeExpired } from "../../src/features/access/sign-in/clean.ts";
import { csrfToken } from "../../src/platform/security/sessions/csrf.ts";
import {
  type Browser,
  disconnected,
  openBrowser,
  type PageReply,
} from "../support/browser/browser.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { type Json, openWorld, useWorld } from "../support/world/world.ts";

const CALLBACK = "https://assistant.example/callback";

let oauth: ReturnType<typeof openConsent>;
let browser: Browser;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  oauth = openConsent(world);
  browser = await oauth.signedInAdmin();
});

const whoIs = (token: string) => tokenAuthentication(world.services).authenticate(token);
const parametersOf = (reply: PageReply) =>
  Object.fromEntries(new URL(reply.location ?? "x:").searchParams);

describe("the metadata", () => {
  it.each(["", "/api/mcp"])(
    "of the authorization server is public at oauth-authorization-server%s",
    async (path) => {
      const response = await fetch(`${world.origin}/.well-known/oauth-authorization-server${path}`);
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(response.headers.get("cache-control")).toBe("public, max-age=300");
      expect(await response.json()).toEqual({
        issuer: world.origin,
        authorization_endpoint: `${world.origin}/api/oauth/authorize`,
        token_endpoint: `${world.origin}/api/oauth/token`,
        registration_endpoint: `${world.origin}/api/oauth/register`,
        revocation_endpoint: `${world.origin}/api/oauth/revoke`,
        jwks_uri: `${world.origin}/api/oauth/jwks`,
        scopes_supported: ["mcp:read", "mcp:write", "mcp:issue"],
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        token_endpoint_auth_methods_supported: ["none"],
        revocation_endpoint_auth_methods_supported: ["none"],
        code_challenge_methods_supported: ["S256"],
        authorization_response_iss_parameter_supported: true,
      });
    },
  );

  it.each(["", "/api/mcp"])(
    "of the MCP endpoint is public at oauth-protected-resource%s",
    async (path) => {
      const response = await fetch(`${world.origin}/.well-known/oauth-protected-resource${path}`, {
        headers: { "x-forwarded-host": "evil.example" },
      });
      expect(await response.json()).toEqual({
        resource: `${world.origin}/api/mcp`,
        authorization_servers: [world.origin],
        scopes_supported: ["mcp:read", "mcp:write", "mcp:issue"],
        bearer_methods_supported: ["header"],
        resource_name: "Matchbook",
      });
    },
  );

  it("has no OpenID configuration, and only the public part of keys", async () => {
    const openid = await fetch(`${world.origin}/.well-known/openid-configuration`);
    expect(openid.status).toBe(404);
    const jwks = await fetch(`${world.origin}/api/oauth/jwks`);
    // A new key signs after a minute, so clients may not cache older keys for longer.
    expect(jwks.headers.get("cache-control")).toBe("public, no-cache");
    const { keys } = (await jwks.json()) as Json;
    expect(keys).toEqual([
      {
        kty: "EC",
        crv: "P-256",
        alg: "ES256",
        use: "sig",
        kid: (await keyRing(world.services).signing()).kid,
        x: expect.any(String),
        y: expect.any(String),
      },
    ]);
  });

  it("can be read from any origin, without credentials", async () => {
    const response = await fetch(`${world.origin}/api/oauth/token`, { method: "OPTIONS" });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    const page = await browser.get("/api/oauth/authorize");
    expect(page.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("registration", () => {
  it("returns the registered client, and stores nothing", async () => {
    const sent = {
      client_name: "Cursor",
      redirect_uris: ["cursor://anysphere.cursor-mcp/oauth/callback", "http://localhost:33418/"],
      application_type: "web",
      grant_types: ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"],
      token_endpoint_auth_method: "client_secret_basic",
    };
    const reply = await oauth.register(sent);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({
      client_name: "Cursor",
      redirect_uris: sent.redirect_uris,
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    });
    expect(reply.body).not.toHaveProperty("client_secret");
  });

  it.each([
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "http://evil.example/cb",
    "http://127.0.0.1.evil.example/cb",
    "https://user:pass@x.example/cb",
    "https://x.example@evil.example/cb",
    "https://@evil.example/cb",
    "https:///evil.example",
    "https://x.example/cb#fragment",
    "https://x.example/c b",
    "https://x.example\\@evil.example/cb",
    "https://bücher.example/cb",
    "http://localhost./cb",
    "http://localhost.evil.example/cb",
    "http://127.0.0.1:99999/cb",
    "https://x.example/\r\nset-cookie: a=b",
    "//evil.example",
    "/callback",
    "file:///etc/passwd",
    "ws://x.example",
    "foo://callback",
    "foo:/callback",
    "ms-settings://callback",
    "com.:/callback",
    ".com:/callback",
    "",
    "x".repeat(2_000),
  ])("refuses the redirect URI %j", async (uri) => {
    const reply = await oauth.register({ redirect_uris: [uri] });
    expect([reply.status, reply.body.error]).toEqual([400, "invalid_redirect_uri"]);
  });

  it.each([
    "com.example.app:/callback",
    "com.example.app://callback",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "vscode://vscode.github-authentication/did-authenticate",
    "vscode-insiders://x/y",
    "claude://callback",
    "windsurf://codeium.windsurf/callback",
    "zed://callback",
  ])("accepts the redirect URI %j", async (uri) => {
    const reply = await oauth.register({ redirect_uris: [uri] });
    expect([reply.status, reply.body.redirect_uris]).toEqual([201, [uri]]);
  });

  it.each([
    ["no list", {}],
    ["an empty list", { redirect_uris: [] }],
    ["too many", { redirect_uris: Array(21).fill(CALLBACK) }],
    ["numbers", { redirect_uris: [1] }],
    ["an array", [CALLBACK]],
    ["null", null],
    ["no JSON", "{"],
    ["a prototype", '{"__proto__": {"redirect_uris": ["https://x.example"]}}'],
    ["a large body", { redirect_uris: [CALLBACK], x: "y".repeat(20_000) }],
    ["too much in all", { redirect_uris: Array(20).fill(`https://x.example/${"y".repeat(300)}`) }],
  ])("refuses %s", async (_what, body) => {
    const reply = await oauth.register(body);
    expect(reply.status).toBe(400);
    expect(reply.body.error).toMatch(/^invalid_/);
  });

  it.each([
    [undefined, "mcp:read mcp:write mcp:issue"],
    ["mcp:read", "mcp:read"],
    ["mcp:issue openid mcp:read", "mcp:read mcp:issue"],
    ["openid email", "mcp:read mcp:write mcp:issue"],
    ["", "mcp:read mcp:write mcp:issue"],
    [7, "mcp:read mcp:write mcp:issue"],
  ])("for the scope %j is answered %j, and may request more later", async (scope, known) => {
    const reply = await oauth.register({ redirect_uris: [CALLBACK], scope });
    expect([reply.status, reply.body.scope]).toEqual([201, known]);
  });

  it("cleans and shortens the name", async () => {
    const name = `A\u202E\n<b>${"x".repeat(500)}`;
    const { body } = await oauth.register({ redirect_uris: [CALLBACK], client_name: name });
    expect(body.client_name).toMatch(/^A <b>x{114,116}$/);
    const unnamed = await oauth.register({ redirect_uris: [CALLBACK], client_name: 7 });
    expect(unnamed.body.client_name).toBe("Unnamed assistant");
  });

  it("is limited by address with 429 and Retry-After", async () => {
    await world.sql("update rate_counters set count = 200");
    const reply = await oauth.register({ redirect_uris: [CALLBACK] });
    await world.sql("delete from rate_counters");
    expect(reply.status).toBe(429);
    expect(reply.headers.get("retry-after")).toMatch(/^\d+$/);
  });
});

describe("an authorization request", () => {
  it.each([
    ["no client", { client_id: undefined }],
    ["an invented client", { client_id: "abc.def" }],
    ["a forged client", { client_id: `${"a".repeat(80)}.${"b".repeat(43)}` }],
    ["a client id of 6 kB", { client_id: "a".repeat(6_000) }],
    ["no redirect URI", { redirect_uri: undefined }],
    ["another redirect URI", { redirect_uri: "https://evil.example/callback" }],
    ["a redirect URI below the registered one", { redirect_uri: `${CALLBACK}/../x` }],
    ["a redirect URI with a query", { redirect_uri: `${CALLBACK}?x=1` }],
    ["a redirect URI of another case", { redirect_uri: CALLBACK.toUpperCase() }],
    [
      "a redirect URI with a dot behind the host",
      { redirect_uri: "https://assistant.example./callback" },
    ],
    ["a redirect URI with a user name", { redirect_uri: "https://x@assistant.example/callback" }],
    ["a redirect URI with a fragment", { redirect_uri: `${CALLBACK}#x` }],
    ["a redirect URI of 3 kB", { redirect_uri: `${CALLBACK}${"x".repeat(3_000)}` }],
    ["a redirect URI with a port", { redirect_uri: "https://assistant.example:8443/callback" }],
    ["a script as redirect URI", { redirect_uri: "javascript:alert(1)" }],
  ])("with %s is refused on our own page and redirects nowhere", async (_what, wrong) => {
    const client = await oauth.client();
    const page = await browser.get(oauth.urlFor({ ...client.request(), ...wrong }));
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.html).not.toContain("evil.example");
  });

  const faults: [string, Record<string, string | undefined>, string][] = [
    ["another response type", { response_type: "token" }, "unsupported_response_type"],
    ["no response type", { response_type: undefined }, "invalid_request"],
    ["missing PKCE", { code_challenge: undefined }, "invalid_request"],
    ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["a PKCE method left out", { code_challenge_method: undefined }, "invalid_request"],
    ["a short challenge", { code_challenge: "short" }, "invalid_request"],
    ["only unknown scopes", { scope: "openid email" }, "invalid_scope"],
    ["another resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["a request object", { request: "e30.e30." }, "request_not_supported"],
    ["a request to skip the consent", { prompt: "none" }, "consent_required"],
  ];

  it.each(faults)(
    "with %s returns to the client with state and iss",
    async (_what, wrong, error) => {
      const client = await oauth.client();
      const page = await browser.get(
        oauth.urlFor({ ...client.request(), ...wrong, state: "s 1&" }),
      );
      expect(page.status).toBe(303);
      expect(page.location?.startsWith(`${CALLBACK}?`)).toBe(true);
      expect(parametersOf(page)).toMatchObject({ error, state: "s 1&", iss: world.origin });
    },
  );

  it.each(faults)("without a sign-in, with %s, redirects nowhere", async (_what, wrong) => {
    const client = await oauth.client();
    const stranger = openBrowser(world);
    const url = oauth.urlFor({ ...client.request(), ...wrong, state: "s" });
    const page = await stranger.get(url);
    expect([page.status, page.location]).toEqual([400, null]);
    expect(page.html).toContain("<strong>assistant.example</strong>");
    const csrf = csrfToken(stranger.cookie() ?? "", url);
    const posted = await stranger.post(url, { csrf, decision: "deny" });
    expect([posted.status, posted.location]).toEqual([400, null]);
  });

  it("before the choice of an account redirects nowhere", async () => {
    const client = await oauth.client();
    const browser_without_account = await oauth.signedInAdmin();
    await world.sql(
      "update sessions set account_id = null, user_id = null where hash = sha256($1)",
      [browser_without_account.cookie()],
    );
    const url = oauth.urlFor(client.request({ response_type: "token" }));
    const page = await browser_without_account.get(url);
    expect([page.status, page.location]).toEqual([400, null]);
  });

  it.each([
    "scope=mcp%3Aread",
    "state=x",
    "redirect_uri=https%3A%2F%2Fevil.example",
    "client_id=x",
  ])("with a repeated parameter is refused: %s", async (repeated) => {
    const client = await oauth.client();
    const url = oauth.urlFor({ ...client.request(), scope: "mcp:read", state: "s" });
    const page = await browser.get(`${url}&${repeated}`);
    expect([page.status, page.location]).toEqual([400, null]);
  });

  it.each([
    "?%00=%00",
    "?client_id=%00",
    "?client_id[]=x",
    "?__proto__=x",
    `?x=${"y".repeat(9_000)}`,
  ])("with malformed parameters is refused: %.20s", async (junk) => {
    expect((await browser.get(`/api/oauth/authorize${junk}`)).status).toBe(400);
  });

  it("leads from the sign-in to the consent", async () => {
    const client = await oauth.client();
    const stranger = openBrowser(world);
    const url = oauth.urlFor(client.request());
    const page = await stranger.get(url);
    expect(page.html).toContain("Sign in");
    const { email } = world.account.admin;
    const reply = await stranger.submit(page, "/sign-in", { email, password: oauth.password });
    expect(reply.location).toBe(url);
    expect((await stranger.get(url)).html).toContain("Allow this assistant?");
  });

  it("shows the claimed name, the redirect host, the scopes and the signed-in user", async () => {
    const client = await oauth.client({ client_name: '<script>"Evil"</script>' });
    const page = await browser.get(oauth.urlFor(client.request()));
    expect(page.html).toContain("calls itself");
    expect(page.html).toContain("&lt;script>&quot;Evil&quot;&lt;/script>");
    expect(page.html).not.toContain("<script");
    expect(page.html).toContain("assistant.example");
    expect(page.html).toContain(world.account.admin.email);
    for (const scope of ["mcp:read", "mcp:write", "mcp:issue"]) expect(page.html).toContain(scope);
    expect(page.html).not.toContain("program on this computer");
  });

  it("warns if the answer goes to this computer, on any port", async () => {
    const client = await oauth.client({ redirect_uris: ["http://127.0.0.1:33418/cb"] });
    const request = { ...client.request(), redirect_uri: "http://127.0.0.1:5555/cb" };
    const page = await browser.get(oauth.urlFor(request));
    expect(page.html).toContain("127.0.0.1:5555");
    expect(page.html).toContain("program on this computer");
  });

  it("warns if the answer goes to a scheme that any local program can register", async () => {
    const client = await oauth.client({ redirect_uris: ["cursor://anysphere.cursor-mcp/cb"] });
    const page = await browser.get(oauth.urlFor(client.request()));
    expect(page.html).toContain("cursor://anysphere.cursor-mcp");
    expect(page.html).toContain("program on this computer");
  });

  it.each([
    "http://127.0.0.1:5555/other",
    "http://localhost:5555/cb",
    "http://127.0.0.1@evil.example/cb",
    "https://127.0.0.1/cb",
  ])("may change only the port of a loopback address: %s", async (redirect_uri) => {
    const client = await oauth.client({ redirect_uris: ["http://127.0.0.1:33418/cb"] });
    const page = await browser.get(oauth.urlFor({ ...client.request(), redirect_uri }));
    expect([page.status, page.location]).toEqual([400, null]);
  });

  it("can be opened as a window by a web program that waits for its answer", async () => {
    const url = oauth.urlFor((await oauth.client()).request());
    for (const visitor of [browser, openBrowser(world)]) {
      const { headers } = await visitor.get(url);
      expect(headers.get("cross-origin-opener-policy")).toBeNull();
    }
    const settings = await browser.get("/settings/developer");
    expect(settings.headers.get("cross-origin-opener-policy")).toBe("same-origin");
  });

  it("cannot be framed, and has no form-action that would block the redirect", async () => {
    const client = await oauth.client();
    const { headers } = await browser.get(oauth.urlFor(client.request()));
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("form-action");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a scheme without a period", () => {
  it("is accepted if the installation names it, in place of the default ones", async () => {
    const environment = { MATCHBOOK_OAUTH_SCHEMES: "acme-editor, zed" };
    const own = await openWorld({ knows_origin: true, environment });
    try {
      const { register } = openConsent(own);
      const status = async (uri: string) => (await register({ redirect_uris: [uri] })).status;
      expect(await status("acme-editor://callback")).toBe(201);
      expect(await status("com.example.app:/callback")).toBe(201);
      const refused = await register({ redirect_uris: ["cursor://callback"] });
      expect([refused.status, refused.body.error]).toEqual([400, "invalid_redirect_uri"]);
      expect(refused.body.error_description).toContain("acme-editor, zed");
    } finally {
      await own.close();
    }
  });

  it("that the installation no longer accepts ends the authorizations of its clients", async () => {
    const client = await oauth.client({ redirect_uris: ["cursor://anysphere.cursor-mcp/cb"] });
    const other = { ...world.services.config, oauth_schemes: [] };
    const request = client.request() as Record<string, string>;
    expect((await checkRequest(world.db, world.services.config, request)).kind).toBe("good");
    expect((await checkRequest(world.db, other, request)).kind).toBe("stranger");
  });
});

describe("the consent", () => {
  it("reports a denial to the client", async () => {
    const client = await oauth.client();
    const reply = await oauth.decide(browser, { ...client.request(), state: "s" }, "deny");
    expect(parametersOf(reply)).toMatchObject({
      error: "access_denied",
      state: "s",
      iss: world.origin,
    });
  });

  it.each([
    ["everything", {}, "mcp:read mcp:write mcp:issue"],
    ["no issuing", { "mcp:issue": "" }, "mcp:read mcp:write"],
    ["only reading", { "mcp:issue": "", "mcp:write": "" }, "mcp:read"],
    ["a higher scope without the lower one", { "mcp:write": "" }, "mcp:read"],
  ])("can allow %s", async (_what, fields, scope) => {
    const client = await oauth.client();
    const { body } = await client.connect(browser, {}, fields);
    expect(body.scope).toBe(scope);
  });

  it.each([
    [undefined, "mcp:read"],
    ["", "mcp:read"],
    ["mcp:write", "mcp:read mcp:write"],
    ["openid mcp:issue", "mcp:read mcp:write mcp:issue"],
  ])("offers and grants for the scope %j: %s", async (scope, given) => {
    const client = await oauth.client();
    expect((await client.connect(browser, { scope })).body.scope).toBe(given);
  });

  it("never grants more than was requested, whatever the form contains", async () => {
    const client = await oauth.client();
    const { body } = await client.connect(
      browser,
      { scope: "mcp:read" },
      { "mcp:issue": "on", "mcp:write": "on" },
    );
    expect(body.scope).toBe("mcp:read");
  });

  it.each([
    ["without a csrf value", { csrf: "" }, {}],
    ["with a forged csrf value", { csrf: "x".repeat(43) }, {}],
    ["from another site", {}, { "sec-fetch-site": "cross-site" }],
  ])("is refused when it is sent %s", async (_what, fields, headers) => {
    const client = await oauth.client();
    const url = oauth.urlFor(client.request());
    const hidden = oauth.hidden(await browser.get(url), url);
    const reply = await browser.post(url, { ...hidden, decision: "allow", ...fields }, headers);
    expect([reply.status, reply.location]).toEqual([400, null]);
  });

  it("for one request is not valid for another", async () => {
    const client = await oauth.client();
    const small = oauth.urlFor(client.request({ scope: "mcp:read" }));
    const large = oauth.urlFor(client.request());
    const hidden = oauth.hidden(await browser.get(small), small);
    const reply = await browser.post(large, { ...hidden, decision: "allow" });
    expect(reply.status).toBe(400);
  });

  it("is requested at every authorization, and never given by a link", async () => {
    const client = await oauth.client();
    await client.connect(browser);
    const url = oauth.urlFor(client.request({ decision: "allow", "mcp:issue": "on" }));
    const page = await browser.get(url);
    expect([page.status, page.location]).toEqual([200, null]);
    expect(page.html).toContain("Allow this assistant?");
  });

  it("leads to the sign-in after a sign-out", async () => {
    const client = await oauth.client();
    const own = await oauth.signedInAdmin();
    const url = oauth.urlFor(client.request());
    const page = await own.get(url);
    await world.sql("delete from sessions where hash = sha256($1)", [own.cookie()]);
    const reply = await own.submit(page, url, { decision: "allow" });
    expect(reply.location).toBeNull();
    expect(reply.html).toContain("Sign in");
  });
});

describe("a code", () => {
  it("becomes a grant with tokens, recorded in the audit trail as the user's action", async () => {
    const client = await oauth.client();
    const { status, body, headers } = await client.connect(browser);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: "Bearer",
      expires_in: 600,
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: "mcp:read mcp:write mcp:issue",
    });
    const caller = await whoIs(body.access_token);
    expect(caller?.person?.user_id).toBe(world.account.admin.user_id);
    const { data } = await world.done("GET /audit-events?resource_type=oauth_grant");
    expect(data[0]).toMatchObject({
      action: "created",
      actor: { kind: "user", id: world.account.admin.user_id },
    });
  });

  it("creates no grant before its exchange, and replaces an older grant of the same client", async () => {
    const client = await oauth.client();
    const count = () => world.sql("select id from oauth_grants where client_id = $1", [client.id]);
    await client.code(browser);
    expect(await count()).toEqual([]);
    const first = await client.connect(browser);
    const second = await client.connect(browser);
    expect(await count()).toHaveLength(1);
    expect(await whoIs(first.body.access_token)).toBeNull();
    expect(await whoIs(second.body.access_token)).not.toBeNull();
    const { data } = await world.done("GET /audit-events?resource_type=oauth_grant&limit=2");
    expect(data).toMatchObject([
      { action: "created" },
      { action: "revoked", reason: "replaced by a newer one" },
    ]);
  });

  it("revokes the grant when it is replayed", async () => {
    const client = await oauth.client();
    const code = await client.code(browser);
    const first = await client.exchange(code);
    const again = await client.exchange(code);
    expect([again.status, again.body.error]).toEqual([400, "invalid_grant"]);
    expect(await whoIs(first.body.access_token)).toBeNull();
    expect((await client.refresh(first.body.refresh_token)).body.error).toBe("invalid_grant");
  });

  it("leaves no grant when two requests exchange it in parallel", async () => {
    const client = await oauth.client();
    const code = await client.code(browser);
    const replies = await Promise.all([client.exchange(code), client.exchange(code)]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 400]);
    expect(await world.sql("select 1 from oauth_grants where client_id = $1", [client.id])).toEqual(
      [],
    );
  });

  it.each([
    ["another verifier", { code_verifier: "x".repeat(43) }],
    ["no verifier", { code_verifier: undefined }],
    ["a short verifier", { code_verifier: "short" }],
    ["a long verifier", { code_verifier: "x".repeat(129) }],
    ["another redirect URI", { redirect_uri: "https://evil.example/" }],
    ["no redirect URI", { redirect_uri: undefined }],
  ])("is refused with %s, and cannot be used again", async (_what, wrong) => {
    const client = await oauth.client();
    const code = await client.code(browser);
    const refused = await client.exchange(code, wrong);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"]);
    expect((await client.exchange(code)).body.error).toBe("invalid_grant");
  });

  it("is refused to another client", async () => {
    const [client, other] = [await oauth.client(), await oauth.client()];
    const reply = await client.exchange(await client.code(browser), { client_id: other.id });
    expect(reply.body.error).toBe("invalid_grant");
  });

  it("expires after a minute, and when its user is deactivated", async () => {
    const client = await oauth.client();
    const late = await client.code(browser);
    await world.sql("update oauth_codes set expires_at = now()");
    expect((await client.exchange(late)).body.error).toBe("invalid_grant");
    const { browser: own, user_id } = await oauth.person();
    const code = await client.code(own);
    await world.done(`PATCH /users/${user_id}`, { active: false });
    expect((await client.exchange(code)).body.error).toBe("invalid_grant");
  });

  it("is stored only as a hash", async () => {
    const client = await oauth.client();
    const code = await client.code(browser);
    const { body } = await client.exchange(code);
    const rows = await world.sql(
      "select row_to_json(c)::text || (select string_agg(row_to_json(r)::text, '') from oauth_refresh_tokens r) as text from oauth_codes c",
    );
    for (const { text } of rows) {
      expect(text).not.toContain(code);
      expect(text).not.toContain(body.refresh_token);
    }
  });
});

describe("a client with a long id", () => {
  it("gets a token that the MCP endpoint accepts", async () => {
    const long = (index: number) => `https://assistant.example/${index}${"x".repeat(455)}`;
    const redirect_uris = Array.from({ length: 6 }, (_, index) => long(index));
    const client = await oauth.client({ redirect_uris });
    expect(client.id.length).toBeGreaterThan(3_900);
    const { body } = await client.connect(browser);
    expect(await whoIs(body.access_token)).not.toBeNull();
  });
});

describe("a token request", () => {
  const token = (fields: Record<string, string> | string, type?: string) =>
    oauth.call("/api/oauth/token", fields, type);

  it.each([
    ["client credentials", { grant_type: "client_credentials" }, "unsupported_grant_type"],
    ["a password", { grant_type: "password" }, "unsupported_grant_type"],
    ["no grant type", {}, "invalid_request"],
  ])("for %s is refused", async (_what, fields, error) => {
    const reply = await token(fields as Record<string, string>);
    expect([reply.status, reply.body.error]).toEqual([400, error]);
  });

  it.each(["", "x", "a.b", `${"a".repeat(300)}.${"b".repeat(43)}`])(
    "of the unknown client %.10j is 401, so that it registers again",
    async (client_id) => {
      const reply = await token({ grant_type: "refresh_token", client_id, refresh_token: "x" });
      expect([reply.status, reply.body.error]).toEqual([401, "invalid_client"]);
    },
  );

  it("for another resource is refused; the origin, and a slash at the end, are accepted", async () => {
    const client = await oauth.client();
    const exchange = async (resource: string) =>
      client.exchange(await client.code(browser, { resource: `${world.origin}/api/mcp` }), {
        resource,
      });
    expect((await exchange("https://other.example")).body.error).toBe("invalid_target");
    for (const resource of [`${world.origin}/api/mcp/`, world.origin, `${world.origin}/`]) {
      expect((await exchange(resource)).status, resource).toBe(200);
    }
  });

  it.each([
    ["JSON", '{"grant_type":"refresh_token"}', "application/json"],
    ["a repeated parameter", "grant_type=refresh_token&grant_type=refresh_token", undefined],
    ["NUL", "grant_type=%00", undefined],
    ["broken encoding", "grant_type=%E0%A4%A", undefined],
    ["prototype names", "__proto__=x&grant_type=toString", undefined],
    ["another type", "x", "text/plain"],
    ["nothing", "", undefined],
  ])("of %s is 400", async (_what, body, type) => {
    expect((await token(body, type)).status).toBe(400);
  });
});

describe("a refresh token", () => {
  it("yields a new refresh token and access token, and is used up", async () => {
    const client = await oauth.client();
    const first = (await client.connect(browser)).body;
    const second = await client.refresh(first.refresh_token);
    expect(second.status).toBe(200);
    expect(second.body.refresh_token).not.toBe(first.refresh_token);
    expect(await whoIs(second.body.access_token)).not.toBeNull();
  });

  it("yields the same successor if it is repeated within a minute and the successor is unused", async () => {
    const client = await oauth.client();
    const first = (await client.connect(browser)).body;
    const second = await client.refresh(first.refresh_token);
    const again = await client.refresh(first.refresh_token);
    expect(again.body.refresh_token).toBe(second.body.refresh_token);
    expect((await client.refresh(second.body.refresh_token)).status).toBe(200);
  });

  it("yields one successor when it is sent in parallel", async () => {
    const client = await oauth.client();
    const first = (await client.connect(browser)).body;
    const replies = await Promise.all([1, 2, 3].map(() => client.refresh(first.refresh_token)));
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
    expect(new Set(replies.map((reply) => reply.body.refresh_token)).size).toBe(1);
  });

  it("revokes the grant if it is replayed after its successor was used", async () => {
    const client = await oauth.client();
    const first = (await client.connect(browser)).body;
    const second = (await client.refresh(first.refresh_token)).body;
    const third = (await client.refresh(second.refresh_token)).body;
    expect((await client.refresh(first.refresh_token)).body.error).toBe("invalid_grant");
    expect((await client.refresh(third.refresh_token)).body.error).toBe("invalid_grant");
    expect(await whoIs(third.access_token)).toBeNull();
    const { data } = await world.done("GET /audit-events?resource_type=oauth_grant");
    expect(data[0]).toMatchObject({
      action: "revoked",
      reason: "its refresh token was used twice",
    });
  });

  it("revokes the grant if it is replayed after more than a minute", async () => {
    const client = await oauth.client();
    const first = (await client.connect(browser)).body;
    const second = (await client.refresh(first.refresh_token)).body;
    await world.sql("update oauth_refresh_tokens set used_at = used_at - interval '61 seconds'");
    expect((await client.refresh(first.refresh_token)).body.error).toBe("invalid_grant");
    expect((await client.refresh(second.refresh_token)).body.error).toBe("invalid_grant");
  });

  it("can request fewer scopes, never more", async () => {
    const client = await oauth.client();
    const first = (await client.connect(browser, { scope: "mcp:write" })).body;
    const less = await client.refresh(first.refresh_token, { scope: "mcp:read" });
    expect(less.body.scope).toBe("mcp:read");
    expect((await whoIs(less.body.access_token))?.access).toEqual(new Set(["read"]));
    const more = await client.refresh(less.body.refresh_token, { scope: "mcp:issue" });
    expect(more.body.error).toBe("invalid_scope");
    expect((await client.refresh(less.body.refresh_token)).body.scope).toBe("mcp:read mcp:write");
  });

  it("is refused to another client, and stays valid after that and after an unknown token", async () => {
    const [client, other] = [await oauth.client(), await oauth.client()];
    const { body } = await client.connect(browser);
    expect((await other.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
    expect((await client.refresh("x".repeat(43))).body.error).toBe("invalid_grant");
    expect((await client.refresh(body.refresh_token)).status).toBe(200);
  });

  it("expires thirty days after the consent, and is removed", async () => {
    const client = await oauth.client();
    const first = (await client.connect(browser)).body;
    const [grant] = await world.sql(
      `select id, extract(epoch from expires_at - created_at) / 86400 as days from oauth_grants where client_id = $1`,
      [client.id],
    );
    expect(Number(grant.days)).toBeCloseTo(30, 2);
    const { body } = await client.refresh(first.refresh_token);
    await world.sql("update oauth_grants set expires_at = now() where id = $1", [grant.id]);
    expect((await client.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
    await removeExpired(world.services);
    expect(await world.sql("select 1 from oauth_grants where id = $1", [grant.id])).toEqual([]);
  });
});

describe("a grant", () => {
  it.each(["refresh_token", "access_token"])("ends when its %s is revoked", async (which) => {
    const client = await oauth.client();
    const { body } = await client.connect(browser);
    const revoke = () =>
      oauth.call("/api/oauth/revoke", { token: body[which], client_id: client.id });
    expect((await revoke()).status).toBe(200);
    expect(await whoIs(body.access_token)).toBeNull();
    expect((await client.refresh(body.refresh_token)).body.error).toBe("invalid_grant");
    expect((await revoke()).status).toBe(200);
  });

  it("does not end by a request of another client, or with an invented token", async () => {
    const [client, other] = [await oauth.client(), await oauth.client()];
    const { body } = await client.connect(browser);
    for (const token of [body.refresh_token, "x", ""]) {
      const reply = await oauth.call("/api/oauth/revoke", { token, client_id: other.id });
      expect(reply.status).toBe(200);
    }
    expect(await whoIs(body.access_token)).not.toBeNull();
    const unknown_one = await oauth.call("/api/oauth/revoke", { token: "x" });
    expect([unknown_one.status, unknown_one.body.error]).toEqual([401, "invalid_client"]);
  });

  it("ends immediately when its user or an admin revokes it in the settings", async () => {
    const client = await oauth.client({ client_name: "Mine" });
    const { browser: own } = await oauth.person();
    const grants = [(await client.connect(own)).body, (await client.connect(browser)).body];
    const page = await own.get("/assistants");
    expect(page.html.match(/>Disconnect…</g)).toHaveLength(1);
    const [, own_id = ""] = /assistants\/([0-9a-f-]{36})\/disconnect/.exec(page.html) ?? [];
    await disconnected(own, own_id);
    expect(await whoIs(grants[0].access_token)).toBeNull();
    expect(await whoIs(grants[1].access_token)).not.toBeNull();

    const third = (await client.connect(own)).body;
    const [{ id }] = await world.sql(
      "select id from oauth_grants order by created_at desc limit 1",
    );
    await disconnected(browser, id);
    expect(await whoIs(third.access_token)).toBeNull();
  });

  it("cannot be revoked by another user, or by an admin of another account", async () => {
    const client = await oauth.client();
    const { body } = await client.connect(browser);
    const [{ id }] = await world.sql("select id from oauth_grants where client_id = $1", [
      client.id,
    ]);
    const { browser: own } = await oauth.person();
    await (await oauth.client()).connect(own);
    for (const wrong of [id, "x", "0190a000-0000-7000-8000-000000000000"]) {
      expect((await own.get(`/assistants/${wrong}/disconnect`)).status).toBe(404);
      expect((await disconnected(own, wrong)).status).toBe(404);
    }
    const other = await world.openAnother();
    const foreign = openBrowser(world);
    await foreign.signIn(other.admin.email, oauth.password);
    const others = await foreign.get("/assistants");
    expect((await disconnected(foreign, id)).status).toBe(404);
    expect(others.html).toContain("No assistant is connected");
    expect(await whoIs(body.access_token)).not.toBeNull();
  });

  it("ends when the user changes the password", async () => {
    const client = await oauth.client();
    const { browser: own } = await oauth.person();
    const { body } = await client.connect(own);
    const page = await own.get("/me/password");
    const password = "a new password";
    const fields = { old_password: oauth.password, password, again: password };
    expect((await own.submit(page, "/me/password", fields)).status).toBe(303);
    expect(await whoIs(body.access_token)).toBeNull();
  });
});
