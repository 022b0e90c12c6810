/** Every tool answers hostile arguments with a refusal or a result, never with an internal error. */
import { beforeAll, describe, expect, it } from "vitest";
import { tools } from "../../src/assistant/catalogue.ts";
import { type Agent, agentOf, digestOf } from "../support/mcp/mcp.ts";
import { type Json, useWorld } from "../support/world/world.ts";

let admin: Agent;
let standard: Agent;
let real: Json;
const world = useWorld();
beforeAll(async () => {
  admin = await agentOf(world, { role: "admin" });
  standard = await agentOf(world);
  const customer = await world.done("POST /customers", { name: "Acme", external_id: "c" });
  const product = await world.done("POST /products", { name: "Work" });
  const line = { product_id: product.id, recognition_method: "value", agreed_value: 1 };
  const invoice = await world.done("POST /invoices", { customer_id: customer.id, lines: [line] });
  const series = await world.done("POST /recurring-series", {
    customer_id: customer.id,
    frequency: "monthly",
    start_date: "2026-01-01",
    lines: [line],
  });
  real = {
    customer: customer.id,
    product: product.id,
    invoice: invoice.id,
    series: series.id,
    line_id: invoice.lines[0].id,
    lines: [line],
    line,
    frequency: "monthly",
    start_date: "2026-01-01",
    period: "2026-01",
    action: "create",
    kind: "full",
    hours: 1,
    month: "2026-01",
    from: "2026-01-01",
    to: "2026-02-01",
  };
});

const UNKNOWN_ID = "0190a000-0000-7000-8000-000000000000";
const JUNK: readonly unknown[] = [
  "",
  " ",
  "\u0000",
  "\ud800",
  "x".repeat(20_000),
  UNKNOWN_ID,
  UNKNOWN_ID.toUpperCase(),
  "ext:",
  "ext:unknown",
  "ext:' or 1=1 --",
  `ext:${"x".repeat(5_000)}`,
  "me",
  "all",
  "9999-12-31",
  "0000-00-00",
  "2026-02-30",
  "%",
  "\\",
  0,
  -1,
  1e308,
  1.123456789,
  null,
  true,
  [],
  [null],
  [[]],
  {},
  { __proto__: { a: 1 }, constructor: 1 },
];

/** Valid values of the required arguments while another argument is invalid. */
const valid = (properties: Json, required: readonly string[]): Json =>
  Object.fromEntries(
    required.filter((name) => name in properties).map((name) => [name, real[name] ?? UNKNOWN_ID]),
  );

describe.each(tools.map(({ name }) => name))("%s", (name) => {
  it("refuses an unknown argument by its name", async () => {
    for (const agent of [admin, standard]) {
      const sent = { name, arguments: { nonsense: 1 } };
      const { body } = await agent.rpc("tools/call", sent);
      expect(body.result).toMatchObject({ isError: true });
      const { error } = body.result.structuredContent;
      expect(error.code).toBe("VALIDATION_FAILED");
      const fault = error.field_errors.find((one: Json) => one.field === "nonsense");
      expect(fault.message).toMatch(/There is no such .*It takes /s);
    }
  });

  it("answers invalid arguments with a refusal or a result, and changes nothing", async () => {
    const listed = (await admin.rpc("tools/list")).body.result.tools;
    const { inputSchema } = listed.find((tool: Json) => tool.name === name);
    const { properties = {}, required = [] } = inputSchema;
    const before = await digestOf(world);
    const base = valid(properties, required);
    const sent: Json[] = [{}, base, { ...base, unknown_argument: 1 }];
    for (const property of Object.keys(properties)) {
      for (const junk of JUNK) sent.push({ ...base, [property]: junk });
    }
    for (const [index, args] of sent.entries()) {
      const agent = index % 2 === 0 ? admin : standard;
      const reply = await agent.rpc("tools/call", { name, arguments: args });
      const text = JSON.stringify(reply.body);
      expect(reply.status, JSON.stringify(args).slice(0, 200)).toBeLessThan(500);
      expect(text, JSON.stringify(args).slice(0, 200)).not.toContain("INTERNAL_ERROR");
      expect(text).not.toMatch(/-32603|node_modules|select .* from/);
    }
    expect(await digestOf(world)).toBe(before);
  });
});
