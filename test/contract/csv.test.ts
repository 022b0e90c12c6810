/** The files for accountants: documented as they are, with columns that never change their position. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { csvPage, fileOf } from "../../src/platform/http/csv-page.ts";
import { packageRoot } from "../../src/platform/runtime/paths.ts";
import { routes } from "../../src/routes.ts";
import { openApi } from "../support/http/openapi.ts";
import type { Json } from "../support/world/world.ts";

const files = routes.flatMap((route) => {
  const file = fileOf(route);
  return file ? [[route.path, route, file] as const] : [];
});

/** The published columns: each file begins with these, in this order. */
const BEGIN: Readonly<Record<string, string>> = {
  "/customers.csv": "id external_id name country_key is_person send_method street",
  "/products.csv":
    "id external_id product_number name account_number account_name unit currency default_price",
  "/invoices.csv":
    "invoice_id external_id number status origin series_id series_external_id period issue_date due_date customer_id customer_external_id customer_name",
  "/credit-notes.csv":
    "credit_note_id external_id number status kind credit_date invoice_id invoice_number invoice_date customer_id customer_external_id customer_name",
  "/work-registrations.csv": "id external_id date user_id user_name customer_id customer_name",
  "/recognition.csv": "month customer_id customer_name invoice_id invoice_number",
  "/payments.csv":
    "id external_id kind number status date customer_id customer_name currency amount bank_amount fee",
  "/bank-lines.csv":
    "id bank_account_id bank_statement_id date value_date currency amount instructed_currency instructed_amount text reference end_to_end_id counterparty counterparty_account state payment_id ignored_reason",
  "/open-items.csv":
    "id kind is_credit document_id number customer_id customer_name date due_date currency amount open functional_currency functional_amount functional_open days_overdue functional_balance",
  "/receivables.csv":
    "customer_id customer_external_id customer_name currency not_due days_1_30 days_31_60 days_61_90 over_90 total credit_notes customer_credit balance oldest_due_date functional_currency functional_not_due functional_days_1_30 functional_days_31_60 functional_days_61_90 functional_over_90 functional_total functional_credit_notes functional_customer_credit functional_balance",
  "/ledger/entries.csv":
    "entry_no guid kind number date text line account_number account_name functional_currency debit credit",
  "/ledger/trial-balance.csv":
    "account_number account_name functional_currency opening debit credit closing",
};

describe("docs/csv.md", () => {
  it("is what the routes generate; if not, run `npm run update-contract`", () => {
    const page = readFileSync(join(packageRoot, "docs", "csv.md"), "utf8");
    expect(page, "run `npm run update-contract`").toBe(csvPage(routes));
  });
});

describe("the CSV files", () => {
  it("are exactly the published ones", () => {
    expect(files.map(([path]) => path).sort()).toEqual(Object.keys(BEGIN).sort());
  });

  it.each(files)("%s begins with the published columns", (path, _route, { columns }) => {
    const names = columns.map(({ name }) => name);
    expect(names.slice(0, BEGIN[path]?.split(" ").length)).toEqual(BEGIN[path]?.split(" "));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(files)(
    "%s has its columns and an example in the OpenAPI document",
    (path, _route, file) => {
      const { get } = openApi.paths[path];
      const content = get.responses[200].content["text/csv"];
      expect(content.schema).toEqual({ type: "string" });
      const [header, example, end] = content.example.split("\r\n");
      expect(header.split(",")).toEqual(file.columns.map(({ name }) => name));
      expect(example).not.toMatch(/^,*$/);
      expect(end).toBe("");
      for (const { name } of file.columns) expect(get.description).toContain(`| \`${name}\` |`);
    },
  );

  it.each(files)("%s accepts the filters of its list, and no paging", (path) => {
    const names = (of: Json): string[] =>
      (of.parameters ?? []).map(({ name }: Json) => name as string);
    const list = names(openApi.paths[path.slice(0, -4)].get);
    const pages = ["limit", "cursor", "include"];
    expect(names(openApi.paths[path].get)).toEqual(list.filter((name) => !pages.includes(name)));
  });
});

describe("lists in the OpenAPI document", () => {
  it("have one type, JSON, even if they can also answer CSV", () => {
    for (const [path, item] of Object.entries<Json>(openApi.paths)) {
      const types = Object.keys(item.get?.responses[200].content ?? { "application/json": {} });
      if (/\.csv$|\/pdf$|\/einvoice$|\/logo$|^\/exports\/\{/.test(path)) continue;
      expect(types, path).toEqual(["application/json"]);
    }
  });
});
