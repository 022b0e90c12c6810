/** The cure of each warning about a document, and of each refusal of its issue. */
import { describe, expect, it } from "vitest";
import { Problem, type ProblemCode } from "../../domain/base/problem.ts";
import { type Warning, warningCodes } from "../../domain/sales/warning.ts";
import { issueRefusals } from "../../features/ledger/booking/refusals.ts";
import { cureOfRefusal, cureOfUnsent, cureOfWarning } from "./cures.ts";

const draft = {
  page: "/invoices/i",
  day_id: "issue_date",
  customer_id: "c",
  line_ids: ["a", "b"],
  is_admin: true,
} as const;
const BACK = "?back=%2Finvoices%2Fi";
const NUMBER = "customer.vat_number";

describe("the cure of a warning", () => {
  const table: readonly (readonly [Warning["code"], string | undefined, string, boolean])[] = [
    ["SELLER_INCOMPLETE", "seller", "/settings/company", true],
    ["BUYER_NUMBER_MISSING", NUMBER, `/customers/c/edit${BACK}#vat_number`, true],
    ["BUYER_NUMBER_DOUBTFUL", NUMBER, `/customers/c/edit${BACK}#vat_number`, true],
    ["CONSUMER_IN_EU", "customer.is_person", `/customers/c/edit${BACK}#is_person`, true],
    ["LINE_WITHOUT_HOURS", "lines[1]", "/invoices/i#product-b", false],
    ["RATE_OLD", undefined, "/settings/vat#rates", true],
    ["DATE_FAR", "issue_date", "/invoices/i#issue_date", false],
    ["DATE_BEFORE_LAST_NUMBER", "issue_date", "/invoices/i#issue_date", false],
    ["NOBODY_ASSIGNED", "lines[0].assignees", "/invoices/i#product-a", false],
    ["NOBODY_ASSIGNED", "lines[7].assignees", "/invoices/i#lines", false],
    ["EINVOICE_INCOMPLETE", "seller.country_key", "/settings/company", true],
    ["EINVOICE_INCOMPLETE", "buyer_reference", "/invoices/i#buyer_reference", false],
    ["EINVOICE_INCOMPLETE", "order_reference", "/invoices/i#order_reference", false],
  ];

  it.each(table)("%s at %s is %s; for admins alone: %s", (code, field, href, is_for_admins) => {
    const warning = { code, ...(field === undefined ? {} : { field }) };
    expect(cureOfWarning(warning, draft)?.href).toBe(href);
    const other = cureOfWarning(warning, { ...draft, is_admin: false });
    expect(other?.href).toBe(is_for_admins ? undefined : href);
  });

  it("has every code in the table", () => {
    expect(new Set(table.map(([code]) => code))).toEqual(new Set(warningCodes));
  });

  it("of a retainer's period leads to its lines and its day", () => {
    const period = { ...draft, page: "/retainers/r/2026-03", day_id: "facts", line_ids: null };
    expect(cureOfWarning({ code: "NOBODY_ASSIGNED", field: "lines[0].assignees" }, period)).toEqual(
      {
        href: "/retainers/r/2026-03#lines",
        name: "lines",
      },
    );
    expect(cureOfWarning({ code: "DATE_FAR" }, period)?.href).toBe("/retainers/r/2026-03#facts");
    const wrong = { code: "BUYER_NUMBER_DOUBTFUL", field: NUMBER };
    expect(cureOfWarning(wrong, period)?.href).toBe("/customers/c/edit#vat_number");
  });

  it.each(["", "/retainers/r/2026-03", "/invoices/i/credit"])(
    "is the customer's reference on the page %j, which has no field for it",
    (page) => {
      const warning = { code: "EINVOICE_INCOMPLETE", field: "buyer_reference" };
      const cure = cureOfWarning(warning, { ...draft, page, line_ids: null });
      expect(cure).toEqual({ href: "/customers/c/edit#buyer_reference", name: "customer" });
    },
  );
});

describe("the cure of a refused issue", () => {
  const table: readonly (readonly [ProblemCode, string, boolean])[] = [
    ["INVOICE_ALREADY_ISSUED", "/invoices/i", false],
    ["INVOICE_ISSUE_IN_PROGRESS", "/ledger/queue", true],
    ["INVOICE_EMPTY", "/invoices/i#lines", false],
    ["CUSTOMER_INACTIVE", "/customers/c", true],
    ["PERIOD_LOCKED", "/invoices/i#issue_date", false],
    ["LEDGER_MOVING", "/ledger/connection", true],
    ["LEDGER_NOT_CONNECTED", "/ledger/connection", true],
    ["EXCHANGE_RATE_MISSING", "/settings/vat#rates", true],
    ["INVOICE_INCOMPLETE", `/customers/c/edit${BACK}#street`, true],
    ["EINVOICE_INCOMPLETE", `/customers/c/edit${BACK}#street`, true],
    ["LEDGER_MAPPING_MISSING", "/ledger/connection", true],
    ["LEDGER_REJECTED", "/ledger/connection", true],
    ["LEDGER_UNAVAILABLE", "/ledger/connection", true],
  ];

  it.each(table)("%s is %s; for admins alone: %s", (code, href, is_for_admins) => {
    const problem = new Problem(code, { details: { missing: ["customer.street"] } });
    expect(cureOfRefusal(problem, draft)?.href).toBe(href);
    const other = cureOfRefusal(problem, { ...draft, is_admin: false });
    expect(other?.href).toBe(is_for_admins ? undefined : href);
  });

  it("has every refusal of an issue in the table", () => {
    expect(new Set(table.map(([code]) => code))).toEqual(new Set(issueRefusals));
  });

  it("for an e-invoice is the page of the missing field", () => {
    const hrefOf = (field: string) =>
      cureOfRefusal(new Problem("EINVOICE_INCOMPLETE", { details: { missing: [field] } }), draft)
        ?.href;
    expect(hrefOf("seller.registration_number")).toBe("/settings/company");
    expect(hrefOf("lines[2].description_override")).toBe("/invoices/i#lines");
    expect(hrefOf("buyer_reference")).toBe("/invoices/i#buyer_reference");
  });

  it("for missing fields of the seller is the company, and there is none for another refusal", () => {
    const problem = new Problem("INVOICE_INCOMPLETE", { details: { missing: ["seller.name"] } });
    expect(cureOfRefusal(problem, draft)?.href).toBe("/settings/company");
    expect(cureOfRefusal(new Problem("NOT_FOUND"), draft)).toBeNull();
  });
});

describe("the cure of a document that cannot be sent", () => {
  it("is the customer's address, or how the customer is sent to", () => {
    expect(cureOfUnsent("no_address", draft)?.href).toBe(`/customers/c/edit${BACK}#email`);
    expect(cureOfUnsent("einvoice_not_configured", draft)?.href).toBe(
      `/customers/c/edit${BACK}#send_method`,
    );
    expect(cureOfUnsent("no_address", { ...draft, is_admin: false })).toBeNull();
  });
});
