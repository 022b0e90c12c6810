/** The state and the types of an endpoint, as the list and its own page show them. */

import type { Timestamp } from "../../domain/base/brand.ts";
import type { FailedAttempt } from "../../features/integrations/webhook-deliveries/find-failures.ts";
import type { WebhookEndpointResource } from "../../features/integrations/webhooks/schemas.ts";
import { useReader } from "../frame/reader.ts";
import { Pill } from "../parts/values.tsx";
import { STATE_PILLS, stateInWords } from "./endpoint-state.ts";
import { typesInWords } from "./type-words.ts";
import { webhookWords } from "./webhook-words.ts";

/** Shows the types in words, all of them or those of the first few kinds of resources. */
export function EndpointTypes({ chosen, most }: { chosen: readonly string[]; most?: number }) {
  const reader = useReader();
  const words = webhookWords(reader.language);
  const others = chosen.filter((type) => type !== "*");
  const named = typesInWords(reader, others, words.all);
  const shown = [...(chosen.includes("*") ? [words.all_events] : []), ...named.slice(0, most)];
  const left = named.length - (most ?? named.length);
  return <>{[...shown, ...(left > 0 ? [words.and_more(left)] : [])].join("; ")}</>;
}

/** Shows the state with its sentence. */
export function EndpointState(props: {
  endpoint: WebhookEndpointResource;
  failure: FailedAttempt | undefined;
  now: Timestamp;
}) {
  const { endpoint, failure, now } = props;
  const reader = useReader();
  const words = webhookWords(reader.language);
  return (
    <>
      <Pill kind={STATE_PILLS[endpoint.status]}>{words.states[endpoint.status]}</Pill>{" "}
      {stateInWords(reader, endpoint, failure, now)}
    </>
  );
}
