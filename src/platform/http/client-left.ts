/** Ends work whose client has disconnected. This is no failure, and no list or idempotency key may store it. */
import { Problem } from "../../domain/base/problem.ts";
import { problemFromDatabase } from "./problems.ts";

/** The reason with which the signal of a request aborts. */
export class ClientLeft extends Error {
  override readonly name = "ClientLeft";
  constructor() {
    super("The client has left.");
  }
}

/** Converts an exception to the client's error: that of `problemFromDatabase`, or that the client has disconnected. */
export function refusalFrom(thrown: unknown): unknown {
  if (!(thrown instanceof ClientLeft)) return problemFromDatabase(thrown);
  return new Problem("MALFORMED_REQUEST", { message: thrown.message });
}
