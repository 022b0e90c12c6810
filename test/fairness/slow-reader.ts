/** A client that begins to read a long file and then takes no more of it, for as long as a test wants. */
import { once } from "node:events";
import { head, openSocket } from "../support/http/raw.ts";
import type { Account } from "./two-accounts.ts";

/** Three bytes each: with so many of them a body of one draft is as large as one may be. */
const DESCRIPTION = "長".repeat(1000);
/** What systems take in for a client that reads nothing is less than the file of these. */
const [DRAFTS, LINES] = [12, 250];
const END_OF_FILE = "\r\n0\r\n\r\n";

interface SlowReader {
  /** The first line of the answer. */
  readonly status_line: string;
  /** Takes what is left; answers whether the file came to its end. */
  readRest(): Promise<boolean>;
}

/** Gives an account invoices of which the file is longer than what is on its way to a client that does not read. */
export async function fillFile(account: Account): Promise<void> {
  for (let n = 0; n < DRAFTS; n += 1) await account.draft(LINES, DESCRIPTION);
}

/** Asks for the file, and has its first bytes. */
export async function readSlowly(origin: string, { key }: Account): Promise<SlowReader> {
  const socket = openSocket(origin);
  socket.write(head("GET /api/v1/invoices.csv", key, "connection: close"));
  let text = "";
  const begun = new Promise<void>((resolve) => {
    socket.on("data", (bytes) => {
      text = text + bytes.toString("latin1");
      resolve();
    });
    socket.once("data", () => socket.pause());
    socket.once("close", () => resolve());
  });
  await begun;
  const status_line = text.slice(0, text.indexOf("\r\n"));
  return {
    status_line,
    async readRest() {
      socket.resume();
      if (!socket.closed) await once(socket, "close");
      return text.endsWith(END_OF_FILE);
    },
  };
}
