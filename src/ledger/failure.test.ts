/** What each connector makes of the answers of the transport: a failure, or an answer that it reads itself. */
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

/** As the connector to Dinero has them: a pause from the answer, and a forbidden host is tried again. */
const tryAgain: Parameters<typeof failureFrom>[1] = {
  notAllowed: (why) => ({ state: "not_started", reason: "unavailable", cause: why }),
  pauseMs: (retry_after) => Number(retry_after ?? 60) * 1_000,
  causeOf: ({ body }) => Buffer.from(body).toString(),
};
/** As the connector to Tryton has them: a fixed pause, and a forbidden host is a refusal. */
const refuse: Parameters<typeof failureFrom>[1] = {
  notAllowed: (why) => ({ state: "rejected", code: "NOT_ALLOWED", cause: why }),
  pauseMs: () => 60_000,
};

it.each<[string, LedgerAnswer, object]>([
  ["lost: timeout", { state: "lost", reason: "timeout", cause }, { reason: "timeout", cause }],
  ["lost: connection", { state: "lost", reason: "connection_lost" }, { reason: "connection_lost" }],
  ["lost: answer", { state: "lost", reason: "bad_response" }, { reason: "bad_response" }],
])("%s is unknown for every system", (_case, answer, expected) => {
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
    "no turn, with a pause",
    { state: "not_sent", reason: "rate_limited", retry_after_ms: 1_500 },
    { state: "not_started", reason: "rate_limited", retry_after_ms: 1_500 },
  ],
  [
    "no turn, with a pause of 0",
    { state: "not_sent", reason: "rate_limited", retry_after_ms: 0 },
    { state: "not_started", reason: "rate_limited" },
  ],
  ["status 401", answered(401), { state: "unauthorized", reason: "credentials" }],
])("%s is the same failure for every system", (_case, answer, expected) => {
  for (const rules of [tryAgain, refuse]) expect(failureFrom(answer, rules)).toEqual(expected);
});

it("a host that is not allowed is what the connector says", () => {
  const answer: LedgerAnswer = { state: "not_sent", reason: "not_allowed", cause };
  expect(failureFrom(answer, tryAgain)).toEqual({
    state: "not_started",
    reason: "unavailable",
    cause,
  });
  expect(failureFrom(answer, refuse)).toEqual({ state: "rejected", code: "NOT_ALLOWED", cause });
});

it("status 429 is tried again after the pause that the connector reads", () => {
  const limited = { state: "not_started", reason: "rate_limited" };
  expect(failureFrom(answered(429, "7"), tryAgain)).toEqual({
    ...limited,
    retry_after_ms: 7_000,
    cause: "too many",
  });
  expect(failureFrom(answered(429), tryAgain)).toMatchObject({ retry_after_ms: 60_000 });
  expect(failureFrom(answered(429, "7"), refuse)).toEqual({ ...limited, retry_after_ms: 60_000 });
});

it.each([200, 204, 400, 403, 404, 409, 500, 503])("the connector reads status %i", (status) => {
  const answer = answered(status);
  expect(failureFrom(answer, tryAgain)).toBe(answer);
});
