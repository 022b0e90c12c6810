/** The client of the API of Matchbook. */
export type { Call, CallOptions, List, ListCall } from "./call.ts";
export * from "./errors.ts";
export type { FollowOptions } from "./follow.ts";
export { API_VERSION, type Operations } from "./generated/operations.ts";
export type * from "./generated/types/types.gen.ts";
export { Matchbook, type MatchbookOptions, type RequestInput } from "./matchbook.ts";
export { verifyWebhook, type WebhookHeaders, WebhookVerificationError } from "./webhook.ts";
