/** Rows of lists as data: they carry what the text shows, in its order, and are at most half as long again as the text. */
import { beforeAll, describe, expect, it } from "vitest";
import { tools } from "../../src/assistant/catalogue.ts";
import type { PersonContext } from "../../src/platform/commands/context.ts";
import { personContext, toolAnswer } from "../support/mcp/tools.ts";
import { useSales } from "../support/world/sales.ts";
import type { Json } from "../support/world/world.ts";
import { tokensOf } from "./questions/tokens.ts";

const MOST = 1.5;
const FIRMS = ["Nordlys Arkitekter ApS", "Vestergaard & Søn", "Havnens Bryghus A/S"];

const { world, line, issued, draft, partCredit, credited } = useSales();

/** The arguments with which each list has rows. */
const asked: Record<string, Json> = {
  list_customers: { scope: "all" },
  list_invoices: { scope: "all" },
  list_series: { scope: "all" },
  list_occurrences: {},
  list_credit_notes: { scope: "all" },
  list_products: {},
  list_users: {},
  list_work_registrations: { user: "all" },
};
let admin: PersonContext;

beforeAll(async () => {
  admin = await personContext(world, world.account.admin.user_id);
  for (const name of ["Bodil", "Carl", "Dorte", "Erik"]) {
    await world.done("POST /users", { name: `${name} Madsen`, email: `${name}@studio.example` });
    await world.done("POST /products", {
      name: `Design by ${name}`,
      unit: "hours",
      default_price: 950,
      product_number: name.slice(0, 3),
    });
  }
  for (const [at, name] of FIRMS.entries()) {
    const customer = await world.done("POST /customers", {
      name,
      email: `bogholderi@firma${at}.example`,
      vat_number: "13585628",
      external_id: `K-${at}`,
    });
    const fields = { customer_id: customer.id, title: `Website, part ${at + 1}` };
    for (let n = 0; n < 3; n += 1) {
      const invoice = await issued([12_500 + n], { ...fields, auto_send: n === 0 });
      if (n < 2) await credited(partCredit(invoice, [500]));
    }
    await draft([8000], fields);
    const worked = await draft([], {
      ...fields,
      lines: [line(0, { recognition_method: "hours", agreed_value: null, hourly_rate: 950 })],
    });
    for (const date of ["2026-03-02", "2026-03-03", "2026-03-04"]) {
      await world.done("POST /work-registrations", {
        user_id: world.account.admin.user_id,
        line_id: worked.lines[0].id,
        date,
        hours: 6.5,
        note: "Layout of the front page",
      });
    }
    const series = await world.done("POST /recurring-series", {
      customer_id: customer.id,
      external_id: `S-${at}`,
      frequency: "monthly",
      start_date: "2026-03-01",
      issue_timing: { mode: at === 0 ? "manual" : "end-of-period" },
      lines: [line(22_000)],
    });
    await world.done(`POST /recurring-series/${series.id}/activate`);
    asked.list_occurrences = { series: series.id };
  }
}, 120_000);

describe("rows of lists", () => {
  it("are of every tool that lists", () => {
    const lists = tools.map(({ name }) => name).filter((name) => name.startsWith("list_"));
    expect(Object.keys(asked).sort()).toEqual(lists.sort());
  });

  it.each(Object.keys(asked))("of %s are at most half as long again as the text", async (tool) => {
    const { text, structured } = await toolAnswer(admin, tool, asked[tool]);
    expect(structured.data.length).toBeGreaterThan(2);
    const [of_data, of_text] = [tokensOf(JSON.stringify(structured)), tokensOf(text)];
    expect(of_data / of_text, `${of_data} of ${of_text}`).toBeLessThanOrEqual(MOST);
  });

  it.each(Object.keys(asked))("of %s have the values of the text in its order", async (tool) => {
    const { lines, structured } = await toolAnswer(admin, tool, asked[tool]);
    for (const row of structured.data) {
      const shown = lines.find((text) => text.includes(row.id ?? `${row.period} `)) ?? "";
      let from = 0;
      for (const value of valuesOf(row)) {
        const at = shown.indexOf(value, from);
        expect(at, `${value} after ${shown.slice(0, from)} in ${shown}`).toBeGreaterThanOrEqual(
          from,
        );
        from = at;
      }
    }
  });

  it("have no field without a value", async () => {
    for (const [tool, args] of Object.entries(asked)) {
      const { structured } = await toolAnswer(admin, tool, args);
      for (const row of structured.data) {
        const empty = Object.entries(row).filter(
          ([, value]) => value === null || (Array.isArray(value) && value.length === 0),
        );
        expect(empty, tool).toEqual([]);
      }
    }
  });
});

/** The texts and numbers of a row as the text has them; truths and the mode of a series are in words of its own. */
function valuesOf(row: Json): string[] {
  return Object.entries(row).flatMap(([field, value]: [string, Json]): string[] => {
    if (field === "issue_timing" || typeof value === "boolean") return [];
    if (field === "next") return [value.period, value.issue_date, amount(value.net)];
    if (["net", "amount", "open"].includes(field)) return [amount(value)];
    return Array.isArray(value) ? value.flatMap(valuesOf) : [String(value)];
  });
}

const amount = (value: number): string =>
  value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
