/** The answers of the transport by connector: a failure, or an answer that the connector reads itself. */
import { expect, it } from "vitest";
import type { LedgerAnswer } from "./connector.ts";
import { failureFrom } from "./failure.ts";

const cause = new Error("the cause");

const answered = (status: number, retry_after?: string): LedgerAnswer => ({
  state: "answered",
  status,
  headers: new Map(retry_after === undefined ? [] : [["retry-after", retry_after]]),
  body: Buffer.from("too many"),
});

/** The rules of the connector to Dinero: the pause is in the answer, and a request to a forbidden host is repeated. */
const tryAgain: Parameters<typeof failureFrom>[1] = {
  notAllowed: (why) => ({ state: "not_started", reason: "unavailable", cause: why }),
  pauseMs: (retry_after) => Number(retry_after ?? 60) * 1_000,
  causeOf: ({ body }) => Buffer.from(body).toString(),
};
/** The rules of the connector to Tryton: the pause is fixed, and a forbidden host is a refusal. */
const refuse: Parameters<typeof failureFrom>[1] = {
  notAllowed: (why) => ({ state: "rejected", code: "NOT_ALLOWED", cause: why }),
  pauseMs: () => 60_000,
};

it.each<[string, LedgerAnswer, object]>([
  ["lost: timeout", { state: "lost", reason: "timeout", cause }, { reason: "timeout", cause }],
  ["lost: connection", { state: "lost", reason: "connection_lost" }, { reason: "connection_lost" }],
  ["lost: answer", { state: "lost", reason: "bad_response" }, { reason: "bad_response" }],
])("%s is unknown for every connector", (_case, answer, expected) => {
  for (const rules of [tryAgain, refuse]) {
    expect(failureFrom(answer, rules)).toEqual({ state: "unknown", ...expected });
  }
});

it.each<[string, LedgerAnswer, object]>([
  [
    "an unreachable server",
    { state: "not_sent", reason: "unavailable", cause },
    { state: "not_started", reason: "unavailable", cause },
  ],
  [
    "a limited rate with a pause",
    { state: "not_sent", reason: "rate_limited", retry_after_ms: 1_500 },
    { state: "not_started", reason: "rate_limited", retry_after_ms: 1_500 },
  ],
  [
    "a limited rate with a pause of 0",
    { state: "not_sent", reason: "rate_limited", retry_after_ms: 0 },
    { state: "not_started", reason: "rate_limited" },
  ],
  ["status 401", answered(401), { state: "unauthorized", reason: "credentials" }],
])("%s is the same failure for every connector", (_case, answer, expected) => {
  for (const rules of [tryAgain, refuse]) expect(failureFrom(answer, rules)).toEqual(expected);
});

it("the connector decides on the failure of a forbidden host", () => {
  const answer: LedgerAnswer = { state: "not_sent", reason: "not_allowed", cause };
  expect(failureFrom(answer, tryAgain)).toEqual({
    state: "not_started",
    reason: "unavailable",
    cause,
  });
  expect(failureFrom(answer, refuse)).toEqual({ state: "rejected", code: "NOT_ALLOWED", cause });
});

it("status 429 is repeated after the pause that the connector determines", () => {
  const limited = { state: "not_started", reason: "rate_limited" };
  expect(failureFrom(answered(429, "7"), tryAgain)).toEqual({
    ...limited,
    retry_after_ms: 7_000,
    cause: "too many",
  });
  expect(failureFrom(answered(429), tryAgain)).toMatchObject({ retry_after_ms: 60_000 });
  expect(failureFrom(answered(429, "7"), refuse)).toEqual({ ...limited, retry_after_ms: 60_000 });
});

it.each([200, 204, 400, 403, 404, 409, 500, 503])(
  "an answer with status %i is left to the connector",
  (status) => {
    const answer = answered(status);
    expect(failureFrom(answer, tryAgain)).toBe(answer);
  },
);
