/**
 * The assistant's side of the authorization server: it registers, sends a browser to the consent page, and exchanges the code
 * that it gets.
 */
import { createHash, randomBytes } from "node:crypto";
import { type Browser, hiddenFields, openBrowser, type PageReply } from "../browser/browser.ts";
import type { Json, World } from "../world/world.ts";

interface OauthReply {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

type Parameters = Readonly<Record<string, string | undefined>>;

const FORM = "application/x-www-form-urlencoded";
const CALLBACK = "https://assistant.example/callback";
const AUTHORIZE = "/api/oauth/authorize";
const ALL = "mcp:read mcp:write mcp:issue";

/** The password of all people whom this module creates, and of a world's admins. */
const PASSWORD = "correct horse battery staple";

let count = 0;

export function openConsent(world: World) {
  const call = async (
    path: string,
    fields: Readonly<Record<string, string>> | string,
    type = FORM,
  ): Promise<OauthReply> => {
    const body = typeof fields === "string" ? fields : new URLSearchParams(fields).toString();
    const headers = { "content-type": type };
    const response = await fetch(world.origin + path, { method: "POST", headers, body });
    return { status: response.status, body: await response.json(), headers: response.headers };
  };
  const register = (metadata: unknown) => {
    const body = typeof metadata === "string" ? metadata : JSON.stringify(metadata);
    return call("/api/oauth/register", body, "application/json");
  };
  const decide = async (
    browser: Browser,
    request: Parameters,
    decision: "allow" | "deny",
    fields: Readonly<Record<string, string>> = {},
  ): Promise<PageReply> => {
    const url = urlFor(request);
    return browser.submit(await browser.get(url), url, { ...fields, decision });
  };

  /** A registered client with one PKCE verifier. */
  const client = async (metadata: Readonly<Record<string, unknown>> = {}) => {
    const redirect_uris = [CALLBACK];
    const { body } = await register({ client_name: "Assistant", redirect_uris, ...metadata });
    const id = body.client_id as string;
    const redirect_uri = body.redirect_uris[0] as string;
    const code_verifier = randomBytes(32).toString("base64url");
    const request = (more: Parameters = {}): Parameters => ({
      client_id: id,
      redirect_uri,
      response_type: "code",
      scope: ALL,
      code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
      code_challenge_method: "S256",
      ...more,
    });
    const code = async (
      browser: Browser,
      more: Parameters = {},
      fields: Readonly<Record<string, string>> = {},
    ): Promise<string> => {
      const reply = await decide(browser, request(more), "allow", fields);
      const found = new URL(reply.location ?? "x:").searchParams.get("code");
      if (found === null) throw new Error(`no code: ${reply.status} ${reply.location}`);
      return found;
    };
    const exchange = (given: string, more: Parameters = {}) => {
      const grant_type = "authorization_code";
      const fields = { grant_type, code: given, client_id: id, redirect_uri, code_verifier };
      return call("/api/oauth/token", present({ ...fields, ...more }));
    };
    return {
      id,
      request,
      code,
      exchange,
      refresh: (refresh_token: string, more: Parameters = {}) => {
        const fields = { grant_type: "refresh_token", client_id: id, refresh_token };
        return call("/api/oauth/token", present({ ...fields, ...more }));
      },
      connect: async (
        browser: Browser,
        more: Parameters = {},
        fields: Readonly<Record<string, string>> = {},
      ) => exchange(await code(browser, more, fields)),
    };
  };

  const signedInAdmin = async (): Promise<Browser> => {
    const browser = openBrowser(world);
    await browser.signIn(world.account.admin.email, PASSWORD);
    return browser;
  };
  /** A standard user who has accepted their invitation, signed in. */
  const person = async (): Promise<{ readonly browser: Browser; readonly user_id: string }> => {
    count += 1;
    const email = `invited-${count}@x.example`;
    const user = await world.done("POST /users", { name: `Invited ${count}`, email });
    const mails = await world.mails();
    const mail = mails.find((candidate) => candidate.to?.[0]?.address === email);
    const link = /\/invitation\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    const browser = openBrowser(world);
    const page = await browser.get(link);
    await browser.submit(page, link, { password: PASSWORD, again: PASSWORD });
    return { browser, user_id: user.id };
  };

  return {
    password: PASSWORD,
    call,
    register,
    client,
    decide,
    urlFor,
    hidden: (page: PageReply, action: string) => hiddenFields(page.html, action),
    signedInAdmin,
    person,
    /** The admin and a standard user, both signed in, with the id of the latter. */
    async signedInBoth() {
      const admin = await signedInAdmin();
      const { browser: standard, user_id: own } = await person();
      return { admin, standard, own };
    },
  };
}

/** The address to which an assistant sends a browser. */
function urlFor(request: Parameters): string {
  return `${AUTHORIZE}?${new URLSearchParams(present(request)).toString()}`;
}

function present(fields: Parameters): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Record<string, string>;
}
