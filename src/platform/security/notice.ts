/**
 * Records refused sign-ins, credentials and attempts, so that guessing, stolen credentials and floods are noticed: a log line and
 * a count for each, with its network. A login or credential appears only as a keyed digest, so that readers of the log learn no
 * address, and no password that was typed into the wrong field.
 */
import type { Database } from "../database/database.ts";
import { networkOf } from "../fairness/limits/rate-counter.ts";
import type { SecurityEvent } from "../runtime/metrics.ts";
import type { Services } from "../runtime/services.ts";
import { signed } from "./secrets.ts";

/** The fields of the line in addition to the event and its network: no secret, and no text that an unknown client chose. */
interface Noticed {
  /** The client's address. */
  readonly address: string;
  /** `digestOf` of a login's address. */
  readonly login?: string | undefined;
  /** `digestOf` of a key or token. */
  readonly credential?: string | undefined;
  readonly request_id?: string | undefined;
  readonly route?: string | undefined;
  readonly reason?: string | undefined;
  readonly account_id?: string | undefined;
  readonly actor?: string | undefined;
}

/** The most lines of an event per minute and process. The next minute's first line states how many were omitted. */
export const LINES_A_MINUTE = 600;

interface Minute {
  began: number;
  lines: number;
}

const minutes = new WeakMap<Services["metrics"], Map<SecurityEvent, Minute>>();

/** Counts an event and logs a line. */
export function notice(
  services: Pick<Services, "log" | "metrics">,
  event: SecurityEvent,
  { address, ...known }: Noticed,
): void {
  services.metrics.countSecurityEvent(event);
  const left_out = leftOut(services.metrics, event, Date.now());
  if (left_out === undefined) return;
  services.log.warn(
    { event, network: networkOf(address), ...known, ...(left_out > 0 ? { left_out } : {}) },
    "refused at the door",
  );
}

/** The number of lines omitted in the previous minute; undefined when this line is omitted too. */
function leftOut(
  metrics: Services["metrics"],
  event: SecurityEvent,
  now: number,
): number | undefined {
  const of_all = minutes.get(metrics) ?? new Map<SecurityEvent, Minute>();
  minutes.set(metrics, of_all);
  const minute = of_all.get(event);
  if (minute === undefined || now - minute.began >= 60_000) {
    of_all.set(event, { began: now, lines: 1 });
    return Math.max(0, (minute?.lines ?? 0) - LINES_A_MINUTE);
  }
  minute.lines += 1;
  return minute.lines <= LINES_A_MINUTE ? 0 : undefined;
}

/** Returns twelve hexadecimal digits, the same for the same text in all processes of the installation. */
export async function digestOf(db: Database, text: string): Promise<string> {
  return (await signed(db, "log", text)).toString("hex").slice(0, 12);
}
