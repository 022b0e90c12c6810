/** Sends the example of a type to an endpoint at once, whatever its status, and keeps it among its deliveries. It is no event. */
import * as z from "zod";
import { invalidField } from "../../../domain/base/problem.ts";
import { ALL_EVENT_TYPES, type EventType } from "../../../domain/events/event-types.ts";
import { isFor } from "../../../domain/webhooks/event-order.ts";
import { defineCommand, run } from "../../../platform/commands/command.ts";
import type { Context } from "../../../platform/commands/context.ts";
import type { Insertable } from "../../../platform/database/columns.ts";
import { insert } from "../../../platform/database/sql.ts";
import type { Tables } from "../../../platform/database/tables.ts";
import { timestampOf } from "../../../platform/runtime/clock.ts";
import { newId } from "../../../platform/runtime/id.ts";
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";
import { exampleOfType } from "../events/read-examples.ts";
import { type EndpointState, getEndpoint, lockEndpoint } from "../webhooks/queries.ts";
import { attemptDelivery, openTarget } from "./attempt-delivery.ts";
import { eventBody, sentenceBody } from "./format-body.ts";
import { getDelivery, presentDelivery } from "./queries.ts";
import { requireRunning } from "./require-running.ts";

/**
 * Sends the example of the type, by default of the first one that is for the endpoint, and returns the delivery. Throws NOT_FOUND,
 * BACKGROUND_PAUSED, and VALIDATION_FAILED for an unknown type.
 */
export async function sendTest(
  cx: Context,
  ref: string,
  name: string | undefined,
): Promise<JsonText> {
  const endpoint = await getEndpoint(cx, ref);
  const type = typeFrom(name, endpoint);
  await requireRunning(cx);
  const id = newId<string>();
  const event_id = `test_${newId()}`;
  const body = bodyOf(type, event_id, endpoint);
  const at = timestampOf(Date.now());
  const target = openTarget(cx.sealing, endpoint);
  const network = { allowed: cx.limits.webhook_hosts };
  const attempted = await attemptDelivery(target, { id: event_id, body, at }, network, cx.signal);
  const { attempt, request_headers, is_delivered } = attempted;
  return run(storeTest, cx, {
    id,
    endpoint_id: endpoint.id,
    event_id,
    event_type: type.type,
    root: event_id,
    status: is_delivered ? "delivered" : "dead",
    attempt_count: 1,
    body,
    is_test: true,
    request_headers: jsonText(request_headers),
    attempts: jsonText([attempt]),
    created_at: at,
    settled_at: timestampOf(Date.now()),
  });
}

type TestRow = Omit<Insertable<Tables["webhook_deliveries"]>, "account_id">;

/** Stores a test that was sent. The endpoint may be gone meanwhile: NOT_FOUND. */
const storeTest = defineCommand({
  name: "test_webhook",
  access: "write",
  input: z.custom<TestRow>(),

  async plan(tx, row) {
    await lockEndpoint(tx, row.endpoint_id);
    return row;
  },

  async commit(tx, row): Promise<JsonText> {
    tx.write(insert("webhook_deliveries", { ...row, account_id: tx.caller.account_id }));
    return presentDelivery(await getDelivery(tx, row.id));
  },
});

function typeFrom(name: string | undefined, { id, event_types }: EndpointState): EventType {
  const found = ALL_EVENT_TYPES.find(({ type, resource_type }) => {
    if (name !== undefined) return type === name;
    const action = type.slice(resource_type.length + 1);
    return isFor({ id, event_types }, { resource_type, resource_id: "", action });
  });
  if (found === undefined) {
    throw invalidField("type", "invalid_value", "A type such as `invoice.issued`.");
  }
  return found;
}

/** Returns the body for a test, whose id is that of its example, too: receivers ignore an id that they have. */
function bodyOf(type: EventType, event_id: string, { format, payload }: EndpointState): JsonText {
  if (format === "text") return sentenceBody(type.sentence);
  const example = exampleOfType(type).replace(/"id":"[^"]*"/, `"id":"${event_id}"`) as JsonText;
  return eventBody(example, { payload, previous_sequence: null });
}
