/**
 * Cuts a connection whose server has stopped answering in the middle of a read. A statement may take long, so that silence alone
 * means nothing: the server is asked on a new connection first.
 */
import pg from "pg";
import { withClient } from "./client.ts";
import type { PreparingClient } from "./preparing-client.ts";

const LOOK_MS = 1_000;
/** After this silence the server is asked, and has this long to answer. In milliseconds. */
const SUSPICIOUS_MS = 2_000;
const ANSWER_MS = 2_000;

/** Watches the connection to the server at the address until the returned function is called. */
export function cutWhenSilent(client: PreparingClient, url: string): () => void {
  let is_asking = false;
  const timer = setInterval(async () => {
    if (is_asking || client.waiting_ms < SUSPICIOUS_MS) return;
    is_asking = true;
    const is_alive = await answers(url);
    is_asking = false;
    if (!is_alive && client.waiting_ms >= SUSPICIOUS_MS) client.cut();
  }, LOOK_MS).unref();
  return () => clearInterval(timer);
}

/** Whether the server answers at all: also with an error, for example that it has no connection free. */
async function answers(url: string): Promise<boolean> {
  try {
    const options = { connectionString: url, connectionTimeoutMillis: ANSWER_MS };
    await withClient(options, async () => {});
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  }
}
