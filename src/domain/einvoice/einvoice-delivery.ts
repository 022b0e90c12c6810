/** Decides what becomes of a delivery after it was handed over: its events, and what a person may say about its fate (spec 10.4). */
import { Problem } from "../base/problem.ts";

/** What happens to a delivery, in no order. */
export const deliveryEventKinds = [
  "queued",
  "made",
  "validated",
  "handed_over",
  "looked",
  "delivered",
  "rejected",
  "failed",
  "response",
  "resolved",
  "sent_again",
] as const;

/** Who says so: this service, what sends the document, the side of its receiver, or a person of the account. */
export const deliveryEventSources = ["us", "engine", "receiver", "person"] as const;

export interface DeliveryEvent {
  readonly kind: (typeof deliveryEventKinds)[number];
  readonly code: string | null;
  readonly text: string | null;
  readonly source: (typeof deliveryEventSources)[number];
}

/** The codes of failures that are found before anything is handed over. */
const FOUND_BY_US: readonly string[] = ["einvoice_not_configured", "no_address", "not_prepared"];

interface Settled {
  readonly state: string;
  readonly error_code: string | null;
  readonly send_error: string | null;
}

/** Returns the event that a stored outcome is shown as. */
export function eventOfOutcome({ state, error_code, send_error }: Settled): DeliveryEvent {
  const found = { code: error_code, text: send_error };
  switch (state) {
    case "delivered":
      return { kind: "delivered", ...found, source: "engine" };
    case "rejected":
      return { kind: "rejected", ...found, source: "receiver" };
    case "failed_temporary":
    case "failed_permanent": {
      const is_own = error_code !== null && FOUND_BY_US.includes(error_code);
      return { kind: "failed", ...found, source: is_own ? "us" : "engine" };
    }
    case "queued":
      return { kind: "queued", ...found, source: "us" };
    default:
      return { kind: "handed_over", ...found, source: "us" };
  }
}

/** What a person has found out about a delivery. */
export const resolutions = ["delivered", "not_delivered"] as const;
type Resolution = (typeof resolutions)[number];

/** The states that a person may resolve: in doubt, waiting in a folder, or carried elsewhere in another way. */
const RESOLVABLE: readonly string[] = ["unknown", "written_to_outbox", "failed_permanent"];

/** Returns the state after a person has resolved a delivery. Throws DELIVERY_NOT_RESOLVABLE. */
export function decideResolution(
  state: string,
  outcome: Resolution,
): { readonly state: "delivered" | "failed_permanent"; readonly send_error: string | null } {
  if (!RESOLVABLE.includes(state)) {
    throw new Problem("DELIVERY_NOT_RESOLVABLE", { details: { state } });
  }
  return outcome === "delivered"
    ? { state: "delivered", send_error: null }
    : { state: "failed_permanent", send_error: "a person has found that it did not arrive" };
}
