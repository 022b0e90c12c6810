import { expect, it } from "vitest";
import { loggedPath } from "./logged-path.ts";

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
