/** Clients that stop reading in the middle of a long file: neither other clients nor the end of the process wait for them. */
import { expect, it } from "vitest";
import { fillFile, readSlowly } from "./slow-reader.ts";
import { useAccounts } from "./two-accounts.ts";

const accounts = useAccounts();

/** The number of these files that were answered, of all accounts. */
async function filesAnswered(): Promise<number> {
  const text = await (await fetch(`${accounts.program.origin}/metrics`)).text();
  const line =
    /^matchbook_http_request_seconds_count\{.*route="\/api\/v1\/invoices\.csv".*\} (\d+)/m;
  return Number(line.exec(text)?.[1] ?? 0);
}

it("do not block another account's file and PDF, and receive complete files when they resume", async () => {
  const [slow, other] = [await accounts.open(), await accounts.open()];
  await fillFile(slow);
  const draft = await other.draft(5);
  const { origin } = accounts.program;
  // As many as the account may have.
  const readers = [await readSlowly(origin, slow), await readSlowly(origin, slow)];
  for (const call of ["GET /invoices.csv", `GET /invoices/${draft}/pdf`]) {
    expect((await other.ask(call)).status).toBe(200);
  }
  expect(await filesAnswered()).toBe(1);
  for (const { status_line, readRest } of readers) {
    expect(status_line).toBe("HTTP/1.1 200 OK");
    expect(await readRest()).toBe(true);
  }
});

it("do not keep the process from ending", async () => {
  const account = await accounts.open();
  await fillFile(account);
  const reader = await readSlowly(accounts.program.origin, account);
  expect(reader.status_line).toBe("HTTP/1.1 200 OK");
  expect(await accounts.program.terminate()).toBe(0);
  // The end came in the middle of the file.
  expect(await reader.readRest()).toBe(false);
  await accounts.restart();
  expect((await account.ask("GET /customers?limit=1")).status).toBe(200);
});
