/** The end of work whose client has gone: no fault of ours, and no refusal that a list or an idempotency key could keep. */
import { Problem } from "../../domain/base/problem.ts";
import { problemFromDatabase } from "./problems.ts";

/** The reason with which the signal of a request aborts. */
export class ClientLeft extends Error {
  override readonly name = "ClientLeft";
  constructor() {
    super("The client has left.");
  }
}

/** What a surface answers for what was thrown: the refusal of `problemFromDatabase`, or that the client has left. */
export function refusalFrom(thrown: unknown): unknown {
  if (!(thrown instanceof ClientLeft)) return problemFromDatabase(thrown);
  return new Problem("MALFORMED_REQUEST", { message: thrown.message });
}
