/**
 * What was tried at the doors and refused, so that guessing, stolen credentials and floods are seen: a line in
 * the log and a count for each, with the network that it came from. A login or credential is told by a keyed
 * digest alone: whoever has the log learns no address, nor a password that was typed into the wrong field.
 */
import type { Database } from "../database/database.ts";
import { networkOf } from "../fairness/limits/rate-counter.ts";
import type { SecurityEvent } from "../runtime/metrics.ts";
import type { Services } from "../runtime/services.ts";
import { signed } from "./secrets.ts";

/** What stands in the line beside the event and its network. Nothing secret, and no text that a stranger chose. */
interface Noticed {
  /** The client's address. */
  readonly address: string;
  /** `digestOf` an address of a login. */
  readonly login?: string | undefined;
  /** `digestOf` a key or token. */
  readonly credential?: string | undefined;
  readonly request_id?: string | undefined;
  readonly route?: string | undefined;
  readonly reason?: string | undefined;
  readonly account_id?: string | undefined;
  readonly actor?: string | undefined;
}

/** Of each event within a minute and process; further ones are counted, and told by the next line. */
export const LINES_A_MINUTE = 600;

interface Minute {
  began: number;
  lines: number;
}

const minutes = new WeakMap<Services["metrics"], Map<SecurityEvent, Minute>>();

/** Counts an event and leaves a line of it. */
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

/** How many lines were left out of the minute before; undefined when this one is left out too. */
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

/** Twelve hexadecimal digits that are the same for the same text in all processes of the installation. */
export async function digestOf(db: Database, text: string): Promise<string> {
  return (await signed(db, "log", text)).toString("hex").slice(0, 12);
}
