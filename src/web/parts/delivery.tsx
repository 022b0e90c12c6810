/** How the sending of a document stands, in words. */
import type { DeliveryState } from "../../platform/database/tables.ts";
import { useReader } from "../frame/reader.ts";
import { Pill } from "./values.tsx";

const KINDS = {
  queued: undefined,
  sending: undefined,
  written_to_outbox: "ok",
  accepted: "ok",
  failed_temporary: "warn",
  failed_permanent: "bad",
  unknown: "warn",
} as const satisfies Record<DeliveryState, "ok" | "warn" | "bad" | undefined>;

/** Null is a document that nobody has tried to send. */
export function DeliveryPill({ state }: { state: DeliveryState | null }) {
  const { words } = useReader();
  if (state === null) return <span class="quiet">{words.delivery.none}</span>;
  const kind = KINDS[state];
  return <Pill {...(kind === undefined ? {} : { kind })}>{words.delivery[state]}</Pill>;
}
