/**
 * A refusal as one line, so that a test compares status, code and the faulty fields together: `422 VALIDATION_FAILED
 * lines[0].discount too_large`. For any other reply, its status alone.
 */
import type { Reply } from "../world/world.ts";

interface Fault {
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** Throws for an envelope that does not follow spec 11.7, including its sentences. */
export function refusal({ status, body }: Reply): string {
  if (status < 300) return String(status);
  const { code, message, field_errors: faults = [] } = body.error;
  if (typeof code !== "string" || typeof message !== "string" || message === "") {
    throw new Error(`no envelope: ${JSON.stringify(body)}`);
  }
  if ((status === 422) !== faults.length > 0) throw new Error("only a 422 lists field_errors");
  if (faults.some((fault: Fault) => !fault.message)) throw new Error("a fault without a sentence");
  const named = faults.map((fault: Fault) => ` ${fault.field} ${fault.code}`).join(",");
  return `${status} ${code}${named}`;
}
