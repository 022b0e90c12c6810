/**
 * The official clients of both lines of the SDK, from the first refused call to the last: they find the authorization server,
 * register, send a person to the consent page, exchange, refresh, and lose their access when the person revokes it.
 */
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, it } from "vitest";
import { MCP_PATH } from "../../src/assistant/protocol/endpoint.ts";
import { type Browser, disconnected, type PageReply } from "../support/browser/browser.ts";
import { openConsent } from "../support/mcp/consent.ts";
import { type Json, useWorld } from "../support/world/world.ts";

const CALLBACK = "http://127.0.0.1:33418/callback";

let consent: ReturnType<typeof openConsent>;
const world = useWorld({ knows_origin: true });
beforeAll(async () => {
  consent = openConsent(world);
});

/** The memory of a client. It stores the address to which it sends the person, so that the test can open it. */
class Memory {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: "Anna's assistant", redirect_uris: [CALLBACK] };
  sent_to: URL | undefined;
  known: Json;
  kept: Json;
  verifier = "";
  found: Json;

  clientInformation(): Json {
    return this.known;
  }
  saveClientInformation(information: Json): void {
    this.known = information;
  }
  tokens(): Json {
    return this.kept;
  }
  saveTokens(tokens: Json): void {
    this.kept = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.sent_to = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }
  codeVerifier(): string {
    return this.verifier;
  }
  saveDiscoveryState(found: Json): void {
    this.found = found;
  }
  discoveryState(): Json {
    return this.found;
  }
  invalidateCredentials(what: string): void {
    if (what === "tokens" || what === "all") this.kept = undefined;
  }
}

interface Connection {
  listTools(): Promise<Json>;
  callTool(call: { name: string; arguments: Json }): Promise<Json>;
  close(): Promise<void>;
}

interface Line {
  /** Connects, or throws after sending the person to the consent. */
  connect(memory: Memory): Promise<Connection>;
  /** Processes the answer at the callback. */
  finish(memory: Memory, answer: URLSearchParams): Promise<void>;
}

const info = { name: "test-client", version: "1.0.0" };
const url = () => new URL(`${world.origin}${MCP_PATH}`);

const v2 = (mode: "legacy" | "auto"): Line => {
  const transport = (memory: Memory) =>
    new StreamableHTTPClientTransport(url(), {
      authProvider: memory as unknown as OAuthClientProvider,
    });
  return {
    async connect(memory) {
      const client = new Client(info, { versionNegotiation: { mode } as never });
      await client.connect(transport(memory));
      return client as unknown as Connection;
    },
    finish: (memory, answer) => transport(memory).finishAuth(answer),
  };
};

const v1: Line = (() => {
  const transport = (memory: Memory) => new TransportV1(url(), { authProvider: memory });
  return {
    async connect(memory) {
      const client = new ClientV1(info);
      await client.connect(transport(memory) as unknown as Parameters<typeof client.connect>[0]);
      return client as unknown as Connection;
    },
    finish: (memory, answer) => transport(memory).finishAuth(answer.get("code") ?? ""),
  };
})();

/** The person opens the address and presses Allow. Returns the parameters that their browser takes to the callback. */
async function allow(
  browser: Browser,
  memory: Memory,
  unticked: Readonly<Record<string, string>>,
): Promise<URLSearchParams> {
  const { pathname, search } = memory.sent_to ?? new URL("x:");
  const page: PageReply = await browser.get(pathname + search);
  expect(page.html).toContain("Anna's assistant");
  const reply = await browser.submit(page, pathname + search, { ...unticked, decision: "allow" });
  expect(reply.location).toContain(CALLBACK);
  return new URL(reply.location ?? "x:").searchParams;
}

/** A client connected through a browser: refused first, then sent to the consent, allowed and connected. */
async function connected(
  line: Line,
  browser: Browser,
  unticked: Readonly<Record<string, string>> = {},
) {
  const memory = new Memory();
  await expect(line.connect(memory)).rejects.toThrow();
  await line.finish(memory, await allow(browser, memory, unticked));
  return { memory, client: await line.connect(memory) };
}

describe.each<[string, () => Line]>([
  ["v1", () => v1],
  ["v2 in the era of 2025", () => v2("legacy")],
  ["v2 that negotiates the era", () => v2("auto")],
])("the client %s", (_name, lineOf) => {
  it("connects by consent, plans, commits in the user's name, and loses access when the grant is revoked", async () => {
    const browser = await consent.signedInAdmin();
    const { client } = await connected(lineOf(), browser);
    expect((await client.listTools()).tools).toHaveLength(28);

    const fields = { name: "plan_save_customer", arguments: { name: "Planned ApS" } };
    const planned = await client.callTool(fields);
    expect(planned.content[0].text).toContain("Planned ApS");
    const { plan_id } = planned.structuredContent;
    const done = await client.callTool({ name: "commit", arguments: { plan_id } });
    const { id } = done.structuredContent.resource;
    const { data } = await world.done(`GET /audit-events?resource_id=${id}`);
    expect(data).toMatchObject([
      { action: "created", actor: { kind: "user", id: world.account.admin.user_id } },
    ]);

    const page = await browser.get("/assistants");
    expect(page.html).toContain("Anna's assistant");
    const [, grant_id = ""] = /assistants\/([0-9a-f-]{36})\/disconnect/.exec(page.html) ?? [];
    await disconnected(browser, grant_id);
    await expect(client.callTool({ name: "list_customers", arguments: {} })).rejects.toThrow();
    await client.close();
  });

  it("continues with a new token after the old one has become invalid", async () => {
    const browser = await consent.signedInAdmin();
    const { memory, client } = await connected(lineOf(), browser);
    await client.close();
    memory.kept = { ...memory.kept, access_token: "dead" };

    const again = await lineOf().connect(memory);

    expect((await again.listTools()).tools).toHaveLength(28);
    expect(memory.kept.access_token).not.toBe("dead");
    await again.close();
  });
});

describe("a user who allows fewer scopes", () => {
  it("gives the assistant only the tools of those scopes", async () => {
    const browser = await consent.signedInAdmin();
    const { client } = await connected(v1, browser, { "mcp:issue": "" });

    expect((await client.listTools()).tools).toHaveLength(25);
    await client.close();
  });
});
