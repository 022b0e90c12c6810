/**
 * Makes the text of an event from that of its audit event. What both have is taken over character for character, without being parsed:
 * a page of invoices has megabytes, and the whole feed millions of events.
 */
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";

/** The parts of the text of an audit event. */
interface AuditParts {
  readonly id: JsonText;
  readonly at: JsonText;
  readonly actor: JsonText;
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

/** The begin of the text of an audit event, where no string has an escape. */
const HEAD =
  /^\{"object":"audit_event","id":("[^"\\]*"),"at":("[^"\\]*"),"actor":(\{"kind":"[^"\\]*","id":"[^"\\]*"\}),"action":"([^"\\]*)","resource_type":"([^"\\]*)","resource_id":"([^"\\]*)"(?=,"before":)/;
const BEFORE = ',"before":';
const AFTER = ',"after":';
const REASON = ',"reason":';

/** Returns the parts of the text of an audit event, which `platform/commands/audit.ts` has written. */
export function auditParts(payload: string): AuditParts {
  const { head, length } = headOf(payload);
  const reason_at = payload.lastIndexOf(REASON);
  const states = payload.slice(length + BEFORE.length, reason_at);
  const after_at = states.startsWith("null") ? "null".length : endOfState(states);
  return {
    ...head,
    before: states.slice(0, after_at) as JsonText,
    after: states.slice(after_at + AFTER.length) as JsonText,
    reason: payload.slice(reason_at + REASON.length, -1) as JsonText,
  };
}

/** Returns the fields before `before`, and the length of their text. */
function headOf(payload: string): {
  readonly head: Omit<AuditParts, "before" | "after" | "reason">;
  readonly length: number;
} {
  const found = HEAD.exec(payload);
  if (found !== null) {
    const [{ length }, id, at, actor, action = "", resource_type = "", resource_id = ""] = found;
    const texts = { id: id as JsonText, at: at as JsonText, actor: actor as JsonText };
    return { head: { ...texts, action, resource_type, resource_id }, length };
  }
  // No string has these characters unescaped, and the fields before `before` are scalars but for `actor`.
  const length = payload.indexOf(BEFORE);
  const { id, at, actor, ...names } = JSON.parse(`${payload.slice(0, length)}}`);
  const texts = { id: jsonText(id), at: jsonText(at), actor: jsonText(actor) };
  return { head: { ...texts, ...names }, length };
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
  const type = `"type":"${resource_type}.${action}","timestamp":${at},"resource_type":"${resource_type}"`;
  const about = `"resource_id":${jsonText(resource_id)},"customer_id":${jsonText(customer_id)},"related":${jsonText(related)}`;
  const start = `{"object":"event","id":${id},"feed_id":"${feed_id}","sequence":${sequence},${type},${about},"actor":${actor}`;
  return `${start},"reason":${reason},"data":{"resource":${after},"previous":${before}},"sandbox":${sandbox}}` as JsonText;
}
