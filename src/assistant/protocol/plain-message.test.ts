/**
 * The direct path of plain messages returns the same bytes as the official server. An empty `_meta` among the members has no
 * meaning, but routes a message to the official server.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf, MCP_HEADERS } from "../../../test/support/mcp/mcp.ts";
import { type Json, useWorld } from "../../../test/support/world/world.ts";
import { openCatalogues } from "./catalogue.ts";
import { plainMessage } from "./plain-message.ts";

const world = useWorld();
const customer = world.made("POST /customers", { name: 'Søn "& 日本" 🍏', external_id: "acme" });
const product = world.made("POST /products", { name: "Work", default_price: 100 });
let admin: Agent;
let standard: Agent;
beforeAll(async () => {
  admin = await agentOf(world, { role: "admin" });
  standard = await agentOf(world);
  const lines = [
    { product_id: product.id, recognition_method: "value", agreed_value: 1250.5 },
    { product_id: product.id, recognition_method: "value", agreed_value: 0.01 },
  ];
  for (const title of ["First", "Second  with   spaces", null]) {
    const draft = { customer_id: customer.id, title, lines };
    const { id } = await world.done("POST /invoices", draft);
    if (title === "First") await world.done(`POST /invoices/${id}/issue`);
  }
});

const send = (agent: Agent, message: Json, more: Record<string, string> = {}) =>
  fetch(`${world.origin}/api/mcp`, {
    method: "POST",
    headers: { ...MCP_HEADERS, authorization: `Bearer ${agent.token}`, ...more },
    body: JSON.stringify(message),
  });

/** Status, headers and body, without the values that differ for each request. */
async function answered(agent: Agent, message: Json, more?: Record<string, string>): Promise<Json> {
  const response = await send(agent, message, more);
  const { date: _, "x-request-id": id, ...headers } = Object.fromEntries(response.headers);
  const text = (await response.text()).replaceAll(id ?? "", "");
  return { status: response.status, headers: { ...headers, "content-length": "" }, text };
}

const message = (method: string, params?: Json, id: Json = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
});
const call = (name: string, args?: Json) =>
  message("tools/call", { name, ...(args === undefined ? {} : { arguments: args }) });

describe("a plain message", () => {
  it.each<[string, Json]>([
    ["a ping", message("ping", {})],
    ["a list of tools", message("tools/list", {}, "a text")],
    ["a list of invoices", call("list_invoices", { scope: "all", limit: 2 })],
    ["a list with default arguments", call("list_invoices", {})],
    ["an empty list", call("list_invoices", { scope: "all", status: "issued", to: "2020-01-01" })],
    ["a search", call("list_invoices", { scope: "all", search: "Second" })],
    ["customers", call("list_customers", { scope: "all" })],
    ["products", call("list_products", {})],
    ["a customer by name", call("get_customer", { customer: "acme" })],
    ["settings", call("get_configuration", {})],
    ["invalid arguments", call("list_invoices", { limit: 0, costumer: "Acme" })],
    ["an unknown invoice", call("get_invoice", { invoice: "ext:nothing" })],
  ])("of %s has the same answer as from the official server", async (_what, plain) => {
    const official = { ...plain, params: { ...plain.params, _meta: {} } };
    for (const agent of [admin, standard]) {
      for (const more of [undefined, { "mcp-protocol-version": "2025-06-18" }]) {
        const expected = await answered(agent, official, more);
        expect(expected.status).toBe(200);
        expect(await answered(agent, plain, more)).toEqual(expected);
      }
    }
  });

  it("returns the amounts of issued invoices and drafts as REST does", async () => {
    const { result }: Json = await (
      await send(admin, call("list_invoices", { scope: "all" }))
    ).json();
    const { data } = await world.done("GET /invoices?origin=all");
    const { data: shown } = result.structuredContent;

    const fieldsOf = ({ id, status, ledger_invoice_number, title, issue_date, currency }: Json) =>
      [id, status, ledger_invoice_number, title, issue_date, currency].map((one) => one ?? null);
    expect(shown.map(fieldsOf)).toEqual(data.map(fieldsOf));
    expect(shown.map(({ net }: Json) => net)).toEqual([1250.51, 1250.51, 1250.51]);
    expect(result.content[0].text.match(/\| 1,250\.51 DKK/g)).toHaveLength(3);
    expect(result.content[0].text).toContain(
      "Sum of 1 issued, net: 1,250.51 DKK. 2 drafts, not added up.",
    );
  });
});

describe("the official server answers", () => {
  const tool = { name: "list_products", tool: {} };
  const offered = new Map([[tool.name, tool]]);
  const is_plain = (body: Json, headers: Json = {}) =>
    plainMessage({ body, raw: { headers } } as Json, { offered } as Json) !== undefined;
  const plain = call("list_products", {});

  it.each<[string, Json, Json?]>([
    ["a batch", [plain]],
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
    ["initialize", message("initialize", {})],
    ["another version of JSON-RPC", { ...plain, jsonrpc: "1.0" }],
    ["an id that is null", { ...plain, id: null }],
    ["an id that is a fraction", { ...plain, id: 1.5 }],
    ["an additional member", { ...plain, more: 1 }],
    ["an unknown tool", call("drop_tables", {})],
    ["an invalid name", message("tools/call", { name: 1 })],
    ["a name of the prototype", call("constructor", {})],
    ["no parameters", message("tools/call")],
    ["parameters that are a list", message("tools/call", ["list_products"])],
    ["arguments that are a list", call("list_products", [1])],
    ["arguments of null", call("list_products", null)],
    ["a cursor", message("tools/list", { cursor: "x" })],
    ["an envelope", message("tools/list", { _meta: { progressToken: 1 } })],
    ["a version that names its envelope", plain, { "mcp-protocol-version": "2026-07-28" }],
    ["an unknown version", plain, { "mcp-protocol-version": "2199-01-01" }],
    ["a method in a header", plain, { "mcp-method": "tools/call" }],
    ["a name in a header", plain, { "mcp-name": "list_products" }],
    [
      "a name of the prototype among arguments",
      JSON.parse(
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_products","arguments":{"__proto__":{}}}}',
      ),
    ],
  ])("%s", (_what, body, headers) => {
    expect(is_plain(plain)).toBe(true);
    expect(is_plain(body, headers)).toBe(false);
  });

  it("no tool of an empty catalogue", () => {
    expect(openCatalogues([]).scopeOf("list_products")).toBeUndefined();
  });
});
