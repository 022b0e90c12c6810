/** Which events an endpoint gets, and which of them have to arrive in order: those of one resource, or all. */

/** Events of people, keys and clocks, which are sent only where their type is named in full. */
export const NAMED_IN_FULL: readonly string[] = [
  "user",
  "plan",
  "oauth_grant",
  "api_key",
  "test_clock",
];

interface TypedEvent {
  readonly resource_type: string;
  readonly resource_id: string;
  readonly action: string;
}

interface EventFilter {
  readonly id: string;
  /** Types such as `invoice.issued`, `invoice.*` or `*`. */
  readonly event_types: readonly string[];
}

/** Whether an event is for an endpoint. An endpoint never gets its own events. */
export function isFor(
  { id, event_types }: EventFilter,
  { resource_type, resource_id, action }: TypedEvent,
): boolean {
  if (resource_type === "webhook_endpoint" && resource_id === id) return false;
  if (event_types.includes(`${resource_type}.${action}`)) return true;
  if (NAMED_IN_FULL.includes(resource_type)) return false;
  return event_types.includes(`${resource_type}.*`) || event_types.includes("*");
}

interface RelatedEvent extends Pick<TypedEvent, "resource_type" | "resource_id"> {
  readonly related: { readonly invoice_id: string | null; readonly series_id: string | null };
  /** The document of a delivery; null for other resources. */
  readonly document_id: string | null;
}

/** Where the root of a resource is another one. */
const ROOTS = new Map<string, (event: RelatedEvent) => string | null>([
  ["invoice_line", ({ related }) => related.invoice_id],
  ["delivery", ({ document_id, related }) => document_id ?? related.invoice_id],
  ["occurrence", ({ related }) => related.series_id],
]);

/** Returns the resource whose events are kept in order: of a line and a delivery the document, of an occurrence the series. */
export function rootOf(event: RelatedEvent): string {
  return ROOTS.get(event.resource_type)?.(event) ?? event.resource_id;
}

/** Whether resources of a kind are their own root, whatever they are related to. */
export function isOwnRoot(resource_type: string): boolean {
  return !ROOTS.has(resource_type);
}
