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
`;
