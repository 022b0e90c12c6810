/**
 * The service as clients on the internet reach it: an https origin behind a proxy. What browsers and assistants receive follows
 * from the configuration, whatever a request claims.
 */
import { request } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf, MCP_HEADERS } from "../support/mcp/mcp.ts";
import { useWorld } from "../support/world/world.ts";

const ORIGIN = "https://books.example";
const FORM = "application/x-www-form-urlencoded";

let agent: Agent;
const world = useWorld({ environment: { BASE_URL: ORIGIN } });
beforeAll(async () => {
  agent = await agentOf(world);
});

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request like a proxy; fetch would not send a chosen Host. */
function ask(path: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    const options = { method, headers: { host: "books.example", ...headers } };
    const sent = request(world.origin + path, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

describe("a browser", () => {
  const cookieOf = ({ headers }: Reply) => String(headers["set-cookie"]?.[0]);

  it("receives a cookie that is bound to the host and to https", async () => {
    expect(cookieOf(await ask("/sign-in"))).toMatch(
      /^__Host-matchbook=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it.each([
    [{ origin: ORIGIN }, 303],
    [{ origin: ORIGIN, "sec-fetch-site": "same-origin" }, 303],
    [{ origin: "http://books.example" }, 400],
    [{ origin: "https://books.example.evil.example" }, 400],
    [{ origin: "https://evil.example", "x-forwarded-host": "evil.example" }, 400],
  ])("that submits the sign-in with %j is answered %i", async (headers, status) => {
    const page = await ask("/sign-in");
    const cookie = cookieOf(page).split(";", 1)[0] ?? "";
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
    const { email, password = "" } = world.account.admin as { email: string; password?: string };
    const fields = new URLSearchParams({ csrf, email, password }).toString();
    const reply = await ask("/sign-in", { "content-type": FORM, cookie, ...headers }, fields);
    expect(reply.status).toBe(status);
    if (status === 303) expect(cookieOf(reply)).toMatch(/^__Host-matchbook=/);
  });

  it("with only the cookie of plain http is not signed in", async () => {
    const page = await ask("/assistants", { cookie: `matchbook=${"a".repeat(43)}` });
    expect(page.text).toContain("Sign in");
    expect(cookieOf(page)).toMatch(/^__Host-/);
  });
});

describe("an assistant", () => {
  const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
  const headers = () => ({ ...MCP_HEADERS, authorization: `Bearer ${agent.token}` });

  it.each([
    ["books.example", 200],
    ["books.example:443", 200],
    ["127.0.0.1", 403],
    ["localhost", 403],
    ["evil.example", 403],
  ])("that calls the host %s is answered %i", async (host, status) => {
    expect((await ask("/api/mcp", { ...headers(), host }, list)).status).toBe(status);
  });

  it.each([
    [ORIGIN, 200],
    ["http://books.example", 403],
    ["https://books.example:8443", 403],
  ])("that runs in a page of the origin %s is answered %i", async (origin, status) => {
    expect((await ask("/api/mcp", { ...headers(), origin }, list)).status).toBe(status);
  });

  it("receives the public addresses, whatever host its request names", async () => {
    const challenge = (await ask("/api/mcp", MCP_HEADERS, list)).headers["www-authenticate"];
    expect(challenge).toBe(
      `Bearer resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/api/mcp"`,
    );
    const claimed = { host: "evil.example", "x-forwarded-host": "evil.example" };
    for (const path of ["oauth-protected-resource/api/mcp", "oauth-authorization-server"]) {
      const { status, text } = await ask(`/.well-known/${path}`, claimed);
      expect(status).toBe(200);
      expect(text).not.toContain("evil.example");
      expect(text).toContain(ORIGIN);
    }
  });
});
