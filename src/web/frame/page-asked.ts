/** What a page asks of another thread, as the plain data of a request. */
import type { Caller } from "../../platform/commands/context.ts";
import type { Asked, Input } from "../../platform/http/asked.ts";

/** `operation` is one of the API, or a name of the pages alone; what is asked has been checked by the page. */
export function pageAsked(
  operation: string,
  caller: Caller,
  request_id: string,
  input: Pick<Input, "params" | "query">,
  is_read: boolean,
): Asked {
  return {
    operation,
    caller,
    request_id,
    input: { ...input, body: undefined },
    is_read,
    as_csv: false,
    once: null,
  };
}
