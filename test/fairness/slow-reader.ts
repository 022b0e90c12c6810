/** A client that begins to read a long file and then stops for as long as a test wants. */
import { once } from "node:events";
import { head, openSocket } from "../support/http/raw.ts";
import type { Account } from "./two-accounts.ts";

/** Three bytes each: with these, the body of one draft is as large as a body may be. */
const DESCRIPTION = "長".repeat(1000);
/** The file of these is longer than what systems buffer for a client that does not read. */
const [DRAFTS, LINES] = [12, 250];
const END_OF_FILE = "\r\n0\r\n\r\n";

interface SlowReader {
  /** The first line of the answer. */
  readonly status_line: string;
  /** Reads the rest; returns whether the file was complete. */
  readRest(): Promise<boolean>;
}

/** Gives an account enough invoices that their file is longer than the buffers for a client that does not read. */
export async function fillFile(account: Account): Promise<void> {
  for (let n = 0; n < DRAFTS; n += 1) await account.draft(LINES, DESCRIPTION);
}

/** Requests the file and reads its first bytes. */
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
