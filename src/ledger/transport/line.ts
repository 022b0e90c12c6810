/** A connector's transport. Restricts requests to allowed hosts and the organisation's limit, and reports each one. */

import type { Reads } from "../../platform/database/database.ts";
import { timeLimit } from "../../platform/runtime/time-limit.ts";
import { AddressRefused } from "../../platform/security/allowed-address.ts";
import { send } from "../../platform/security/outbound.ts";
import { type Reach, ruleFor } from "../../platform/security/reach.ts";
import type {
  ConnectionSettings,
  LedgerAnswer,
  LedgerRequest,
  LedgerTransport,
  TokenKeeper,
} from "../connector.ts";
import type { CallOptions } from "../outcome.ts";
import { paceOf, retryAfterMs } from "./budget.ts";
import { awaitTurn, type Limited, stopTurns, type Urgency } from "./queue-turn.ts";

interface LineFacts {
  readonly settings: ConnectionSettings;
  readonly secrets: ConnectionSettings;
  readonly tokens: TokenKeeper;
  readonly reach: Reach;
  readonly organisation_key: string;
  /** The organisation's requests per minute; null without a limit. */
  readonly per_minute: number | null;
  /** The time limit of one request; with null, the limit of its call applies. */
  readonly request_ms: number | null;
  readonly turnsFor: (urgency: Urgency) => Reads;
  /** Whether calls must not be made: this is a copy of books kept elsewhere, or a process without background work. */
  readonly isPaused: () => Promise<boolean>;
}

const TOO_MANY = 429;

export function lineOf(facts: LineFacts): LedgerTransport {
  const { settings, secrets, tokens } = facts;
  return {
    settings,
    secrets,
    tokens,
    async request(request, options) {
      const began = performance.now();
      const answer = await answerTo(facts, request, options);
      options.notify?.({
        verb: request.verb,
        status: answer.state === "answered" ? answer.status : null,
        outcome: answer.state === "answered" ? "answered" : `${answer.state}:${answer.reason}`,
        ms: Math.round(performance.now() - began),
      });
      return answer;
    },
  };
}

async function answerTo(
  facts: LineFacts,
  request: LedgerRequest,
  { signal, urgency = "interactive" }: CallOptions,
): Promise<LedgerAnswer> {
  const url = URL.canParse(request.url) ? new URL(request.url) : null;
  const rule = url && ruleFor(url, facts.reach);
  if (url === null || rule === null) return notAllowed(url?.host ?? "this address");
  // A token is requested under a lock and on a separate connection: no further database query may follow.
  const limited = request.is_free ? null : limitOf(facts);
  if (!request.is_free && (await facts.isPaused())) return paused();
  if (limited !== null) {
    const turn = await awaitTurn(facts.turnsFor(urgency), limited, urgency, signal);
    if (turn !== "granted") return { state: "not_sent", reason: "rate_limited", ...turn };
  }
  const limit = facts.request_ms === null ? null : timeLimit(facts.request_ms, signal);
  const answer = await send(
    {
      method: request.method,
      url,
      headers: request.headers ?? {},
      body: request.body ?? null,
      signal: limit?.signal ?? signal,
    },
    rule,
  );
  limit?.clear();
  if (answer.state === "answered" && answer.status === TOO_MANY && limited !== null) {
    const pause_ms = retryAfterMs(answer.headers.get("retry-after"), Date.now());
    await stopTurns(facts.turnsFor(urgency), limited, pause_ms);
  }
  return answer;
}

function limitOf({ organisation_key, per_minute }: LineFacts): Limited | null {
  return per_minute === null ? null : { organisation_key, pace: paceOf(per_minute) };
}

function notAllowed(host: string): LedgerAnswer {
  const cause = new AddressRefused(host, "is not in MATCHBOOK_LEDGER_HOSTS");
  return { state: "not_sent", reason: "not_allowed", cause };
}

function paused(): LedgerAnswer {
  const cause = new Error("background work is paused, and so are all calls to ledgers");
  return { state: "not_sent", reason: "unavailable", cause };
}
