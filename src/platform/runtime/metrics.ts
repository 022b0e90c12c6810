/** Prometheus metrics: requests by route and status, tool calls, refused credentials and attempts, and the process. */

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { CommandOutcome } from "../commands/context.ts";
import { type ReadSource, readSources } from "../threads/replica-gate.ts";

/** Refused sign-ins, credentials and attempts (`platform/security/notice.ts`). */
const securityEvents = [
  "sign_in_failed",
  "factor_failed",
  "key_refused",
  "token_refused",
  "reset_failed",
  "rate_limited",
] as const;
export type SecurityEvent = (typeof securityEvents)[number];

export interface Metrics {
  /** Counts one request with its duration in seconds. */
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Counts one tool call with its duration in seconds. */
  observeTool(tool: string, is_error: boolean, seconds: number): void;
  /** Counts one run of a command with its duration in seconds. */
  observeCommand(command: string, outcome: CommandOutcome, seconds: number): void;
  /** Counts one security event (`platform/security/notice.ts`). */
  countSecurityEvent(event: SecurityEvent): void;
  /** Counts one long read, where there is a replica, by the server that answered it. */
  countLongRead(source: ReadSource): void;
  /** Sets the number of accounts whose books had faults at the last check. */
  setAccountsWithFaults(count: number): void;
  /** Returns the metrics in the text exposition format. */
  text(): Promise<string>;
  readonly content_type: string;
}

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Histogram({
      name,
      help,
      labelNames,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [registry],
    });
  const requests = durations("matchbook_http_request_seconds", "Duration of HTTP requests.", [
    "method",
    "route",
    "status",
  ]);
  const tools = durations("matchbook_tool_seconds", "Duration of calls of tools.", [
    "tool",
    "outcome",
  ]);
  const commands = durations(
    "matchbook_command_seconds",
    "Duration of commands, with what comes after their transaction.",
    ["command", "outcome"],
  );
  const events = new Counter({
    name: "matchbook_security_events_total",
    help: "Failed sign-ins, refused keys and tokens, failed resets, and requests over a limit.",
    labelNames: ["event"],
    registers: [registry],
  });
  // Counters start at 0, so that the first event shows as an increase.
  for (const event of securityEvents) events.inc({ event }, 0);
  const long_reads = new Counter({
    name: "matchbook_long_reads_total",
    help: "Long reads by the server that answered, and why it was the primary. Without a replica it stays 0.",
    labelNames: ["answered_by", "reason"],
    registers: [registry],
  });
  const countLongReads = (source: ReadSource, count: number): void => {
    const by_replica = source === "replica";
    const answered_by = by_replica ? "replica" : "primary";
    long_reads.inc({ answered_by, reason: by_replica ? "caught_up" : source }, count);
  };
  for (const source of readSources) countLongReads(source, 0);
  const faulty = new Gauge({
    name: "matchbook_accounts_with_faults",
    help: "Accounts whose books did not verify when they were last checked.",
    registers: [registry],
  });
  return {
    setAccountsWithFaults: (count) => faulty.set(count),
    observe: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    observeTool: (tool, is_error, seconds) =>
      tools.observe({ tool, outcome: is_error ? "refused" : "done" }, seconds),
    observeCommand: (command, outcome, seconds) => commands.observe({ command, outcome }, seconds),
    countSecurityEvent: (event) => events.inc({ event }),
    countLongRead: (source) => countLongReads(source, 1),
    text: () => registry.metrics(),
    content_type: registry.contentType,
  };
}
