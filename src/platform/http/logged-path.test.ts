import { expect, it } from "vitest";
import { keptPath, loggedPath } from "./logged-path.ts";

it.each([
  ["/d/secret", "/d/:token", "/d/…"],
  ["/d/secret/pdf?x=1", "/d/:token/pdf", "/d/…"],
  ["/%64/secret", "/d/:token", "/d/…"],
  ["/d/secret/more", undefined, "/d/…"],
  ["/%64/secret/more", undefined, "/d/…"],
  ["/D/secret", undefined, "/d/…"],
  ["//d/secret", undefined, "/d/…"],
  ["http://books.example/d/secret", undefined, "/d/…"],
  ["/d%2Fsecret", undefined, "/d/…"],
  ["/api/v1/invoices?limit=1", "/api/v1/invoices", "/api/v1/invoices"],
  ["/dunno/d", undefined, "/dunno/d"],
  ["/%zz", undefined, "/%zz"],
])("logs %s of the route %s as %s", (url, route, path) => {
  expect(loggedPath(url, route)).toBe(path);
});

const KEY = `mbk_${"a1B2".repeat(9)}`;
const ID = "019a0000-0000-7000-8000-000000000000";

it.each([
  ["/api/v1/invoices", "/api/v1/invoices"],
  [`/api/v1/invoices/${ID}/pdf`, `/api/v1/invoices/${ID}/pdf`],
  ["/api/v1/customers/ext:acme-1", "/api/v1/customers/ext:acme-1"],
  ["/api/v1/invoices?limit=25&sort=-number", "/api/v1/invoices?limit=25&sort=-number"],
  ["/api/v1/recognition?from=2026-01&q=Jens", "/api/v1/recognition?from=2026-01&q=…"],
  ["/api/v1/search?q=jens%40example.com&limit=5", "/api/v1/search?q=…&limit=5"],
  [`/api/v1/search?q=1&${KEY}`, "/api/v1/search?q=1&…"],
  [`/api/v1/${KEY}`, "/api/v1/…"],
  [`/api/v1/customers/ext:${KEY}`, "/api/v1/customers/…"],
  [`/api/v1/customers/${"x".repeat(60)}`, "/api/v1/customers/…"],
  [`/api/v1/x?${"a=…&".repeat(200)}`, `/api/v1/x?${"a=…&".repeat(200)}`.slice(0, 300).concat("…")],
])("keeps %s as %s", (url, kept) => {
  expect(keptPath(url, undefined)).toBe(kept);
});

it("keeps the beginning alone of the address of a document", () => {
  expect(keptPath("/d/secret?x=1", "/d/:token")).toBe("/d/…?x=1");
});
