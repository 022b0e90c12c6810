/** Descriptions of the fields of webhooks, in the form of `field-words.ts`. */

export const INTEGRATIONS_WORDS = `
NewWebhookEndpoint, WebhookEndpoint.url: Where events are sent, by POST.
NewWebhookEndpoint, WebhookEndpoint.event_types: Types such as \`invoice.issued\` or \`invoice.*\`; \`*\` is all.
NewWebhookEndpoint, WebhookEndpoint.format: \`standard\` is the event; \`text\` a sentence as chats take it.
NewWebhookEndpoint, WebhookEndpoint.payload: \`thin\` leaves out \`data\`.
NewWebhookEndpoint, WebhookEndpoint.ordering: \`resource\`: in order for each resource; \`account\`: all in order, one at a time.
NewWebhookEndpoint, WebhookEndpoint.max_per_second: Requests a second, at most.
NewWebhookEndpoint, WebhookEndpoint.failing_since: The first failure since the last success; null while it works. ISO 8601, UTC.
NewWebhookEndpoint, WebhookEndpoint.last_success_at: The last 2xx; null before the first. ISO 8601, UTC.
NewWebhookEndpoint, WebhookEndpoint, WebhookEndpointCreate, WebhookEndpointUpdate.description: A text for people; null if there is none.
WebhookDelivery.attempt_count: Number of attempts, without those before it was last sent again.
WebhookDelivery.endpoint_id: UUID of the endpoint.
WebhookDelivery.event_id: The header \`webhook-id\`: UUID of the event, or \`test_…\` for a test.
WebhookDelivery.event_type: Such as \`invoice.issued\`.
WebhookDelivery.next_attempt_at: ISO 8601, UTC; null before the first attempt, and when there is none.
WebhookDelivery.sequence: That of the event; null for a test.
WebhookDelivery.status: \`dead\` after the last attempt failed; \`skipped\` was not sent, or waited for 30 days.
attempts.at: The begin of the attempt; ISO 8601, UTC.
attempts.duration_ms: Until the answer or the error, in milliseconds.
attempts.error: Why there was no answer, such as \`unreachable\`; null for an answer.
attempts.response_body: The first 4 kB of the answer; null without one.
attempts.response_headers: Of the answer, without \`Set-Cookie\`.
attempts.status: HTTP status of the answer; null without one.
request.body: The bytes that every attempt sends; null before the first one of an event that is sent again.
request.headers: Values of the endpoint's own headers are null; null before the first attempt.
`;
