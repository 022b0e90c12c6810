/** What the short paths of REST and of assistants share: the log entry when the one query of a request fails. */
import type { Log } from "../runtime/log.ts";

const MS_BETWEEN_ENTRIES = 60_000;
let logged_at = Number.NEGATIVE_INFINITY;

/**
 * Logs, at most once a minute, that the query of the short path has failed. The request then takes the ordinary path, so each
 * would cost twice as much without another sign of it.
 */
export function logShortPathFailure(log: Log, err: unknown): void {
  const now = performance.now();
  if (now - logged_at < MS_BETWEEN_ENTRIES) return;
  logged_at = now;
  log.error({ err }, "the query of the short path failed; requests take the ordinary path");
}
