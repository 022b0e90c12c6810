/** The official clients of both lines of the SDK, each with a token, through complete sessions. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, it } from "vitest";
import { MCP_PATH } from "../../src/assistant/protocol/endpoint.ts";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { type Json, useWorld } from "../support/world/world.ts";

let agent: Agent;
const world = useWorld();
beforeAll(async () => {
  agent = await agentOf(world, { role: "admin", name: "Anna Admin" });
});

interface AnyClient {
  listTools(): Promise<Json>;
  callTool(call: { name: string; arguments: Json }): Promise<Json>;
  close(): Promise<void>;
}

const info = { name: "test-client", version: "1.0.0" };

const url = () => new URL(`${world.origin}${MCP_PATH}`);
const requestInit = () => ({ headers: { authorization: `Bearer ${agent.token}` } });

async function openV2(mode: "auto" | "legacy" | { pin: string }): Promise<AnyClient> {
  const client = new Client(info, { versionNegotiation: { mode } as never });
  await client.connect(new StreamableHTTPClientTransport(url(), { requestInit: requestInit() }));
  return client as unknown as AnyClient;
}

async function openV1(): Promise<AnyClient> {
  const client = new ClientV1(info);
  await client.connect(
    new TransportV1(url(), { requestInit: requestInit() }) as unknown as Parameters<
      typeof client.connect
    >[0],
  );
  return client as unknown as AnyClient;
}

describe.each<[string, () => Promise<AnyClient>]>([
  ["v1", openV1],
  ["v2 in the era of 2025", () => openV2("legacy")],
  ["v2 that negotiates the era", () => openV2("auto")],
  ["v2 in the era of 2026", () => openV2({ pin: "2026-07-28" })],
])("the client %s", (_name, open) => {
  it("lists the tools, plans and commits, and receives refusals", async () => {
    const client = await open();
    try {
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(28);

      const name = "Made by a client";
      const planned = await client.callTool({ name: "plan_save_customer", arguments: { name } });
      expect(planned.isError ?? false).toBe(false);
      const { plan_id } = planned.structuredContent;
      expect(planned.content[0].text).toContain(plan_id);

      const done = await client.callTool({ name: "commit", arguments: { plan_id } });
      const { resource } = done.structuredContent;
      expect(await world.done(`GET /customers/${resource.id}`)).toEqual(resource);

      // Clients validate results with the listed schemas, so a refusal must fit them as well.
      const again = await client.callTool({ name: "commit", arguments: { plan_id } });
      expect(again).toMatchObject({
        isError: true,
        structuredContent: { error: { code: "PLAN_ALREADY_COMMITTED" } },
      });
      const absent = { name: "get_invoice", arguments: { invoice: "ext:unknown" } };
      expect(await client.callTool(absent)).toMatchObject({
        isError: true,
        structuredContent: { error: { code: "NOT_FOUND" } },
      });
      const listed = await client.callTool({ name: "list_customers", arguments: { scope: "all" } });
      expect(listed.content[0].text).toMatch(/^View: all\. In scope: \d+\. Beyond scope: 0\.\n/);
    } finally {
      await client.close();
    }
  });
});

it("a tool refuses the scope all to a standard user, with the reason (spec 8.1)", async () => {
  const standard = await agentOf(world);
  for (const name of ["list_customers", "list_invoices", "list_series", "list_credit_notes"]) {
    expect(await standard.refused(name, { scope: "all" })).toBe("ROLE_FORBIDDEN");
    // The role is checked before the schema: other faults do not matter.
    expect(await standard.refused(name, { scope: "all", limit: "x" })).toBe("ROLE_FORBIDDEN");
  }
});

it("the first line of a list counts rows under the filters, also in an empty view", async () => {
  const standard = await agentOf(world);
  const { total } = (await world.sql("select count(*)::int as total from customers"))[0];
  const { text } = await standard.call("list_customers");
  expect(text.split("\n")[0]).toBe(`View: mine. In scope: 0. Beyond scope: ${total}.`);
});
