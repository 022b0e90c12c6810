/** The state of an endpoint in a sentence, in both languages. */
import { describe, expect, it } from "vitest";
import type { Timestamp } from "../../domain/base/brand.ts";
import type { FailedAttempt } from "../../features/integrations/webhook-deliveries/find-failures.ts";
import { stateInWords } from "./endpoint-state.ts";

type Endpoint = Parameters<typeof stateInWords>[1];

const NOW = "2026-11-27T09:00:00.000Z" as Timestamp;
const EN = { language: "en", time_zone: "Europe/Copenhagen" } as const;
const DA = { language: "da", time_zone: "Europe/Copenhagen" } as const;
const WORKS: Endpoint = {
  status: "enabled",
  disabled_reason: null,
  failing_since: null,
  backlog: 0,
  last_success_at: null,
};
const answered = (status: number) => ({ status, error: null });
const FAILS: Endpoint = {
  ...WORKS,
  status: "failing",
  failing_since: "2026-11-24T08:00:00.000Z",
};

describe("the state of an endpoint", () => {
  it.each<[Endpoint, FailedAttempt | undefined, string, string]>([
    [WORKS, undefined, "Nothing has been sent yet", "Der er ikke sendt noget endnu"],
    [
      { ...WORKS, last_success_at: "2026-11-27T08:30:00.000Z", backlog: 1 },
      undefined,
      "Last sent 27 Nov 2026, 09:30; 1 event waits",
      "Senest sendt 27. nov. 2026, 09.30; 1 hændelse venter",
    ],
    [
      { ...FAILS, backlog: 212 },
      answered(503),
      "Fails since Tuesday: 503; 212 events wait",
      "Har fejlet siden tirsdag: 503; 212 hændelser venter",
    ],
    [
      { ...FAILS, failing_since: "2026-11-14T08:00:00.000Z" },
      { status: null, error: "unreachable" },
      "Fails since 14 Nov 2026: no connection",
      "Har fejlet siden 14. nov. 2026: ingen forbindelse",
    ],
    [
      // Midnight in Copenhagen has passed, in UTC it has not.
      { ...FAILS, failing_since: "2026-11-26T23:30:00.000Z" },
      undefined,
      "Fails since 27 Nov 2026, 00:30",
      "Har fejlet siden 27. nov. 2026, 00.30",
    ],
    [
      { ...WORKS, status: "paused", backlog: 2 },
      undefined,
      "Paused; 2 events wait",
      "På pause; 2 hændelser venter",
    ],
    [
      { ...WORKS, status: "disabled", disabled_reason: "operator" },
      undefined,
      "Disabled by the operator of this service",
      "Slået fra af tjenestens driftsansvarlige",
    ],
  ])("%j", (endpoint, failure, english, danish) => {
    expect(stateInWords(EN, endpoint, failure, NOW)).toBe(english);
    expect(stateInWords(DA, endpoint, failure, NOW)).toBe(danish);
  });
});
