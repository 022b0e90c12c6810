/** Reads the rows of a batch from NDJSON. Each is checked as the body of the call that saves one. */
import * as z from "zod";
import { invalidField, Problem } from "../../../domain/base/problem.ts";
import { parseBody } from "../../../platform/http/body.ts";
import { bodyCheckOf } from "../../../platform/http/check.ts";
import { linesOf } from "../../../platform/http/ndjson.ts";
import type { Route } from "../../../platform/http/route.ts";
import { ExternalId } from "../../../platform/http/schemas.ts";
import type { BatchInput } from "./run-batch.ts";

const MOST_ROWS = 10_000;
const MOST_ROW_BYTES = 64_000;

/**
 * Returns a function that reads rows whose content is that of the body of a route, with an external id. A row that cannot be read, that
 * is not valid, or whose external id an earlier row has is a refusal. Throws MALFORMED_REQUEST for too many or too long rows.
 */
export function rowReader<Input>(single: Route): (bytes: Uint8Array) => BatchInput<Input>[] {
  if (!(single.body instanceof z.ZodObject)) throw new Error(`${single.path} takes no object`);
  const body = single.body.safeExtend({ external_id: ExternalId });
  const check = bodyCheckOf({ ...single, body });
  return (bytes) => {
    const used = new Set<string>();
    return linesOf(bytes, { rows: MOST_ROWS, row_bytes: MOST_ROW_BYTES }).map((line, index) => {
      const { external_id, read } = readLine<Input>(check, line);
      const row = { row: index + 1, external_id };
      if (external_id === null) return { ...row, read };
      if (used.has(external_id)) return { ...row, read: duplicate() };
      used.add(external_id);
      return { ...row, read };
    });
  };
}

function readLine<Input>(
  check: (body: unknown) => unknown,
  line: Uint8Array,
): Omit<BatchInput<Input>, "row"> {
  let external_id: string | null = null;
  try {
    const sent = parseBody(Buffer.from(line.buffer, line.byteOffset, line.byteLength));
    external_id = externalIdOf(sent);
    return { external_id, read: check(sent) as Input };
  } catch (thrown) {
    if (thrown instanceof Problem) return { external_id, read: thrown };
    throw thrown;
  }
}

function externalIdOf(sent: unknown): string | null {
  const { external_id } = (sent ?? {}) as { readonly external_id?: unknown };
  return ExternalId.safeParse(external_id).data ?? null;
}

function duplicate(): Problem {
  return invalidField("external_id", "duplicate", "An earlier row of this call has it.");
}
