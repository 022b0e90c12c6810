/** Shows the delivery state of a document, in words. */
import type * as z from "zod";
import type { Delivery } from "../../features/documents/issued/schemas.ts";
import type { DeliveryState } from "../../platform/database/tables.ts";
import { Moment } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import { Pill } from "./values.tsx";

const KINDS = {
  queued: undefined,
  sending: undefined,
  written_to_outbox: "warn",
  accepted: "ok",
  delivered: "ok",
  rejected: "bad",
  failed_temporary: "warn",
  failed_permanent: "bad",
  unknown: "warn",
} as const satisfies Record<DeliveryState, "ok" | "warn" | "bad" | undefined>;

/** Shows the delivery state; null is a document without an attempt to send it. */
export function DeliveryPill({ state }: { state: DeliveryState | null }) {
  const { words } = useReader();
  if (state === null) return <span class="quiet">{words.delivery.none}</span>;
  const kind = KINDS[state];
  return <Pill {...(kind === undefined ? {} : { kind })}>{words.delivery[state]}</Pill>;
}

/** Shows all attempts to send a document, the newest first. `is_sandbox` tells why a mail is only in a file. */
export function Attempts(props: {
  deliveries: readonly z.output<typeof Delivery>[];
  is_sandbox: boolean;
  /** Whether each attempt leads to its page, which is for admins. */
  is_admin: boolean;
}) {
  const { deliveries, is_sandbox, is_admin } = props;
  const { words } = useReader();
  if (deliveries.length === 0) return <p class="quiet">{words.delivery.none}</p>;
  return (
    <ul class="attempts">
      {deliveries.map(({ id, state, channel, address, at, send_error }) => (
        <li>
          <DeliveryPill state={state} />
          <span>
            {channel === "email" ? (address ?? words.delivery.email) : words.delivery.einvoice}
            {channel === "einvoice" && address !== null && <> {address}</>}
          </span>
          <span class="quiet small">
            <Moment at={at} />
          </span>
          {is_admin && (
            <a class="link small" href={`/deliveries/${id}`}>
              {words.delivery.history}
            </a>
          )}
          {send_error !== null && <small>{words.delivery.reason(send_error)}</small>}
          {state === "written_to_outbox" && channel === "email" && (
            <small class="warns">
              {is_sandbox ? words.delivery.in_sandbox : words.delivery.no_mail_server}
            </small>
          )}
        </li>
      ))}
    </ul>
  );
}
