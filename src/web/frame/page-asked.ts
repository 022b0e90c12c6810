/** A request of a page to another thread, as plain data. */
import type { Caller } from "../../platform/commands/context.ts";
import type { CheckedRequest, Input } from "../../platform/http/asked.ts";

/** Returns the request. `operation` is the API's or a name that only pages use. The page has validated `input`. */
export function pageAsked(
  operation: string,
  caller: Caller,
  request_id: string,
  input: Pick<Input, "params" | "query">,
  is_read: boolean,
): CheckedRequest {
  return {
    operation,
    caller,
    request_id,
    input: { ...input, body: undefined },
    is_read,
    as_csv: false,
    as_lines: false,
    once: null,
    conditions: null,
  };
}
