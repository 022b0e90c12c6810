/** The body of a webhook: the event with the sequence of the one before it, or a sentence as chats take it. */
import { type JsonText, jsonText } from "../../../platform/runtime/json.ts";

interface BodyForm {
  readonly payload: "full" | "thin";
  /** The last event before this one that was for the endpoint; null without one. */
  readonly previous_sequence: bigint | null;
}

const MOST_BYTES = 256 * 1024;

/**
 * Returns the body for an event, whose text is taken over character for character. A thin one has no `data`; of one with more than
 * 256 kB `data` is null, and `truncated` true.
 */
export function eventBody(event: JsonText, { payload, previous_sequence }: BodyForm): JsonText {
  const previous = {
    previous_sequence: previous_sequence === null ? null : Number(previous_sequence),
  };
  if (payload === "full") {
    const body = `${event.slice(0, -1)},${jsonText(previous).slice(1)}` as JsonText;
    if (Buffer.byteLength(body) <= MOST_BYTES) return body;
  }
  const { data: _, ...rest } = JSON.parse(event) as Readonly<Record<string, unknown>>;
  if (payload === "thin") return jsonText({ ...rest, ...previous });
  return jsonText({ ...rest, data: null, truncated: true, ...previous });
}

/** Returns the body that shows a sentence in a chat. */
export function sentenceBody(text: string): JsonText {
  return jsonText({ text });
}
