/**
 * The fields that plans accept within lines, people of lines and registrations: those that
 * they can set, and lines as they were read.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type Agent, agentOf } from "../support/mcp/mcp.ts";
import { useSales } from "../support/world/sales.ts";
import type { Json } from "../support/world/world.ts";

const { world, customer, line: valued } = useSales();
const line = (fields: Json = {}): Json => ({ ...valued(100), ...fields });

let agent: Agent;
let draft: Json;
let issued: Json;
let series: Json;
beforeAll(async () => {
  agent = await agentOf(world, { role: "admin" });
  const lines = [
    line({ assignees: [{ user_id: agent.user_id, distribution_percentage: 100 }] }),
    line({ recognition_method: "hours", agreed_value: null, hourly_rate: 1000 }),
  ];
  const create = { customer_id: customer.id, lines };
  draft = await world.done("POST /invoices", create);
  const { id } = await world.done("POST /invoices", { ...create, lines: lines.slice(0, 1) });
  issued = await world.done(`POST /invoices/${id}/issue`);
  series = await world.done("POST /recurring-series", {
    ...create,
    frequency: "monthly",
    start_date: "2027-01-01",
    issue_timing: { mode: "end-of-period" },
  });
});

const credited = (): Json => ({ invoice_line_id: issued.lines[0].id, amount: 5 });
const entry = (): Json => ({ line_id: draft.lines[1].id, hours: 1 });

/** Each tool that takes lines or registrations: its arguments with one, and the path of that one. */
const TOOLS: readonly (readonly [
  tool: string,
  args: (one: Json) => Json,
  path: string,
  one: () => Json,
])[] = [
  [
    "plan_create_invoice",
    (one) => ({ customer: customer.id, lines: [one] }),
    "lines[0]",
    () => line(),
  ],
  ["plan_update_invoice", (one) => ({ invoice: draft.id, lines: [one] }), "lines[0]", () => line()],
  [
    "plan_create_series",
    (one) => ({
      customer: customer.id,
      frequency: "monthly",
      start_date: "2027-01-01",
      issue_timing: { mode: "end-of-period" },
      lines: [one],
    }),
    "lines[0]",
    () => line(),
  ],
  [
    "plan_edit_series_line",
    (one) => ({ series: series.id, action: "add", scope: "all", line: one }),
    "line",
    () => line(),
  ],
  [
    "plan_create_credit_note",
    (one) => ({ invoice: issued.id, kind: "partial", lines: [one] }),
    "lines[0]",
    credited,
  ],
  ["plan_register_work", (one) => ({ entries: [one] }), "entries[0]", entry],
];
const WITH_PEOPLE = TOOLS.filter(([, , path]) => path === "line" || path === "lines[0]").filter(
  ([tool]) => tool !== "plan_create_credit_note",
);

async function faultsOf(tool: string, args: Json): Promise<Json[]> {
  const { is_error, data } = await agent.call(tool, args);
  if (!is_error) throw new Error(`${tool} refused nothing`);
  expect(data.code).toBe("VALIDATION_FAILED");
  return data.field_errors;
}

describe.each(TOOLS)("%s", (tool, args, path, one) => {
  it("accepts its known fields", async () => {
    expect((await agent.done(tool, args(one()))).plan_id).toMatch(/^plan_/);
  });

  it("refuses an unknown field", async () => {
    expect(await faultsOf(tool, args({ ...one(), quantity: 3 }))).toEqual([
      {
        field: `${path}.quantity`,
        code: "unknown_field",
        message: expect.stringMatching(/^There is no such field\. It takes /),
      },
    ]);
  });

  it("suggests the field that was probably meant, together with other faults", async () => {
    const [known = ""] = Object.keys(one()).filter((name) => name !== "product_id");
    const misspelt =
      { agreed_value: "agred_value", invoice_line_id: "invoice_lineid" }[known] ?? `${known}x`;
    const faults = await faultsOf(tool, args({ [misspelt]: 5, position: "first" }));
    expect(faults).toContainEqual({
      field: `${path}.${misspelt}`,
      code: "unknown_field",
      message: expect.stringContaining(`Did you mean ${known}?`),
    });
    expect(faults.length).toBeGreaterThan(1);
  });
});

describe.each(WITH_PEOPLE)("%s", (tool, args, path) => {
  it("refuses an unknown field of an assignee", async () => {
    const assignees = [{ user_id: "me", share: 50 }];
    const [fault, ...others] = await faultsOf(tool, args(line({ assignees })));
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ field: `${path}.assignees[0].share`, code: "unknown_field" });
  });

  it("accepts lines as tools and the API return them", async () => {
    const shown = await agent.done("get_invoice", { invoice: draft.id });
    const of_series = await agent.done("get_series", { series: series.id });
    const stored = await world.done(`GET /recurring-series/${series.id}/lines`);
    const lines = [
      ...draft.lines,
      ...shown.data.lines,
      ...series.lines,
      ...of_series.data.lines,
      ...stored.data,
    ];
    expect(lines.length).toBe(10);
    for (const one of lines) {
      const { is_error, text } = await agent.call(tool, args({ ...one, position: 9 }));
      expect(is_error, text).toBe(false);
    }
  });
});

describe("plan_create_credit_note", () => {
  it("accepts lines as credit notes show them", async () => {
    const lines = [{ ...credited(), id: issued.id, position: 1 }];
    const args = { invoice: issued.id, kind: "partial", lines };
    expect((await agent.call("plan_create_credit_note", args)).is_error).toBe(false);
  });
});

describe("plan_register_work", () => {
  it("refuses a user within an entry", async () => {
    const entries = [{ ...entry(), user_id: agent.user_id }];
    const [fault] = await faultsOf("plan_register_work", { entries });
    expect(fault).toMatchObject({ field: "entries[0].user_id", code: "unknown_field" });
  });
});

describe("an unknown field outside of lines", () => {
  it.each([
    ["plan_create_series", { issue_timing: { mode: "manual", offset: 3 } }, "issue_timing.offset"],
    [
      "plan_save_product",
      { name: "Work", prices: [{ currency: "EUR", amount: 5, vat: 1 }] },
      "prices[0].vat",
    ],
  ])("is refused at every depth by %s", async (tool, args, field) => {
    const faults = await faultsOf(tool, args);
    expect(faults.filter(({ code }) => code === "unknown_field").map((one) => one.field)).toEqual([
      field,
    ]);
  });
});
