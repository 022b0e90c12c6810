/** Requests sent on one connection before the first of them is answered: their places are released, whichever client leaves. */
import { beforeAll, describe, expect, it } from "vitest";
import { head, openSocket } from "../support/http/raw.ts";
import { lockCustomer } from "./locked-customer.ts";
import { fillFile, readSlowly } from "./slow-reader.ts";
import { type Account, useAccounts } from "./two-accounts.ts";

const PLACES = 4;
/** Each round would lose at least one of the places. */
const ROUNDS = PLACES;

const accounts = useAccounts({ MATCHBOOK_IN_FLIGHT: `${PLACES}:${PLACES}:32` });
let account: Account;
beforeAll(async () => {
  account = await accounts.open();
  await fillFile(account);
});

function get(): string {
  return head("GET /api/v1/customers?limit=1", account.key);
}

function patch(): string {
  const body = JSON.stringify({ city: "Aarhus" });
  const call = `PATCH /api/v1/customers/${account.customer_id}`;
  const [type, length] = ["content-type: application/json", `content-length: ${body.length}`];
  return head(call, account.key, type, length) + body;
}

/** Sends requests on one connection; returns the status of each reply, in order. */
function answersOf(requests: readonly string[]): Promise<number[]> {
  const socket = openSocket(accounts.program.origin);
  socket.write(requests.join(""));
  return new Promise((resolve) => {
    let text = "";
    const settle = (): void => {
      socket.destroy();
      resolve([...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)));
    };
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      if (text.split("HTTP/1.1 ").length > requests.length) settle();
    });
    socket.once("close", settle);
  });
}

/** Each of the readers holds a place until it continues. */
async function expectAllPlaces(): Promise<void> {
  const { origin } = accounts.program;
  const begun = Array.from({ length: PLACES }, () => readSlowly(origin, account));
  const readers = await Promise.all(begun);
  expect(readers.map(({ status_line }) => status_line)).toEqual(
    readers.map(() => "HTTP/1.1 200 OK"),
  );
  for (const { readRest } of readers) expect(await readRest()).toBe(true);
}

describe("requests that are pipelined on one connection", () => {
  it("are all answered, even if they exceed the places of the account", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const requests = Array.from({ length: 5 * PLACES }, get);
      expect(await answersOf(requests)).toEqual(requests.map(() => 200));
    }
    await expectAllPlaces();
  });

  it("are answered in order if the first takes the longest", async () => {
    await account.ask("GET /customers?limit=1");
    const requests = [patch(), ...Array.from({ length: 2 * PLACES }, get)];
    expect(await answersOf(requests)).toEqual(requests.map(() => 200));
    await expectAllPlaces();
  });

  it("release their places if the client leaves before the first answer", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const locked = await lockCustomer(accounts.world, account.customer_id);
      const socket = openSocket(accounts.program.origin);
      socket.write([patch(), get(), patch(), get()].join(""));
      await locked.waitedFor();
      socket.destroy();
      await locked.release();
    }
    await expectAllPlaces();
  });

  it("release their places if the client leaves during an answer", async () => {
    const file = head("GET /api/v1/invoices.csv", account.key);
    for (let round = 0; round < ROUNDS; round += 1) {
      const socket = openSocket(accounts.program.origin);
      socket.write([get(), file, get(), file].join(""));
      await new Promise<void>((resolve) => {
        let text = "";
        socket.on("data", (bytes) => {
          text += bytes.toString("latin1");
          if (text.includes("text/csv")) resolve();
        });
      });
      socket.destroy();
    }
    await expectAllPlaces();
  });
});
