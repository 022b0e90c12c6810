/** The message for an unreachable server: the setting and the reason, without the password. */
import { expect, inject, it } from "vitest";
import { openDatabaseProxy } from "../../../test/support/database/proxy.ts";
import { openTransactionPooler } from "../../../test/support/database/transaction-pooler.ts";
import { copyDatabase, dropDatabase } from "../../../test/support/world/world.ts";
import { requireReachable } from "./reach.ts";

it("accepts a server that answers", async () => {
  await requireReachable(inject("template_url"), "DATABASE_URL");
});

it("refuses a pooler whose clients share sessions of the server", async () => {
  const pooler = await openTransactionPooler(inject("template_url"));
  try {
    await expect(requireReachable(pooler.url, "DATABASE_URL")).rejects.toThrow(
      /^The settings are not valid\. DATABASE_URL: leads to a pooler that gives each transaction/,
    );
  } finally {
    await pooler.close();
  }
});

it("accepts a pooler that keeps sessions and hides the server's processes", async () => {
  const url = await copyDatabase(inject("template_url"));
  const proxy = await openDatabaseProxy(url);
  try {
    proxy.hideProcesses();
    await requireReachable(proxy.url, "DATABASE_URL");
  } finally {
    await proxy.close();
    await dropDatabase(inject("template_url"), url);
  }
});

it("includes the server's message", async () => {
  const url = inject("template_url").replace(/\/[^/?]+(\?|$)/, "/no_such_books$1");
  expect(url).toContain("no_such_books");
  await expect(requireReachable(url, "DATABASE_URL")).rejects.toThrow(
    'The settings are not valid. DATABASE_URL: database "no_such_books" does not exist',
  );
});

it.each([
  ["postgresql://ida:secret@no-such-host.invalid/books", /cannot be reached \(E\w+\)$/],
  ["postgresql://ida:secret@127.0.0.1:1/books", /cannot be reached \(ECONNREFUSED\)$/],
  ["postgresql://ida:secret@localhost:1/books", /cannot be reached \(E\w+\)$/],
  ["postgresql://ida:secret@127.0.0.1:port/books", /is not a connection string$/],
  ["postgresql://ida:sec/ret@127.0.0.1/books", /is not a connection string$/],
])("names the setting, without the password, for %s", async (url, reason) => {
  const error = await requireReachable(url, "DATABASE_URL").then(String, String);
  expect(error).toMatch(/^Error: The settings are not valid\. DATABASE_URL: /);
  expect(error).toMatch(reason);
  expect(error).not.toMatch(/sec/);
});
