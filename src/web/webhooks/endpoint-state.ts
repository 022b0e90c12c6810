/** The state of a webhook endpoint in a sentence: since when it fails and why, and how many events wait. */
import type { Timestamp } from "../../domain/base/brand.ts";
import { dayIn, daysBetween } from "../../domain/base/calendar.ts";
import type { FailedAttempt } from "../../features/integrations/webhook-deliveries/find-failures.ts";
import type { WebhookEndpointResource } from "../../features/integrations/webhooks/schemas.ts";
import type { PageReader } from "../frame/reader.ts";
import { dayParts } from "../parts/day-names.ts";
import { dayOf, momentOf } from "../parts/format.ts";
import { type WebhookWords, webhookWords } from "./webhook-words.ts";

type Reading = Pick<PageReader, "language" | "time_zone">;
type Endpoint = Pick<
  WebhookEndpointResource,
  "status" | "disabled_reason" | "failing_since" | "backlog" | "last_success_at"
>;

/** The look of a pill by the state. */
export const STATE_PILLS = {
  enabled: "ok",
  paused: "warn",
  failing: "bad",
  disabled: "bad",
} as const satisfies Record<Endpoint["status"], string>;

/** A weekday names a day of so many, with today. */
const A_WEEK = 7;

/** Returns the sentence. `failure` is the last attempt of an endpoint that fails; `now` is the time of the real clock. */
export function stateInWords(
  reader: Reading,
  endpoint: Endpoint,
  failure: FailedAttempt | undefined,
  now: Timestamp,
): string {
  const words = webhookWords(reader.language);
  const parts = [whatIs(reader, endpoint, failure, now)];
  if (endpoint.backlog > 0) parts.push(words.waits(endpoint.backlog));
  return parts.join("; ");
}

function whatIs(
  reader: Reading,
  { status, disabled_reason, failing_since, last_success_at }: Endpoint,
  failure: FailedAttempt | undefined,
  now: Timestamp,
): string {
  const words = webhookWords(reader.language);
  if (status === "paused") return words.paused;
  if (status === "disabled") return words.disabled[disabled_reason ?? "operator"];
  if (status === "failing" && failing_since !== null) {
    const reason = failure === undefined ? null : reasonInWords(words, failure);
    return words.fails_since(sinceInWords(reader, failing_since as Timestamp, now), reason);
  }
  if (last_success_at === null) return words.never_sent;
  return words.last_sent(momentOf(reader.language, last_success_at, reader.time_zone).text);
}

/** Returns how an attempt ended: the status of the answer, or why there was none. */
export function reasonInWords(
  { errors }: WebhookWords,
  { status, error }: FailedAttempt,
): string | null {
  if (status !== null) return String(status);
  return error === null ? null : (errors[error] ?? error);
}

/** Returns a moment as a sentence names it: today with its time, in the last week by its weekday, before that by its date. */
function sinceInWords({ language, time_zone }: Reading, at: Timestamp, now: Timestamp): string {
  const zone = time_zone ?? "UTC";
  const day = dayIn(zone, at);
  const days = daysBetween(day, dayIn(zone, now));
  if (days <= 1) return momentOf(language, at, time_zone).text;
  return days <= A_WEEK ? dayParts(language, day).weekday : dayOf(language, day);
}
