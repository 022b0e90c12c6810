/** The bodies of webhooks. */
import { expect, it } from "vitest";
import { jsonText } from "../../../platform/runtime/json.ts";
import { eventBody, sentenceBody } from "./format-body.ts";

const event = (resource: unknown) =>
  jsonText({
    object: "event",
    id: "e",
    sequence: 7,
    data: { resource, previous: null },
    sandbox: false,
  });
const full = { payload: "full", previous_sequence: 5n } as const;

it("is the event, character for character, with the sequence of the one before it", () => {
  const text = event({ price: "1.10" }).replace('"1.10"', "1.10 ") as ReturnType<typeof event>;
  expect(eventBody(text, full)).toBe(`${text.slice(0, -1)},"previous_sequence":5}`);
  expect(
    JSON.parse(eventBody(text, { ...full, previous_sequence: null })).previous_sequence,
  ).toBeNull();
});

it("has no data where it is thin", () => {
  const thin = JSON.parse(eventBody(event({ a: 1 }), { ...full, payload: "thin" }));
  expect(thin).toEqual({
    object: "event",
    id: "e",
    sequence: 7,
    sandbox: false,
    previous_sequence: 5,
  });
});

it("has up to 256 kB; the data of a larger one is left out", () => {
  const most = 256 * 1024;
  const around = Buffer.byteLength(eventBody(event(""), full));
  const fits = eventBody(event("ø".repeat((most - around) / 2)), full);
  expect(Buffer.byteLength(fits)).toBeGreaterThan(most - 2);
  expect(JSON.parse(fits)).not.toHaveProperty("truncated");
  const large = JSON.parse(eventBody(event("ø".repeat((most - around) / 2 + 1)), full));
  expect(large).toMatchObject({ id: "e", data: null, truncated: true, previous_sequence: 5 });
});

it("is a sentence as chats take it", () => {
  expect(sentenceBody('An "invoice"')).toBe('{"text":"An \\"invoice\\""}');
});
