/**
 * Makes the text of an event from that of its audit event. `reason`, `resource` and `previous` are taken over character for character,
 * without being parsed: a page of invoices has megabytes.
 */
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";

/** The parts of the text of an audit event. */
interface AuditParts {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly action: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly before: JsonText;
  readonly after: JsonText;
  readonly reason: JsonText;
}

/** To what a resource belongs; null where it does not, or where it was deleted. */
export interface Related {
  readonly series_id: string | null;
  readonly period: string | null;
  readonly invoice_id: string | null;
}

/** What an event has besides its audit event. */
interface EventFacts {
  readonly feed_id: string;
  readonly sequence: bigint;
  readonly customer_id: string | null;
  readonly related: Related;
  readonly sandbox: boolean;
}

const BEFORE = ',"before":';
const AFTER = ',"after":';
const REASON = ',"reason":';

/** Returns the parts of the text of an audit event, which `platform/commands/audit.ts` has written. */
export function auditParts(payload: string): AuditParts {
  // No string has these characters unescaped, and the fields before `before` are scalars but for `actor`.
  const before_at = payload.indexOf(BEFORE);
  const reason_at = payload.lastIndexOf(REASON);
  const states = payload.slice(before_at + BEFORE.length, reason_at);
  const after_at = endOfState(states);
  return {
    ...JSON.parse(`${payload.slice(0, before_at)}}`),
    before: states.slice(0, after_at),
    after: states.slice(after_at + AFTER.length),
    reason: payload.slice(reason_at + REASON.length, -1),
  };
}

/** Returns where the state before ends: at the first `after` that follows a complete value, because resources may have that field. */
function endOfState(states: string): number {
  let at = states.indexOf(AFTER);
  while (states.includes(AFTER, at + 1) && !isComplete(states.slice(0, at))) {
    at = states.indexOf(AFTER, at + 1);
  }
  return at;
}

function isComplete(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the text of an event, as the API shows it. */
export function eventText(
  parts: AuditParts,
  { feed_id, sequence, customer_id, related, sandbox }: EventFacts,
): JsonText {
  const { id, at, actor, action, resource_type, resource_id, before, after, reason } = parts;
  const start = jsonText({
    object: "event",
    id,
    feed_id,
    sequence: Number(sequence),
    type: `${resource_type}.${action}`,
    timestamp: at,
    resource_type,
    resource_id,
    customer_id,
    related,
    actor,
  }).slice(0, -1);
  return `${start},"reason":${reason},"data":{"resource":${after},"previous":${before}},"sandbox":${sandbox}}` as JsonText;
}
